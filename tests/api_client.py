"""The API as its callers meet it: over HTTP, with a token."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.http import StreamingHttpResponse
from django.test import Client

from tests.factories import make_token

PROBLEM_MEMBERS = {"type", "title", "status", "detail", "code"}


class Caller:
    """`caller.get("/turns/1")`, `caller.post("/recall", {"query": …})`: paths below /api, bodies as JSON."""

    def __init__(self, user: User | None = None, **headers: str):
        token = {"authorization": f"Bearer {make_token(user)}"} if user else {}
        self.client = Client(headers={**token, **headers}, raise_request_exception=False)

    def get(self, path: str, **query):
        return self.client.get("/api" + path, query)

    def delete(self, path: str):
        return self.client.delete("/api" + path)

    def post(self, path: str, body=None, **headers: str):
        return self._send("post", path, body, headers)

    def patch(self, path: str, body):
        return self._send("patch", path, body, {})

    def put(self, path: str, body):
        return self._send("put", path, body, {})

    def raw(self, path: str, body: bytes, method: str = "post"):
        return getattr(self.client, method)("/api" + path, body, content_type="application/json")

    def _send(self, method: str, path: str, body, headers: dict):
        content = b"" if body is None else json.dumps(body).encode()
        return getattr(self.client, method)("/api" + path, content, content_type="application/json", headers=headers)


def problem(response, status: int, code: str = "") -> dict:
    """The problem that the response must be."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    body = response.json()
    assert set(body) >= PROBLEM_MEMBERS
    assert body["status"] == status
    assert all(body[name] for name in PROBLEM_MEMBERS)
    if code:
        assert body["code"] == code
    return body


def streamed(response: StreamingHttpResponse, watch: Callable[[str], object] = lambda text: None) -> str:
    """All of a streamed body, read in an event loop of its own, as the server would. `watch` sees each part as it comes."""
    if not response.is_async:
        return b"".join(response).decode()

    async def read() -> bytes:
        parts = []
        async for part in response.streaming_content:
            parts.append(part)
            await sync_to_async(watch)(part.decode())
        return b"".join(parts)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, read()).result().decode()


def events(text: str) -> list[tuple[str, str, dict]]:
    """(id, name, data) of each event of a text/event-stream, comments and `retry` left out."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line and not line.startswith(":"))
        if "event" in fields:
            found.append((fields.get("id", ""), fields["event"], json.loads(fields["data"])))
    return found
