"""Bench `state`: reading a message by rules and writing what it states, for a user with much state and for a new one.

Only `observe_turn` is timed, commit included. The messages are those of the labelled cases, so that every kind of write
occurs: first statements, repeats, refinements, contradictions, retractions, and messages that state nothing.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic, perf_counter
from uuid import uuid4

import numpy as np
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from chat.evaluation.conflicts import read_cases
from chat.evaluation.frame import Result
from chat.memory.extraction import observe_turn
from chat.memory.text import language
from chat.models import Account, Conversation, Entity, EntityVersion, Memory, Turn

ENTITIES, VERSIONS, MESSAGES, WARM_UP = 2000, 20_000, 400, 20
BUDGET_MS = 25.0  # p95 of a turn
FREE = [("preference", "note"), ("habit", "routine"), ("goal", "wish"), ("status", "detail")]


def run(data_dir: Path, options: Mapping) -> Result:
    """Milliseconds per turn: median and p95 with much state, the same for a new user, and the ratio of the medians."""
    began = monotonic()
    with _user() as new:
        _observe(new, WARM_UP)  # patterns and dictionaries are loaded by the first messages of a process
        baseline = _observe(new, MESSAGES)
    with _user() as old:
        _fill(old)
        loaded = _observe(old, MESSAGES)
    metrics = {
        "median_ms": float(np.median(loaded)),
        "p95_ms": float(np.quantile(loaded, 0.95)),
        "baseline_median_ms": float(np.median(baseline)),
        "baseline_p95_ms": float(np.quantile(baseline, 0.95)),
        "ratio": float(np.median(loaded) / np.median(baseline)),
    }
    settings = {"entities": ENTITIES, "versions": VERSIONS, "budget_p95_ms": BUDGET_MS}
    return Result("bench state", MESSAGES, monotonic() - began, {k: round(v, 2) for k, v in metrics.items()}, settings=settings)


@contextmanager
def _user() -> Iterator[User]:
    """A real user, since commits are part of what is measured; deleted at the end with all that is theirs."""
    user = User.objects.create(username=f"bench-{uuid4().hex}")
    Account.objects.of(user)
    try:
        yield user
    finally:
        user.delete()


def _fill(user: User) -> None:
    """Many free items with ten versions each, the last one current and recallable."""
    slots = [(*FREE[number % len(FREE)], f"item {number}") for number in range(ENTITIES)]
    entities = Entity.objects.bulk_create(
        Entity(user=user, category=category, attribute=attribute, item=item) for category, attribute, item in slots
    )
    per_entity, start = VERSIONS // ENTITIES, timezone.now() - timedelta(days=400)
    versions = EntityVersion.objects.bulk_create(
        (
            EntityVersion(
                entity=entity,
                value=f"value {number}",
                normalized={"type": "text", "text": f"value {number}"},
                key=f"text:value {number}",
                source=EntityVersion.Source.USER_EDIT,
                status="current" if number == per_entity - 1 else "superseded",
                recorded_at=start + timedelta(days=number),
                last_observed_at=start + timedelta(days=number),
            )
            for entity in entities
            for number in range(per_entity)
        ),
        batch_size=2000,
    )
    Memory.objects.bulk_create(
        Memory(user=user, tier=Memory.Tier.LONG_TERM, kind=Memory.Kind.ENTITY, version=version, text=version.value)
        for version in versions
        if version.status == "current"
    )
    with connection.cursor() as cursor:  # as autovacuum would have done long before there is so much of it
        cursor.execute("ANALYZE chat_entity, chat_entityversion, chat_memory")


def _observe(user: User, number: int) -> list[float]:
    """Milliseconds that each of so many messages took."""
    account, talk = Account.objects.of(user), Conversation.objects.create(user=user)
    said = [message for case in read_cases() for message in case["messages"]]
    step = max(1, len(said) // number)
    taken = []
    for message in said[::step][:number]:
        text, at = message["text"], datetime.fromisoformat(message["at"])
        turn = Turn.objects.create(conversation=talk, user=user, text=text, at=at, language=language(text))
        start = perf_counter()
        observe_turn(turn, account)
        taken.append((perf_counter() - start) * 1000)
    return taken
