"""What a person did by hand, brought back from an export of ours: values they set, pins, memories they typed or pinned.

Everything else in an export is made again from the conversations. Nothing that was erased here comes back, and nothing that
is newer here gives way.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from chat.db import lock_user
from chat.errors import BadInput
from chat.memory import curation, entities, ontology, values
from chat.memory.actors import Actor
from chat.memory.text import strip_controls
from chat.memory.tombstones import buried_text, fingerprint_of_text, fingerprint_of_version, is_buried
from chat.memory.versions import install
from chat.models import Account, Entity, EntityVersion, Memory, Tombstone
from chat.transfer.formats import dicts, moment

Source = EntityVersion.Source
BY_HAND = {Source.USER_EDIT, Source.STAFF}
LONGEST_VALUE = 400
_FINGERPRINT = re.compile("[0-9a-f]{64}")


def restore_by_hand(data: dict, user: User) -> int:
    """Do it again from a parsed export; how many things. Odd rows are left out. Doing it twice changes nothing."""
    return sum(_restore_beliefs(data, user)) + sum(_restore_memories(data, user))


def bury_forgotten(data: dict, user: User) -> None:
    """What was erased or forgotten where this export comes from is learned from none of its turns. To be called before they are read.

    What this account knows, also in its bin, is its own affair.
    """
    rows = [row for row in dicts(data.get("tombstones")) if _is_grave(row)]
    if not rows:
        return
    versions = EntityVersion.objects.owned_by(user).select_related("entity")
    known = {fingerprint_of_version(version) for version in versions.iterator()}
    known |= {fingerprint_of_text(text) for text in Memory.objects.owned_by(user).values_list("text", flat=True).iterator()}
    graves = [Tombstone(user=user, kind=row["kind"], fingerprint=row["fingerprint"]) for row in rows if row["fingerprint"] not in known]
    Tombstone.objects.bulk_create(graves, ignore_conflicts=True)


def _is_grave(row: dict) -> bool:
    kind, fingerprint = row.get("kind"), row.get("fingerprint")
    return isinstance(kind, str) and len(kind) <= 12 and isinstance(fingerprint, str) and bool(_FINGERPRINT.fullmatch(fingerprint))


def _restore_beliefs(data: dict, user: User) -> Iterator[bool]:
    current = {row.get("entity_id"): row for row in dicts(data.get("versions")) if row.get("status") == "current" and _hashable(row)}
    for row in dicts(data.get("entities")):
        belief = current.get(row.get("id")) if isinstance(row.get("id"), int) else None
        flags = row.get("pinned") is True, row.get("authoritative") is True
        if belief and row.get("conversation_id") is None and (any(flags) or belief.get("source") in BY_HAND):
            yield _restore_belief(user, row, belief, *flags)


def _hashable(row: dict) -> bool:
    return isinstance(row.get("entity_id"), int) and isinstance(row.get("source"), str)


def _restore_belief(user: User, row: dict, belief: dict, pinned: bool, authoritative: bool) -> bool:
    category, attribute, item = (_short(row.get(name), length) for name, length in (("category", 32), ("attribute", 48), ("item", 120)))
    words, at = _short(belief.get("value"), LONGEST_VALUE), _before_now(belief.get("recorded_at"))
    if not (category and attribute and words and at):
        return False
    known = ontology.load().attribute(f"{category}.{attribute}")
    value = values.normalise(known, words, at, Account.objects.of(user).zone_name)
    if value is None or is_buried(user.pk, category, attribute, item, value.key[:200]):
        return False
    with transaction.atomic():
        lock_user(user.pk)
        entity, _made = Entity.objects.get_or_create(user=user, category=category, attribute=attribute, item=item, conversation=None)
        changed = _state(entity, value, belief, at)
        if pinned and not entity.pinned and changed is not None:
            entities.set_pinned(entity, True, Actor.person(user))
            changed = True
        if authoritative and not entity.authoritative and changed is not None:
            entities.set_authoritative(entity, True, Actor.person(user))
            changed = True
    return bool(changed)


def _state(entity: Entity, value: Any, belief: dict, at: datetime) -> bool | None:
    """Whether the value had to be stated; None when something newer holds here."""
    holds = entity.versions.current().first()
    if holds is not None and holds.key == value.key[:200]:
        return False
    if holds is not None and holds.recorded_at >= at:
        return None
    version = EntityVersion(
        entity=entity,
        value=value.shown,
        normalized=value.normalized,
        key=value.key[:200],
        source=Source.USER_EDIT if belief["source"] in BY_HAND else Source.IMPORT,
        recorded_at=at,
        last_observed_at=at,
        valid_from=at,
        explicit_confirmations=2,
    )
    install(version, holds, Actor.person(entity.user))
    return True


def _restore_memories(data: dict, user: User) -> Iterator[bool]:
    kinds = {Memory.Kind.FRAGMENT, Memory.Kind.THEME}
    for row in dicts(data.get("memories")):
        typed, pinned = row.get("turn_ids") == [] and row.get("kind") == "fragment", row.get("pinned") is True
        if row.get("kind") in kinds and row.get("state") == "live" and (typed or pinned):
            yield _restore_memory(user, row, pinned)


def _restore_memory(user: User, row: dict, pinned: bool) -> bool:
    words = _short(row.get("text"), curation.LONGEST)
    if not words or buried_text(user.pk, words):
        return False
    memory = Memory.objects.owned_by(user).live().filter(text=words).exclude(kind=Memory.Kind.ENTITY).first()
    if memory is not None and (memory.pinned or not pinned):
        return False
    try:
        memory = memory or curation.add(
            user, words, actor=Actor.person(user), kind=row["kind"], occurred_at=_before_now(row.get("occurred_at")), importance=_share(row)
        )
    except BadInput:
        return False
    if pinned:
        curation.pin(memory, Actor.person(user))
    return True


def _share(row: dict) -> float:
    number = row.get("importance")
    return float(number) if isinstance(number, int | float) and 0 <= number <= 1 else 0.6


def _short(value: Any, most: int) -> str:
    """A text without controls; "" for anything else, and for one that is too long."""
    text = strip_controls(value).strip() if isinstance(value, str) else ""
    return text if len(text) <= most else ""


def _before_now(value: Any) -> datetime | None:
    at = moment(value)
    return at and min(at, timezone.now())
