"""The user's state in a person's hands: edit, roll back, confirm, reject, pin.

Every verb takes the user's lock for its transaction, re-reads what it decides on, and leaves an audit row.
"""

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.db import lock_user
from chat.errors import BadInput, Clash, NotHere
from chat.memory import ontology, projection, values
from chat.memory.actors import Actor, record
from chat.memory.versions import Source, Status, install, make_current, restate, withdraw
from chat.models import Account, Entity, EntityVersion


def edit_value(entity: Entity, text: str, actor: Actor, *, expected_version: int | None = None) -> EntityVersion:
    """The person says what is true; a new version, always current.

    Raises BadInput when the text can't be a value of this attribute, Clash when another version is current by now.
    """
    text = text.strip()
    if not text:
        raise BadInput("empty_value", _("Please type a value."))
    with transaction.atomic():
        lock_user(entity.user_id)
        current = entity.versions.current().first()
        if expected_version is not None and (current is None or current.pk != expected_version):
            there = current.value if current else ""
            raise Clash("changed_meanwhile", _("Someone changed this meanwhile."), now=there, yours=text)
        now = timezone.now()
        value = values.normalise(ontology.load().attribute(entity.slot), text, now, Account.objects.of(entity.user).zone_name)
        version = EntityVersion(
            entity=entity,
            value=value.shown,
            normalized=value.normalized,
            key=value.key[:200],
            source=Source.STAFF if actor.kind == "staff" else Source.USER_EDIT,
            recorded_at=now,
            last_observed_at=now,
            valid_from=now,
            explicit_confirmations=2,  # a correction by hand weighs more than a remark
        )
        return install(version, current, actor)


def rollback(entity: Entity, version_id: int, actor: Actor) -> EntityVersion:
    """State an earlier version again, as a new one. A rollback of a rollback is a rollback like any other."""
    with transaction.atomic():
        lock_user(entity.user_id)
        earlier = entity.versions.filter(pk=version_id).first()
        if earlier is None:
            raise NotHere("no_such_version", _("There is no such version."))
        current = entity.versions.current().first()
        if current is not None and current.pk == earlier.pk:
            return current
        return restate(earlier, replacing=current, actor=actor, at=timezone.now())


def confirm(version: EntityVersion, actor: Actor) -> EntityVersion:
    """Pending → current by a person's word. Raises Clash if it no longer waits."""
    with transaction.atomic():
        lock_user(version.entity.user_id)
        version.refresh_from_db()
        if version.status != Status.PENDING:
            raise Clash("not_pending", _("This has been decided already."), status=version.status)
        version.explicit_confirmations += 1
        return make_current(version, actor, at=timezone.now())


def vouch(version: EntityVersion, actor: Actor) -> None:
    """A person says that a belief is right: nothing is more certain."""
    with transaction.atomic():
        lock_user(version.entity.user_id)
        counted = {"explicit_confirmations": F("explicit_confirmations") + 1}
        EntityVersion.objects.filter(pk=version.pk).update(confidence=1.0, last_observed_at=timezone.now(), **counted)
        record(version.entity.user_id, actor, "entity.vouched", version)


def unvouch(version: EntityVersion, confidence: float, actor: Actor) -> None:
    """The person takes that word back: the belief is as certain as before it."""
    with transaction.atomic():
        lock_user(version.entity.user_id)
        counted = {"explicit_confirmations": F("explicit_confirmations") - 1}
        EntityVersion.objects.filter(pk=version.pk, explicit_confirmations__gt=0).update(confidence=confidence, **counted)
        record(version.entity.user_id, actor, "entity.unvouched", version)


def reject(version: EntityVersion, actor: Actor) -> EntityVersion:
    """Pending → rejected by a person's word. Raises Clash if it no longer waits."""
    with transaction.atomic():
        lock_user(version.entity.user_id)
        version.refresh_from_db()
        if version.status != Status.PENDING:
            raise Clash("not_pending", _("This has been decided already."), status=version.status)
        withdraw(version, actor, at=timezone.now())
        return version


def take_back(version: EntityVersion, actor: Actor) -> EntityVersion:
    """Current → retracted by a person's word; what it had replaced counts again. Raises Clash if it no longer holds."""
    with transaction.atomic():
        lock_user(version.entity.user_id)
        version.refresh_from_db()
        if version.status != Status.CURRENT:
            raise Clash("not_current", _("This has changed meanwhile."), status=version.status)
        withdraw(version, actor, at=timezone.now())
        return version


def set_pinned(entity: Entity, pinned: bool, actor: Actor) -> None:
    _flag(entity, "pinned", pinned, actor)


def set_authoritative(entity: Entity, authoritative: bool, actor: Actor) -> None:
    _flag(entity, "authoritative", authoritative, actor)


def _flag(entity: Entity, name: str, on: bool, actor: Actor) -> None:
    with transaction.atomic():
        lock_user(entity.user_id)
        setattr(entity, name, on)
        entity.save(update_fields=[name])
        projection.flag(entity, name, on)
        record(entity.user_id, actor, f"entity.{name}" if on else f"entity.not_{name}", entity)
