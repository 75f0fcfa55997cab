"""Who acts on a memory, and the audit row that every act leaves."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils import timezone

from chat.models import AuditEvent


@dataclass(frozen=True)
class Actor:
    kind: str  # AuditEvent.Actor value: user, staff, model, system
    user: User | None = None

    @classmethod
    def person(cls, user: User) -> "Actor":
        return cls("user", user)

    @classmethod
    def staff(cls, user: User) -> "Actor":
        return cls("staff", user)


SYSTEM = Actor("system")
MODEL = Actor("model")


def record(owner_id: int, actor: Actor, action: str, target, *, reason: str = "", at=None, **data) -> AuditEvent:
    """Write the audit row of an act on `target` (any model instance). `data`: ids and states, never user text."""
    event = event_of(owner_id, actor, action, target, reason=reason, at=at, **data)
    event.save(force_insert=True)
    return event


def event_of(owner_id: int, actor: Actor, action: str, target, *, reason: str = "", at=None, **data) -> AuditEvent:
    """The audit row of an act, not yet written."""
    return AuditEvent(
        user_id=owner_id,
        actor=actor.kind,
        actor_user=actor.user,
        action=action,
        object_type=target._meta.model_name,
        object_id=target.pk,
        data=data,
        reason=reason[:400],
        at=at or timezone.now(),
    )
