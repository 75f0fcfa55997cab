"""Said twice, remembered once: equal fingerprints, then likeness of vectors, then a model's verdict on what is unclear.

Only fragments are merged. Every merge is undoable (chat.memory.merging), and one that a person has undone stays undone.
A fragment that was held against all others is marked `compared` until its text changes, so a night looks at new ones only.
"""

import heapq
import json
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from zoneinfo import ZoneInfo

from django.db import transaction

from chat.db import lock_user
from chat.errors import BadInput, NotHere
from chat.llm import client, prompts
from chat.llm.embeddings import near
from chat.llm.errors import LLMError
from chat.memory import fingerprints, indexing, merging, sameness
from chat.memory.actors import SYSTEM
from chat.memory.alike import Pair, mark_compared, pairs
from chat.memory.sameness import BARELY, SAME, UNSURE
from chat.models import Account, AuditEvent, Memory

log = logging.getLogger(__name__)

AT_ONCE = 600  # new fragments that are held against all others in one go
ASKED = 5  # pairs that a model is asked about in one night; the others wait for the next
SECONDS = 20
OPEN = "open"  # no verdict yet
SCHEMA = {
    "type": "object",
    "properties": {"same": {"type": "boolean"}},
    "required": ["same"],
    "additionalProperties": False,
}
NAMES = ("text", "occurred_at", "occurred_to", "recorded_at", "number", "user_id")


@dataclass
class Night:
    """One night's comparing. `waiting`: fragments with a pair that no model was asked about yet."""

    account: Account
    apart: set[int]
    questions: int
    merged: int = 0
    waiting: set[int] = field(default_factory=set)


def merge_repeats(account: Account, beat: Callable[[], object] = lambda: None) -> int:
    """Merge the user's fragments that say the same. Returns how many went into another.

    The next merge follows from what is stored alone: killed after any of them and run again, the end is the same.
    """
    night = Night(account, _kept_apart(account.user_id), ASKED if client.configured() else 0)
    seen: set[int] = set()
    while new := _new(account.user_id, seen):
        seen |= new.keys()
        new |= _compare(night, list(new), beat)
        mark_compared({pk: number for pk, number in new.items() if pk not in night.waiting})
        beat()
    return night.merged


def _new(user_id: int, seen: set[int]) -> dict[int, int]:
    """{id: edit count} of fragments that were not compared yet, oldest first."""
    rows = Memory.objects.owned_by_id(user_id).uncompared().exclude(pk__in=seen)
    return dict(rows.order_by("pk").values_list("pk", "number")[:AT_ONCE])


def _kept_apart(user_id: int) -> set[int]:
    """Survivors of merges that were undone."""
    undone = AuditEvent.objects.filter(user_id=user_id, action="memory.unmerged", object_type="memory")
    return set(undone.values_list("object_id", flat=True))


def _compare(night: Night, new: list[int], beat: Callable[[], object]) -> dict[int, int]:
    """Judge the pairs that these fragments make with any other, the likest first. Returns {id: edit count} of survivors."""
    found = _pairs(night.account, new)
    known = _loaded(found)
    survivors: dict[int, int] = {}
    while found:
        pair = heapq.heappop(found)
        older, newer = known.get(pair.older), known.get(pair.newer)
        if older is None or newer is None or not _same(night, older, newer, -pair.unlikeness):
            continue
        survivor = _merge(night.account, older, newer)
        if survivor is None:
            continue
        night.merged += 1
        survivors[survivor.pk] = survivor.number
        again = _after_merge(night.account, survivor)
        found = [other for other in found if not {pair.older, pair.newer} & {other.older, other.newer}] + again
        heapq.heapify(found)
        known = {**known, **_loaded(again), pair.older: None}
        beat()
    return survivors


def _pairs(account: Account, ids: list[int]) -> list[Pair]:
    return sorted(pairs(account.user_id, ids, BARELY))


def _after_merge(account: Account, survivor: Memory) -> list[Pair]:
    """The pairs that the new text makes, once it has its vector."""
    try:
        indexing.embed([survivor.pk])
    except LLMError as error:
        log.warning("no vector of memory %s: %s", survivor.pk, error.code)
    return _pairs(account, [survivor.pk])


def _loaded(found: Iterable[Pair]) -> dict[int, Memory]:
    ids = {pk for pair in found for pk in (pair.older, pair.newer)}
    return Memory.objects.live().only(*NAMES).in_bulk(ids) if ids else {}


def _same(night: Night, older: Memory, newer: Memory, likeness: float) -> bool:
    if {older.pk, newer.pk} & night.apart or not _same_time(older, newer, night.account):
        return False
    try:
        verdict = sameness.judge(older.text, newer.text, likeness, near)
    except LLMError as error:
        log.warning("two memories were not compared: %s", error.code)
        night.waiting |= {older.pk, newer.pk}
        return False
    if verdict == UNSURE and client.configured():
        verdict = ask_model(older.text, newer.text) if night.questions > 0 else OPEN
        night.questions -= 1
        if verdict == OPEN:
            night.waiting |= {older.pk, newer.pk}
    return verdict == SAME


def _same_time(one: Memory, other: Memory, account: Account) -> bool:
    """What happened on a named day happened once: two such days must be the same one."""
    zone = ZoneInfo(account.zone_name)
    dated = [memory for memory in (one, other) if memory.occurred_to is not None]
    if not dated:
        return True
    span = max(memory.occurred_to - memory.occurred_at for memory in dated)
    days = {memory.occurred_at.astimezone(zone).date() for memory in (one, other)}
    return len(days) == 1 or (len(dated) < 2 and span > timedelta(days=1))


def _merge(account: Account, one: Memory, other: Memory) -> Memory | None:
    """The newer one survives, with both angles. None when one of them has changed or gone meanwhile."""
    text = sameness.combine(one.text, other.text)
    with transaction.atomic():
        lock_user(account.user_id)
        seen = {m.pk: m.number for m in Memory.objects.live().filter(pk__in=[one.pk, other.pk]).only("number")}
        if seen != {one.pk: one.number, other.pk: other.number}:
            return None
        try:
            survivor = merging.merge(account.user, merging.Merging([one.pk], other.pk, text, reason="said twice"), SYSTEM)
        except (BadInput, NotHere):
            return None
        Memory.objects.filter(pk=survivor.pk).update(fingerprint_hour=fingerprints.of_hour(other.occurred_at))
    return survivor


def ask_model(one: str, other: str) -> str:
    """The model's verdict by a forced JSON: what it can't say stays apart. OPEN when it gave none, to be asked again."""
    messages = [
        {"role": "system", "content": prompts.load("same", "zh").text},
        {"role": "user", "content": json.dumps({"a": one, "b": other}, ensure_ascii=False)},
    ]
    try:
        reply = client.complete(messages, schema=SCHEMA, max_tokens=50, deadline=SECONDS)
        verdict = json.loads(reply[reply.find("{") : reply.rfind("}") + 1])
    except (LLMError, ValueError) as error:
        log.warning("no verdict on a pair: %s", type(error).__name__)
        return OPEN
    return SAME if isinstance(verdict, dict) and verdict.get("same") is True else UNSURE
