"""The only door to a model server, and the only importer of `openai`. Every call has a deadline and ends with LLMError or an answer.

The calls look synchronous; inside, each drives an event loop of its own, since only a cancelled await ends a connection
at once, whether it waits for a name, for headers or for the next token.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from contextvars import ContextVar
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from django.conf import settings

from chat.llm.errors import LLMError

if TYPE_CHECKING:
    from openai import AsyncOpenAI

T = TypeVar("T")
Message = dict[str, str]

CONNECT_SECONDS = 5.0
RETRIES = 2
LOOK_SECONDS = 1.0
LONGEST_PAUSE = 4.0  # seconds; a server that asks for more is reported as busy at once
_look: ContextVar[Callable[[], None] | None] = ContextVar("look", default=None)
_RETRIED = {"unreachable", "rate_limited", "server_error", "broken_stream"}
_NO_SCHEMA = {400, 415, 422, 501}  # how servers say that they don't know `response_format`


def configured() -> bool:
    return bool(settings.OPENAI_BASE_URL)


def model_name() -> str:
    return settings.CHAT_MODEL


def warm() -> None:
    """Load the library now rather than within the first answer. Does nothing where no model is configured."""
    if configured():
        import openai  # noqa: F401

        _certificates()


def stream(messages: list[Message], *, max_tokens: int, pulse: float | None = None) -> Iterator[str]:
    """Yield the answer piece by piece as it arrives. Closing the generator ends the connection at once.

    Deadlines: LLM_FIRST_TOKEN_SECONDS to the first token, LLM_ANSWER_SECONDS to the last. Tried again at most twice, and
    only while nothing has arrived. Raises LLMError; what was yielded before it stays good.
    pulse: seconds of silence after which "" is yielded, so that the caller can look whether it should go on.
    """
    with asyncio.Runner() as runner:
        pieces = _pieces(messages, max_tokens)
        waiting: asyncio.Task | None = None
        try:
            while True:
                waiting = waiting or runner.get_loop().create_task(_next(pieces))
                if not runner.run(_settled(waiting, pulse)):
                    yield ""
                    continue
                piece = waiting.result()
                waiting = None
                if piece is None:
                    return
                yield piece
        finally:
            runner.run(_end(pieces, waiting))


def complete(
    messages: list[Message], *, schema: dict | None = None, max_tokens: int = 1500, deadline: float = 60
) -> str:
    """The whole answer of the model within `deadline` seconds. Raises LLMError.

    schema: a JSON schema that the answer should follow. Servers that can't force one are asked without it, so the
    caller must still judge what comes back.
    """
    try:
        return asyncio.run(_watched(_complete(messages, schema, max_tokens, deadline)))
    except LLMError as error:
        if schema is None or error.status not in _NO_SCHEMA:
            raise
    return asyncio.run(_watched(_complete(messages, None, max_tokens, deadline)))


@contextmanager
def meanwhile(look: Callable[[], None]) -> Iterator[None]:
    """Within the block, `look` is called before and about every second during a `complete`; what it raises ends the call.

    For work in the background: to say that it goes on, and to give way. `look` runs in a thread of its own.
    """
    token = _look.set(look)
    try:
        yield
    finally:
        _look.reset(token)


def embed(texts: list[str], *, model: str, base_url: str, deadline: float = 30) -> np.ndarray:
    """Vectors of an OpenAI-compatible /embeddings server: float32, one row per text, not normalised. Raises LLMError."""

    async def call() -> np.ndarray:
        async with _client(base_url) as client:
            reply = await client.embeddings.create(model=model, input=texts, encoding_format="float")
        rows = [row.embedding for row in sorted(reply.data or [], key=lambda row: row.index)]
        if len(rows) != len(texts) or len({len(row) for row in rows}) > 1:
            raise LLMError("bad_reply")
        return np.asarray(rows, dtype=np.float32)

    return asyncio.run(_persist(call, deadline)) if texts else np.empty((0, 0), np.float32)


async def _watched(call: Coroutine[Any, Any, T]) -> T:
    look, waiting = _look.get(), asyncio.ensure_future(call)
    try:
        while not waiting.done():
            if look is not None:
                await asyncio.to_thread(look)
            await asyncio.wait({waiting}, timeout=LOOK_SECONDS)
        return waiting.result()
    finally:
        waiting.cancel()
        await asyncio.wait({waiting})


async def _next(pieces: AsyncIterator[str]) -> str | None:
    return await anext(pieces, None)


async def _settled(task: asyncio.Task, seconds: float | None) -> bool:
    done, _pending = await asyncio.wait({task}, timeout=seconds)
    return bool(done)


async def _end(pieces: AsyncIterator[str], waiting: asyncio.Task | None) -> None:
    if waiting and not waiting.done():
        waiting.cancel()
        await asyncio.wait({waiting})
    await pieces.aclose()


async def _pieces(messages: list[Message], max_tokens: int) -> AsyncIterator[str]:
    """The text of the answer under both deadlines, with retries before the first token."""
    start = monotonic()
    first_by, last_by = start + settings.LLM_FIRST_TOKEN_SECONDS, start + settings.LLM_ANSWER_SECONDS
    arrived = False
    for attempt in range(RETRIES + 1):
        async with aclosing(_attempt(messages, max_tokens)) as pieces:
            try:
                while True:
                    by = last_by if arrived else min(first_by, last_by)
                    piece = await _before(anext(pieces, None), by)
                    if piece is None:
                        return
                    arrived = True
                    if piece:
                        yield piece
            except LLMError as error:
                if arrived:
                    raise LLMError("broken_stream" if error.code == "unreachable" else error.code) from None
                pause = _pause(error, attempt)
                if pause is None or monotonic() + pause > first_by:
                    raise
        await asyncio.sleep(pause)


async def _attempt(messages: list[Message], max_tokens: int) -> AsyncIterator[str]:
    """One request. Yields "" for signs of life without text, such as a model's reasoning."""
    finished = some = False
    async with _client(settings.OPENAI_BASE_URL) as client:
        reply = await client.chat.completions.create(
            model=settings.CHAT_MODEL, messages=messages, stream=True, **_limit(max_tokens)
        )
        async with reply:
            if "event-stream" not in reply.response.headers.get("content-type", ""):
                raise LLMError("bad_reply")
            async for chunk in reply:
                for choice in (chunk.choices or [])[:1]:
                    finished = finished or bool(choice.finish_reason)
                    text = choice.delta.content if choice.delta else None
                    if text is not None and not isinstance(text, str):
                        raise LLMError("bad_reply")
                    some = some or bool(text)
                    if text or getattr(choice.delta, "reasoning_content", None):
                        yield text or ""
    if not finished:
        raise LLMError("broken_stream")
    if not some:
        raise LLMError("bad_reply")


async def _complete(messages: list[Message], schema: dict | None, max_tokens: int, deadline: float) -> str:
    shape: dict[str, Any] = {}
    if schema is not None:
        form = {"name": "reply", "schema": schema, "strict": False}
        shape["response_format"] = {"type": "json_schema", "json_schema": form}

    async def call() -> str:
        async with _client(settings.OPENAI_BASE_URL) as client:
            reply = await client.chat.completions.create(
                model=settings.CHAT_MODEL, messages=messages, **shape, **_limit(max_tokens)
            )
        text = reply.choices[0].message.content if getattr(reply, "choices", None) else None
        if not text:
            raise LLMError("bad_reply")
        return text

    return await _persist(call, deadline)


async def _persist(call: Callable[[], Awaitable[T]], deadline: float) -> T:
    """The result of a call that may be tried again, within so many seconds in all."""
    by = monotonic() + deadline
    for attempt in range(RETRIES + 1):
        try:
            return await _before(call(), by)
        except LLMError as error:
            pause = _pause(error, attempt)
            if pause is None or monotonic() + pause > by:
                raise
        await asyncio.sleep(pause)
    raise AssertionError("the last attempt returns or raises")


async def _before(waiting: Awaitable[T], moment: float) -> T:
    try:
        async with asyncio.timeout(max(moment - monotonic(), 0)):
            return await waiting
    except TimeoutError:
        raise LLMError("timeout") from None


def _pause(error: LLMError, attempt: int) -> float | None:
    """Seconds to wait before the next try, or None where another try makes no sense."""
    if error.code not in _RETRIED or attempt == RETRIES:
        return None
    asked = getattr(error, "retry_after", None)
    return (0.3 * 2**attempt if asked is None else asked) if (asked or 0) <= LONGEST_PAUSE else None


def _limit(max_tokens: int) -> dict[str, int]:
    # OpenAI's own newer models refuse the name that every compatible server knows.
    name = "max_completion_tokens" if "api.openai.com" in settings.OPENAI_BASE_URL else "max_tokens"
    return {name: max_tokens}


@asynccontextmanager
async def _client(base_url: str) -> AsyncIterator["AsyncOpenAI"]:
    """A client for one call; whatever the library raises inside becomes an LLMError."""
    import openai  # slow to import (over a second), and not needed where no model is configured

    timeout = openai.Timeout(settings.LLM_ANSWER_SECONDS, connect=CONNECT_SECONDS)
    http = openai.DefaultAsyncHttpxClient(verify=_certificates(), timeout=timeout)
    client = openai.AsyncOpenAI(base_url=base_url, api_key=settings.OPENAI_API_KEY, max_retries=0, http_client=http)
    try:
        async with client:
            yield client
    except openai.APIError as error:
        raise _translated(error) from None
    except (openai.OpenAIError, ValueError, TypeError, AttributeError):
        # Not JSON, or JSON of another shape: `openai` hands through what its parsing raises.
        raise LLMError("bad_reply") from None


@cache
def _certificates() -> ssl.SSLContext:
    return ssl.create_default_context()


def _translated(error: Any) -> LLMError:
    import openai

    if isinstance(error, openai.APITimeoutError):
        return LLMError("timeout")
    if isinstance(error, openai.APIConnectionError):
        return LLMError("unreachable")
    if not isinstance(error, openai.APIStatusError):
        return LLMError("server_error")  # an error event inside a stream
    status = error.status_code
    translated = LLMError("rate_limited" if status == 429 else "server_error" if status >= 500 else "refused", status)
    translated.retry_after = _seconds(error.response.headers.get("retry-after"))
    return translated


def _seconds(header: str | None) -> float | None:
    try:
        return max(float(header or ""), 0.0)
    except ValueError:
        return None
