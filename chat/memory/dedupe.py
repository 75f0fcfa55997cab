"""Said twice, remembered once: equal fingerprints, then likeness of vectors, then a model's verdict on what is unclear.

Only fragments are merged. Every merge is undoable (chat.memory.curation), and one that a person has undone stays undone.
"""

import json
import logging
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import combinations
from zoneinfo import ZoneInfo

import numpy as np
from django.db import transaction

from chat.db import lock_user
from chat.errors import BadInput, NotHere
from chat.llm import client, prompts
from chat.llm.errors import LLMError
from chat.memory import curation, fingerprints, sameness
from chat.memory.actors import SYSTEM
from chat.memory.sameness import LIKE, NEARLY, SAME, UNSURE
from chat.models import Account, AuditEvent, Memory

log = logging.getLogger(__name__)

NEWEST = 600  # fragments of one user that are compared at a time
ASKED = 5  # pairs that a model is asked about in one run
SECONDS = 20
SCHEMA = {
    "type": "object",
    "properties": {"same": {"type": "boolean"}},
    "required": ["same"],
    "additionalProperties": False,
}


def merge_repeats(account: Account) -> int:
    """Merge the user's fragments that say the same. Returns how many went into another."""
    rows = _fragments(account.user_id)
    apart = _kept_apart(account.user_id)
    gone: set[int] = set()
    questions = ASKED
    for one, other, likeness in _pairs(rows):
        if {one.pk, other.pk} & gone or {one.pk, other.pk} & apart or not _same_time(one, other, account):
            continue
        verdict = sameness.judge(one.text, other.text, likeness)
        if verdict == UNSURE and questions and client.configured():
            questions -= 1
            verdict = ask_model(one.text, other.text)
        if verdict == SAME and _merge(account, one, other):
            gone.update((one.pk, other.pk))
    return len(gone) // 2


def _fragments(user_id: int) -> list[Memory]:
    rows = Memory.objects.owned_by_id(user_id).live().filter(kind=Memory.Kind.FRAGMENT, marked_wrong=False)
    names = ("text", "embedding", "space_id", "occurred_at", "occurred_to", "recorded_at", "number", "user_id")
    prints = ("fingerprint_entity", "fingerprint_intent", "fingerprint_hour")
    return sorted(rows.only(*names, *prints).order_by("-recorded_at", "-pk")[:NEWEST], key=lambda m: (m.recorded_at, m.pk))


def _kept_apart(user_id: int) -> set[int]:
    """Survivors of merges that were undone."""
    undone = AuditEvent.objects.filter(user_id=user_id, action="memory.unmerged", object_type="memory")
    return set(undone.values_list("object_id", flat=True))


def _pairs(rows: Sequence[Memory]) -> Iterator[tuple[Memory, Memory, float]]:
    """Pairs worth judging, each once, older first: equal fingerprints, then the likest."""
    alike: dict[tuple, list[Memory]] = {}
    for row in rows:
        key = (row.fingerprint_entity, row.fingerprint_intent, row.fingerprint_hour)
        if row.fingerprint_entity:
            alike.setdefault(key, []).append(row)
    for group in alike.values():
        yield from ((one, other, 1.0) for one, other in combinations(group, 2))
    for space in {row.space_id for row in rows if row.space_id}:
        yield from _near([row for row in rows if row.space_id == space and row.embedding is not None])


def _near(rows: Sequence[Memory]) -> Iterator[tuple[Memory, Memory, float]]:
    if len(rows) < 2:
        return
    vectors = np.asarray([row.embedding for row in rows], np.float32)
    cosines = vectors @ vectors.T
    first, second = np.where(np.triu(cosines, 1) >= min(LIKE, NEARLY))
    for i, j in sorted(zip(first, second, strict=True), key=lambda pair: -cosines[pair]):
        yield rows[i], rows[j], float(cosines[i, j])


def _same_time(one: Memory, other: Memory, account: Account) -> bool:
    """What happened on a named day happened once: two such days must be the same one."""
    zone = ZoneInfo(account.zone_name)
    dated = [memory for memory in (one, other) if memory.occurred_to is not None]
    if not dated:
        return True
    span = max(memory.occurred_to - memory.occurred_at for memory in dated)
    days = {memory.occurred_at.astimezone(zone).date() for memory in (one, other)}
    return len(days) == 1 or (len(dated) < 2 and span > timedelta(days=1))


def _merge(account: Account, one: Memory, other: Memory) -> bool:
    """The newer one survives, with both angles. False when one of them has changed or gone meanwhile."""
    text = sameness.combine(one.text, other.text)
    with transaction.atomic():
        lock_user(account.user_id)
        seen = {m.pk: m.number for m in Memory.objects.live().filter(pk__in=[one.pk, other.pk]).only("number")}
        if seen != {one.pk: one.number, other.pk: other.number}:
            return False
        try:
            survivor = curation.merge(account.user, [one.pk], other.pk, text, SYSTEM, reason="said twice")
        except (BadInput, NotHere):
            return False
        Memory.objects.filter(pk=survivor.pk).update(fingerprint_hour=fingerprints.of_hour(other.occurred_at))
    return True


def ask_model(one: str, other: str) -> str:
    """The model's verdict by a forced JSON; what it can't say stays apart."""
    messages = [
        {"role": "system", "content": prompts.load("same", "zh").text},
        {"role": "user", "content": json.dumps({"a": one, "b": other}, ensure_ascii=False)},
    ]
    try:
        reply = client.complete(messages, schema=SCHEMA, max_tokens=50, deadline=SECONDS)
        verdict = json.loads(reply[reply.find("{") : reply.rfind("}") + 1])
    except (LLMError, ValueError) as error:
        log.warning("no verdict on a pair: %s", type(error).__name__)
        return UNSURE
    return SAME if isinstance(verdict, dict) and verdict.get("same") is True else UNSURE
