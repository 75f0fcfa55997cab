"""The nightly care of one user's memory: a list of steps, each safe to kill and to run again, each in short transactions.

Nothing here stops the user from chatting: the lock is taken after slow work, and the state is read again before a write.
"""

import logging
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from time import monotonic
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from chat import jobs, remember
from chat.llm import client
from chat.llm.errors import LLMError
from chat.memory import compression, dedupe, due, fading, indexing, measures, pyramid, themes
from chat.models import Account, Job, Memory, Turn

log = logging.getLogger(__name__)

NIGHT_HOUR = 3  # local time from which a user's night work is due
AT_A_STRETCH = 20.0  # seconds of nights, before work that has come meanwhile gets its turn
ACCOUNTS_AT_ONCE = 1000
EMBEDDED_A_NIGHT, EMBEDDED_AT_ONCE = 5000, 64  # memories; between two batches the job says that it is alive

Report = Callable[[str, int, int], object]  # step, its number from 1, how many steps


def due_users(now: datetime | None = None, after: int = 0) -> Iterator[int]:
    """Users whose night has come since they were last cared for, by id, from the one after `after`."""
    now = now or timezone.now()
    jobs_of = Job.objects.filter(kind=Job.Kind.MAINTAIN, user=OuterRef("user")).order_by()
    accounts = Account.objects.filter(Q(Exists(Turn.objects.filter(user=OuterRef("user")))) | Q(Exists(Memory.objects.filter(user=OuterRef("user")))))
    rows = accounts.filter(user__is_active=True, user_id__gt=after).annotate(done_at=jobs_of.values("finished_at")[:1])
    for start in range(0, rows.count(), ACCOUNTS_AT_ONCE):
        page = rows.order_by("user_id")[start : start + ACCOUNTS_AT_ONCE]
        yield from [account.user_id for account in page if _is_due(account, now)]


def maintain_due(after: int = 0, seconds: float = AT_A_STRETCH) -> int | None:
    """Care for the users whose night has come, one after the other, for about so long. Returns the last one's id, to go on
    after; None when all are done. What goes wrong with one user waits for the next hour and costs the others nothing."""
    until = monotonic() + seconds
    for user_id in due_users(after=after):
        try:
            maintain(user_id)
        except Exception as error:  # noqa: BLE001 (whatever it is, it is one user's)
            log.error("maintenance of user %s failed: %s", user_id, type(error).__name__)
        if monotonic() > until:
            return user_id
    return None


def _is_due(account: Account, now: datetime) -> bool:
    local = now.astimezone(ZoneInfo(account.zone_name))
    night = local.replace(hour=NIGHT_HOUR, minute=0, second=0, microsecond=0)
    if local < night:
        night -= timedelta(days=1)
    return account.done_at is None or account.done_at < night


def maintain(user_id: int, now: datetime | None = None, report: Report = lambda *_: None) -> dict[str, int]:
    """All steps for one user; what each of them did. {} when another worker is at it, or when it gave
    way to an answer that its user waits for and that the same model has to write. `now`: the moment that rules of time use."""
    account = Account.objects.select_related("user").filter(user_id=user_id).first()
    if account is None:
        return {}
    job = _claim(account)
    if job is None:
        return {}
    try:
        with client.meanwhile(lambda: remember.go_on(job, account.user)):
            done = _care(account, now or timezone.now(), job, report)
    except jobs.GaveWay:
        jobs.postpone(job)
        return {}
    except Exception as error:
        jobs.give_back(job, type(error).__name__)
        raise
    jobs.mine(job).update(status=Job.Status.DONE, finished_at=timezone.now(), heartbeat_at=None, progress=done)
    return done


def _care(account: Account, now: datetime, job: Job, report: Report) -> dict[str, int]:
    """The steps in order. One runs when something waits for it, when an earlier one of this night has changed something, or
    when a run before this one did not come to its end."""
    steps = _steps(account, now, job)
    needed = due.steps(account, now) if job.attempts == 1 else {name for name, _step in steps}
    done: dict[str, int] = {}
    for number, (name, step) in enumerate(steps, 1):
        report(name, number, len(steps))
        if name not in needed and not any(done.values()):
            done[name] = 0
            continue
        if not jobs.beat(job, {"step": name, "done": number - 1, "of": len(steps)}):
            break  # another worker has taken over
        done |= _named(name, step())
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
        ("retold", lambda: pyramid.retell(account, beat) if client.configured() else 0),
        ("themes", lambda: renew_themes(account, now)),
        ("embedded", lambda: embed_missing(account, beat)),  # what has no vector can't be compared
        ("merged", lambda: dedupe.merge_repeats(account, beat)),
        ("linked", lambda: link_memories(account, now)),
        ("settled", lambda: fading.settle(account, now)),
        ("faded", lambda: fading.fade(account, now)),
        ("unconfirmed", lambda: fading.drop_unconfirmed(account, now)),
        ("purged", lambda: fading.purge(account, now)),
        ("measured", lambda: measure(account, now)),
    ]


def _named(name: str, result: object) -> dict[str, int]:
    return dict(result) if isinstance(result, dict) else {name: int(result or 0)}


def compress_idle(account: Account, now: datetime, beat: Callable[[], None] = lambda: None) -> int:
    """Summaries of sittings that are over. Turns whose summary was lost to an erasure wait for a new one first."""
    Turn.objects.unheld(account.user_id).update(summarised_at=None)
    made = 0
    for conversation in due.unsummarised(account.user_id).distinct().order_by("pk"):
        made += len(compression.compress(conversation, account, now=now, beat=beat))
    return made


def renew_themes(account: Account, now: datetime) -> int:
    """Once in a week of the user's calendar."""
    return 0 if themes.renewed(account, now).exists() else themes.renew(account, now)


def link_memories(account: Account, now: datetime) -> int:
    """In the week's first night too, after what was said twice has become one. It ends the week's work."""
    if themes.renewed(account, now).exists():
        return 0
    linked = themes.link(account)
    themes.mark_renewed(account, now)
    return linked


def embed_missing(account: Account, beat: Callable[[], object] = lambda: None) -> int:
    """Vectors that are missing. Without an embedder they stay missing until the next night."""
    rows = Memory.objects.owned_by_id(account.user_id).live().filter(space=None)
    ids = list(rows.order_by("-pk").values_list("pk", flat=True)[:EMBEDDED_A_NIGHT])
    made = 0
    try:
        for start in range(0, len(ids), EMBEDDED_AT_ONCE):
            made += indexing.embed(ids[start : start + EMBEDDED_AT_ONCE])
            beat()
    except LLMError as error:
        log.warning("vectors of user %s left out: %s", account.user_id, error.code)
    return made


def measure(account: Account, now: datetime) -> int:
    """Yesterday's numbers, and today's so far."""
    today = now.astimezone(ZoneInfo(account.zone_name)).date()
    return sum(len(measures.record_day(account, day)) for day in (today - timedelta(days=1), today))
