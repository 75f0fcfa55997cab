"""One turn: its bubbles, stopping and retrying it, what the reader thinks of it, and why it says what it says."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from chat import reply
from chat.models import Recall, Turn
from chat.views.drawing import draw_item, draw_sections


def own_turn(request: HttpRequest, pk: int) -> Turn:
    return get_object_or_404(Turn.objects.owned_by(request.user).for_page(), pk=pk)


def show(request: HttpRequest, turn: Turn) -> HttpResponse:
    """The turn as it is now: alone for htmx, else in its conversation."""
    if request.htmx:
        return render(request, "chat/answered.html", {"turn": turn})
    return redirect(reverse("conversation", args=[turn.conversation_id], query={"turn": turn.pk}) + f"#turn-{turn.pk}")


@require_GET
def turn(request: HttpRequest, pk: int) -> HttpResponse:
    return show(request, own_turn(request, pk))


@require_POST
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    reply.stop(own_turn(request, pk))
    return show(request, own_turn(request, pk))


@require_POST
def retry(request: HttpRequest, pk: int) -> HttpResponse:
    reply.retry(own_turn(request, pk))
    return show(request, own_turn(request, pk))


@require_POST
def feedback(request: HttpRequest, pk: int) -> HttpResponse:
    """A second click on the same thumb takes it back."""
    turn = own_turn(request, pk)
    value = {"up": 1, "down": -1}.get(request.POST.get("value", ""), 0)
    Turn.objects.filter(pk=turn.pk).update(feedback=0 if turn.feedback == value else value)
    return show(request, own_turn(request, pk))


@require_GET
def recall(request: HttpRequest, pk: int) -> HttpResponse:
    turn = own_turn(request, pk)
    found = Recall.objects.owned_by(request.user).with_items().filter(turn=turn).order_by("-attempt").first()
    context = {"turn": turn, "recall": found}
    if found:
        items = [draw_item(item) for item in sorted(found.items.all(), key=lambda item: item.rank)]
        context["used"] = [item for item in items if item.used]
        context["cut"] = [item for item in items if not item.used]
        context["sections"] = draw_sections(found.sections)
        context["used_tokens"] = sum(item.tokens for item in context["used"])
    return render(request, "chat/recall.html" + ("#panel" if request.htmx else ""), context)
