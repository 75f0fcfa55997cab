"""The inspector: memories in a list, many at once, in the bin, merged, and what a question would recall."""

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from chat.errors import BadInput
from chat.forms import MemoryFilterForm
from chat.memory.actors import Actor
from chat.memory.recall import recall
from chat.memory.text import strip_controls
from chat.memory.usage import uses_by_day
from chat.models import AuditEvent, Entity, Memory
from chat.models.memory import MemoryQuerySet
from chat.templatetags.page import slot_label
from chat.transfer.download import as_file
from chat.transfer.exports import memories_as_json, memories_as_markdown
from chat.views.accounts import safe_next
from chat.views.downloads import as_table
from chat.views.drawing import Spark, draw_item
from chat.views.memory import VERBS, own_memories

PAGE_LENGTH = 50
BULK_MOST = 500
OPPOSITES = {"pin": "unpin", "unpin": "pin", "forget": "restore", "restore": "forget", "confirm": "unconfirm"}
SPARK_DAYS = 30
WRITERS = {"json": memories_as_json, "markdown": memories_as_markdown}


@require_GET
def memories(request: HttpRequest) -> HttpResponse:
    form = MemoryFilterForm(request.GET)
    chosen = form.choices_made()
    found = Memory.objects.matching(request.user, chosen)
    number = request.GET.get("page")
    if chosen["ask"]:
        page = Paginator(_scored(request, found, chosen["ask"]), PAGE_LENGTH).get_page(number)
    else:
        page = _page(found.order_by(*MemoryFilterForm.ORDERS[chosen["order"] or "new"][1]), number)
    _note_uses(page.object_list)
    filtered = any(value for name, value in chosen.items() if name not in {"order", "dated"})
    context = {"form": form, "page": page, "filtered": filtered, "asked": chosen["ask"], "tab": "memories"}
    return render(request, "memory/memories.html", context | {"abouts": _abouts(request, chosen["about"])})


def _page(found: MemoryQuerySet, number: str | None) -> Page:
    """The ids first, which an index tells without a look at the rows; then the few rows of the page."""
    page = Paginator(found.values_list("pk", flat=True), PAGE_LENGTH).get_page(number)
    numbers = list(page.object_list)
    rows = Memory.objects.listed().with_first_turn().in_bulk(numbers)
    page.object_list = [rows[pk] for pk in numbers if pk in rows]
    return page


def _note_uses(rows: list[Memory]) -> None:
    """On each row `.spark`, in how many answers of the last days it was used."""
    used = uses_by_day([memory.pk for memory in rows], SPARK_DAYS, timezone.get_current_timezone())
    for memory in rows:
        memory.spark = Spark(used[memory.pk])


def _abouts(request: HttpRequest, chosen: str) -> list[str]:
    """What there is to choose in the filter "about": the slots that hold something, and what is chosen now."""
    known = Entity.objects.owned_by(request.user).known().order_by("category", "attribute")
    return list(dict.fromkeys([*map(slot_label, known), *([chosen] if chosen else [])]))


def _scored(request: HttpRequest, found: MemoryQuerySet, question: str) -> list[Memory]:
    """Of the found ones those that the question would compare in the end, best first, each with its score as `drawn`."""
    recalled = recall(request.user, question, at=timezone.now(), weights=request.account.weights or None)
    drawn = {item.memory_id: draw_item(item) for item in (*recalled.items, *recalled.cut) if item.memory_id}
    rows = list(found.listed().with_first_turn().filter(pk__in=drawn))
    for memory in rows:
        memory.drawn = drawn[memory.pk]
    return sorted(rows, key=lambda memory: (not memory.drawn.used, -memory.drawn.item.score))


@require_GET
def forgotten(request: HttpRequest) -> HttpResponse:
    page = _page(Memory.objects.owned_by(request.user).forgotten(), request.GET.get("page"))
    given = AuditEvent.objects.reasons_of(request.user, page.object_list)
    for memory in page.object_list:
        memory.reason = given.get(memory.pk, "")
    return render(request, "memory/forgotten.html", {"page": page, "tab": "forgotten"})


@require_POST
def bulk(request: HttpRequest) -> HttpResponse:
    """One act for the chosen ones, or for all that the list's filters find. What has an opposite is undone by `undo_bulk`."""
    verb = request.POST.get("verb", "")
    if verb == "merge":
        return redirect(reverse("merge", query={"ids": ",".join(request.POST.getlist("ids"))}))
    if verb not in {"table", *WRITERS, *OPPOSITES}:
        raise BadInput("unknown_action", _("There is no such action."))
    if request.POST.get("all"):
        found = _all_found(request)
        chosen = _not_too_many(found) if verb in OPPOSITES else found
    else:
        chosen = own_memories(request, request.POST.getlist("ids"))
    if not chosen:
        raise BadInput("nothing_chosen", _("Choose at least one memory."))
    if verb == "table":
        return as_table(chosen)
    if verb in WRITERS:
        rows = chosen if request.POST.get("all") else Memory.objects.listed().filter(pk__in=[memory.pk for memory in chosen])
        return as_file(WRITERS[verb](rows), verb, name="xinji-memories")
    changed = _act_on(request, verb, chosen)
    request.session["undo"] = [OPPOSITES[verb], [memory.pk for memory in changed]]
    messages.success(request, _done(len(chosen)), extra_tags=reverse("bulk-undo"))
    return redirect(safe_next(request, "memories"))


def _all_found(request: HttpRequest) -> MemoryQuerySet:
    chosen = MemoryFilterForm(QueryDict(request.POST.get("filters", ""))).choices_made()
    return Memory.objects.listed().matching(request.user, chosen).order_by("-recorded_at", "-pk")


def _not_too_many(rows: MemoryQuerySet) -> list[Memory]:
    found = list(rows[: BULK_MOST + 1])
    if len(found) > BULK_MOST:
        message = _("At most %(most)d memories at once. Please filter some more; nothing was changed.")
        raise BadInput("too_many", message % {"most": BULK_MOST}, most=BULK_MOST)
    return found


def _act_on(request: HttpRequest, verb: str, chosen: list[Memory]) -> list[Memory]:
    """Those that were not so already."""
    flags = {"pin": lambda memory: memory.pinned, "unpin": lambda memory: not memory.pinned}
    changed = [memory for memory in chosen if not flags.get(verb, lambda _memory: False)(memory)]
    for memory in changed:
        VERBS[verb](memory, Actor.person(request.user))
    return changed


def _done(count: int) -> str:
    return ngettext("Done for %(count)d memory.", "Done for %(count)d memories.", count) % {"count": count}


@require_POST
def undo_bulk(request: HttpRequest) -> HttpResponse:
    """Take the reader's last bulk act back, once. What changed since then stays as it is."""
    verb, numbers = request.session.pop("undo", ("", []))
    count = 0
    for memory in own_memories(request, [str(number) for number in numbers]):
        try:
            VERBS[verb](memory, Actor.person(request.user))
            count += 1
        except BadInput:
            continue
    messages.success(request, _done(count))
    return redirect(safe_next(request, "memories"))


@require_GET
def probe(request: HttpRequest) -> HttpResponse:
    """What a question would recall now. Nothing is stored."""
    question = strip_controls(request.GET.get("question", ""))[:2000].strip()
    context = {"question": question, "tab": "probe"}
    if question:
        found = recall(request.user, question, at=timezone.now(), weights=request.account.weights or None)
        context |= {"found": found, "items": [draw_item(item) for item in [*found.items, *found.cut]]}
    return render(request, "memory/probe.html", context)
