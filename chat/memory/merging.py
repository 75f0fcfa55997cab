"""Several memories made one, and that undone. The nightly search for what was said twice merges by the same verb."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from chat import jobs
from chat.db import lock_user
from chat.errors import BadInput, Clash, NotHere
from chat.memory import indexing
from chat.memory.actors import Actor, record
from chat.memory.curation import SAID, Kind, State, readable, revise
from chat.models import Memory

TAKEN = ("occurred_at", "recorded_at", "importance", "labels")  # what the survivor takes over, beside the text


@dataclass(frozen=True)
class Merging:
    """`into` survives and says `words`. Where nothing else is wished it has the earliest time and the greatest importance."""

    ids: Iterable[int]
    into: int
    words: str
    occurred_at: datetime | None = None
    importance: float | None = None
    reason: str = ""


def merge(user: User, wish: Merging, actor: Actor) -> Memory:
    """The survivor with its new text; the others point to it and leave recall.

    The replacement is written before the others are closed, in one transaction. Undone by `unmerge`.
    Raises NotHere for an id that is not the user's, BadInput when there is nothing to merge or a belief is among them.
    """
    ids = sorted({*wish.ids, wish.into})
    if len(ids) < 2:
        raise BadInput("nothing_to_merge", _("Choose at least two memories to merge."))
    with transaction.atomic():
        lock_user(user.pk)
        found = {m.pk: m for m in Memory.objects.owned_by(user).live().filter(pk__in=ids).prefetch_related("sources")}
        if set(found) != set(ids):
            raise NotHere("no_such_memory", _("There is no such memory."))
        if any(memory.kind == Kind.ENTITY for memory in found.values()):
            raise BadInput("belief_in_merge", _("A state is corrected on its own page, not by merging."))
        survivor = found.pop(wish.into)
        joined = [source.turn_id for memory in found.values() for source in memory.sources.all()]
        undo = {"merged": sorted(found), "turns": _take_sources(survivor, joined), "was": _taken(survivor)}
        vectors = [vector for memory in (survivor, *found.values()) if (vector := indexing.Vector.of(memory))]
        revise(survivor, readable(wish.words), actor, wish.reason, undo)
        _take_over(survivor, list(found.values()), wish)
        kept = any(vector.lend(survivor) for vector in vectors)
        survivor.save(update_fields=[*SAID, *TAKEN, "compared"])
        Memory.objects.filter(pk__in=found).update(state=State.MERGED, merged_into=survivor)
        indexing.index_words([survivor.pk])
        if not kept:
            jobs.embed_soon([survivor.pk])
        record(user.pk, actor, "memory.merged", survivor, reason=wish.reason, merged=sorted(found))
    return survivor


def _take_sources(survivor: Memory, turn_ids: list[int]) -> list[int]:
    """Add the sources that it has not got. Returns the added turn ids."""
    own = {source.turn_id for source in survivor.sources.all()}
    added = sorted(set(turn_ids) - own)
    survivor.turns.add(*added)
    return added


def _taken(memory: Memory) -> dict:
    """What it was before, as JSON holds it."""
    values = {name: getattr(memory, name) for name in TAKEN}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}


def _take_over(survivor: Memory, others: list[Memory], wish: Merging) -> None:
    together = [survivor, *others]
    survivor.occurred_at = wish.occurred_at or min(memory.occurred_at for memory in together)
    survivor.recorded_at = max(memory.recorded_at for memory in together)
    survivor.importance = max(m.importance for m in together) if wish.importance is None else wish.importance
    survivor.labels = list(dict.fromkeys(label for memory in together for label in memory.labels))
    if survivor.occurred_to and survivor.occurred_to < survivor.occurred_at:
        survivor.occurred_at = survivor.occurred_to


def unmerge(memory: Memory, actor: Actor) -> Memory:
    """Undo the survivor's last merge: it is as it was before, the others are back with their ids.

    Raises Clash when its last change was no merge.
    """
    with transaction.atomic():
        lock_user(memory.user_id)
        fresh = Memory.objects.get(pk=memory.pk)
        if not _take_apart(fresh):
            raise Clash("not_merged", _("There is no merge to undo."))
        record(fresh.user_id, actor, "memory.unmerged", fresh)
    return fresh


def part(memory: Memory) -> None:
    """Before a memory is erased: undo the merges that took its words into others. The caller holds the lock.

    The other sources stand on their own again, for the next night to compare. A survivor that was edited since says what
    its owner wrote, and stays.
    """
    survivor = Memory.objects.filter(pk=memory.merged_into_id).first()
    if survivor is None:
        return
    part(survivor)
    survivor.refresh_from_db()
    while survivor.merged_from.filter(pk=memory.pk).exists() and _take_apart(survivor):
        pass


def separate(memory: Memory) -> None:
    """Before a turn that it comes from is erased: undo every merge that it is part of. The caller holds the lock."""
    part(memory)
    memory.refresh_from_db()
    while _take_apart(memory):
        pass


def _take_apart(memory: Memory) -> bool:
    """Undo its last merge; False when its last change was none."""
    revision = memory.revisions.order_by("-number").first()
    if revision is None or not revision.data.get("merged"):
        return False
    memory.turns.remove(*revision.data.get("turns", []))
    memory.text, memory.number = revision.text, memory.number + 1
    memory.space, memory.embedding, memory.code, memory.content_hash = None, None, None, ""
    for name, value in revision.data.get("was", {}).items():
        setattr(memory, name, parse_datetime(value) if isinstance(value, str) else value)
    memory.save(update_fields=[*SAID, *TAKEN])
    back = Memory.objects.owned_by(memory.user).filter(pk__in=revision.data["merged"], merged_into=memory)
    back.update(state=State.LIVE, merged_into=None)
    revision.delete()
    indexing.index_words([memory.pk])
    jobs.embed_soon([memory.pk])
    return True
