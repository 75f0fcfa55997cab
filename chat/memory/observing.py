"""Let what the user said change the state: the writing rules of DESIGN §3, one proposal at a time."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction

from chat.db import lock_user
from chat.memory import ontology, projection, values
from chat.memory.actors import SYSTEM, Actor, record
from chat.memory.arbitration import resolve
from chat.memory.rules import Proposal
from chat.memory.tombstones import buried, lift
from chat.memory.values import Relation
from chat.memory.versions import (
    CERTAIN,
    Source,
    Status,
    after,
    close_conflicts_of,
    make_current,
    open_conflict,
    supersede,
    withdraw,
)
from chat.models import Conflict, Entity, EntityVersion, Turn

EXTRACTOR = "rules/1"
REACTION = timedelta(minutes=10)  # so soon after a notice, naming a side is the answer to it
REPEAT_GAIN = 0.3  # a repeat closes this share of the distance to full confidence


@dataclass(frozen=True)
class Observation:
    """What came of one proposal.

    outcome: added · repeated · settled · refined · replaced · pending · history · ended · retracted · buried · nothing
    """

    outcome: str
    entity: Entity | None = None
    version: EntityVersion | None = None
    conflict: Conflict | None = None


def observe(turn: Turn, proposal: Proposal, *, actor: Actor = SYSTEM, extractor: str = EXTRACTOR) -> Observation:
    """Let one proposal from `turn` change the state, by the writing rules of DESIGN §3. Atomic."""
    with transaction.atomic():
        lock_user(turn.user_id)
        if proposal.operation == "retract":
            return _retract(turn, proposal, actor)
        if proposal.operation == "end":
            return _end(turn, proposal, actor)
        if not _may_be_stored(turn, proposal):
            return Observation("buried")
        return _assert(turn, proposal, actor, extractor)


def _assert(turn: Turn, proposal: Proposal, actor: Actor, extractor: str) -> Observation:
    entity = _entity_for(turn, proposal)
    current = entity.versions.current().first()
    if proposal.past:
        return _as_history(entity, turn, proposal, extractor)
    if conflict := _settled_by(entity, turn, proposal):
        return _settle(conflict, turn, proposal)
    if current is None:
        return _first(entity, turn, proposal, extractor, actor)
    relation = values.compare(ontology.load().attribute(entity.slot), current.normalized, proposal.normalized)
    if relation is Relation.SAME:
        return Observation("repeated", entity, _repeat(current, turn, proposal.confidence))
    if _event_time(turn, proposal) < (current.valid_from or current.recorded_at):
        return _as_history(entity, turn, proposal, extractor, until=current.valid_from or current.recorded_at)
    if proposal.confidence < CERTAIN or entity.protected or _rule(entity) == "ask":
        return _wait(entity, current, turn, proposal, extractor)
    if relation is Relation.REFINES:
        version = supersede(current, draft(entity, turn, proposal, extractor), actor)
        return Observation("refined", entity, version)
    close_conflicts_of(current, Conflict.Decision.KEEP_NEW, SYSTEM, turn.at)  # overtaken: it is replaced itself
    version = supersede(current, draft(entity, turn, proposal, extractor), actor)
    if relation is Relation.ADDS or _rule(entity) == "never":
        return Observation("replaced", entity, version)
    conflict = open_conflict(Conflict.Kind.ENTITY, turn, old=current, new=version, suggested="keep_new")
    return Observation("replaced", entity, version, conflict)


def _settled_by(entity: Entity, turn: Turn, proposal: Proposal) -> Conflict | None:
    """The conflict that the user has just been told of and settles by naming one of its sides in the next turn."""
    if proposal.confidence < CERTAIN or proposal.source != Source.EXPLICIT:
        return None
    open_ones = Conflict.objects.open().filter(entity=entity, told_at__gt=turn.at - REACTION, told_at__lt=turn.at)
    asked_here = open_ones.filter(turn__conversation_id=turn.conversation_id).for_review()
    return next((c for c in asked_here if proposal.key[:200] in {c.old.key, c.new.key}), None)


def _settle(conflict: Conflict, turn: Turn, proposal: Proposal) -> Observation:
    newer = conflict.new.key == proposal.key[:200]
    decision = Conflict.Decision.KEEP_NEW if newer else Conflict.Decision.KEEP_OLD
    resolve(conflict, decision, Actor.person(turn.user), at=turn.at)
    return Observation("settled", conflict.entity, conflict.entity.versions.current().first())


def _first(entity: Entity, turn: Turn, proposal: Proposal, extractor: str, actor: Actor) -> Observation:
    waiting = entity.versions.pending().filter(key=proposal.key).first()
    if waiting is not None:
        return _repeat_of_pending(entity, waiting, turn, proposal, actor)
    version = draft(entity, turn, proposal, extractor)
    if proposal.confidence < CERTAIN:
        version.status = Status.PENDING
    version.save()
    if version.status == Status.CURRENT:
        projection.project(version)
    record(turn.user_id, actor, f"entity.{version.status}", version, at=turn.at)
    return Observation("added" if version.status == Status.CURRENT else "pending", entity, version)


def _wait(entity: Entity, current: EntityVersion, turn: Turn, proposal: Proposal, extractor: str) -> Observation:
    """The belief waits, and the user is asked. Said again with certainty it becomes current, unless a pin forbids it."""
    waiting = entity.versions.pending().filter(key=proposal.key).first()
    if waiting is not None:
        return _repeat_of_pending(entity, waiting, turn, proposal, SYSTEM)
    version = draft(entity, turn, proposal, extractor)
    version.status = Status.PENDING
    version.supersedes = current
    version.save()
    conflict = open_conflict(Conflict.Kind.ENTITY, turn, old=current, new=version, suggested="keep_old")
    record(turn.user_id, SYSTEM, "entity.pending", version, at=turn.at)
    return Observation("pending", entity, version, conflict)


def _repeat_of_pending(
    entity: Entity, waiting: EntityVersion, turn: Turn, proposal: Proposal, actor: Actor
) -> Observation:
    _repeat(waiting, turn, proposal.confidence)
    if entity.protected or _rule(entity) == "ask" or waiting.confidence < CERTAIN:
        conflict = waiting.conflicts_as_new.open().first()
        return Observation("pending", entity, waiting, conflict)
    return Observation("replaced", entity, make_current(waiting, actor, at=turn.at))


def _as_history(
    entity: Entity, turn: Turn, proposal: Proposal, extractor: str, until: datetime | None = None
) -> Observation:
    """Back-dated: kept with its dates, never the present."""
    version = draft(entity, turn, proposal, extractor)
    version.status = Status.SUPERSEDED
    version.valid_to = after(version.valid_from, proposal.valid_to or until or turn.at)
    version.save()
    record(turn.user_id, SYSTEM, "entity.history", version, at=turn.at)
    return Observation("history", entity, version)


def draft(entity: Entity, turn: Turn, proposal: Proposal, extractor: str) -> EntityVersion:
    """An unsaved version that says what the proposal says, with its quote, dates and first support."""
    explicit = proposal.source == Source.EXPLICIT
    return EntityVersion(
        entity=entity,
        value=proposal.value,
        normalized=proposal.normalized,
        key=proposal.key[:200],
        confidence=proposal.confidence,
        source=proposal.source,
        quote=proposal.quote,
        turn=turn,
        time_words=proposal.time_words[:80],
        valid_from=proposal.valid_from,
        valid_to=after(proposal.valid_from, proposal.valid_to),
        recorded_at=turn.at,
        last_observed_at=turn.at,
        explicit_confirmations=1 if explicit else 0,
        implicit_confirmations=0 if explicit else 1,
        extractor=extractor,
    )


def _repeat(version: EntityVersion, turn: Turn, confidence: float) -> EntityVersion:
    """The same thing said again: more observations, more confidence, no conflict."""
    version.observations += 1
    version.explicit_confirmations += 1
    version.confidence = min(1.0, max(version.confidence, confidence) + (1 - version.confidence) * REPEAT_GAIN)
    version.last_observed_at = max(version.last_observed_at, turn.at)
    version.save(update_fields=["observations", "explicit_confirmations", "confidence", "last_observed_at"])
    return version


def _entity_for(turn: Turn, proposal: Proposal) -> Entity:
    scope = turn.conversation_id if proposal.scope == "conversation" else None
    entity, _created = Entity.objects.get_or_create(
        user_id=turn.user_id,
        category=proposal.category,
        attribute=proposal.attribute,
        item=proposal.item[:120],
        conversation_id=scope,
    )
    return entity


def _event_time(turn: Turn, proposal: Proposal) -> datetime:
    return max(filter(None, [proposal.valid_from, turn.at])) if not proposal.past else proposal.valid_from or turn.at


def _rule(entity: Entity) -> str:
    attribute = ontology.load().attribute(entity.slot)
    return attribute.conflict_rule if attribute else "latest"


def _may_be_stored(turn: Turn, proposal: Proposal) -> bool:
    """Erased things stay erased, unless the user says them anew in a live message of their own."""
    if not buried(turn.user_id, proposal):
        return True
    if turn.status == Turn.Status.IMPORTED or proposal.source != Source.EXPLICIT:
        return False
    lift(turn.user_id, proposal)
    return True


def _retract(turn: Turn, proposal: Proposal, actor: Actor) -> Observation:
    """The user takes a statement back: it is retracted, and what it replaced holds again."""
    version = _named_by(turn, proposal)
    if version is None:
        return Observation("nothing")
    restored = withdraw(version, actor, at=turn.at)
    return Observation("retracted", version.entity, restored or version)


def _named_by(turn: Turn, proposal: Proposal) -> EntityVersion | None:
    """The belief that a retraction means: of the named slot (and item or value), else the newest of this conversation."""
    live = EntityVersion.objects.filter(entity__user_id=turn.user_id, status__in=[Status.CURRENT, Status.PENDING])
    live = live.select_related("entity", "supersedes")
    if not proposal.attribute:
        said_here = live.filter(turn__conversation_id=turn.conversation_id).exclude(turn=turn)
        return said_here.exclude(entity__category="last_query").order_by("-recorded_at", "-pk").first()
    named = live.filter(entity__category=proposal.category, entity__attribute=proposal.attribute)
    if proposal.key:
        named = named.filter(key=proposal.key[:200])
    elif proposal.item:
        named = named.filter(entity__item=proposal.item[:120])
    return named.order_by("-recorded_at", "-pk").first()


def _end(turn: Turn, proposal: Proposal, actor: Actor) -> Observation:
    """No longer so ("我不再站桩了"): the belief is closed with its end date; nothing replaces it."""
    found = EntityVersion.objects.current().filter(
        entity__user_id=turn.user_id, entity__category=proposal.category, entity__attribute=proposal.attribute
    )
    if proposal.item:
        found = found.filter(entity__item=proposal.item[:120])
    version = found.select_related("entity").order_by("-recorded_at").first()
    if version is None:
        return Observation("nothing")
    if version.entity.protected:
        return _ask_about_end(turn, version, proposal)
    version.status = Status.SUPERSEDED
    version.valid_to = after(version.valid_from, proposal.valid_from or turn.at)
    version.save(update_fields=["status", "valid_to"])
    projection.withdraw(version)
    record(turn.user_id, actor, "entity.ended", version, at=turn.at)
    return Observation("ended", version.entity, version)


def _ask_about_end(turn: Turn, version: EntityVersion, proposal: Proposal) -> Observation:
    ended = replace(proposal, item=version.entity.item, value=proposal.quote, key=f"ended:{version.key}"[:200])
    pending = draft(version.entity, turn, ended, EXTRACTOR)
    pending.normalized = {"type": "end"}
    pending.status = Status.PENDING
    pending.supersedes = version
    if version.entity.versions.pending().filter(key=pending.key).exists():
        return Observation("pending", version.entity, version)
    pending.save()
    conflict = open_conflict(Conflict.Kind.ENTITY, turn, old=version, new=pending, suggested="keep_old")
    return Observation("pending", version.entity, pending, conflict)
