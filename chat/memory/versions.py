"""What can happen to a belief: it is superseded, withdrawn, stated again, confirmed. The steps that all verbs share.

The caller holds the user's lock and a transaction.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from chat.db import lock_user
from chat.memory import projection
from chat.memory.actors import SYSTEM, Actor, record
from chat.memory.rules import Proposal
from chat.models import Conflict, Entity, EntityVersion, Turn

Status, Source = EntityVersion.Status, EntityVersion.Source

CERTAIN = 0.6  # below it a belief waits for confirmation
EXTRACTOR = "rules/1"


@dataclass(frozen=True)
class Observation:
    """What came of one proposal.

    outcome: added · repeated · settled · refined · replaced · pending · history · ended · retracted · buried · nothing
    """

    outcome: str
    entity: Entity | None = None
    version: EntityVersion | None = None
    conflict: Conflict | None = None


def after(start: datetime | None, end: datetime | None) -> datetime | None:
    """An end that the database will take: later than the start, or none."""
    return end if end and (start is None or end > start) else None


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


def supersede(current: EntityVersion, new: EntityVersion, actor: Actor) -> EntityVersion:
    """Close `current` and make `new` (unsaved) the belief. The old memory leaves recall, summaries that assert it go stale."""
    at = new.recorded_at
    current.status = Status.SUPERSEDED
    if current.valid_to is None:
        current.valid_to = after(current.valid_from, new.valid_from or at)
    current.save(update_fields=["status", "valid_to"])
    new.supersedes = current
    new.status = Status.CURRENT
    new.save()
    Entity.objects.filter(pk=new.entity_id).update(updated_at=at)
    projection.replace(current, new)
    record(new.entity.user_id, actor, "entity.superseded", new, at=at, old=current.pk)
    return new


def withdraw(version: EntityVersion, actor: Actor, *, at: datetime) -> EntityVersion | None:
    """Retract a belief. If it had replaced another, that one is stated again and returned."""
    was_current = version.status == Status.CURRENT
    version.status = Status.RETRACTED if was_current else Status.REJECTED
    version.save(update_fields=["status"])
    close_conflicts_of(version, Conflict.Decision.KEEP_OLD, actor, at)
    projection.withdraw(version)
    record(version.entity.user_id, actor, "entity.retracted", version, at=at)
    if was_current and version.supersedes is not None:
        return restate(version.supersedes, replacing=None, actor=actor, at=at)
    return None


def restate(earlier: EntityVersion, *, replacing: EntityVersion | None, actor: Actor, at: datetime) -> EntityVersion:
    """A new current version that says what `earlier` said, with its quote and source."""
    by_person = {"user": Source.USER_EDIT, "staff": Source.STAFF}
    version = EntityVersion(
        entity=earlier.entity,
        value=earlier.value,
        normalized=earlier.normalized,
        key=earlier.key,
        confidence=earlier.confidence,
        source=by_person.get(actor.kind, earlier.source),
        quote=earlier.quote,
        turn=earlier.turn,
        time_words=earlier.time_words,
        valid_from=earlier.valid_from,
        recorded_at=at,
        last_observed_at=at,
        observations=earlier.observations,
        explicit_confirmations=earlier.explicit_confirmations + (1 if actor.user else 0),
        implicit_confirmations=earlier.implicit_confirmations,
        extractor=earlier.extractor,
    )
    if replacing is None:
        replacing = earlier.entity.versions.current().first()
    return install(version, replacing, actor, restates=earlier)


def install(
    version: EntityVersion, current: EntityVersion | None, actor: Actor, restates: EntityVersion | None = None
) -> EntityVersion:
    if current is not None:
        version = supersede(current, version, actor)
        close_conflicts_of(current, Conflict.Decision.KEEP_NEW, actor, version.recorded_at)
        return version
    version.supersedes = restates
    version.save()
    Entity.objects.filter(pk=version.entity_id).update(updated_at=version.recorded_at)
    projection.project(version)
    record(version.entity.user_id, actor, "entity.current", version, at=version.recorded_at)
    return version


def make_current(version: EntityVersion, actor: Actor, *, at: datetime) -> EntityVersion:
    """A waiting belief is confirmed. Takes the place of the current one, and closes the conflicts between them."""
    current = version.entity.versions.current().first()
    if version.normalized.get("type") == "end":
        return _carry_out_end(version, current, actor, at)
    version.recorded_at = max(version.recorded_at, current.recorded_at if current else version.recorded_at)
    version.confidence = max(version.confidence, CERTAIN)
    close_conflicts_of(version, Conflict.Decision.KEEP_NEW, actor, at)
    if current is not None:
        return supersede(current, version, actor)
    version.status = Status.CURRENT
    version.save()
    projection.project(version)
    record(version.entity.user_id, actor, "entity.confirmed", version, at=at)
    return version


def _carry_out_end(version: EntityVersion, current: EntityVersion | None, actor: Actor, at: datetime) -> EntityVersion:
    version.status = Status.SUPERSEDED
    version.save(update_fields=["status"])
    close_conflicts_of(version, Conflict.Decision.KEEP_NEW, actor, at)
    if current is not None:
        current.status = Status.SUPERSEDED
        current.valid_to = after(current.valid_from, version.recorded_at)
        current.save(update_fields=["status", "valid_to"])
        projection.withdraw(current)
    return version


def open_conflict(kind: str, turn: Turn, *, old: EntityVersion, new: EntityVersion, suggested: str) -> Conflict:
    """The open conflict of the two, opened now if there is none."""
    known = Conflict.objects.open().filter(kind=kind, old=old, new=new).first()
    return known or new_conflict(kind, turn, old=old, new=new, suggested=suggested)


def new_conflict(kind: str, turn: Turn, *, old: EntityVersion, new: EntityVersion, suggested: str) -> Conflict:
    """A conflict of an old belief with one that has just been written, so that there can be none yet."""
    conflict = Conflict.objects.create(
        kind=kind,
        old=old,
        new=new,
        user_id=turn.user_id,
        entity_id=old.entity_id,
        turn=turn,
        suggested=suggested,
        opened_at=turn.at,
    )
    record(turn.user_id, SYSTEM, "conflict.opened", conflict, at=turn.at, old=old.pk, new=new.pk)
    return conflict


def close_conflicts_of(version: EntityVersion, decision: str, actor: Actor, at: datetime) -> None:
    """Open conflicts about a belief that has been decided another way are decided with it."""
    decider = actor.kind if actor.kind in {"user", "staff"} else Conflict.Decider.RULE
    open_ones = Conflict.objects.open().filter(new=version)
    for conflict in open_ones:
        conflict.status, conflict.decision, conflict.decider = Conflict.Status.RESOLVED, decision, decider
        conflict.decided_by_user, conflict.decided_at = actor.user, at
        conflict.save(update_fields=["status", "decision", "decider", "decided_by_user", "decided_at"])


def expire_pending(before: datetime) -> int:
    """Beliefs that waited since before this moment and were never confirmed: rejected, their conflicts decided with them.

    Returns how many. One short transaction per belief; safe to run twice.
    """
    waiting = EntityVersion.objects.pending().filter(last_observed_at__lt=before).values_list("pk", "entity__user_id")
    expired = 0
    for pk, user_id in list(waiting):
        with transaction.atomic():
            lock_user(user_id)
            version = EntityVersion.objects.pending().select_related("entity", "supersedes").filter(pk=pk).first()
            if version is not None and version.last_observed_at < before:
                withdraw(version, SYSTEM, at=timezone.now())
                expired += 1
    return expired
