"""What answers cost and how the user felt, day by day and week by week, from the stored rows."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta, tzinfo
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db.models import Count
from django.utils import timezone

from chat.models import Account, Memory, Recall, RecallItem, Turn


@dataclass
class Day:
    """answers: recalls of that day. tokens: mean of each section. cut: candidates that fell to the budget."""

    answers: int = 0
    tokens: dict[str, float] = field(default_factory=dict)
    cut: int = 0


def days(user: User, count: int) -> dict[date, Day]:
    """The last `count` days of the user's calendar, oldest first, each there even when nothing happened."""
    zone = ZoneInfo(Account.objects.of(user).zone_name)
    today = timezone.now().astimezone(zone).date()
    found = {today - timedelta(days=back): Day() for back in range(count - 1, -1, -1)}
    recalls = Recall.objects.owned_by(user).filter(turn__at__gte=timezone.now() - timedelta(days=count))
    sums: dict[date, Counter] = defaultdict(Counter)
    days_of = {}
    for pk, at, sections in recalls.values_list("pk", "turn__at", "sections"):
        day = at.astimezone(zone).date()
        if day in found:
            days_of[pk] = found[day]
            found[day].answers += 1
            sums[day].update({name: section.get("tokens", 0) for name, section in sections.items()})
    for day, spent in sums.items():
        found[day].tokens = {name: tokens / found[day].answers for name, tokens in spent.items()}
    cut = RecallItem.objects.filter(recall__in=days_of, decision=RecallItem.Decision.OVER_BUDGET)
    for pk, number in cut.order_by().values_list("recall").annotate(Count("pk")):
        days_of[pk].cut += number
    return found


def moods(user: User, weeks: int) -> dict[date, dict[str, int]]:
    """For each of the last `weeks` weeks, by its Monday: how many messages told which feeling. Nothing felt is left out."""
    zone = ZoneInfo(Account.objects.of(user).zone_name)
    now = timezone.now().astimezone(zone)
    monday = now.date() - timedelta(days=now.weekday())
    found: dict[date, Counter] = {monday - timedelta(weeks=back): Counter() for back in range(weeks - 1, -1, -1)}
    turns = Turn.objects.owned_by(user).filter(at__gte=now - timedelta(weeks=weeks), observed_at__isnull=False)
    for at, emotion in turns.exclude(emotion__in=["", "neutral"]).values_list("at", "emotion"):
        day = at.astimezone(zone).date()
        week = day - timedelta(days=day.weekday())
        if week in found:
            found[week][emotion] += 1
    return {week: dict(counts) for week, counts in found.items()}


def most_costly(user: User, since_days: int, limit: int) -> list[tuple[Memory, int, int]]:
    """(memory, tokens in answers, answers) of the memories that took most of the prompts lately, most first."""
    recalls = Recall.objects.owned_by(user).filter(turn__at__gte=timezone.now() - timedelta(days=since_days))
    spent: Counter = Counter()
    answers: Counter = Counter()
    used = RecallItem.objects.filter(recall__in=recalls, decision=RecallItem.Decision.USED, memory__state=Memory.State.LIVE)
    for memory_id, tokens in used.values_list("memory", "tokens"):
        spent[memory_id] += tokens
        answers[memory_id] += 1
    best = [pk for pk, _tokens in spent.most_common(limit)]
    rows = Memory.objects.listed().in_bulk(best)
    return [(rows[pk], spent[pk], answers[pk]) for pk in best if pk in rows]


def uses_by_day(memory_ids: Iterable[int], count: int, zone: tzinfo) -> dict[int, list[int]]:
    """Of each memory how many answers used it on each of the last `count` days in this zone, oldest first."""
    today = timezone.now().astimezone(zone).date()
    found = {pk: [0] * count for pk in memory_ids}
    since = timezone.now() - timedelta(days=count)
    used = RecallItem.objects.filter(memory__in=found, decision=RecallItem.Decision.USED, recall__turn__at__gte=since)
    for pk, at in used.order_by().values_list("memory", "recall__turn__at"):
        back = (today - at.astimezone(zone).date()).days
        if 0 <= back < count:
            found[pk][count - 1 - back] += 1
    return found
