"""A scripted model behind a real OpenAI-compatible HTTP server on the loopback, so that the real client is what is tested.

    llm.enqueue("好的，", Reply(status=429), Reply("慢慢来", cut_after=2))
    ...
    assert "静音" in llm.requests[-1].prompt

Requests with `response_format` (extraction and the like) have a script of their own: `llm.enqueue_structured({...})`.
"""

import hashlib
import json
import re
import socket
import sys
import threading
from collections import deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    """One scripted answer and what goes wrong with it."""

    text: str = "好的。"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    pieces: list[str] | None = None  # the chunks of a stream; by default about two characters each
    cut_after: int | None = None  # so many chunks, then the connection is torn
    end_after: int | None = None  # so many chunks, then the stream ends in good form but without its last chunk
    hang_after: int | None = None  # so many chunks, then nothing until `llm.release()`; 0: not even headers
    raw: bytes | None = None  # sent as the body in place of everything else
    before_each: float = 0.0  # seconds of thinking before each chunk

    def chunks(self) -> list[str]:
        return self.pieces if self.pieces is not None else re.findall(r"[\x20-\x7e]+|.{1,2}", self.text, re.S)


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, str]]:
        return self.body.get("messages", [])

    @property
    def prompt(self) -> str:
        """All that the model was told, in one string."""
        return "\n".join(message["content"] for message in self.messages)


class ScriptedLLM:
    """Start with `with ScriptedLLM() as llm`. `requests` holds every request in the order of arrival."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0):
        self.requests: list[Request] = []
        self.default = Reply()
        self.structured_default = Reply('{"facts": []}')
        self._script: deque[Reply] = deque()
        self._structured: deque[Reply] = deque()
        self._released = threading.Event()
        self._arrived = threading.Condition()
        self._server = _Server((host, port), _Handler)
        self._server.llm = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> "ScriptedLLM":
        self._thread.start()
        return self

    def __exit__(self, *_exception) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def enqueue(self, *replies: str | Reply) -> None:
        self._script.extend(Reply(reply) if isinstance(reply, str) else reply for reply in replies)

    def enqueue_structured(self, *replies: dict | list | str | Reply) -> None:
        """Replies to requests that ask for JSON; dicts and lists are encoded, strings go as they are."""
        for reply in replies:
            if isinstance(reply, (dict, list)):
                reply = json.dumps(reply, ensure_ascii=False)
            self._structured.append(Reply(reply) if isinstance(reply, str) else reply)

    def release(self) -> None:
        """Let every hanging reply go on, now and from now on."""
        self._released.set()

    def wait_for_requests(self, number: int, seconds: float = 60) -> list[Request]:
        """Wait until `number` requests have arrived in all."""
        with self._arrived:
            if not self._arrived.wait_for(lambda: len(self.requests) >= number, seconds):
                raise AssertionError(f"{len(self.requests)} requests instead of {number} after {seconds} s")
            return list(self.requests)

    @property
    def chats(self) -> list[Request]:
        """The requests for an answer, without those that ask for JSON or vectors."""
        return [
            request
            for request in self.requests
            if request.path.endswith("/chat/completions") and "response_format" not in request.body
        ]

    def take(self, request: Request) -> Reply:
        with self._arrived:
            self.requests.append(request)
            self._arrived.notify_all()
            structured = "response_format" in request.body
            script = self._structured if structured else self._script
            if script and request.path.endswith("/chat/completions"):
                return script.popleft()
            return self.structured_default if structured else self.default

    def wait_for_release(self) -> None:
        self._released.wait(120)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    llm: ScriptedLLM

    def handle_error(self, request, client_address) -> None:
        """A client that was killed is part of the script; everything else is shown."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_arguments) -> None:
        pass

    @property
    def llm(self) -> ScriptedLLM:
        return self.server.llm

    def do_GET(self) -> None:
        self._send(200, {"object": "list", "data": [{"id": "scripted", "object": "model", "owned_by": "tests"}]})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        request = Request(self.path, dict(self.headers), json.loads(self.rfile.read(length) or b"{}"))
        reply = self.llm.take(request)
        try:
            self._answer(request, reply)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client had enough

    def _answer(self, request: Request, reply: Reply) -> None:
        if reply.hang_after == 0:
            self.llm.wait_for_release()
        if reply.status != 200:
            error = {"error": {"message": "scripted failure", "type": "scripted", "code": reply.status}}
            self._send(reply.status, error, reply.headers)
        elif request.path.endswith("/embeddings"):
            self._send(200, _embeddings(request.body))
        elif request.body.get("stream"):
            self._stream(reply)
        elif reply.raw is not None:
            self._send_bytes(200, reply.raw)
        elif reply.cut_after is not None:
            self._tear()
        else:
            self._send(200, _completion(reply.text))

    def _stream(self, reply: Reply) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if reply.raw is not None:
            self._chunk(reply.raw)
            return self._chunk(b"")
        for number, piece in enumerate(reply.chunks()):
            if number == reply.cut_after:
                return self._tear()
            if number == reply.end_after:
                return self._chunk(b"")
            if number and number == reply.hang_after:
                self.llm.wait_for_release()
            if reply.before_each:
                threading.Event().wait(reply.before_each)
            self._event(_delta({"content": piece}, None))
        self._event(_delta({}, "stop"))
        self._chunk(b"data: [DONE]\n\n")
        return self._chunk(b"")

    def _event(self, data: dict) -> None:
        self._chunk(b"data: " + json.dumps(data, ensure_ascii=False).encode() + b"\n\n")

    def _chunk(self, body: bytes) -> None:
        self.wfile.write(f"{len(body):x}\r\n".encode() + body + b"\r\n")
        self.wfile.flush()

    def _tear(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _send(self, status: int, data: dict, headers: dict[str, str] | None = None) -> None:
        self._send_bytes(status, json.dumps(data, ensure_ascii=False).encode(), headers)

    def _send_bytes(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _completion(text: str) -> dict:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": len(text), "total_tokens": len(text) + 1}
    return {"id": "scripted", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [choice],
            "usage": usage}  # fmt: skip


def _delta(delta: dict, finish_reason: str | None) -> dict:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return {"id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": "scripted", "choices": [choice]}


def _embeddings(body: dict) -> dict:
    """Vectors that depend on nothing but the text: 384 numbers out of its hash."""
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    rows = []
    for index, text in enumerate(texts):
        digest = hashlib.shake_256(text.encode()).digest(384)
        rows.append({"object": "embedding", "index": index, "embedding": [byte / 127.5 - 1 for byte in digest]})
    return {"object": "list", "data": rows, "model": body.get("model", ""), "usage": {"prompt_tokens": 1, "total_tokens": 1}}
