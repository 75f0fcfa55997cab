"""The stream of one answer: a Redis stream that the worker appends to and any number of readers replay and tail.

Events, each with an id that a reader can resume after:

    recall  {used, considered, took_ms, degraded}   the answer begins; a reader drops tokens that it got before this
    token   {text}
    notice  {id, kind, prominence, text, conflict_id, decisions}
    final   {turn_id, answer, answered_by}          the whole answer; replaces what the tokens made
    error   {code, message, partial}
    done    {status}                                always the last

Nothing is lost with the stream: a reader that finds it gone gets `final` and `done` from the stored turn.
"""

import json
import logging
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import redis
import redis.asyncio
from asgiref.sync import sync_to_async
from django.conf import settings

from chat.db import release_connection
from chat.errors import message_for
from chat.models import Turn

log = logging.getLogger(__name__)

KEEP_SECONDS = 3600
KEEP_HOURS = 24 * 8
POLL_MILLISECONDS = 1000  # how long one read waits; between reads the stored turn is looked at
_pool: redis.ConnectionPool | None = None


@dataclass(frozen=True)
class Event:
    id: str  # of the Redis entry; "" until `tail` gives one to an event made from the stored turn
    name: str
    data: dict


def _redis() -> redis.Redis:
    global _pool
    if _pool is None:
        _pool = redis.ConnectionPool.from_url(settings.REDIS_URL, decode_responses=True, socket_timeout=5)
    return redis.Redis(connection_pool=_pool)


def _key(turn_id: int, attempt: int) -> str:
    return f"turn:{turn_id}:{attempt}"


def publish(turn: Turn, name: str, data: dict) -> None:
    """Append an event. A Redis that is down costs the readers their live view, never the answer."""
    key = _key(turn.pk, turn.attempt)
    try:
        with _redis().pipeline(transaction=False) as pipe:
            pipe.xadd(key, {"name": name, "data": json.dumps(data, ensure_ascii=False)}, maxlen=50_000)
            pipe.expire(key, KEEP_SECONDS)
            pipe.execute()
    except redis.RedisError as error:
        log.warning("stream of turn %s: %s", turn.pk, type(error).__name__)


def request_stop(turn: Turn) -> None:
    """Tell the worker at once; the flag on the turn tells it too, a little later."""
    try:
        _redis().set(_key(turn.pk, turn.attempt) + ":stop", 1, ex=KEEP_SECONDS)
    except redis.RedisError as error:
        log.warning("stop of turn %s: %s", turn.pk, type(error).__name__)


def stop_requested(turn: Turn) -> bool:
    try:
        return bool(_redis().exists(_key(turn.pk, turn.attempt) + ":stop"))
    except redis.RedisError:
        return False


async def tail(turn: Turn, after: str = "") -> AsyncIterator[Event]:
    """All events of the turn's present attempt after `after`, then new ones as they come, until `done`.

    Holds no database connection while it waits.
    """
    client = redis.asyncio.from_url(settings.REDIS_URL, decode_responses=True)
    key, last = _key(turn.pk, turn.attempt), after if _is_entry_id(after) else "0"
    try:
        while True:
            for event in await _read(client, key, last):
                last = event.id
                yield event
                if event.name == "done":
                    return
            stored = await sync_to_async(_stored)(turn.pk, turn.attempt)
            if stored is not None and not await _has_more(client, key, last):
                for number, event in enumerate(stored, 1):
                    yield replace(event, id=_after(last, number))
                return
    finally:
        await client.aclose()


# How often a reader comes back to a stream it had lost, by the hour: a sign of proxies that hang up, and of bad lines.


async def count_reconnect() -> None:
    """A Redis that is down counts nothing."""
    client = redis.asyncio.from_url(settings.REDIS_URL, decode_responses=True)
    key = _hour_key(int(time.time() // 3600))
    try:
        await client.incr(key)
        await client.expire(key, KEEP_HOURS * 3600)
    except redis.RedisError as error:
        log.warning("count of reconnects: %s", type(error).__name__)
    finally:
        await client.aclose()


def reconnects(slots: list[datetime], step: timedelta) -> list[int]:
    """How many there were in each of the steps that begin at `slots`, by whole hours; zeros when Redis can't say."""
    hours = [range(int(slot.timestamp() // 3600) + 1, int((slot + step).timestamp() // 3600) + 1) for slot in slots]
    every = [_hour_key(hour) for span in hours for hour in span]
    try:
        found = dict(zip(every, _redis().mget(every), strict=True))
    except redis.RedisError:
        found = {}
    return [sum(int(found.get(_hour_key(hour)) or 0) for hour in span) for span in hours]


def _hour_key(hour: int) -> str:
    return f"reconnects:{hour}"


def _after(last: str, number: int) -> str:
    """An id of its own for an event that the stream does not hold: to a browser one without an id has that of the event before."""
    milliseconds, _dash, sequence = last.partition("-")
    return f"{milliseconds}-{int(sequence or 0) + number}"


def _is_entry_id(text: str) -> bool:
    milliseconds, _dash, number = text.partition("-")
    return milliseconds.isdigit() and number.isdigit() and len(text) < 40


async def _read(client: redis.asyncio.Redis, key: str, last: str) -> list[Event]:
    try:
        answer = await client.xread({key: last}, count=500, block=POLL_MILLISECONDS)
    except redis.RedisError:
        return []
    entries = answer[0][1] if answer else []
    return [Event(entry_id, fields["name"], json.loads(fields["data"])) for entry_id, fields in entries]


async def _has_more(client: redis.asyncio.Redis, key: str, last: str) -> bool:
    try:
        return bool(await client.xrange(key, f"({last}", "+", count=1))
    except redis.RedisError:
        return False


def _stored(turn_id: int, attempt: int) -> list[Event] | None:
    """The closing events of a turn that is no longer being answered, or None while it is."""
    try:
        turn = Turn.objects.prefetch_related("notices").filter(pk=turn_id).first()
    finally:
        release_connection()
    if turn is None:
        return [Event("", "done", {"status": "gone"})]
    if turn.is_open and turn.attempt == attempt:
        return None
    return closing_events(turn)


def closing_events(turn: Turn) -> list[Event]:
    events = [Event("", "final", {"turn_id": turn.pk, "answer": turn.full_answer, "answered_by": turn.answered_by})]
    if turn.error:
        events.append(Event("", "error", error_data(turn)))
    return [*events, Event("", "done", {"status": turn.status})]


def error_data(turn: Turn) -> dict:
    return {"code": turn.error, "message": str(message_for(turn.error)), "partial": bool(turn.answer)}


def wait_done(turn: Turn, timeout: float) -> bool:
    """Wait until the turn's answer is complete; False after `timeout` seconds. Holds no database connection."""
    deadline = time.monotonic() + timeout
    key, last = _key(turn.pk, turn.attempt), "0"
    while (left := deadline - time.monotonic()) > 0:
        if _stored(turn.pk, turn.attempt) is not None:
            return True
        try:
            answer = _redis().xread({key: last}, count=500, block=max(1, int(min(left, 1.0) * 1000)))
        except redis.RedisError:
            time.sleep(min(left, 0.2))  # no stream to wait on: look at the stored turn again soon
            continue
        for entry_id, fields in answer[0][1] if answer else []:
            last = entry_id
            if fields["name"] == "done":
                return True
    return False
