"""Why an answer that its reader marked bad was bad, as far as the stored rows can tell; for staff, ids only."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from django.db.models import BooleanField
from django.db.models.expressions import RawSQL
from django.utils import timezone

from chat.memory import lexemes
from chat.memory.text import words
from chat.models import Conflict, Memory, Recall, RecallItem, Turn

NEVER_STORED, LOST, MERGED, FADED = "never stored", "lost in compression", "wrongly merged", "faded"
NOT_RECALLED, CUT, WRONG_DECISION, NOT_MEMORY = "not recalled", "cut by the budget", "wrong conflict decision", "not the memory"
LEAST_COMMON = 2  # search words that a memory shares with the question, to be what it should have found
LOOKED_AT, NEAREST = 200, 5  # memories that share a word, newest first; of them the nearest
_BY_STATE = {Memory.State.MERGED: MERGED, Memory.State.SUPERSEDED: LOST, Memory.State.FORGOTTEN: FADED, Memory.State.EXPIRED: FADED}
State, Decision = Memory.State, RecallItem.Decision


@dataclass(frozen=True)
class Case:
    """One answer that its reader marked bad. `recall_id`: what it saw, `memory_id`: what it should have used, where there is one."""

    turn_id: int
    user_id: int
    at: datetime
    cause: str
    memory_id: int | None = None
    recall_id: int | None = None


def cases(since: datetime, until: datetime) -> list[Case]:
    """Every answer of that time which was marked bad, with its likeliest cause, oldest first."""
    bad = Turn.objects.filter(feedback=-1, at__gte=since, at__lt=until).order_by("at", "pk")
    return [name_cause(turn) for turn in bad]


def by_week(until: date, weeks: int) -> dict[date, list[Case]]:
    """The cases of the last `weeks` weeks up to the one that `until` is in, by their Monday (of the server's zone), newest first."""
    zone = timezone.get_current_timezone()
    monday = until - timedelta(days=until.weekday())
    mondays = [monday - timedelta(weeks=back) for back in range(weeks)]
    start, end = (datetime(day.year, day.month, day.day, tzinfo=zone) for day in (mondays[-1], monday + timedelta(weeks=1)))
    found: dict[date, list[Case]] = {day: [] for day in mondays}
    for case in cases(start, end):
        day = case.at.astimezone(zone).date()
        found[day - timedelta(days=day.weekday())].append(case)
    return found


def counts(found: Iterable[Case]) -> dict[str, int]:
    return dict(Counter(case.cause for case in found))


def name_cause(turn: Turn) -> Case:
    """The first of these that the rows show: an overruled decision, a cut memory, one that is there but was not found, one
    that is gone, none at all. An answer that used what it should have used had another fault."""
    recall = Recall.objects.filter(turn=turn, attempt=turn.attempt).first()
    case = Case(turn.pk, turn.user_id, turn.at, NEVER_STORED, recall_id=recall.pk if recall else None)
    if Conflict.objects.filter(turn=turn, decider__in=["support", "rule"]).exclude(decision="").exists():
        return replace(case, cause=WRONG_DECISION)
    seen = dict(recall.items.filter(memory__isnull=False).values_list("memory", "decision")) if recall else {}
    for memory in _near(turn):
        cause = _of_memory(memory, seen.get(memory.pk))
        if cause:
            return replace(case, cause=cause, memory_id=memory.pk)
    return case


def _of_memory(memory: Memory, decision: str | None) -> str:
    """What went wrong with a memory that the question is near to; "" when nothing did."""
    if decision == Decision.USED:
        return NOT_MEMORY
    if decision in {Decision.OVER_BUDGET, Decision.OVER_LIMIT}:
        return CUT
    if memory.state == State.LIVE:
        return NOT_RECALLED
    if memory.kind == Memory.Kind.ENTITY and memory.state == State.SUPERSEDED:
        return WRONG_DECISION if _decided_without_a_person(memory) else ""
    if memory.state == State.FORGOTTEN and memory.forgotten_by != "decay":
        return ""  # as its owner wished
    return _BY_STATE[memory.state]


def _decided_without_a_person(memory: Memory) -> bool:
    lost = Conflict.objects.filter(old_id=memory.version_id, decider__in=["support", "rule"])
    return lost.exclude(decision="").exists()


def _near(turn: Turn) -> list[Memory]:
    """Memories older than the turn that share words with its question, most first."""
    asked = {word for word in words(turn.text[:2000]) if len(word) > 1}
    if not asked:
        return []
    wanted = " | ".join(sorted(lexemes.query(turn.user_id, word) for word in asked))
    older = Memory.objects.owned_by_id(turn.user_id).filter(
        RawSQL("chat_memory.search @@ %s::tsquery", [wanted], BooleanField()), recorded_at__lt=turn.at
    )
    rows = older.only("terms", "state", "kind", "version", "forgotten_by").order_by("-recorded_at")[:LOOKED_AT]
    shared = {memory: len(asked & set(memory.terms.split())) for memory in rows}
    near = [memory for memory, common in shared.items() if common >= LEAST_COMMON]
    return sorted(near, key=lambda memory: (-shared[memory], -memory.pk))[:NEAREST]
