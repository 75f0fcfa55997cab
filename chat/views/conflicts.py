"""Deciding conflicts: in the chat below the answer, and in the queue."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from chat.errors import BadInput
from chat.memory import arbitration
from chat.memory.actors import Actor
from chat.models import Conflict, Notice
from chat.views.accounts import safe_next
from chat.views.histories import draw_conflict

OPEN_SHOWN = RESOLVED_SHOWN = 50


def own_conflict(request: HttpRequest, pk: int) -> Conflict:
    return get_object_or_404(Conflict.objects.owned_by(request.user).for_review(), pk=pk)


@require_GET
def queue(request: HttpRequest) -> HttpResponse:
    conflicts = Conflict.objects.owned_by(request.user).for_review()
    closed = conflicts.exclude(status=Conflict.Status.OPEN).order_by("-decided_at")
    context = {
        "cards": [draw_conflict(conflict) for conflict in conflicts.open()[:OPEN_SHOWN]],
        "decided": closed.exclude(decider=Conflict.Decider.RULE)[:RESOLVED_SHOWN],
        "by_rule": closed.by_rule()[:RESOLVED_SHOWN],
        "tab": "conflicts",
    }
    return render(request, "memory/conflicts.html", context)


@require_POST
def resolve(request: HttpRequest, pk: int) -> HttpResponse:
    decision = request.POST.get("decision", "")
    if decision not in Conflict.Decision.values:
        raise BadInput("unknown_decision", _("Please choose one of the decisions."))
    text = request.POST.get("text", "")
    arbitration.resolve(own_conflict(request, pk), decision, Actor.person(request.user), text=text)
    return _show(request, pk, _("Decided."), reverse("undo", args=[pk]))


@require_POST
def undo(request: HttpRequest, pk: int) -> HttpResponse:
    arbitration.undo(own_conflict(request, pk), Actor.person(request.user))
    return _show(request, pk, _("It is open again."))


def _show(request: HttpRequest, pk: int, done: str, way_back: str = "") -> HttpResponse:
    """From the chat: the notice as it reads now. From the queue: the queue, which says what was done and how to undo it."""
    notice = Notice.objects.owned_by(request.user).for_page().filter(conflict_id=pk, pk=_number(request)).first()
    if request.htmx and notice:
        return render(request, "chat/noticed.html", {"notice": notice})
    messages.success(request, done, extra_tags=way_back)
    return redirect(safe_next(request, "conflicts"))


def _number(request: HttpRequest) -> int:
    raw = request.POST.get("notice", "")
    return int(raw) if raw.isdecimal() and len(raw) < 19 else 0
