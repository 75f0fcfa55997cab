"""The inspector: memories in a list, in the bin, added, merged, and what a question would recall."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from chat.errors import BadInput
from chat.forms import MemoryFilterForm, NewMemoryForm
from chat.memory import curation, erase
from chat.memory.actors import Actor
from chat.memory.recall import recall
from chat.memory.text import strip_controls
from chat.models import Memory, RecallItem
from chat.views.accounts import safe_next
from chat.views.drawing import draw_item

PAGE_LENGTH = 50
MERGE_MOST = 5

VERBS = {
    "pin": curation.pin,
    "unpin": curation.unpin,
    "forget": curation.forget,
    "restore": curation.restore,
    "useful": curation.mark_useful,
    "useless": curation.mark_useless,
    "wrong": curation.mark_wrong,
    "unmerge": curation.unmerge,
}
BULK = {"pin", "unpin", "forget", "restore"}


def own_memory(request: HttpRequest, pk: int) -> Memory:
    return get_object_or_404(Memory.objects.owned_by(request.user).listed(), pk=pk)


def own_memories(request: HttpRequest, numbers: list[str]) -> list[Memory]:
    """Those of the numbers that are the reader's, in the order of the list."""
    wanted = [int(number) for number in numbers if number.isdecimal() and len(number) < 19]
    return list(Memory.objects.owned_by(request.user).listed().filter(pk__in=wanted).order_by("-recorded_at", "-pk"))


@require_GET
def memories(request: HttpRequest) -> HttpResponse:
    form = MemoryFilterForm(request.GET)
    chosen = form.choices_made()
    found = Memory.objects.owned_by(request.user).listed().matching(chosen)
    found = found.order_by(*MemoryFilterForm.ORDERS[chosen["order"] or "new"][1])
    page = Paginator(found, PAGE_LENGTH).get_page(request.GET.get("page"))
    filtered = any(value for name, value in chosen.items() if name != "order")
    context = {"form": form, "page": page, "filtered": filtered, "now": timezone.now(), "tab": "memories"}
    return render(request, "memory/memories.html", context)


@require_GET
def forgotten(request: HttpRequest) -> HttpResponse:
    found = Memory.objects.owned_by(request.user).listed().forgotten()
    page = Paginator(found, PAGE_LENGTH).get_page(request.GET.get("page"))
    return render(request, "memory/forgotten.html", {"page": page, "tab": "forgotten"})


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
    context = {
        "memory": shown,
        "sources": shown.turns.select_related("conversation").order_by("at"),
        "revisions": shown.revisions.order_by("-number"),
        "uses": RecallItem.objects.filter(memory=shown, decision=RecallItem.Decision.USED)
        .select_related("recall__turn")
        .order_by("-pk")[:20],
        "merged": shown.merged_from.all(),
        "now": timezone.now(),
        "tab": "memories",
    }
    return render(request, "memory/memory.html", context)


@require_POST
def act(request: HttpRequest, pk: int, verb: str) -> HttpResponse:
    """Do one of VERBS; what can be undone says so."""
    memory = own_memory(request, pk)
    if verb not in VERBS:
        raise BadInput("unknown_action", _("There is no such action."))
    VERBS[verb](memory, Actor.person(request.user))
    if verb == "forget":
        undo = reverse("memory-act", args=[pk, "restore"])
        messages.success(request, _("Forgotten. It stays in the bin for a while."), extra_tags=undo)
    elif verb == "restore":
        messages.success(request, _("Restored."))
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
    erase.erase_memory(memory, Actor.person(request.user))
    messages.success(request, _("Erased for good."))
    return redirect(safe_next(request, "forgotten"))


@require_POST
def bulk(request: HttpRequest) -> HttpResponse:
    verb, numbers = request.POST.get("verb", ""), request.POST.getlist("ids")
    if verb == "merge":
        return redirect(reverse("merge", query={"ids": ",".join(numbers)}))
    chosen = own_memories(request, numbers)
    if verb not in BULK:
        raise BadInput("unknown_action", _("There is no such action."))
    if not chosen:
        raise BadInput("nothing_chosen", _("Choose at least one memory."))
    for memory in chosen:
        VERBS[verb](memory, Actor.person(request.user))
    done = ngettext("Done for %(count)d memory.", "Done for %(count)d memories.", len(chosen)) % {"count": len(chosen)}
    messages.success(request, done)
    return redirect(safe_next(request, "memories"))


@require_http_methods(["GET", "POST"])
def merge(request: HttpRequest) -> HttpResponse:
    numbers = request.POST.getlist("ids") or request.GET.get("ids", "").split(",")
    chosen = own_memories(request, numbers)
    if not 2 <= len(chosen) <= MERGE_MOST:
        raise BadInput("merge_two_to_five", _("Choose two to five memories to merge."))
    if request.method == "GET":
        proposed = "\n".join(dict.fromkeys(memory.text for memory in reversed(chosen)))
        return render(request, "memory/merge.html", {"memories": chosen, "proposed": proposed, "tab": "memories"})
    into = request.POST.get("into", "")
    ids = [memory.pk for memory in chosen]
    survivor = int(into) if into.isdecimal() and int(into) in ids else ids[0]
    merged = curation.merge(request.user, ids, survivor, request.POST.get("text", ""), Actor.person(request.user))
    undo = reverse("memory-act", args=[merged.pk, "unmerge"])
    messages.success(request, _("Merged."), extra_tags=undo)
    return redirect("memory", merged.pk)


@require_GET
def probe(request: HttpRequest) -> HttpResponse:
    """What a question would recall now. Nothing is stored."""
    question = strip_controls(request.GET.get("question", ""))[:2000].strip()
    context = {"question": question, "tab": "probe"}
    if question:
        found = recall(request.user, question, at=timezone.now())
        context |= {"found": found, "items": [draw_item(item) for item in [*found.items, *found.cut]]}
    return render(request, "memory/probe.html", context)
