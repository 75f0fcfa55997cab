"""What is measured of one user's memory per day: counts, shares and milliseconds, never text."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from math import ceil
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db.models import Count, F, Q, Sum
from django.utils import timezone

from chat.memory import causes
from chat.memory.themes import MARK
from chat.models import Account, AuditEvent, Conflict, Measure, Memory, Recall, RecallItem, Turn

# Of these a mean over days is taken, weighted by how much was counted; all others add up.
MEANS = {"prompt_tokens", "hit_rate", "recall_ms_p50", "recall_ms_p95", "write_ms_p50", "write_ms_p95", "compression", "retention"}
MARKS = {MARK}  # rows that only say that something was done
# What is a ratio of two others, over whatever time.
RATIOS = {"used_of_written": ("memories_used", "memories_written")}
Found = dict[str, tuple[float, int]]  # name: value, and how much was counted for it


def record_day(account: Account, day: date) -> dict[str, float]:
    """Measure one local day of the user and store it; measuring again replaces what was there."""
    found = measured(account, day)
    rows = [Measure(user_id=account.user_id, day=day, name=name, value=value, count=max(1, count)) for name, (value, count) in found.items()]
    Measure.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["user", "day", "name"], update_fields=["value", "count"]
    )
    return {name: value for name, (value, _count) in found.items()}


def measured(account: Account, day: date) -> Found:
    """The numbers of one local day, as the rows tell them now."""
    zone = ZoneInfo(account.zone_name)
    start, end = (datetime(d.year, d.month, d.day, tzinfo=zone) for d in (day, day + timedelta(days=1)))
    parts = (_answers, _writes, _bad, _conflicts, _memories, _compressed)
    return {name: value for part in parts for name, value in part(account.user_id, start, end).items()}


def by_day(user: User, days: int) -> dict:
    """{"days": {ISO day: {name: value}}, "total": {name: value}} of the last `days` local days, today measured on the spot.

    Days on which nothing was measured are left out.
    """
    account = Account.objects.of(user)
    today = timezone.now().astimezone(ZoneInfo(account.zone_name)).date()
    stored = Measure.objects.filter(user=user, day__gt=today - timedelta(days=days), day__lt=today).exclude(name__in=MARKS)
    rows = list(stored.order_by("day", "name").values_list("day", "name", "value", "count"))
    rows += [(today, name, value, count) for name, (value, count) in measured(account, today).items()]
    return _laid_out(rows)


def of_everyone(days: int) -> dict:
    """As `by_day`, of all users together, as far as nights have measured; for staff. Percentiles are means of the users'."""
    since = timezone.now().date() - timedelta(days=days)
    weighed = {"weighed": Sum(F("value") * F("count")), "sum": Sum("value"), "counted": Sum("count")}
    rows = Measure.objects.filter(day__gt=since, user__isnull=False).exclude(name__in=MARKS).values("day", "name").annotate(**weighed)
    return _laid_out(
        (row["day"], row["name"], row["weighed"] / row["counted"] if row["name"] in MEANS else row["sum"], row["counted"])
        for row in rows.order_by("day", "name")
    )


def _laid_out(rows: Iterable[tuple[date, str, float, int]]) -> dict:
    days: dict[str, dict[str, float]] = {}
    sums: dict[str, list[tuple[float, int]]] = {}
    for day, name, value, count in rows:
        days.setdefault(day.isoformat(), {})[name] = round(float(value), 3)
        sums.setdefault(name, []).append((value, max(1, count)))
    total = {name: _total(name, values) for name, values in sums.items()}
    return {"days": {day: _with_ratios(found) for day, found in days.items()}, "total": _with_ratios(total)}


def _with_ratios(found: dict[str, float]) -> dict[str, float]:
    ratios = {name: round(found[part] / found[whole], 3) for name, (part, whole) in RATIOS.items() if part in found and found.get(whole)}
    return {**found, **ratios}


def _total(name: str, values: Sequence[tuple[float, int]]) -> float:
    if name not in MEANS:
        return round(float(sum(value for value, _count in values)), 3)
    return round(sum(value * count for value, count in values) / sum(count for _value, count in values), 3)


def _answers(user_id: int, start: datetime, end: datetime) -> Found:
    """hit_rate: share of the answers that used a memory, or whose reader marked one."""
    recalls = list(Recall.objects.filter(user_id=user_id, turn__at__gte=start, turn__at__lt=end).values("pk", "sections", "timings"))
    if not recalls:
        return {}
    used, marked = Q(decision=RecallItem.Decision.USED), ~Q(feedback=0)
    counted = RecallItem.objects.filter(recall__in=[row["pk"] for row in recalls], memory__isnull=False).aggregate(
        hits=Count("recall", used | marked, distinct=True),
        used=Count("memory", used, distinct=True),
        good=Count("pk", Q(feedback=1)),
        bad=Count("pk", Q(feedback=-1)),
    )
    spent = [sum(section.get("tokens", 0) for section in row["sections"].values()) for row in recalls]
    taken = [row["timings"].get("recall", row["timings"].get("total", 0)) for row in recalls]
    return {
        "answers": (len(recalls), len(recalls)),
        "prompt_tokens": (sum(spent) / len(spent), len(spent)),
        "hit_rate": (counted["hits"] / len(recalls), len(recalls)),
        "memories_used": (counted["used"], 1),
        "marked_useful": (counted["good"], 1),
        "marked_irrelevant": (counted["bad"], 1),
        "recall_ms_p50": (percentile(taken, 0.5), len(recalls)),
        "recall_ms_p95": (percentile(taken, 0.95), len(recalls)),
    }


def _writes(user_id: int, start: datetime, end: datetime) -> Found:
    turns = Turn.objects.filter(user_id=user_id, at__gte=start, at__lt=end).values_list("timings", flat=True)
    taken = [timings["state"] for timings in turns if timings.get("state") is not None]
    found: Found = {"turns": (len(turns), 1)}
    if taken:
        found |= {"write_ms_p50": (percentile(taken, 0.5), len(taken)), "write_ms_p95": (percentile(taken, 0.95), len(taken))}
    return found


def _bad(user_id: int, start: datetime, end: datetime) -> Found:
    """Answers that were marked bad, and of how many the memory is the likely cause in which way: `bad: wrongly merged`."""
    turns = list(Turn.objects.filter(user_id=user_id, at__gte=start, at__lt=end, feedback=-1))
    named = causes.counts(causes.name_cause(turn) for turn in turns)
    return {"bad_answers": (len(turns), 1), **{f"bad: {cause}": (count, 1) for cause, count in named.items()}}


def _conflicts(user_id: int, start: datetime, end: datetime) -> Found:
    """confirmed: decided by a person for the new belief; overruled: for the old one; automatic: without a person."""
    decided, by_person = Q(decided_at__gte=start, decided_at__lt=end), Q(decider__in=["user", "staff"])
    counted = Conflict.objects.filter(user_id=user_id).aggregate(
        found=Count("pk", Q(opened_at__gte=start, opened_at__lt=end)),
        confirmed=Count("pk", decided & by_person & Q(decision__in=["keep_new", "keep_both", "merge"])),
        overruled=Count("pk", decided & by_person & Q(decision__in=["keep_old", "both_wrong", "dismiss"])),
        automatic=Count("pk", decided & ~by_person),
    )
    return {f"conflicts_{name}": (value, 1) for name, value in counted.items()}


def _memories(user_id: int, start: datetime, end: datetime) -> Found:
    """restored: what had been forgotten and was fetched back, the sign that forgetting took too much."""
    counted = Memory.objects.owned_by_id(user_id).aggregate(
        memories_written=Count("pk", Q(recorded_at__gte=start, recorded_at__lt=end)),
        forgotten=Count("pk", Q(forgotten_at__gte=start, forgotten_at__lt=end)),
    )
    restored = AuditEvent.objects.filter(user_id=user_id, action="memory.restored", at__gte=start, at__lt=end).count()
    return {name: (value, 1) for name, value in {**counted, "restored": restored}.items()}


def _compressed(user_id: int, start: datetime, end: datetime) -> Found:
    """Of the day's digest: share of its talk's values and details that it says; tokens of talk for one of it."""
    days = Memory.objects.owned_by_id(user_id).filter(kind=Memory.Kind.SUMMARY, level=2, occurred_at__gte=start, occurred_at__lt=end)
    kept = [data["kept"] for data in days.values_list("data", flat=True) if data.get("kept")]
    said, of, talk, tokens = (sum(each[name] for each in kept) for name in ("said", "of", "talk", "tokens"))
    found: Found = {"retention": (said / of, of)} if of else {}
    return {**found, "compression": (talk / tokens, tokens)} if tokens else found


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that `share` of the values do not exceed."""
    ordered = sorted(values)
    return round(float(ordered[max(0, ceil(share * len(ordered)) - 1)]), 2)
