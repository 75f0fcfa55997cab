"""What leaves recall by itself: folded into its day, faded to nothing, past its date, never confirmed, ignored in the bin."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from chat.db import lock_user
from chat.memory import pyramid, retention
from chat.memory.actors import SYSTEM, record
from chat.memory.erase import erase_memory
from chat.memory.versions import withdraw
from chat.models import Account, EntityVersion, Memory
from chat.models.memory import MemoryQuerySet

FOLD_AFTER = timedelta(days=30)
KEEP_IMPORTANCE = 0.6  # a fragment that matters so much keeps a row of its own
KEEP_USES = 2  # and so does one that answers used so often
Kind, State, Tier = Memory.Kind, Memory.State, Memory.Tier

LIFE = ("decay", "importance", "pinned", "authoritative", "marked_wrong", "clock_at", "start_weight", "extra_days", "use_count", "due_at", "skips")


def settle(account: Account, now: datetime) -> dict[str, int]:
    """After a month: what matters or is used becomes long-term, the rest is held by its day's digest alone.

    A folded memory stays in the database, as superseded and as a child of the digest.
    """
    old = settling(account.user_id, now)
    kept = Q(pinned=True) | Q(authoritative=True) | Q(use_count__gte=KEEP_USES)
    kept |= Q(kind=Kind.FRAGMENT, importance__gte=KEEP_IMPORTANCE)
    with transaction.atomic():
        lock_user(account.user_id)
        promoted = old.filter(kept).update(tier=Tier.LONG_TERM)
        held = pyramid.covering(old.values_list("pk", flat=True))
        through = Memory.children.through
        joined = [through(from_memory_id=day, to_memory_id=memory_id) for memory_id, day in held.items()]
        through.objects.bulk_create(joined, ignore_conflicts=True)
        folded = old.filter(pk__in=held).update(state=State.SUPERSEDED)
    return {"promoted": promoted, "folded": folded}


def settling(user_id: int, now: datetime) -> MemoryQuerySet:
    """What has been short-term for a month."""
    old = Memory.objects.owned_by_id(user_id).live().filter(tier=Tier.SHORT_TERM, recorded_at__lt=now - FOLD_AFTER)
    return old.filter(kind__in=[Kind.FRAGMENT, Kind.SUMMARY])


def fade(account: Account, now: datetime) -> dict[str, int]:
    """State changes only, and only where the weight says so: forgotten at 0.05, reminders expired a day after their date."""
    alive = Memory.objects.owned_by_id(account.user_id).perhaps_faded(now)
    with transaction.atomic():
        lock_user(account.user_id)
        gone = [memory for memory in alive.only("pk", *LIFE) if retention.is_forgotten(memory, now)]
        over = [memory.pk for memory in gone if memory.decay == Memory.Decay.COMMAND]
        faded = [memory.pk for memory in gone if memory.decay != Memory.Decay.COMMAND]
        bin_until = now + timedelta(days=settings.BIN_DAYS)
        Memory.objects.filter(pk__in=over).update(state=State.EXPIRED, purge_at=bin_until)
        Memory.objects.filter(pk__in=faded).update(state=State.FORGOTTEN, forgotten_at=now, forgotten_by="decay")
    return {"forgotten": len(faded), "expired": len(over)}


def drop_unconfirmed(account: Account, now: datetime) -> int:
    """Beliefs that waited 30 days for a confirmation are rejected, and their conflicts closed."""
    late = unconfirmed(account.user_id, now)
    dropped = 0
    for pk in list(late.values_list("pk", flat=True)):
        with transaction.atomic():
            lock_user(account.user_id)
            version = EntityVersion.objects.pending().select_related("entity").filter(pk=pk).first()
            if version is not None:
                withdraw(version, SYSTEM, at=now)
                dropped += 1
    return dropped


def unconfirmed(user_id: int, now: datetime) -> QuerySet:
    long_ago = now - timedelta(days=settings.PENDING_DAYS)
    return EntityVersion.objects.pending().filter(entity__user_id=user_id, last_observed_at__lt=long_ago)


def purge(account: Account, now: datetime) -> int:
    """Erase what is over: 30 days in the bin, or offered and ignored for 72 hours."""
    purged = 0
    for pk in list(over(account.user_id, now).values_list("pk", flat=True)):
        with transaction.atomic():
            lock_user(account.user_id)
            memory = over(account.user_id, now).filter(pk=pk).select_related("version__entity").first()
            if memory is not None and memory.version_id is None:
                erase_memory(memory, SYSTEM)
                purged += 1
            elif memory is not None:
                record(memory.user_id, SYSTEM, "memory.purged", memory)
                memory.delete()  # the row only; the belief's versions stay as history
                purged += 1
    return purged


def over(user_id: int, now: datetime) -> MemoryQuerySet:
    """What the bin need not hold any longer."""
    ignored = Q(state=State.FORGOTTEN, forgotten_by="decay", offered_at__lt=now - timedelta(hours=settings.OFFER_HOURS))
    due = Q(state__in=[State.FORGOTTEN, State.EXPIRED], purge_at__lt=now)
    return Memory.objects.owned_by_id(user_id).filter(ignored | due)
