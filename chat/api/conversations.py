"""/api/conversations"""

from typing import Annotated

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Header, Query, Router, Status

from chat import conversations, reply
from chat.api import waiting
from chat.api.schemas.common import Page, Paging, Text, page_of
from chat.api.schemas.conversations import (
    ConversationFilter,
    ConversationIn,
    ConversationOut,
    ConversationPatch,
    ImportIn,
    ImportOut,
    TurnBrief,
    TurnIn,
    TurnOut,
)
from chat.api.sse import stream_of
from chat.conversations import Exchange
from chat.memory import erase
from chat.memory.actors import Actor
from chat.models import Conversation, Turn

router = Router(tags=["conversations"])
Key = Annotated[Text, Header("", alias="Idempotency-Key", max_length=64, description="Sent twice, it is one turn.")]


def own_conversation(request: HttpRequest, conversation_id: int) -> Conversation:
    return get_object_or_404(Conversation.objects.owned_by(request.user), pk=conversation_id)


@router.post("", response={201: ConversationOut}, summary="Begin a conversation")
def begin(request: HttpRequest, body: ConversationIn):
    talk = conversations.begin(request.user, title=body.title, memory=body.memory or "", temporary=body.temporary)
    return Status(201, talk)


@router.get("", response=Page[ConversationOut], summary="Conversations, newest talk first")
def listing(request: HttpRequest, wanted: Query[ConversationFilter]):
    return page_of(Conversation.objects.owned_by(request.user).holding(wanted.q).counted().listed(), wanted)


@router.get("/{int:conversation_id}", response=ConversationOut, summary="One conversation")
def show(request: HttpRequest, conversation_id: int):
    return get_object_or_404(Conversation.objects.owned_by(request.user).counted(), pk=conversation_id)


@router.patch("/{int:conversation_id}", response=ConversationOut, summary="Rename it, or set how it uses the memory")
def change(request: HttpRequest, conversation_id: int, body: ConversationPatch):
    return conversations.change(own_conversation(request, conversation_id), title=body.title, memory=body.memory)


@router.delete("/{int:conversation_id}", response={204: None}, summary="Delete it, for good")
def delete(request: HttpRequest, conversation_id: int, with_memories: bool = False):
    """Memories that came from it stay, unless `with_memories=true`."""
    talk = own_conversation(request, conversation_id)
    erase.erase_conversation(talk, Actor.person(request.user), with_memories=with_memories)
    return Status(204, None)


@router.get("/{int:conversation_id}/turns", response=Page[TurnBrief], summary="Its turns, oldest first")
def turns(request: HttpRequest, conversation_id: int, paging: Query[Paging]):
    talk = own_conversation(request, conversation_id)
    return page_of(Turn.objects.of(talk).prefetch_related("notices"), paging)


@router.post("/{int:conversation_id}/turns", response={201: TurnOut, 202: TurnOut}, summary="Say something")
def say(
    request: HttpRequest,
    conversation_id: int,
    body: TurnIn,
    key: Key,
    wait: waiting.Wait = waiting.FOR_ANSWER,
    timeout: waiting.Timeout = waiting.SECONDS,
):
    """Waits for the answer (201). When it takes longer than `timeout` seconds: 202, and the answer goes on without you.

    `stream: true` answers with text/event-stream: recall, token, notice, final, error, done.
    """
    talk = own_conversation(request, conversation_id)
    turn = reply.post(request.user, talk, body.text, at=body.at, key=key)
    if body.stream:
        return stream_of(request, turn)
    return waiting.answered(turn, wait, timeout)


@router.post("/{int:conversation_id}/import", response={201: ImportOut}, summary="Bring in a history")
def bring_in(
    request: HttpRequest,
    conversation_id: int,
    body: ImportIn,
    wait: waiting.Wait = waiting.FOR_ANSWER,
    timeout: waiting.Timeout = waiting.SECONDS,
):
    """Each turn keeps its own time and is remembered like any other; no answer is generated. A second run adds nothing."""
    talk = own_conversation(request, conversation_id)
    history = conversations.add_history(talk, [Exchange(turn.user, turn.assistant, turn.at) for turn in body.turns])
    turn_ids = [turn.pk for turn in history.turns]
    remembered = waiting.until_remembered(turn_ids, timeout) if wait == "remember" else None
    counts = {"added": len(turn_ids), "known": history.known, "erased": history.erased}
    return Status(201, {**counts, "turn_ids": turn_ids, "remembered": remembered})
