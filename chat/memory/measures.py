"""What is measured of one user's memory per day: counts, shares and milliseconds, never text."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from math import ceil
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db.models import Count, Q
from django.utils import timezone

from chat.models import Account, AuditEvent, Conflict, Measure, Memory, Recall, RecallItem, Turn

# Of these a mean over days is taken, weighted by how much was counted; all others add up.
MEANS = {"prompt_tokens", "hit_rate", "recall_ms_p50", "recall_ms_p95", "write_ms_p50", "write_ms_p95", "compression"}


def record_day(account: Account, day: date) -> dict[str, float]:
    """Measure one local day of the user and store it; measuring again replaces what was there."""
    zone = ZoneInfo(account.zone_name)
    start, end = (datetime(d.year, d.month, d.day, tzinfo=zone) for d in (day, day + timedelta(days=1)))
    found = {**_answers(account.user_id, start, end), **_conflicts(account.user_id, start, end), **_memories(account.user_id, start, end)}
    rows = [Measure(user_id=account.user_id, day=day, name=name, value=value, count=max(1, count)) for name, (value, count) in found.items()]
    Measure.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["user", "day", "name"], update_fields=["value", "count"]
    )
    return {name: value for name, (value, _count) in found.items()}


def summary(user: User, days: int) -> dict:
    """{"days": {ISO day: {name: value}}, "total": {name: value}} of the last `days` local days; days without rows are left out."""
    zone = ZoneInfo(Account.objects.of(user).zone_name)
    since = timezone.now().astimezone(zone).date() - timedelta(days=days)
    rows = Measure.objects.filter(user=user, day__gt=since).order_by("day", "name")
    by_day: dict[str, dict[str, float]] = {}
    sums: dict[str, list[tuple[float, int]]] = {}
    for row in rows:
        by_day.setdefault(row.day.isoformat(), {})[row.name] = row.value
        sums.setdefault(row.name, []).append((row.value, row.count))
    return {"days": by_day, "total": {name: _total(name, values) for name, values in sums.items()}}


def _total(name: str, values: Sequence[tuple[float, int]]) -> float:
    if name not in MEANS:
        return round(sum(value for value, _count in values), 3)
    return round(sum(value * count for value, count in values) / sum(count for _value, count in values), 3)


def _answers(user_id: int, start: datetime, end: datetime) -> dict[str, tuple[float, int]]:
    recalls = list(Recall.objects.filter(user_id=user_id, turn__at__gte=start, turn__at__lt=end).values("pk", "sections", "timings"))
    if not recalls:
        return {}
    items = RecallItem.objects.filter(recall__in=[row["pk"] for row in recalls])
    used = items.filter(decision=RecallItem.Decision.USED)
    hits = used.values("recall").distinct().count()
    spent = [sum(section.get("tokens", 0) for section in row["sections"].values()) for row in recalls]
    recall_ms = [row["timings"]["recall"] for row in recalls if "recall" in row["timings"]] or [row["timings"].get("total", 0) for row in recalls]
    counted = items.aggregate(good=Count("pk", Q(feedback=1)), bad=Count("pk", Q(feedback=-1)))
    return {
        "answers": (len(recalls), len(recalls)),
        "prompt_tokens": (sum(spent) / len(spent), len(spent)),
        "hit_rate": (hits / len(recalls), len(recalls)),
        "memories_used": (used.values("memory").distinct().count(), hits),
        "marked_useful": (counted["good"], 1),
        "marked_irrelevant": (counted["bad"], 1),
        "recall_ms_p50": (percentile(recall_ms, 0.5), len(recalls)),
        "recall_ms_p95": (percentile(recall_ms, 0.95), len(recalls)),
        **_writes(user_id, start, end),
    }


def _writes(user_id: int, start: datetime, end: datetime) -> dict[str, tuple[float, int]]:
    timings = Turn.objects.filter(user_id=user_id, at__gte=start, at__lt=end).values_list("timings", flat=True)
    taken = [each["state"] for each in timings if each.get("state") is not None]
    if not taken:
        return {}
    return {"write_ms_p50": (percentile(taken, 0.5), len(taken)), "write_ms_p95": (percentile(taken, 0.95), len(taken))}


def _conflicts(user_id: int, start: datetime, end: datetime) -> dict[str, tuple[float, int]]:
    """confirmed: decided for the new belief; overruled: for the old one; automatic: without a person."""
    opened = Conflict.objects.filter(user_id=user_id, opened_at__gte=start, opened_at__lt=end)
    decided = Conflict.objects.filter(user_id=user_id, decided_at__gte=start, decided_at__lt=end)
    by_person = Q(decider__in=["user", "staff"])
    counted = decided.aggregate(
        confirmed=Count("pk", by_person & Q(decision__in=["keep_new", "keep_both", "merge"])),
        overruled=Count("pk", by_person & Q(decision__in=["keep_old", "both_wrong", "dismiss"])),
        automatic=Count("pk", ~by_person),
    )
    return {
        "conflicts_found": (opened.count(), 1),
        "conflicts_confirmed": (counted["confirmed"], 1),
        "conflicts_overruled": (counted["overruled"], 1),
        "conflicts_automatic": (counted["automatic"], 1),
    }


def _memories(user_id: int, start: datetime, end: datetime) -> dict[str, tuple[float, int]]:
    rows = Memory.objects.owned_by_id(user_id)
    written = rows.filter(recorded_at__gte=start, recorded_at__lt=end).count()
    faded = rows.filter(forgotten_at__gte=start, forgotten_at__lt=end).count()
    restored = AuditEvent.objects.filter(user_id=user_id, action="memory.restored", at__gte=start, at__lt=end).count()
    return {"memories_written": (written, 1), "forgotten": (faded, 1), "restored": (restored, 1)}


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that `share` of the values do not exceed."""
    ordered = sorted(values)
    return round(float(ordered[max(0, ceil(share * len(ordered)) - 1)]), 2)
