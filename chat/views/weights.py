"""Settings: what counts how much in recall, with what it would change shown beside it."""

from dataclasses import asdict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from chat.forms import WeightsForm
from chat.memory.recall import recall
from chat.memory.scoring import Weights
from chat.memory.text import strip_controls
from chat.models import Account, Turn
from chat.views.drawing import draw_item

SHOWN = 6


@require_http_methods(["GET", "POST"])
def weights(request: HttpRequest) -> HttpResponse:
    """GET shows what a question would recall with the given weights, or with those of the account. POST keeps them."""
    own = asdict(Weights.of(request.account.weights))
    if request.method == "POST":
        return _save(request)
    question = strip_controls(request.GET.get("question", "")).strip()[:500] or _last_question(request)
    form = WeightsForm({**own, **request.GET.dict(), "question": question})
    context = {"form": form, "defaults": asdict(Weights()), "question": question}
    if form.is_valid() and question:
        context["columns"] = [
            (_("as now"), _recalled(request, question, own)),
            (_("with these weights"), _recalled(request, question, form.shares)),
        ]
    return render(request, "settings/weights.html", context, status=422 if form.errors else 200)


def _save(request: HttpRequest) -> HttpResponse:
    form = WeightsForm(request.POST)
    if request.POST.get("reset"):
        shares = {}
    elif form.is_valid():
        shares = form.shares
    else:
        return render(request, "settings/weights.html", {"form": form, "defaults": asdict(Weights())}, status=422)
    Account.objects.filter(pk=request.account.pk).update(weights=shares)
    messages.success(request, _("Saved."))
    return redirect("weights")


def _last_question(request: HttpRequest) -> str:
    newest = Turn.objects.owned_by(request.user).filter(conversation__temporary=False).order_by("-at").values_list("text", flat=True).first()
    return (newest or "")[:500]


def _recalled(request: HttpRequest, question: str, shares: dict[str, float]) -> list:
    found = recall(request.user, question, at=timezone.now(), weights=shares)
    return [draw_item(item) for item in found.items[:SHOWN]]
