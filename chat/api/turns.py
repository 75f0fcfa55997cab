"""/api/turns"""

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from ninja import Router

from chat import branches, reply
from chat.api import waiting
from chat.api.schemas.conversations import TurnOut
from chat.api.schemas.recall import RecallDetail
from chat.api.sse import stream_of
from chat.errors import NotHere
from chat.models import Recall, Turn

router = Router(tags=["turns"])


def own_turn(request: HttpRequest, turn_id: int) -> Turn:
    return get_object_or_404(Turn.objects.owned_by(request.user), pk=turn_id)


@router.get("/{int:turn_id}", response=TurnOut, summary="A turn with all that its answer did")
def show(request: HttpRequest, turn_id: int):
    return get_object_or_404(Turn.objects.owned_by(request.user).with_outcome(), pk=turn_id)


@router.get("/{int:turn_id}/recall", response=RecallDetail, summary="What the answer saw")
def recall(request: HttpRequest, turn_id: int):
    """The snapshot of the present answer: every candidate with its score parts, tokens per section, the prompt as sent."""
    turn = own_turn(request, turn_id)
    recalls = Recall.objects.owned_by(request.user).with_items().prefetch_related("items__memory__sources")
    found = recalls.filter(turn=turn, attempt=turn.attempt).first()
    if found is None:
        raise NotHere("no_recall", _("This answer has no recall (yet)."))
    return found


@router.get("/{int:turn_id}/stream", response={200: None}, summary="Its events as text/event-stream",
            openapi_extra={"responses": {200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}}})  # fmt: skip
def stream(request: HttpRequest, turn_id: int):
    """Replays from `Last-Event-ID`, then follows until `done`. Reading it any number of times changes nothing."""
    return stream_of(request, own_turn(request, turn_id))


@router.post("/{int:turn_id}/stop", response=TurnOut, summary="Stop the answer; what arrived is kept")
def stop(request: HttpRequest, turn_id: int):
    reply.stop(own_turn(request, turn_id))
    return show(request, turn_id)


@router.post("/{int:turn_id}/retry", response={201: TurnOut, 202: TurnOut}, summary="Answer it again")
def retry(
    request: HttpRequest,
    turn_id: int,
    wait: waiting.Wait = waiting.FOR_ANSWER,
    timeout: waiting.Timeout = waiting.SECONDS,
):
    """The answer that was there is kept as an earlier one. Waits like `POST …/turns`."""
    return waiting.answered(branches.answer_again(own_turn(request, turn_id)), wait, timeout)
