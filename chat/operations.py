"""How the site is doing: counts and milliseconds of everybody together, never text and never whose. For staff and Prometheus."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Count, Max, Min, Q, Sum
from django.utils import timezone

from chat.models import Conflict, Job, Measure, Memory, RecallItem

LOOKED_AT = 1000  # of the newest memories, to see how many wait for their vector
EMPTY = {"answers": 0, "failed": 0, "stopped": 0, "liked": 0, "disliked": 0, "first_ms": None, "whole_ms": None, "recall_ms": None, "speed": None}
OTHER = "[^\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"  # than Chinese


@dataclass(frozen=True)
class Queue:
    """Background work of one kind. oldest_seconds: how long what waits longest is overdue."""

    kind: str
    waiting: int
    running: int
    dead: int
    oldest_seconds: float


def queues(now: datetime | None = None) -> list[Queue]:
    now = now or timezone.now()
    states = Job.Status
    rows = Job.objects.filter(status__in=[states.WAITING, states.RUNNING, states.DEAD]).order_by().values("kind")
    counted = rows.annotate(
        waiting=Count("pk", Q(status=states.WAITING)),
        running=Count("pk", Q(status=states.RUNNING)),
        dead=Count("pk", Q(status=states.DEAD)),
        oldest=Min("due_at", filter=Q(status=states.WAITING)),
    )
    by_kind = {row.pop("kind"): row for row in counted}
    found = []
    for kind in Job.Kind.values:
        row = by_kind.get(kind, {})
        oldest = row.pop("oldest", None)
        late = max(0.0, (now - oldest).total_seconds()) if oldest else 0.0
        found.append(Queue(kind, row.get("waiting", 0), row.get("running", 0), row.get("dead", 0), late))
    return found


def answers(since: datetime, step: timedelta) -> dict[datetime, dict]:
    """By step from `since` on: answers begun, failed, stopped, liked; [p50, p95] ms to the first words, the whole answer, recall;
    [p50, p05] about how many tokens a second a model writes once it has begun.

    The time to the first words is what lies before the model is asked, and its first token. Tokens are told from characters:
    0.86 for a Chinese one, 0.24 for another. The built-in answerer writes none.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT date_bin(%(step)s, created_at, %(since)s), count(*), count(*) FILTER (WHERE status = 'failed'),
                      count(*) FILTER (WHERE status = 'stopped'), count(*) FILTER (WHERE feedback = 1),
                      count(*) FILTER (WHERE feedback = -1),
                      percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY total - answer + first),
                      percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY total),
                      percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY recall),
                      percentile_cont(ARRAY[0.5, 0.05]) WITHIN GROUP (ORDER BY 1000 * tokens / nullif(answer - first, 0))
               FROM (SELECT created_at, status, feedback, (timings->>'total')::float AS total,
                            coalesce((timings->>'answer')::float, 0) AS answer, (timings->>'first_token')::float AS first,
                            (timings->>'recall')::float AS recall,
                            CASE WHEN status = 'done' AND answered_by NOT IN ('', 'builtin')
                            THEN 0.24 * length(answer) + 0.62 * length(regexp_replace(answer, %(other)s, '', 'g')) END AS tokens
                     FROM chat_turn WHERE created_at >= %(since)s AND started_at IS NOT NULL) AS turns
               GROUP BY 1 ORDER BY 1""",
            {"step": step, "since": since, "other": OTHER},
        )
        names = list(EMPTY)
        return {slot: dict(zip(names, numbers, strict=True)) for slot, *numbers in cursor.fetchall()}


def irrelevant_share(since: datetime) -> tuple[int, int]:
    """(marked not relevant, used) of the memories in answers since then."""
    used = RecallItem.objects.filter(recall__turn__created_at__gte=since, decision=RecallItem.Decision.USED)
    counted = used.aggregate(bad=Count("pk", Q(feedback=-1)), all=Count("pk"))
    return counted["bad"], counted["all"]


def memory_by_day(days: int) -> dict:
    """{day: {measure: sum over everybody}} of what nightly maintenance measured."""
    names = ("memories_written", "forgotten", "restored", "conflicts_found")
    since = timezone.localdate() - timedelta(days=days - 1)
    found: dict = {since + timedelta(days=place): dict.fromkeys(names, 0) for place in range(days)}
    rows = Measure.objects.filter(day__gte=since, name__in=names, user__isnull=False).order_by()
    for day, name, value in rows.values_list("day", "name").annotate(Sum("value")):
        if day in found:
            found[day][name] = int(value)
    return found


def open_conflicts() -> int:
    return Conflict.objects.open().count()


def waiting_vectors() -> tuple[int, int]:
    """(without vector, looked at) of the newest live memories."""
    newest = list(Memory.objects.order_by("-pk").values_list("space", "state")[:LOOKED_AT])
    live = [space for space, state in newest if state == Memory.State.LIVE]
    return sum(space is None for space in live), len(live)


def last_maintenance() -> datetime | None:
    return Job.objects.filter(kind=Job.Kind.MAINTAIN).aggregate(last=Max("finished_at"))["last"]
