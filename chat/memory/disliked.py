"""What the reader of an answer called not relevant to their question: it is left out when the same question is asked again."""

from dataclasses import replace

from django.db import transaction

from chat.memory import curation
from chat.memory.actors import Actor
from chat.memory.candidates import NOT_RELEVANT
from chat.memory.recall import Recalled
from chat.models import Recall, RecallItem, Turn


def mark(item: RecallItem, actor: Actor) -> None:
    """Not relevant here: the memory ages by 15 days. A second time takes it back."""
    with transaction.atomic():
        back = RecallItem.objects.filter(pk=item.pk, feedback=-1).update(feedback=0)
        if not back:
            RecallItem.objects.filter(pk=item.pk).update(feedback=-1)
        if item.memory is not None:
            (curation.not_useless if back else curation.mark_useless)(item.memory, actor)


def left_out(recalled: Recalled, turn: Turn) -> Recalled:
    """Without what its user called not relevant to this very question, at any time; that is cut with its reason."""
    ids = [candidate.memory_id for candidate in recalled.items]
    same = Recall.objects.owned_by(turn.user).filter(query=turn.text)
    disliked = set(
        RecallItem.objects.filter(memory__in=ids, feedback=-1, recall__in=same).values_list("memory_id", flat=True)
    )
    if not disliked:
        return recalled
    cut = [replace(c, decision=NOT_RELEVANT) for c in recalled.items if c.memory_id in disliked]
    kept = [c for c in recalled.items if c.memory_id not in disliked]
    return replace(recalled, items=tuple(kept), cut=(*cut, *recalled.cut))
