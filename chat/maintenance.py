"""The nightly care of one user's memory: a list of steps, each safe to kill and to run again, each in short transactions.

Nothing here stops the user from chatting: the lock is taken after slow work, and the state is read again before a write.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from chat import jobs
from chat.llm.errors import LLMError
from chat.memory import compression, dedupe, fading, indexing, measures, pyramid, themes
from chat.models import Account, Conversation, Job, Measure, Memory, MemorySource, Turn

log = logging.getLogger(__name__)

NIGHT_HOUR = 3  # local time from which a user's night work is due
EMBEDDED_AT_ONCE = 2000

Report = Callable[[str, int, int], object]  # step, its number from 1, how many steps


def due_users(now: datetime | None = None) -> list[int]:
    """Users whose night has come and who have something that was not cared for since; asked hourly."""
    now = now or timezone.now()
    jobs_of = Job.objects.filter(kind=Job.Kind.MAINTAIN, user=OuterRef("user")).order_by()
    accounts = Account.objects.filter(Q(Exists(Turn.objects.filter(user=OuterRef("user")))) | Q(Exists(Memory.objects.filter(user=OuterRef("user")))))
    rows = accounts.filter(user__is_active=True).annotate(done_at=jobs_of.values("finished_at")[:1])
    return [account.user_id for account in rows.order_by("user_id") if _is_due(account, now)]


def _is_due(account: Account, now: datetime) -> bool:
    local = now.astimezone(ZoneInfo(account.zone_name))
    night = local.replace(hour=NIGHT_HOUR, minute=0, second=0, microsecond=0)
    if local < night:
        night -= timedelta(days=1)
    return account.done_at is None or account.done_at < night


def maintain(user_id: int, now: datetime | None = None, report: Report = lambda *_: None) -> dict[str, int]:
    """All steps for one user; what each of them did. {} when another worker is at it. `now`: the moment that rules of time use."""
    account = Account.objects.select_related("user").filter(user_id=user_id).first()
    if account is None:
        return {}
    job = _claim(account)
    if job is None:
        return {}
    done: dict[str, int] = {}
    try:
        steps = _steps(account, now or timezone.now(), job)
        for number, (name, step) in enumerate(steps, 1):
            report(name, number, len(steps))
            done |= _named(name, step())
            if not jobs.beat(job):
                return done
            Job.objects.filter(pk=job.pk).update(progress={"step": name, "done": number, "of": len(steps)})
    except Exception as error:
        jobs.give_back(job, type(error).__name__)
        raise
    jobs.mine(job).update(status=Job.Status.DONE, finished_at=timezone.now(), heartbeat_at=None, progress=done)
    return done


def _claim(account: Account) -> Job | None:
    """One row per user; a finished one waits again for the next night."""
    key = f"user:{account.user_id}"
    Job.objects.get_or_create(kind=Job.Kind.MAINTAIN, key=key, defaults={"user_id": account.user_id})
    over = [Job.Status.DONE, Job.Status.DEAD]
    Job.objects.filter(kind=Job.Kind.MAINTAIN, key=key, status__in=over).update(status=Job.Status.WAITING, attempts=0)
    return Job.objects.claim(Job.Kind.MAINTAIN, key, timezone.now() - timedelta(seconds=jobs.STALE_SECONDS))


def _steps(account: Account, now: datetime, job: Job) -> list[tuple[str, Callable[[], object]]]:
    def beat() -> None:
        jobs.beat(job)

    return [
        ("summaries", lambda: compress_idle(account, now, beat)),
        ("rewritten", lambda: pyramid.rewrite_stale(account)),
        ("digests", lambda: pyramid.build(account, now)),
        ("redone", lambda: pyramid.rewrite_stale(account)),
        ("compared", lambda: embed_missing(account)),  # what has no vector can't be compared
        ("merged", lambda: dedupe.merge_repeats(account)),
        ("themes", lambda: renew_themes(account, now)),
        ("settled", lambda: fading.settle(account, now)),
        ("faded", lambda: fading.fade(account, now)),
        ("unconfirmed", lambda: fading.drop_unconfirmed(account, now)),
        ("purged", lambda: fading.purge(account, now)),
        ("embedded", lambda: embed_missing(account)),
        ("measured", lambda: measure(account, now)),
    ]


def _named(name: str, result: object) -> dict[str, int]:
    return dict(result) if isinstance(result, dict) else {name: int(result or 0)}


def compress_idle(account: Account, now: datetime, beat: Callable[[], None] = lambda: None) -> int:
    """Summaries of sittings that are over. Turns whose summary was lost to an erasure wait for a new one first."""
    turns = Turn.objects.filter(user_id=account.user_id)
    held = MemorySource.objects.filter(turn=OuterRef("pk"), memory__kind=Memory.Kind.SUMMARY, memory__level=1)
    turns.filter(~Exists(held), summarised_at__isnull=False).update(summarised_at=None)
    waiting = Conversation.objects.filter(Exists(turns.filter(conversation=OuterRef("pk"), summarised_at=None)), user_id=account.user_id)
    made = 0
    for conversation in waiting.filter(memory=Conversation.MemoryMode.READ_WRITE).order_by("pk"):
        made += len(compression.compress(conversation, account, now=now, beat=beat))
    return made


def renew_themes(account: Account, now: datetime) -> int:
    """Once in a week of the user's calendar; the measure `themes` of its Monday says that it was done."""
    today = now.astimezone(ZoneInfo(account.zone_name)).date()
    week = {"user_id": account.user_id, "day": today - timedelta(days=today.weekday()), "name": "themes"}
    if Measure.objects.filter(**week).exists():
        return 0
    count = themes.renew(account, now)
    themes.link(account)
    Measure.objects.update_or_create(**week, defaults={"value": count})
    return count


def embed_missing(account: Account) -> int:
    """Vectors that are missing. Without an embedder they stay missing until the next night."""
    rows = Memory.objects.owned_by_id(account.user_id).live().filter(space=None)
    try:
        return indexing.embed(rows.order_by("-pk").values_list("pk", flat=True)[:EMBEDDED_AT_ONCE])
    except LLMError as error:
        log.warning("vectors of user %s left out: %s", account.user_id, error.code)
        return 0


def measure(account: Account, now: datetime) -> int:
    """Yesterday's numbers, and today's so far."""
    today = now.astimezone(ZoneInfo(account.zone_name)).date()
    return sum(len(measures.record_day(account, day)) for day in (today - timedelta(days=1), today))
