"""/api/entities: the user's state. The list is whole, not paged, up to `limit` rows."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Status

from chat.api.schemas.common import Window, window_of
from chat.api.schemas.state import EntityFilter, EntityOut, ValueIn, VersionIn, VersionOut, entity_out
from chat.memory import entities, erase
from chat.memory.actors import Actor
from chat.models import Entity, EntityVersion

router = Router(tags=["entities"])


def own_entity(request: HttpRequest, entity_id: int) -> Entity:
    return get_object_or_404(Entity.objects.owned_by(request.user), pk=entity_id)


def own_version(entity: Entity, version_id: int) -> EntityVersion:
    return get_object_or_404(entity.versions.select_related("entity__user"), pk=version_id)


def shown(entity_id: int) -> dict:
    return entity_out(Entity.objects.with_state().get(pk=entity_id))


@router.get("", response=list[EntityOut], summary="The user's state")
def listing(request: HttpRequest, response: HttpResponse, wanted: Query[EntityFilter]):
    """Sorted by slot. `X-Total-Count` holds how many there are."""
    found = Entity.objects.owned_by(request.user).filter(**wanted.fields())
    found = (found if wanted.all else found.known()).with_state().order_by("category", "attribute", "item", "pk")
    return [entity_out(row) for row in window_of(found, wanted, response)]


@router.get("/{int:entity_id}", response=EntityOut, summary="One slot")
def show(request: HttpRequest, entity_id: int):
    return shown(own_entity(request, entity_id).pk)


@router.put("/{int:entity_id}", response=EntityOut, summary="Say what is true")
def put(request: HttpRequest, entity_id: int, body: ValueIn):
    entity = own_entity(request, entity_id)
    entities.edit_value(entity, body.value, Actor.person(request.user), expected_version=body.expected_version)
    return shown(entity_id)


@router.delete("/{int:entity_id}", response={204: None}, summary="Erase it with all its versions, for good")
def delete(request: HttpRequest, entity_id: int):
    erase.erase_entity(own_entity(request, entity_id), Actor.person(request.user))
    return Status(204, None)


@router.get("/{int:entity_id}/versions", response=list[VersionOut], summary="Its history, newest first")
def versions(request: HttpRequest, response: HttpResponse, entity_id: int, window: Query[Window]):
    return window_of(own_entity(request, entity_id).versions.timeline(), window, response)


@router.post("/{int:entity_id}/rollback", response=EntityOut, summary="An earlier version counts again")
def rollback(request: HttpRequest, entity_id: int, body: VersionIn):
    entity = own_entity(request, entity_id)
    entities.rollback(entity, own_version(entity, body.version_id).pk, Actor.person(request.user))
    return shown(entity_id)


@router.post("/{int:entity_id}/confirm", response=EntityOut, summary="A pending version is true")
def confirm(request: HttpRequest, entity_id: int, body: VersionIn):
    entities.confirm(own_version(own_entity(request, entity_id), body.version_id), Actor.person(request.user))
    return shown(entity_id)


@router.post("/{int:entity_id}/reject", response=EntityOut, summary="A pending version is not true")
def reject(request: HttpRequest, entity_id: int, body: VersionIn):
    entities.reject(own_version(own_entity(request, entity_id), body.version_id), Actor.person(request.user))
    return shown(entity_id)


@router.post("/{int:entity_id}/pin", response=EntityOut, summary="Pin it: nothing replaces it without being asked")
def pin(request: HttpRequest, entity_id: int):
    entities.set_pinned(own_entity(request, entity_id), True, Actor.person(request.user))
    return shown(entity_id)


@router.post("/{int:entity_id}/unpin", response=EntityOut, summary="Unpin it")
def unpin(request: HttpRequest, entity_id: int):
    entities.set_pinned(own_entity(request, entity_id), False, Actor.person(request.user))
    return shown(entity_id)
