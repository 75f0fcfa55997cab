"""Why an answer that its reader marked bad was bad, as far as the stored rows can tell; for staff, ids only."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from chat.memory.text import words
from chat.models import Conflict, Memory, Recall, RecallItem, Turn

NEVER_STORED, LOST, MERGED, FADED = "never stored", "lost in compression", "wrongly merged", "faded"
NOT_RECALLED, CUT, WRONG_DECISION, NOT_MEMORY = "not recalled", "cut by the budget", "wrong conflict decision", "not the memory"
LEAST_COMMON = 2  # search words that a memory shares with the question, to be what it should have found
_BY_STATE = {Memory.State.MERGED: MERGED, Memory.State.SUPERSEDED: LOST, Memory.State.FORGOTTEN: FADED, Memory.State.EXPIRED: FADED}


@dataclass(frozen=True)
class Case:
    turn_id: int
    user_id: int
    cause: str
    memory_id: int | None = None


def cases(since: datetime, until: datetime) -> list[Case]:
    """Every answer of that time which was marked bad, with its likeliest cause, oldest first."""
    bad = Turn.objects.filter(feedback=-1, at__gte=since, at__lt=until).order_by("at", "pk")
    return [name_cause(turn) for turn in bad]


def counts(found: Iterable[Case]) -> dict[str, int]:
    return dict(Counter(case.cause for case in found))


def name_cause(turn: Turn) -> Case:
    """The first of these that the rows show: an overruled decision, a cut memory, one that is there but was not found, one
    that is gone, none at all. An answer that used what it should have used had another fault."""
    if Conflict.objects.filter(turn=turn, decider__in=["support", "rule"]).exclude(decision="").exists():
        return Case(turn.pk, turn.user_id, WRONG_DECISION)
    near = _near(turn)
    seen = dict(RecallItem.objects.filter(recall__in=Recall.objects.filter(turn=turn), memory__in=near).values_list("memory", "decision"))
    for memory in near:
        decision = seen.get(memory.pk)
        if decision == RecallItem.Decision.USED:
            return Case(turn.pk, turn.user_id, NOT_MEMORY, memory.pk)
        if decision in {RecallItem.Decision.OVER_BUDGET, RecallItem.Decision.OVER_LIMIT}:
            return Case(turn.pk, turn.user_id, CUT, memory.pk)
        cause = NOT_RECALLED if memory.state == Memory.State.LIVE else _BY_STATE[memory.state]
        return Case(turn.pk, turn.user_id, cause, memory.pk)
    return Case(turn.pk, turn.user_id, NEVER_STORED)


def _near(turn: Turn) -> list[Memory]:
    """Memories older than the turn that share words with its question, most first."""
    asked = {word for word in words(turn.text[:2000]) if len(word) > 1}
    older = Memory.objects.owned_by_id(turn.user_id).filter(recorded_at__lt=turn.at).only("terms", "state")
    shared = {memory: len(asked & set(memory.terms.split())) for memory in older.order_by("-recorded_at")[:2000]}
    near = [memory for memory, common in shared.items() if common >= LEAST_COMMON]
    return sorted(near, key=lambda memory: (-shared[memory], -memory.pk))[:5]
