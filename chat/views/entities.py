"""The inspector: the user's state, slot by slot, with the history of each belief."""

from itertools import groupby

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from chat.errors import BadInput
from chat.memory import entities, erase
from chat.memory.actors import Actor
from chat.models import Conflict, Entity, EntityVersion, Memory
from chat.views.accounts import safe_next
from chat.views.confirming import require_name
from chat.views.drawing import CATEGORIES
from chat.views.memory import disputes, surroundings


def own_entity(request: HttpRequest, pk: int) -> Entity:
    return get_object_or_404(Entity.objects.owned_by(request.user).with_current(), pk=pk)


def own_version(request: HttpRequest, entity: Entity, pk: int) -> EntityVersion:
    return get_object_or_404(EntityVersion.objects.owned_by(request.user).filter(entity=entity), pk=pk)


@require_GET
def state(request: HttpRequest) -> HttpResponse:
    found = Entity.objects.owned_by(request.user).known().with_current().order_by("category", "attribute", "item")
    told = [each for each in found if each.current or each.open_conflicts]  # what only waits is told apart
    known = [(category, list(members)) for category, members in groupby(told, key=lambda entity: entity.category)]
    order = {category: place for place, category in enumerate(CATEGORIES)}
    groups = sorted(known, key=lambda group: order.get(group[0], len(order)))
    waiting = EntityVersion.objects.owned_by(request.user).to_be_confirmed()
    return render(request, "memory/state.html", {"groups": groups, "waiting": waiting, "tab": "state"})


@require_GET
def entity(request: HttpRequest, pk: int) -> HttpResponse:
    shown = own_entity(request, pk)
    versions = list(shown.versions.timeline())
    context = {
        "entity": shown,
        "current": next((version for version in versions if version.status == EntityVersion.Status.CURRENT), None),
        "versions": versions,
        "tab": "state",
        **disputes(Conflict.objects.owned_by(request.user).filter(entity=shown)),
    }
    row = Memory.objects.owned_by(request.user).filter(version__entity=shown, version__status=EntityVersion.Status.CURRENT).first()
    context |= surroundings(row) if row else {}
    return render(request, "memory/entity.html", context)


@require_POST
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    seen = request.POST.get("version", "")
    expected = int(seen) if seen.isdecimal() else None
    entities.edit_value(
        own_entity(request, pk), request.POST.get("value", ""), Actor.person(request.user), expected_version=expected
    )
    messages.success(request, _("Saved."))
    return redirect(safe_next(request, reverse("entity", args=[pk])))


@require_POST
def rollback(request: HttpRequest, pk: int, version_id: int) -> HttpResponse:
    entity = own_entity(request, pk)
    entities.rollback(entity, own_version(request, entity, version_id).pk, Actor.person(request.user))
    messages.success(request, _("The earlier value counts again."))
    return redirect("entity", pk)


@require_POST
def decide(request: HttpRequest, pk: int, version_id: int) -> HttpResponse:
    """Confirm or reject a version that waits, take back one that holds."""
    version = own_version(request, own_entity(request, pk), version_id)
    verbs = {"confirm": entities.confirm, "reject": entities.reject, "withdraw": entities.take_back}
    verb = verbs.get(request.POST.get("decision", ""))
    if verb is None:
        raise BadInput("unknown_decision", _("Please choose one of the decisions."))
    verb(version, Actor.person(request.user))
    return redirect(safe_next(request, "state"))


@require_POST
def set_pinned(request: HttpRequest, pk: int) -> HttpResponse:
    entities.set_pinned(own_entity(request, pk), request.POST.get("on") == "1", Actor.person(request.user))
    return redirect(safe_next(request, "state"))


@require_http_methods(["GET", "POST"])
def erase_entity(request: HttpRequest, pk: int) -> HttpResponse:
    entity = own_entity(request, pk)
    if request.method == "GET":
        return render(request, "memory/erase_entity.html", {"entity": entity, "tab": "state"})
    require_name(request)
    erase.erase_entity(entity, Actor.person(request.user))
    messages.success(request, _("Erased for good."))
    return redirect("state")
