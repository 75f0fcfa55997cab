"""Decide a conflict, and take the decision back. Three layers: the attribute's rule, support, a person (DESIGN §5).

A person may overrule what rule or support decided; a person's decision stands until it is undone.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.db import lock_user
from chat.errors import BadInput, Clash
from chat.memory import projection
from chat.memory.actors import SYSTEM, Actor, record
from chat.memory.entities import edit_value
from chat.memory.versions import Status, make_current, restate, withdraw
from chat.models import Conflict, EntityVersion

Decision, Decider, Kind = Conflict.Decision, Conflict.Decider, Conflict.Kind


def resolve(
    conflict: Conflict, decision: str, actor: Actor, *, text: str = "", reason: str = "", at: datetime | None = None
) -> Conflict:
    """Carry out a decision. `text`: the merged value, for MERGE; the true value, if known, for BOTH_WRONG.

    Raises Clash when a person has decided it already (details: decision, decided_at), BadInput for an unknown
    decision or a MERGE without text.
    """
    _check(decision, actor, text, reason)
    with transaction.atomic():
        lock_user(conflict.user_id)
        conflict = Conflict.objects.for_review().select_for_update(of=("self",)).get(pk=conflict.pk)
        if conflict.status != Conflict.Status.OPEN and conflict.decider in {Decider.USER, Decider.STAFF}:
            raise Clash(
                "already_decided",
                _("This has been decided already."),
                decision=conflict.decision,
                decided_at=conflict.decided_at.isoformat(),
            )
        moment = at or timezone.now()
        if decision not in conflict.decisions:
            raise BadInput("nothing_to_decide", _("There is nothing to choose between here; it can only be dismissed."))
        before = conflict.before or _states(conflict)
        _carry_out(conflict, decision, actor, moment, text)
        _close(conflict, decision, actor, moment, reason, before)
        record(conflict.user_id, actor, "conflict.resolved", conflict, reason=reason, at=moment, decision=decision)
        return conflict


def _check(decision: str, actor: Actor, text: str, reason: str) -> None:
    if decision not in Decision.values:
        raise BadInput("unknown_decision", _("There is no such decision."))
    if decision == Decision.MERGE and not text.strip():
        raise BadInput("merge_needs_text", _("Please type what is true of both together."))
    if actor.kind == "staff" and not reason.strip():
        raise BadInput("reason_required", _("Please give a reason."))


def _states(conflict: Conflict) -> dict:
    """What undo will need: how the two beliefs stood, and what was current in the slot of each (of opposites two slots)."""
    sides = [side for side in (conflict.old, conflict.new) if side is not None]
    current = {str(side.entity_id): side.entity.versions.current().values_list("pk", flat=True).first() for side in sides}
    return {
        "current": current,
        "old": conflict.old.status if conflict.old else None,
        "new": conflict.new.status if conflict.new else None,
    }


def _carry_out(conflict: Conflict, decision: str, actor: Actor, at: datetime, text: str) -> None:
    if conflict.entity is None or decision == Decision.DISMISS:
        return
    old, new = conflict.old, conflict.new
    if decision == Decision.KEEP_NEW:
        _make_hold(new, actor, at)
    elif decision == Decision.KEEP_OLD:
        _make_hold(old, actor, at)
        if new.status == Status.PENDING:
            withdraw(new, actor, at=at)
        elif new.status in {Status.CURRENT, Status.SUPERSEDED}:
            EntityVersion.objects.filter(pk=new.pk).update(status=Status.RETRACTED)
            projection.withdraw(new)
    elif decision == Decision.KEEP_BOTH:
        _keep_both(conflict, actor, at)
    elif decision == Decision.MERGE or (decision == Decision.BOTH_WRONG and text.strip()):
        edit_value(conflict.entity, text, actor)
        _reject_if_pending(new, actor, at)
    else:
        _both_wrong(conflict, actor, at)


def _make_hold(version: EntityVersion, actor: Actor, at: datetime) -> None:
    """After it, the entity's current belief says what `version` says."""
    version.refresh_from_db()
    current = version.entity.versions.current().first()
    if current is not None and current.key == version.key:
        current.explicit_confirmations += 1 if actor.user else 0
        current.save(update_fields=["explicit_confirmations"])
    elif version.status == Status.PENDING:
        make_current(version, actor, at=at)
    else:
        restate(version, replacing=current, actor=actor, at=at)


def _keep_both(conflict: Conflict, actor: Actor, at: datetime) -> None:
    """Both are true, each at its time: the older keeps its dates as history, the newer holds now.

    For a single-valued attribute that is what "both" can mean; the older one stays in recall as a dated memory.
    """
    old, new = conflict.old, conflict.new
    starts = new.valid_from or new.recorded_at
    old_start = old.valid_from or old.recorded_at
    _make_hold(new, actor, at)
    EntityVersion.objects.filter(pk=old.pk).update(
        valid_from=old_start, valid_to=starts if starts > old_start else old_start + timedelta(seconds=1)
    )
    projection.keep_as_history(old)


def _both_wrong(conflict: Conflict, actor: Actor, at: datetime) -> None:
    for version in (conflict.new, conflict.old):
        version.refresh_from_db()
        EntityVersion.objects.filter(pk=version.pk).update(
            status=Status.REJECTED if version.status == Status.PENDING else Status.RETRACTED
        )
        projection.withdraw(version)
    current = conflict.entity.versions.current().first()
    if current is not None and current.key in {conflict.new.key, conflict.old.key}:
        EntityVersion.objects.filter(pk=current.pk).update(status=Status.RETRACTED)
        projection.withdraw(current)


def _reject_if_pending(version: EntityVersion, actor: Actor, at: datetime) -> None:
    version.refresh_from_db()
    if version.status == Status.PENDING:
        withdraw(version, actor, at=at)


def _close(conflict: Conflict, decision: str, actor: Actor, at: datetime, reason: str, before: dict) -> None:
    dismissed = decision == Decision.DISMISS
    conflict.status = Conflict.Status.DISMISSED if dismissed else Conflict.Status.RESOLVED
    conflict.decision = decision
    conflict.decider = {"user": Decider.USER, "staff": Decider.STAFF}.get(actor.kind, Decider.SUPPORT)
    conflict.decided_by_user = actor.user
    conflict.decided_at = at
    conflict.reason = reason
    conflict.before = before
    conflict.save()


def undo(conflict: Conflict, actor: Actor) -> Conflict:
    """Open it again, with the belief current that was so before the decision. Raises Clash when it is open."""
    with transaction.atomic():
        lock_user(conflict.user_id)
        conflict = Conflict.objects.for_review().select_for_update(of=("self",)).get(pk=conflict.pk)
        if conflict.status == Conflict.Status.OPEN:
            raise Clash("still_open", _("There is no decision to undo."))
        now = timezone.now()
        _restore(conflict, actor, now)
        undone = conflict.decision
        conflict.status, conflict.decision, conflict.decider = Conflict.Status.OPEN, "", ""
        conflict.decided_by_user, conflict.decided_at, conflict.before = None, None, {}
        conflict.save()
        record(conflict.user_id, actor, "conflict.undone", conflict, at=now, decision=undone)
        return conflict


def _restore(conflict: Conflict, actor: Actor, at: datetime) -> None:
    before = conflict.before
    for entity_id, version_id in before.get("current", {}).items():
        if version_id is not None:
            _make_hold(EntityVersion.objects.select_related("entity").get(pk=version_id), actor, at)
        elif holds := EntityVersion.objects.current().filter(entity_id=entity_id).first():
            EntityVersion.objects.filter(pk=holds.pk).update(status=Status.RETRACTED)
            projection.withdraw(holds)
    if before.get("new") == Status.PENDING:
        _wait_again(conflict.new)


def _wait_again(version: EntityVersion) -> None:
    version.refresh_from_db()
    if version.status != Status.CURRENT:
        EntityVersion.objects.filter(pk=version.pk).update(status=Status.PENDING)


# Silence is consent: shown, not answered, and the user goes on.


def decide_by_silence(user: User, at: datetime) -> list[Conflict]:
    """Decide the open conflicts that the user was told of and passed over. Returns those decided now."""
    shown_before = at - timedelta(seconds=settings.SILENCE_SECONDS)
    passed_over = Conflict.objects.owned_by(user).open().filter(told_at__lt=shown_before, kind=Kind.ENTITY)
    decided = []
    for conflict in passed_over.for_review():
        decision = by_rule_or_support(conflict)
        if decision:
            decided.append(resolve(conflict, decision, SYSTEM, at=at))
    return decided


def by_rule_or_support(conflict: Conflict) -> str:
    """The decision of the first layer that has one; "" leaves it to a person.

    Rule: what was said last and surely holds already, and stays. A belief that waits (hedged, or blocked by a pin)
    must have the greater support; pinned and authoritative beliefs never lose without a person.
    """
    if conflict.new.status == Status.CURRENT:
        return Decision.KEEP_NEW
    if conflict.entity.protected:
        return ""
    return Decision.KEEP_NEW if conflict.new.support > conflict.old.support else Decision.KEEP_OLD
