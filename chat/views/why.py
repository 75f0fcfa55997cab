"""Why this answer: what it recalled, how the scores add up, and setting it right on the spot."""

from dataclasses import dataclass

from django.db.models import Min
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from chat.memory import disliked
from chat.memory.actors import Actor
from chat.memory.recall import recall as recall_now
from chat.memory.scoring import Weights
from chat.models import EntityVersion, MemorySource, Passage, Recall, RecallItem, Turn
from chat.views.drawing import DrawnItem, cents_text, draw_item, draw_sections
from chat.views.reading import turn_of

CUT_SHOWN = 10  # the others are one more click away


@dataclass(frozen=True)
class Difference:
    """One memory, then and now; a side is None where it was not among the candidates."""

    text: str
    then: DrawnItem | None
    now: DrawnItem | None

    @property
    def sides(self) -> tuple[DrawnItem | None, DrawnItem | None]:
        return self.then, self.now


@require_GET
def recall(request: HttpRequest, pk: int) -> HttpResponse:
    """The recall of the answer on screen; with `?now=1` beside what the same question would recall from today's memories."""
    turn = turn_of(request.user, pk)
    found = Recall.objects.owned_by(request.user).with_items().filter(turn=turn, attempt=turn.attempt).first()
    context = {"turn": turn, "recall": found, "differences": None, "weights": Weights.of(request.account.weights)}
    if found:
        items = [draw_item(item) for item in sorted(found.items.all(), key=lambda item: item.rank)]
        note_where_said(items)
        cut = [item for item in items if not item.used]
        context |= {"used": [item for item in items if item.used], "cut": cut[:CUT_SHOWN], "rest": cut[CUT_SHOWN:]}
        context |= {"all_cut": len(cut), "sections": draw_sections(found.sections), "beside": beside(found)}
        context["tokens"] = sum(item.tokens for item in context["used"])
        context["took"] = round((turn.timings or {}).get("recall", 0))
        if "now" in request.GET:
            context["differences"] = differences(turn, items, request.account.weights)
    return render(request, "chat/recall.html" + ("#panel" if request.htmx else ""), context)


def note_where_said(items: list[DrawnItem]) -> None:
    """On each item `.said_in`, the first turn that its memory came from."""
    said = MemorySource.objects.filter(memory__in=[each.item.memory_id for each in items])
    turns = dict(said.values_list("memory").annotate(Min("turn")))
    for each in items:
        each.item.said_in = turns.get(each.item.memory_id)


def beside(found: Recall) -> dict[str, list]:
    """What the prompt held beside memories: the beliefs and the passages, in its order. What was erased since is not there."""
    versions = EntityVersion.objects.owned_by(found.user).select_related("entity").in_bulk(found.shown.get("entities", []))
    passages = Passage.objects.select_related("document").in_bulk(found.shown.get("knowledge", []))
    return {
        "beliefs": [versions[pk] for pk in found.shown.get("entities", []) if pk in versions],
        "passages": [passages[pk] for pk in found.shown.get("knowledge", []) if pk in passages],
    }


def differences(turn: Turn, then: list[DrawnItem], weights: dict) -> list[Difference]:
    """What the same question at the same moment would recall from today's memories, where that is something else."""
    found = recall_now(turn.user, turn.text, at=turn.at, conversation=turn.conversation, weights=weights or None)
    found = disliked.left_out(found, turn)
    now = {each.memory_id: draw_item(each) for each in (*found.items, *found.cut)}
    was = {each.item.memory_id: each for each in then if each.item.memory_id}
    told = [pk for pk in {**was, **now} if any(side[pk].used for side in (was, now) if pk in side)]
    pairs = [Difference((was.get(pk) or now[pk]).item.text, was.get(pk), now.get(pk)) for pk in told]
    return [pair for pair in pairs if _side(pair.then) != _side(pair.now)]


def _side(item: DrawnItem | None) -> tuple:
    return (item.used, cents_text(item.cents), item.item.text) if item else ()


@require_POST
def not_relevant(request: HttpRequest, pk: int) -> HttpResponse:
    item = get_object_or_404(RecallItem.objects.select_related("memory", "recall"), pk=pk, recall__user=request.user)
    disliked.mark(item, Actor.person(request.user))
    return redirect("recall", item.recall.turn_id)
