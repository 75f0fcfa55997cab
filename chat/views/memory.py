"""The inspector: one memory, what it said before, where it comes from, and what can be done with it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from chat.errors import BadInput
from chat.forms import NewMemoryForm
from chat.memory import alike, curation, erase, merging
from chat.memory.actors import Actor
from chat.memory.text import strip_controls
from chat.models import Conflict, Memory, RecallItem
from chat.models.conflict import ConflictQuerySet
from chat.views.accounts import safe_next
from chat.views.confirming import require_name
from chat.views.downloads import as_csv
from chat.views.histories import draw_life, wordings

VERBS = {
    "pin": curation.pin,
    "unpin": curation.unpin,
    "forget": curation.forget,
    "restore": curation.restore,
    "confirm": curation.confirm,
    "unconfirm": curation.unconfirm,
    "useful": curation.mark_useful,
    "useless": curation.mark_useless,
    "wrong": curation.mark_wrong,
    "unmerge": merging.unmerge,
}
REASONED = {"forget", "wrong"}


USES_SHOWN, RELATED_SHOWN, CONFLICTS_SHOWN = 20, 5, 20


def own_memory(request: HttpRequest, pk: int) -> Memory:
    return get_object_or_404(Memory.objects.owned_by(request.user).listed(), pk=pk)


def own_memories(request: HttpRequest, numbers: list[str]) -> list[Memory]:
    """Those of the numbers that are the reader's, in the order of the list."""
    wanted = [int(number) for number in numbers if number.isdecimal() and len(number) < 19]
    return list(Memory.objects.owned_by(request.user).listed().filter(pk__in=wanted).order_by("-recorded_at", "-pk"))


@require_http_methods(["GET", "POST"])
def add(request: HttpRequest) -> HttpResponse:
    form = NewMemoryForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        curation.add(
            request.user,
            given["text"],
            occurred_at=given["occurred_at"],
            importance=given["importance"],
            actor=Actor.person(request.user),
        )
        messages.success(request, _("Remembered."))
        return redirect("memories")
    return render(request, "memory/add.html", {"form": form, "tab": "memories"}, status=422 if form.errors else 200)


@require_GET
def memory(request: HttpRequest, pk: int) -> HttpResponse:
    shown = own_memory(request, pk)
    chart = draw_life(shown, timezone.now())
    if request.GET.get("csv"):
        return as_csv(chart)
    context = {
        "chart": chart,
        "memory": shown,
        "sources": shown.turns.select_related("conversation").order_by("at"),
        "wordings": wordings(shown),
        "merged": shown.merged_from.all(),
        "tab": "memories",
        **disputes(Conflict.objects.owned_by(request.user).about(shown)),
    }
    context |= surroundings(shown)
    return render(request, "memory/memory.html", context)


def disputes(found: ConflictQuerySet) -> dict:
    """What a person has to do with, and what was settled by rule."""
    shown = found.for_review()
    return {"conflicts": shown.exclude(decider=Conflict.Decider.RULE)[:CONFLICTS_SHOWN], "by_rule": shown.by_rule()[:CONFLICTS_SHOWN]}


def surroundings(memory: Memory) -> dict:
    """Answers that used it, what is linked to it, and what means nearly the same."""
    own = Memory.objects.owned_by_id(memory.user_id)
    lasting = RecallItem.objects.filter(recall__turn__conversation__temporary=False)
    used = lasting.filter(memory=memory, decision=RecallItem.Decision.USED).select_related("recall__turn")
    linked = list(own.live().listed().linked_to(memory).order_by("-importance", "pk"))
    near = alike.nearest_to(memory.pk, RELATED_SHOWN)
    rows = own.listed().in_bulk(near)
    related = dict.fromkeys([*linked, *(rows[pk] for pk in near if pk in rows)])
    return {"uses": used.order_by("-pk")[:USES_SHOWN], "related": list(related)}


@require_POST
def act(request: HttpRequest, pk: int, verb: str) -> HttpResponse:
    """Do one of VERBS; what can be undone says so."""
    memory = own_memory(request, pk)
    if verb not in VERBS:
        raise BadInput("unknown_action", _("There is no such action."))
    reason = strip_controls(request.POST.get("reason", "")).strip()[:200]
    VERBS[verb](memory, Actor.person(request.user), **({"reason": reason} if reason and verb in REASONED else {}))
    if verb == "forget":
        undo = reverse("memory-act", args=[pk, "restore"])
        messages.success(request, _("Forgotten. It stays in the bin for a while."), extra_tags=undo)
    elif verb == "restore":
        messages.success(request, _("Restored."))
    elif verb == "confirm":
        messages.success(request, _("Confirmed."), extra_tags=reverse("memory-act", args=[pk, "unconfirm"]))
    return redirect(safe_next(request, "memories"))


@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    memory = own_memory(request, pk)
    if request.method == "GET":
        return render(request, "memory/edit.html", {"memory": memory, "tab": "memories"})
    number = request.POST.get("number", "")
    if not number.isdecimal():
        raise BadInput("bad_number", _("This form is damaged. Please reload the page."))
    curation.edit(memory, request.POST.get("text", ""), int(number), Actor.person(request.user))
    messages.success(request, _("Saved."))
    return redirect(safe_next(request, reverse("memory", args=[pk])))


@require_http_methods(["GET", "POST"])
def erase_memory(request: HttpRequest, pk: int) -> HttpResponse:
    memory = own_memory(request, pk)
    if request.method == "GET":
        return render(request, "memory/erase.html", {"memory": memory, "tab": "forgotten"})
    require_name(request)
    erase.erase_memory(memory, Actor.person(request.user))
    messages.success(request, _("Erased for good."))
    return redirect(safe_next(request, "forgotten"))
