"""How staff share the queue of conflicts: who looks after one, what is above them, what they note. It decides nothing."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from chat.memory.actors import Actor, record
from chat.models import Conflict


def tend(conflict: Conflict, actor: Actor, *, assignee: User | None, escalated: bool, note: str = "") -> Conflict:
    """Set both, and keep the note. Each thing that is new leaves an audit row; with nothing new nothing is written."""
    with transaction.atomic():
        conflict = Conflict.objects.select_for_update().get(pk=conflict.pk)
        acts = []
        if conflict.assignee != assignee:
            acts.append("conflict.assigned")
        if bool(conflict.escalated_at) != escalated:
            acts.append("conflict.escalated" if escalated else "conflict.calmed")
            conflict.escalated_at = timezone.now() if escalated else None
        conflict.assignee = assignee
        conflict.save(update_fields=["assignee", "escalated_at"])
        for act in acts or (["conflict.noted"] if note.strip() else []):
            record(conflict.user_id, actor, act, conflict, reason=note.strip())
        return conflict
