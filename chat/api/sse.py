"""A turn's events as text/event-stream."""

import asyncio
import json
from collections.abc import AsyncIterator

from asgiref.sync import sync_to_async
from django.http import HttpRequest, StreamingHttpResponse

from chat import streams
from chat.db import release_connection
from chat.models import Turn

HEARTBEAT_SECONDS = 15


def stream_of(request: HttpRequest, turn: Turn) -> StreamingHttpResponse:
    """Everything from `Last-Event-ID` on, then what comes, until `done`."""
    after = request.headers.get("Last-Event-ID", "")
    response = StreamingHttpResponse(_lines(streams.tail(turn, after), again=bool(after)), content_type="text/event-stream; charset=utf-8")
    response["Cache-Control"] = "no-cache, no-transform"
    response["X-Accel-Buffering"] = "no"
    return response


async def _lines(events: AsyncIterator[streams.Event], *, again: bool = False) -> AsyncIterator[str]:
    """Framed events, and a comment whenever nothing came for HEARTBEAT_SECONDS, so that no proxy hangs up."""
    await sync_to_async(release_connection)()
    if again:
        await streams.count_reconnect()
    yield "retry: 2000\n\n"
    waiting = None
    try:
        while True:
            waiting = waiting or asyncio.ensure_future(anext(events))
            done, _pending = await asyncio.wait({waiting}, timeout=HEARTBEAT_SECONDS)
            if not done:
                yield ": still here\n\n"
                continue
            try:
                event = waiting.result()
            except StopAsyncIteration:
                return
            waiting = None
            yield frame(event)
    finally:
        if waiting is not None:
            waiting.cancel()
            await asyncio.wait({waiting})
        await events.aclose()


def frame(event: streams.Event) -> str:
    """One event. JSON has no raw line breaks, so one data line is enough."""
    name = f"id: {event.id}\n" if event.id else ""
    return f"{name}event: {event.name}\ndata: {json.dumps(event.data, ensure_ascii=False)}\n\n"
