"""/api/recall: what would be recalled for a question, without asking it."""

import time

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from chat.api.conversations import own_conversation
from chat.api.schemas.recall import ProbeIn, ProbeOut, probed_item
from chat.memory.recall import recall

router = Router(tags=["recall"])


@router.post("", response=ProbeOut, summary="Probe the memory")
def probe(request: HttpRequest, body: ProbeIn):
    """Changes nothing: no use is counted, no snapshot is kept."""
    talk = own_conversation(request, body.conversation_id) if body.conversation_id else None
    weights = request.account.weights or None
    started = time.monotonic()
    at = body.at or timezone.now()
    found = recall(request.user, body.query, at=at, conversation=talk, limit=body.limit, weights=weights)
    return {
        "items": [probed_item(item) for item in found.items],
        "cut": [probed_item(item) for item in found.cut],
        "considered": found.considered,
        "store_size": found.store_size,
        "took_ms": round((time.monotonic() - started) * 1000, 1),
        "timings_ms": found.timings_ms,
        "degraded": list(found.degraded),
    }
