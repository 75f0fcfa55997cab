"""/api/memories"""

from collections.abc import Callable

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Status

from chat.api.schemas.common import Page, page_of
from chat.api.schemas.memories import (
    ORDERS,
    MemoryDetail,
    MemoryFilter,
    MemoryIn,
    MemoryOut,
    MemoryPatch,
    MergeIn,
    ReasonIn,
)
from chat.memory import curation, erase, merging
from chat.memory.actors import Actor
from chat.models import Memory

router = Router(tags=["memories"])


def own_memory(request: HttpRequest, memory_id: int) -> Memory:
    return get_object_or_404(Memory.objects.owned_by(request.user).listed(), pk=memory_id)


@router.get("", response=Page[MemoryOut], summary="Memories")
def listing(request: HttpRequest, wanted: Query[MemoryFilter]):
    found = Memory.objects.listed().matching(request.user, wanted.dict())
    return page_of(found.order_by(*ORDERS[wanted.order]), wanted)


@router.post("", response={201: MemoryDetail}, summary="Remember something")
def add(request: HttpRequest, body: MemoryIn):
    memory = curation.add(request.user, body.text, **body.dict(exclude={"text"}), actor=Actor.person(request.user))
    return Status(201, own_memory(request, memory.pk))


@router.post("/merge", response=MemoryDetail, summary="Merge several into one; `unmerge` takes it back")
def merge(request: HttpRequest, body: MergeIn):
    words = body.text or "\n".join(_texts(request.user, body.ids))
    merged = merging.merge(request.user, merging.Merging(body.ids, body.into, words), Actor.person(request.user))
    return own_memory(request, merged.pk)


def _texts(user: User, ids: list[int]) -> list[str]:
    """What they say, oldest first, the same words once."""
    found = Memory.objects.owned_by(user).filter(pk__in=ids).order_by("occurred_at", "pk")
    return list(dict.fromkeys(found.values_list("text", flat=True)))


@router.get("/{int:memory_id}", response=MemoryDetail, summary="One memory, with its sources and earlier wordings")
def show(request: HttpRequest, memory_id: int):
    return own_memory(request, memory_id)


@router.patch("/{int:memory_id}", response=MemoryDetail, summary="Correct its text")
def edit(request: HttpRequest, memory_id: int, body: MemoryPatch):
    """The row of a belief edits the belief: the answer is then the row of its new version, with its own id."""
    edited = curation.edit(own_memory(request, memory_id), body.text, body.number, Actor.person(request.user))
    return own_memory(request, edited.pk)


@router.delete("/{int:memory_id}", response={204: None}, summary="Erase it, for good")
def delete(request: HttpRequest, memory_id: int):
    erase.erase_memory(own_memory(request, memory_id), Actor.person(request.user))
    return Status(204, None)


ACTS: dict[str, tuple[Callable[[Memory, Actor, str], object], str]] = {
    "pin": (lambda memory, actor, reason: curation.pin(memory, actor), "Pin it: no decay, always considered"),
    "unpin": (lambda memory, actor, reason: curation.unpin(memory, actor), "Unpin it"),
    "authoritative": (
        lambda memory, actor, reason: curation.set_authoritative(memory, True, actor),
        "Declare it the truth: nothing replaces it silently",
    ),
    "unauthoritative": (
        lambda memory, actor, reason: curation.set_authoritative(memory, False, actor),
        "Take that back",
    ),
    "wrong": (lambda memory, actor, reason: curation.mark_wrong(memory, actor), "Mark it wrong"),
    "forget": (lambda memory, actor, reason: curation.forget(memory, actor, reason), "Put it into the bin"),
    "restore": (lambda memory, actor, reason: curation.restore(memory, actor), "Take it out of the bin"),
    "useful": (lambda memory, actor, reason: curation.mark_useful(memory, actor), "It was useful in an answer"),
    "useless": (lambda memory, actor, reason: curation.mark_useless(memory, actor), "It was of no use in an answer"),
    "unmerge": (lambda memory, actor, reason: merging.unmerge(memory, actor), "Take a merge back"),
}


def _route(name: str, act: Callable[[Memory, Actor, str], object], summary: str) -> None:
    @router.post(
        f"/{{int:memory_id}}/{name}",
        response=MemoryDetail,
        summary=summary,
        operation_id=f"memory_{name}",
        url_name=name,
    )
    def perform(request: HttpRequest, memory_id: int, body: ReasonIn | None = None):
        act(own_memory(request, memory_id), Actor.person(request.user), body.reason if body else "")
        return own_memory(request, memory_id)


for _name, (_act, _summary) in ACTS.items():
    _route(_name, _act, _summary)
