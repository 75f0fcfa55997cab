"""Bench `maintain`: the nightly care of many users, one after the other, as one worker does it.

Each user is made, filled with memories and turns, cared for and removed again; only the care is timed. Vectors are random:
nobody's text is embedded here, since live rows have theirs by the time night comes.
"""

import resource
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from random import Random
from time import monotonic
from uuid import uuid4

import numpy as np
from django.contrib.auth.models import User
from django.utils import timezone

from chat import maintenance
from chat.evaluation.frame import Result
from chat.evaluation.retention import no_model
from chat.evaluation.year import SAID
from chat.llm.embeddings import registered_space
from chat.llm.spaces import code
from chat.models import DIMENSIONS, Account, Conversation, Memory, Turn

USERS, MEMORIES, TURNS = 1000, 500, 24  # turns: two days of talk that no summary holds yet
BUDGET_SECONDS = 600.0  # for 1,000 users on two cores, two workers


def run(data_dir: Path, options: Mapping) -> Result:
    """`options["users"]`, 1,000 unless said otherwise. `minutes_per_1000` is of one worker; `rss_mb_*` of this process."""
    users = int(options.get("users") or USERS)
    began, taken, first_rss = monotonic(), [], 0.0
    with no_model():
        for number in range(users):
            user = _fill(number)
            try:
                start = monotonic()
                maintenance.maintain(user.pk)
                taken.append(monotonic() - start)
            finally:
                user.delete()
            if number == min(20, users - 1):
                first_rss = _rss()
    metrics = {
        "seconds_per_user": round(sum(taken) / len(taken), 4),
        "seconds_p95": round(float(np.quantile(taken, 0.95)), 4),
        "minutes_per_1000": round(sum(taken) / len(taken) * 1000 / 60, 2),
        "rss_mb_early": round(first_rss, 1),
        "rss_mb_end": round(_rss(), 1),
    }
    return Result("bench maintain", users, monotonic() - began, metrics, settings={"users": users, "memories": MEMORIES})


def _fill(number: int) -> User:
    random = Random(number)  # noqa: S311
    user = User.objects.create(username=f"bench-{uuid4().hex}")
    Account.objects.of(user)
    now, space = timezone.now(), registered_space()
    vectors = np.random.default_rng(number).normal(size=(MEMORIES, DIMENSIONS)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    Memory.objects.bulk_create(_memory(user, random, now, space, vector) for vector in vectors)
    conversation = Conversation.objects.create(user=user)
    said = [random.choice(SAID["when"]) + random.choice(SAID["what"]).format(n=random.randint(2, 60)) for _turn in range(TURNS)]
    Turn.objects.bulk_create(
        Turn(
            conversation=conversation, user=user, text=text, answer=random.choice(SAID["answers"]), status=Turn.Status.IMPORTED,
            at=now - timedelta(hours=36 - place), observed_at=now,
        )
        for place, text in enumerate(said)
    )  # fmt: skip
    return user


def _memory(user: User, random: Random, now, space, vector) -> Memory:
    at = now - timedelta(days=random.uniform(0, 120))
    text = random.choice(SAID["when"]) + random.choice(SAID["what"]).format(n=random.randint(2, 5000))
    return Memory(
        user=user, kind=Memory.Kind.FRAGMENT, text=text, importance=round(random.uniform(0.1, 0.8), 2), occurred_at=at, recorded_at=at,
        clock_at=at, space_id=space.row, embedding=vector, code=code(vector), fingerprint_entity=uuid4().hex, terms=text,
    )  # fmt: skip


def _rss() -> float:
    """Largest resident size so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
