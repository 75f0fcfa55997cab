"""An export as a download that takes the memory of one chunk and holds no database connection while the reader is slow."""

from collections.abc import AsyncIterator, Iterator

from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.http import StreamingHttpResponse
from django.utils import timezone, translation

from chat.db import release_connection
from chat.transfer.exports import as_json, as_markdown

CHUNK = 64 * 1024  # characters
KINDS = {"json": (as_json, "application/json", "json"), "markdown": (as_markdown, "text/markdown", "md")}


def download(user: User, kind: str) -> StreamingHttpResponse:
    """Everything of the user; `kind`: json or markdown. The file is named after the day."""
    return as_file(KINDS[kind][0](user), kind, name=f"xinji-{timezone.localdate().isoformat()}")


def as_file(pieces: Iterator[str], kind: str, *, name: str) -> StreamingHttpResponse:
    _write, content_type, ending = KINDS[kind]
    chunks = _chunks(pieces, translation.get_language(), timezone.get_current_timezone())
    response = StreamingHttpResponse(chunks, content_type=f"{content_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.{ending}"'
    response["Cache-Control"] = "no-store"
    return response


async def _chunks(pieces: Iterator[str], language: str, zone) -> AsyncIterator[str]:
    while chunk := await sync_to_async(_next_chunk)(pieces, language, zone):
        yield chunk


def _next_chunk(pieces: Iterator[str], language: str, zone) -> str:
    parts, length = [], 0
    with translation.override(language), timezone.override(zone):
        for piece in pieces:
            parts.append(piece)
            length += len(piece)
            if length >= CHUNK:
                break
    release_connection()
    return "".join(parts)
