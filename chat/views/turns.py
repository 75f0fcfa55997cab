"""One turn: its bubbles, stopping and retrying it, what the reader thinks of it, and why it says what it says."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from chat import branches, reply
from chat.models import Turn
from chat.views.chat import new_key, sent_key
from chat.views.reading import turn_of


def show(request: HttpRequest, turn: Turn) -> HttpResponse:
    """The turn as it is now: alone for htmx, else in its conversation."""
    if request.htmx:
        return render(request, "chat/answered.html", {"turn": turn})
    return redirect(reverse("conversation", args=[turn.conversation_id], query={"turn": turn.pk}) + f"#turn-{turn.pk}")


@require_GET
def turn(request: HttpRequest, pk: int) -> HttpResponse:
    return show(request, turn_of(request.user, pk))


@require_POST
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    reply.stop(turn_of(request.user, pk))
    return show(request, turn_of(request.user, pk))


@require_POST
def retry(request: HttpRequest, pk: int) -> HttpResponse:
    branches.answer_again(turn_of(request.user, pk))
    return show(request, turn_of(request.user, pk))


@require_POST
def choose(request: HttpRequest, pk: int) -> HttpResponse:
    """Step to another of its answers."""
    attempt = request.POST.get("attempt", "")
    branches.choose_answer(turn_of(request.user, pk), int(attempt) if attempt.isdecimal() and len(attempt) < 5 else 0)
    return show(request, turn_of(request.user, pk))


@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """The message in a field; sent again it begins a branch."""
    turn = turn_of(request.user, pk)
    if request.method == "GET":
        context = {"turn": turn, "conversation": turn.conversation, "key": new_key()}
        return render(request, "chat/edit.html" + ("#form" if request.htmx else ""), context)
    fresh = branches.resend(turn, request.POST.get("text", ""), key=sent_key(request))
    return redirect(reverse("conversation", args=[fresh.conversation_id]) + f"#turn-{fresh.pk}")


@require_POST
def show_branch(request: HttpRequest, pk: int) -> HttpResponse:
    """The conversation goes on in the branch of this turn."""
    turn = turn_of(request.user, pk)
    branches.show(turn)
    return redirect(reverse("conversation", args=[turn.conversation_id], query={"turn": pk}) + f"#turn-{pk}")


@require_POST
def feedback(request: HttpRequest, pk: int) -> HttpResponse:
    """A second click on the same thumb takes it back."""
    turn = turn_of(request.user, pk)
    value = {"up": 1, "down": -1}.get(request.POST.get("value", ""), 0)
    Turn.objects.filter(pk=turn.pk).update(feedback=0 if turn.feedback == value else value)
    return show(request, turn_of(request.user, pk))
