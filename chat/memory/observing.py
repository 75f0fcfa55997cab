"""Let what the user said change the state: the writing rules of DESIGN §3, one proposal at a time."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from chat.memory import ending, ontology, projection, values
from chat.memory.actors import SYSTEM, Actor, event_of, record
from chat.memory.arbitration import resolve
from chat.memory.heard import Heard, Standing, look_up, take_up
from chat.memory.rules import Proposal
from chat.memory.text import language
from chat.memory.tombstones import buried, fingerprint_of, graves_of, lift
from chat.memory.values import Relation
from chat.memory.versions import (
    CERTAIN,
    EXTRACTOR,
    Observation,
    Source,
    Status,
    after,
    close_conflicts_of,
    make_current,
    new_conflict,
    open_conflict,
    supersede,
)
from chat.models import AuditEvent, Conflict, Entity, EntityVersion, Turn

REACTION = timedelta(minutes=10)  # so soon after a notice, naming a side is the answer to it
REPEAT_GAIN = 0.3  # a repeat closes this share of the distance to full confidence


def observe(turn: Turn, proposals: Iterable[Proposal], *, actor: Actor = SYSTEM, extractor: str = EXTRACTOR) -> list[Observation]:
    """Let what `turn` proposes change the state, by the writing rules of DESIGN §3; one observation a proposal.

    The caller holds the user's lock and a transaction.
    """
    heard = [Heard(turn, proposal, actor, extractor) for proposal in proposals]
    if not heard:
        return []
    asserted = [each for each in heard if each.proposal.operation == "assert"]
    graves = graves_of(turn.user_id, [each.proposal for each in asserted])
    standing = look_up(asserted) if len(asserted) == len(heard) else {}
    new = _all_new(asserted, standing, graves)
    told = list(Conflict.objects.told_in(turn, turn.at - REACTION)) if len(new) < len(heard) else []  # none is of a new slot
    begun = dict(zip(new, _begin(list(new.values())), strict=True))
    observations = []
    for number, each in enumerate(heard):
        observation = begun[number] if number in begun else _observe(each, told, standing, graves)
        if observation.outcome not in _APART or ontology.load().opposites(each.slot):
            standing.clear()  # what was looked up before may have changed with it
        observations.append(observation)
    return observations


def _observe(heard: Heard, told: list[Conflict], standing: Standing, graves: set[str]) -> Observation:
    turn, proposal, actor = heard.turn, heard.proposal, heard.actor
    if proposal.operation != "assert":
        return _ENDINGS[proposal.operation](turn, proposal, actor)
    if fingerprint_of(proposal) in graves and not _said_anew(turn, proposal, actor):
        return Observation("buried")
    return _assert(heard, told, standing)


# Outcomes that touch no other slot than the one that is spoken of, and its opposite.
_APART = {"added", "pending", "repeated", "history", "refined", "replaced", "buried", "nothing"}
_ENDINGS = {"retract": ending.take_back, "unsay": ending.unsay, "end": ending.end, "cancel": ending.cancel}


def _assert(heard: Heard, told: list[Conflict], standing: Standing) -> Observation:
    turn, proposal = heard.turn, heard.proposal
    if proposal.among:
        proposal = _placed(turn, proposal)
        if proposal is None:
            return Observation("nothing")
        heard = replace(heard, proposal=proposal)
    entity = take_up(heard, standing)
    current = next((version for version in entity.believed if version.status == Status.CURRENT), None)
    pending = [version for version in entity.believed if version.status == Status.PENDING]
    if proposal.by:
        proposal = _shifted(current, proposal)
        if proposal is None:
            return Observation("nothing")
        heard = replace(heard, proposal=proposal)
    if proposal.past:
        return _as_history(entity, heard)
    if conflict := _settled_by(entity, proposal, told):
        told.remove(conflict)
        return _settle(conflict, turn, proposal)
    waiting = next((version for version in pending if version.key == proposal.key[:200]), None)
    if current is None:
        return _first(entity, waiting, heard)
    relation = values.compare(ontology.load().attribute(entity.slot), current.normalized, proposal.normalized)
    if relation is Relation.SAME:
        return Observation("repeated", entity, _repeat(current, heard))
    if turn.at < current.last_observed_at:  # an older message that arrives late, as imports do
        return _as_history(entity, heard, until=current.valid_from or current.recorded_at)
    if relation is Relation.CONTRADICTS and proposal.finer:
        relation = Relation.REFINES
    asks = _needs_asking(entity, proposal, relation is Relation.CONTRADICTS)
    if waiting:
        return _repeat_of_pending(waiting, replace(heard, actor=SYSTEM) if asks else heard)
    return _wait(entity, current, heard) if asks else _take_the_place(current, relation, heard)


def _take_the_place(current: EntityVersion, relation: Relation, heard: Heard) -> Observation:
    """The newer belief counts; a contradiction is told."""
    entity, turn, new = current.entity, heard.turn, heard.draft(current.entity)
    if relation is Relation.REFINES:
        return Observation("refined", entity, supersede(current, new, heard.actor))
    close_conflicts_of(current, Conflict.Decision.KEEP_NEW, SYSTEM, turn.at)  # overtaken: it is replaced itself
    version = supersede(current, new, heard.actor)
    if relation is not Relation.CONTRADICTS or _rule(entity) == "never":
        return Observation("replaced", entity, version)
    conflict = new_conflict(Conflict.Kind.ENTITY, turn, old=current, new=version, suggested="keep_new")
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


def _shifted(current: EntityVersion | None, proposal: Proposal) -> Proposal | None:
    """再加十分钟: the proposal with what is believed, changed by so much."""
    shifted = current and values.shifted(current.normalized, proposal.by)
    if not shifted:
        return None
    attribute = ontology.load().attribute(current.entity.slot)
    value = values.valued(attribute, shifted, "", language(proposal.quote), current.recorded_at.date())
    return replace(proposal, value=value.shown, normalized=value.normalized, key=value.key)


def _needs_asking(entity: Entity, proposal: Proposal, contradicts: bool) -> bool:
    """Doubt, a pin, the attribute's rule, or a mere inference against what is believed: the person decides."""
    if proposal.confidence < CERTAIN or entity.protected:
        return True
    return contradicts and (_rule(entity) == "ask" or proposal.source != Source.EXPLICIT)


def _all_new(heard: list[Heard], standing: Standing, graves: set[str]) -> dict[int, Heard]:
    """By their numbers: those of a slot without a row, which nothing else that is said here can touch."""
    if any(each.proposal.among or each.proposal.by for each in heard):
        return {}
    times = Counter(each.key for each in heard)
    found = {}
    for number, each in enumerate(heard):
        without_row = standing.get(each.key, each) is None and times[each.key] == 1
        alone = not each.proposal.past and not ontology.load().opposites(each.slot)
        if without_row and alone and fingerprint_of(each.proposal) not in graves:
            found[number] = each
    return found


def _begin(heard: list[Heard]) -> list[Observation]:
    """The first belief of each of these new slots, by one statement for all rows of a kind."""
    if not heard:
        return []
    entities = Entity.objects.bulk_create(Entity(**each.key._asdict()) for each in heard)
    versions = [each.draft(entity) for each, entity in zip(heard, entities, strict=True)]
    for version in versions:
        version.status = Status.CURRENT if version.confidence >= CERTAIN else Status.PENDING
    EntityVersion.objects.bulk_create(versions)
    projection.project_all(version for version in versions if version.status == Status.CURRENT)
    acts = [event_of(h.turn.user_id, h.actor, f"entity.{v.status}", v, at=h.turn.at) for h, v in zip(heard, versions, strict=True)]
    AuditEvent.objects.bulk_create(acts)
    return [Observation("added" if v.status == Status.CURRENT else "pending", v.entity, v) for v in versions]


def _settled_by(entity: Entity, proposal: Proposal, told: list[Conflict]) -> Conflict | None:
    """The conflict that the user has just been told of and settles by naming one of its sides in the next turn."""
    if proposal.confidence < CERTAIN or proposal.source != Source.EXPLICIT:
        return None
    of_it = [conflict for conflict in told if conflict.entity_id == entity.pk]
    return next((c for c in of_it if _says(proposal, c.new) or _says(proposal, c.old)), None)


def _says(proposal: Proposal, version: EntityVersion) -> bool:
    """Does it say no more and nothing else than the version?"""
    attribute = ontology.load().attribute(version.entity.slot)
    return values.compare(attribute, version.normalized, proposal.normalized) is Relation.SAME


def _settle(conflict: Conflict, turn: Turn, proposal: Proposal) -> Observation:
    decision = Conflict.Decision.KEEP_NEW if _says(proposal, conflict.new) else Conflict.Decision.KEEP_OLD
    resolve(conflict, decision, Actor.person(turn.user), at=turn.at)
    return Observation("settled", conflict.entity, conflict.entity.versions.current().first())


def _first(entity: Entity, waiting: EntityVersion | None, heard: Heard) -> Observation:
    """Nothing is believed of it yet."""
    if waiting:
        return _repeat_of_pending(waiting, heard)
    if opposite := ending.opposite_of(entity):
        return _against(opposite, entity, heard)
    version = heard.draft(entity)
    if heard.proposal.confidence < CERTAIN:
        version.status = Status.PENDING
    version.save()
    if version.status == Status.CURRENT:
        projection.project(version)
    record(heard.turn.user_id, heard.actor, f"entity.{version.status}", version, at=heard.turn.at)
    return Observation("added" if version.status == Status.CURRENT else "pending", entity, version)


def _against(opposite: EntityVersion, entity: Entity, heard: Heard) -> Observation:
    """The opposite is believed of this item (practised, and now disliked): one of the two must go, as within a slot."""
    turn = heard.turn
    if turn.at < opposite.last_observed_at:
        return _as_history(entity, heard, until=opposite.recorded_at)
    if _needs_asking(opposite.entity, heard.proposal, True):
        return _wait(entity, opposite, heard)
    ending.close(opposite, turn, heard.proposal, SYSTEM)
    version = heard.draft(entity)
    version.save()
    projection.project(version)
    record(turn.user_id, SYSTEM, "entity.current", version, at=turn.at)
    conflict = open_conflict(Conflict.Kind.ENTITY, turn, old=opposite, new=version, suggested="keep_new")
    return Observation("replaced", entity, version, conflict)


def _wait(entity: Entity, current: EntityVersion, heard: Heard) -> Observation:
    """The belief waits, and the user is asked. Said again with certainty it becomes current, unless a pin forbids it."""
    version = heard.draft(entity)
    version.status = Status.PENDING
    version.supersedes = current if current.entity_id == entity.pk else None
    version.save()
    implied = heard.proposal.source == Source.IMPLIED
    kind = Conflict.Kind.QUERY_VS_HISTORY if implied else Conflict.Kind.ENTITY
    conflict = open_conflict(kind, heard.turn, old=current, new=version, suggested="keep_old")
    record(heard.turn.user_id, SYSTEM, "entity.pending", version, at=heard.turn.at)
    return Observation("pending", entity, version, conflict)


def _repeat_of_pending(waiting: EntityVersion, heard: Heard) -> Observation:
    _repeat(waiting, heard)
    entity = waiting.entity
    if waiting.turn_id == heard.turn.pk or entity.protected or _rule(entity) == "ask" or waiting.confidence < CERTAIN:
        return Observation("pending", entity, waiting, waiting.conflicts_as_new.open().first())
    return Observation("replaced", entity, make_current(waiting, heard.actor, at=heard.turn.at))


def _as_history(entity: Entity, heard: Heard, until: datetime | None = None) -> Observation:
    """Back-dated: kept with its dates, never the present."""
    turn, proposal = heard.turn, heard.proposal
    told = entity.versions.filter(turn=turn, key=proposal.key[:200], status=Status.SUPERSEDED).first()
    if told is not None:  # the same turn, read again
        return Observation("history", entity, told)
    version = heard.draft(entity)
    version.status = Status.SUPERSEDED
    version.valid_to = after(version.valid_from, proposal.valid_to or until or turn.at)
    version.save()
    record(turn.user_id, SYSTEM, "entity.history", version, at=turn.at)
    return Observation("history", entity, version)


def _repeat(version: EntityVersion, heard: Heard) -> EntityVersion:
    """The same thing said again: more observations, more confidence, no conflict. One turn counts once, however often read."""
    turn, confidence = heard.turn, heard.proposal.confidence
    if version.turn_id == turn.pk or (heard.actor.kind == "model" and version.last_observed_at >= turn.at):
        return version
    version.observations += 1
    version.explicit_confirmations += 1
    version.confidence = min(1.0, max(version.confidence, confidence) + (1 - version.confidence) * REPEAT_GAIN)
    version.last_observed_at = max(version.last_observed_at, turn.at)
    version.save(update_fields=["observations", "explicit_confirmations", "confidence", "last_observed_at"])
    return version


def _rule(entity: Entity) -> str:
    if entity.conversation_id is not None:
        return "never"  # said for the moment; the last word of the moment counts
    attribute = ontology.load().attribute(entity.slot)
    return attribute.conflict_rule if attribute else "latest"


def _said_anew(turn: Turn, proposal: Proposal, actor: Actor) -> bool:
    """Erased things stay erased, unless the user says them anew in a live message of their own, after the erasure."""
    live = turn.status != Turn.Status.IMPORTED and proposal.source == Source.EXPLICIT and actor.kind != "model"
    if not live or buried(turn.user_id, proposal, since=turn.created_at):
        return False
    lift(turn.user_id, proposal)
    return True
