"""Store what an answer saw: the recall, every candidate of it, and the prompt as it was sent; count the uses."""

from django.db.models import F

from chat.memory.candidates import Candidate
from chat.memory.prompt import Prompt
from chat.memory.recall import Recalled
from chat.models import EntityVersion, Memory, Recall, RecallItem, Turn

Decision = RecallItem.Decision


def store_recall(turn: Turn, recalled: Recalled, prompt: Prompt) -> Recall:
    """One Recall with its items. What the prompt had no room for is `over_budget`, whatever the recall thought of it.

    Memories that the answer used start their clock anew; the versions behind them count an unchallenged use.
    """
    recall = Recall.objects.create(
        user_id=turn.user_id,
        turn=turn,
        attempt=turn.attempt,
        query=turn.text,
        considered=recalled.considered,
        store_size=recalled.store_size,
        sections=prompt.sections,
        shown={name: [pk for pk in ids if pk] for name, ids in _beside(prompt).items()},
        prompt=prompt.messages,
        timings=recalled.timings_ms,
        degraded=list(recalled.degraded),
    )
    dropped = set(prompt.dropped_memory_ids)
    ranked = sorted([*recalled.items, *recalled.cut], key=lambda candidate: -candidate.score)
    RecallItem.objects.bulk_create(_item(recall, rank, c, dropped) for rank, c in enumerate(ranked, 1))
    _count_uses(turn, prompt)
    return recall


def _beside(prompt: Prompt) -> dict[str, tuple[int, ...]]:
    return {"entities": prompt.used_version_ids, "knowledge": prompt.used_passage_ids}


def _item(recall: Recall, rank: int, candidate: Candidate, dropped: set[int]) -> RecallItem:
    decision = candidate.decision
    if decision == Decision.USED and candidate.memory_id in dropped:
        decision = Decision.OVER_BUDGET
    return RecallItem(
        recall=recall,
        memory_id=candidate.memory_id,
        version_id_then=candidate.version_id,
        rank=rank,
        text=candidate.text,
        kind=candidate.kind,
        decision=decision,
        duplicate_of=candidate.duplicate_of,
        score=candidate.score,
        parts=dict(candidate.parts),
        signals=dict(candidate.signals),
        routes=list(candidate.routes),
        reasons=list(candidate.reasons),
        conflict_id=candidate.conflict_id,
        tokens=candidate.tokens,
    )


def _count_uses(turn: Turn, prompt: Prompt) -> None:
    Memory.objects.owned_by(turn.user).filter(pk__in=prompt.used_memory_ids).update(
        use_count=F("use_count") + 1, last_used_at=turn.at, clock_at=turn.at, start_weight=1.0
    )
    used = EntityVersion.objects.owned_by(turn.user).filter(
        memory__in=prompt.used_memory_ids, conflicts_as_old=None, conflicts_as_new=None
    )
    EntityVersion.objects.filter(pk__in=list(used.values_list("pk", flat=True))).update(
        unchallenged_uses=F("unchallenged_uses") + 1
    )
