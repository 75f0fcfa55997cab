"""Let what the user said change the state: the writing rules of DESIGN §3, one proposal at a time."""

from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction

from chat.db import lock_user
from chat.memory import ending, ontology, projection, values
from chat.memory.actors import SYSTEM, Actor, record
from chat.memory.arbitration import resolve
from chat.memory.rules import Proposal
from chat.memory.tombstones import buried, lift
from chat.memory.values import Relation
from chat.memory.versions import (
    CERTAIN,
    EXTRACTOR,
    Observation,
    Source,
    Status,
    after,
    close_conflicts_of,
    draft,
    make_current,
    open_conflict,
    supersede,
)
from chat.models import Conflict, Entity, EntityVersion, Turn

REACTION = timedelta(minutes=10)  # so soon after a notice, naming a side is the answer to it
REPEAT_GAIN = 0.3  # a repeat closes this share of the distance to full confidence


def observe(turn: Turn, proposal: Proposal, *, actor: Actor = SYSTEM, extractor: str = EXTRACTOR) -> Observation:
    """Let one proposal from `turn` change the state, by the writing rules of DESIGN §3. Atomic."""
    with transaction.atomic():
        lock_user(turn.user_id)
        if proposal.operation == "retract":
            return ending.take_back(turn, proposal, actor)
        if proposal.operation == "unsay":
            return ending.unsay(turn, proposal, actor)
        if proposal.operation == "end":
            return ending.end(turn, proposal, actor)
        if not _may_be_stored(turn, proposal, actor):
            return Observation("buried")
        return _assert(turn, proposal, actor, extractor)


def _assert(turn: Turn, proposal: Proposal, actor: Actor, extractor: str) -> Observation:
    if proposal.among and (proposal := _placed(turn, proposal)) is None:
        return Observation("nothing")
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
        return Observation("repeated", entity, _repeat(current, turn, proposal.confidence, actor))
    if turn.at < current.last_observed_at:  # an older message that arrives late, as imports do
        return _as_history(entity, turn, proposal, extractor, until=current.valid_from or current.recorded_at)
    if relation is Relation.CONTRADICTS and proposal.finer:
        relation = Relation.REFINES
    contradicts = relation is Relation.CONTRADICTS
    if _needs_asking(entity, proposal, contradicts):
        return _wait(entity, current, turn, proposal, extractor)
    if waiting := _waiting(entity, proposal):
        return _repeat_of_pending(entity, waiting, turn, proposal, actor)
    if relation is Relation.REFINES:
        version = supersede(current, draft(entity, turn, proposal, extractor), actor)
        return Observation("refined", entity, version)
    close_conflicts_of(current, Conflict.Decision.KEEP_NEW, SYSTEM, turn.at)  # overtaken: it is replaced itself
    version = supersede(current, draft(entity, turn, proposal, extractor), actor)
    if not contradicts or _rule(entity) == "never":
        return Observation("replaced", entity, version)
    conflict = open_conflict(Conflict.Kind.ENTITY, turn, old=current, new=version, suggested="keep_new")
    return Observation("replaced", entity, version, conflict)


def _placed(turn: Turn, proposal: Proposal) -> Proposal | None:
    """The proposal with the one slot of those it may be of in which something is believed."""
    lasting = Entity.objects.filter(user_id=turn.user_id).lasting()
    believed = EntityVersion.objects.current().filter(entity__in=lasting).select_related("entity")
    slots = {v.entity.slot for v in believed.filter(entity__category__in={slot.split(".")[0] for slot in proposal.among})}
    fitting = slots.intersection(proposal.among)
    if len(fitting) != 1:
        return None
    attribute = ontology.load().attribute(fitting.pop())
    return replace(proposal, category=attribute.category, attribute=attribute.name)


def _needs_asking(entity: Entity, proposal: Proposal, contradicts: bool) -> bool:
    """Doubt, a pin, the attribute's rule, or a mere inference against what is believed: the person decides."""
    if proposal.confidence < CERTAIN or entity.protected:
        return True
    return contradicts and (_rule(entity) == "ask" or proposal.source != Source.EXPLICIT)


def _settled_by(entity: Entity, turn: Turn, proposal: Proposal) -> Conflict | None:
    """The conflict that the user has just been told of and settles by naming one of its sides in the next turn."""
    if proposal.confidence < CERTAIN or proposal.source != Source.EXPLICIT:
        return None
    open_ones = Conflict.objects.open().filter(entity=entity, told_at__gt=turn.at - REACTION, told_at__lt=turn.at)
    asked_here = open_ones.filter(turn__conversation_id=turn.conversation_id)
    if not asked_here.exists():  # as nearly always; the sides cost four joins
        return None
    asked_here = asked_here.select_related("entity", "old__entity", "new__entity").order_by("-opened_at", "-pk")
    return next((c for c in asked_here if _says(proposal, c.new) or _says(proposal, c.old)), None)


def _says(proposal: Proposal, version: EntityVersion) -> bool:
    """Does it say no more and nothing else than the version?"""
    attribute = ontology.load().attribute(version.entity.slot)
    return values.compare(attribute, version.normalized, proposal.normalized) is Relation.SAME


def _settle(conflict: Conflict, turn: Turn, proposal: Proposal) -> Observation:
    decision = Conflict.Decision.KEEP_NEW if _says(proposal, conflict.new) else Conflict.Decision.KEEP_OLD
    resolve(conflict, decision, Actor.person(turn.user), at=turn.at)
    return Observation("settled", conflict.entity, conflict.entity.versions.current().first())


def _first(entity: Entity, turn: Turn, proposal: Proposal, extractor: str, actor: Actor) -> Observation:
    if waiting := _waiting(entity, proposal):
        return _repeat_of_pending(entity, waiting, turn, proposal, actor)
    if opposite := ending.opposite_of(entity):
        return _against(opposite, entity, turn, proposal, extractor)
    version = draft(entity, turn, proposal, extractor)
    if proposal.confidence < CERTAIN:
        version.status = Status.PENDING
    version.save()
    if version.status == Status.CURRENT:
        projection.project(version)
    record(turn.user_id, actor, f"entity.{version.status}", version, at=turn.at)
    return Observation("added" if version.status == Status.CURRENT else "pending", entity, version)


def _against(opposite: EntityVersion, entity: Entity, turn: Turn, proposal: Proposal, extractor: str) -> Observation:
    """The opposite is believed of this item (practised, and now disliked): one of the two must go, as within a slot."""
    if turn.at < opposite.last_observed_at:
        return _as_history(entity, turn, proposal, extractor, until=opposite.recorded_at)
    if _needs_asking(opposite.entity, proposal, True):
        return _wait(entity, opposite, turn, proposal, extractor)
    ending.close(opposite, turn, proposal, SYSTEM)
    version = draft(entity, turn, proposal, extractor)
    version.save()
    projection.project(version)
    record(turn.user_id, SYSTEM, "entity.current", version, at=turn.at)
    conflict = open_conflict(Conflict.Kind.ENTITY, turn, old=opposite, new=version, suggested="keep_new")
    return Observation("replaced", entity, version, conflict)


def _wait(entity: Entity, current: EntityVersion, turn: Turn, proposal: Proposal, extractor: str) -> Observation:
    """The belief waits, and the user is asked. Said again with certainty it becomes current, unless a pin forbids it."""
    if waiting := _waiting(entity, proposal):
        return _repeat_of_pending(entity, waiting, turn, proposal, SYSTEM)
    version = draft(entity, turn, proposal, extractor)
    version.status = Status.PENDING
    version.supersedes = current if current.entity_id == entity.pk else None
    version.save()
    kind = Conflict.Kind.QUERY_VS_HISTORY if proposal.source == Source.IMPLIED else Conflict.Kind.ENTITY
    conflict = open_conflict(kind, turn, old=current, new=version, suggested="keep_old")
    record(turn.user_id, SYSTEM, "entity.pending", version, at=turn.at)
    return Observation("pending", entity, version, conflict)


def _waiting(entity: Entity, proposal: Proposal) -> EntityVersion | None:
    return entity.versions.pending().filter(key=proposal.key[:200]).first()


def _repeat_of_pending(
    entity: Entity, waiting: EntityVersion, turn: Turn, proposal: Proposal, actor: Actor
) -> Observation:
    _repeat(waiting, turn, proposal.confidence, actor)
    if waiting.turn_id == turn.pk or entity.protected or _rule(entity) == "ask" or waiting.confidence < CERTAIN:
        conflict = waiting.conflicts_as_new.open().first()
        return Observation("pending", entity, waiting, conflict)
    return Observation("replaced", entity, make_current(waiting, actor, at=turn.at))


def _as_history(
    entity: Entity, turn: Turn, proposal: Proposal, extractor: str, until: datetime | None = None
) -> Observation:
    """Back-dated: kept with its dates, never the present."""
    told = entity.versions.filter(turn=turn, key=proposal.key[:200], status=Status.SUPERSEDED).first()
    if told is not None:  # the same turn, read again
        return Observation("history", entity, told)
    version = draft(entity, turn, proposal, extractor)
    version.status = Status.SUPERSEDED
    version.valid_to = after(version.valid_from, proposal.valid_to or until or turn.at)
    version.save()
    record(turn.user_id, SYSTEM, "entity.history", version, at=turn.at)
    return Observation("history", entity, version)


def _repeat(version: EntityVersion, turn: Turn, confidence: float, actor: Actor) -> EntityVersion:
    """The same thing said again: more observations, more confidence, no conflict. One turn counts once, however often read."""
    if version.turn_id == turn.pk or (actor.kind == "model" and version.last_observed_at >= turn.at):
        return version
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


def _rule(entity: Entity) -> str:
    if entity.conversation_id is not None:
        return "never"  # said for the moment; the last word of the moment counts
    attribute = ontology.load().attribute(entity.slot)
    return attribute.conflict_rule if attribute else "latest"


def _may_be_stored(turn: Turn, proposal: Proposal, actor: Actor) -> bool:
    """Erased things stay erased, unless the user says them anew in a live message of their own, after the erasure."""
    if not buried(turn.user_id, proposal):
        return True
    live = turn.status != Turn.Status.IMPORTED and proposal.source == Source.EXPLICIT and actor.kind != "model"
    if not live or buried(turn.user_id, proposal, since=turn.created_at):
        return False
    lift(turn.user_id, proposal)
    return True
