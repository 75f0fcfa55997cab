"""Take back what one message taught, softly: it was changed and sent again, or its writer says that it was not meant so."""

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from chat.db import lock_user
from chat.memory import curation
from chat.memory.actors import Actor, record
from chat.memory.versions import withdraw
from chat.models import EntityVersion, Job, Memory, Turn


def unlearn(turn: Turn, actor: Actor) -> None:
    """Beliefs that rest on this turn alone are withdrawn (what they had replaced counts again); its own memories go to the bin.

    What other turns have said too stays. The turn itself stays as it was said; it is not read for the memory any more.
    """
    with transaction.atomic():
        lock_user(turn.user_id)
        Job.objects.filter(turn=turn, kind=Job.Kind.REMEMBER, status=Job.Status.WAITING).delete()
        held = EntityVersion.Status.CURRENT, EntityVersion.Status.PENDING
        taught = EntityVersion.objects.filter(turn=turn, status__in=held, observations=1)
        for version in taught.select_related("entity", "supersedes__entity"):
            withdraw(version, actor, at=timezone.now())
        told = Memory.objects.live().filter(turns=turn, kind=Memory.Kind.FRAGMENT).values("pk")
        for memory in Memory.objects.filter(pk__in=told).annotate(said=Count("sources")).filter(said=1):
            curation.forget(memory, actor)
        turn.memories.filter(kind=Memory.Kind.SUMMARY).update(stale=True)
        record(turn.user_id, actor, "turn.unlearned", turn)
