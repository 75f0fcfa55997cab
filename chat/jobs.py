"""Work that must not be lost. The row is the truth; the message to a worker is only a knock on its door."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from celery import current_app
from django.db import models, transaction
from django.utils import timezone
from kombu.exceptions import KombuError, OperationalError

from chat.models import Job, Turn

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 5  # how often a worker says that it is alive
STALE_SECONDS = 20  # not heard of for so long: its worker died
MAX_ATTEMPTS = 4
# What a worker is told: the id of the turn, of an import the id of the job itself.
TASKS = {Job.Kind.REPLY: "chat.tasks.reply", Job.Kind.REMEMBER: "chat.tasks.remember", Job.Kind.IMPORT: "chat.tasks.import_history"}


def key_of(turn_id: int) -> str:
    return f"turn:{turn_id}"


def enqueue(kind: str, turns: Iterable[Turn]) -> None:
    """Make sure each turn has a waiting job of this kind, and knock after the commit. Call it in the transaction of the write."""
    turns = list(turns)
    Job.objects.bulk_create(
        [Job(kind=kind, key=key_of(turn.pk), user_id=turn.user_id, turn=turn) for turn in turns],
        update_conflicts=True,
        unique_fields=["kind", "key"],
        update_fields=["status", "due_at", "attempts", "error"],
    )
    turn_ids = [turn.pk for turn in turns]
    transaction.on_commit(lambda: [knock(kind, turn_id) for turn_id in turn_ids])


def embed_soon(memory_ids: list[int]) -> None:
    """After the commit, have vectors made for memories whose text is new. A lost message is made up for by maintenance."""
    transaction.on_commit(lambda: _send("chat.tasks.embed", memory_ids))


def knock(kind: str, number: int) -> None:
    """Tell a worker. When the broker is away the sweeper will find the row."""
    _send(TASKS[kind], number)


def _send(task: str, argument) -> None:
    try:
        current_app.send_task(task, args=[argument])
    except (OperationalError, KombuError, OSError) as error:
        log.warning("%s not announced: %s", task, type(error).__name__)


@contextmanager
def claimed(kind: str, turn_id: int) -> Iterator[Job | None]:
    """The job, if this worker got it; None if another has it or it is done. Done at the end, waiting again after an error.

    After MAX_ATTEMPTS errors it is DEAD, and staff can see and re-run it.
    """
    job = Job.objects.claim(kind, key_of(turn_id), timezone.now() - timedelta(seconds=STALE_SECONDS))
    if job is None:
        yield None
        return
    try:
        yield job
    except Exception as error:
        give_back(job, getattr(error, "code", type(error).__name__))
        raise
    mine(job).update(status=Job.Status.DONE, finished_at=timezone.now(), heartbeat_at=None)


def mine(job: Job):
    """The row, as long as this claim still holds: a worker that was thought dead must not write over its successor."""
    return Job.objects.filter(pk=job.pk, claim=job.claim, status=Job.Status.RUNNING)


def beat(job: Job, progress: dict | None = None) -> bool:
    """Say that the work goes on, and how far it is. False: someone else has taken it over."""
    changes = {} if progress is None else {"progress": progress}
    return bool(mine(job).update(heartbeat_at=timezone.now(), **changes))


def give_back(job: Job, error: str) -> None:
    status = Job.Status.DEAD if job.attempts >= MAX_ATTEMPTS else Job.Status.WAITING
    later = timezone.now() + timedelta(seconds=5 * 2**job.attempts)
    mine(job).update(status=status, error=error[:400], due_at=later, heartbeat_at=None)


class GaveWay(Exception):
    """The work stopped by itself, so that something more urgent goes first. It comes again, and no attempt is counted."""


def postpone(job: Job) -> None:
    """Hand the job back untried; the sweeper brings it again."""
    mine(job).update(
        status=Job.Status.WAITING, attempts=models.F("attempts") - 1, due_at=timezone.now(), heartbeat_at=None
    )


def give_up(job: Job, error: str) -> None:
    """No sense in trying again by itself: DEAD, for staff to see."""
    mine(job).update(status=Job.Status.DEAD, error=error[:400], heartbeat_at=None)


def run_again(job: Job) -> None:
    """Staff's second chance for a DEAD job."""
    won = Job.objects.filter(pk=job.pk, status=Job.Status.DEAD).update(
        status=Job.Status.WAITING, attempts=0, error="", due_at=timezone.now()
    )
    if won and job.kind in TASKS:
        knock(job.kind, job.turn_id or job.pk)


def hand_out_lost(limit: int = 500) -> int:
    """The sweeper: knock for jobs whose message was lost or whose worker died. Returns how many."""
    lost = Job.objects.lost(timezone.now() - timedelta(seconds=STALE_SECONDS)).filter(kind__in=TASKS)
    found = list(lost.values_list("kind", "turn_id", "pk")[:limit])
    for kind, turn_id, pk in found:
        knock(kind, turn_id or pk)
    return len(found)
