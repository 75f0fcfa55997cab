"""Histories from elsewhere, read as data and nothing else: our own export, ChatGPT's `conversations.json`, MemoryBank's Chinese file.

Whatever is broken is left out and reported; no file, however odd, ends in another error than BadInput.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext_lazy as _

from chat.conversations import Exchange
from chat.errors import BadInput
from chat.memory.text import is_blank

UNKNOWN_FORMAT = _("This file is none of: an export of Xinji, ChatGPT's conversations.json, MemoryBank's history.")
EARLIEST, LATEST = datetime(1990, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
LONGEST = 200_000  # characters of one message
STEP = timedelta(minutes=1)  # between messages of which only the day is known
DAY_BEGINS = 9  # o'clock, for the same


@dataclass
class Talk:
    """One conversation to bring in. `key` names it for good; `person` is whose it is, "" = the importer's."""

    key: str
    title: str
    person: str = ""
    exchanges: list[Exchange] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)  # "place: what is wrong", without any text of the file
    memory: str = "read_write"
    original: tuple[int, str] | None = None  # of our own export: id and creation time of the conversation that it was

    def add(self, place: str, text: Any, answer: Any, at: datetime | None) -> None:
        """Keep the exchange, or say why not."""
        if not isinstance(text, str) or is_blank(text):
            self.broken.append(f"{place}: no text")
        elif at is None:
            self.broken.append(f"{place}: no time")
        elif len(text) > LONGEST:
            self.broken.append(f"{place}: too long")
        else:
            answer = answer[:LONGEST] if isinstance(answer, str) else ""
            self.exchanges.append(Exchange(text, answer, at, key=place))


def read(data: Any, zone: tzinfo) -> Iterator[Talk]:
    """The conversations in a parsed JSON document. `zone`: of days that carry none. BadInput: unknown_format."""
    if is_own(data):
        return _own(data)
    if isinstance(data, list) and any(isinstance(each, dict) and "mapping" in each for each in data):
        return _chatgpt(data)
    if isinstance(data, dict) and any(isinstance(each, dict) and "history" in each for each in data.values()):
        return _memorybank(data, zone)
    raise BadInput("unknown_format", UNKNOWN_FORMAT)


# Our own export.


def is_own(data: Any) -> bool:
    return isinstance(data, dict) and data.get("format") == "xinji-export"


def _own(data: dict) -> Iterator[Talk]:
    talks: dict[int, Talk] = {}
    for row in dicts(data.get("conversations")):
        number = row.get("id")
        if isinstance(number, int):
            created = _text(row.get("created_at"))
            key = _text(row.get("imported_from")) or f"xinji:{number}:{created}"
            mode = row.get("memory") if row.get("memory") in {"read_only", "off"} else "read_write"
            talks[number] = Talk(key[:120], _text(row.get("title")), memory=mode, original=(number, created))
    for row in dicts(data.get("turns")):
        talk = talks.get(row.get("conversation_id")) if isinstance(row.get("conversation_id"), int) else None
        if talk is not None:
            key = _text(row.get("key"))
            place = key if key.startswith("import:") else f"turn {row.get('id')}"
            talk.add(place, row.get("text"), row.get("answer"), moment(row.get("at")))
    yield from talks.values()


# ChatGPT: each conversation is a tree of messages; the branch on screen ends at current_node.


def _chatgpt(data: list) -> Iterator[Talk]:
    for number, row in enumerate(data):
        if not isinstance(row, dict) or not isinstance(row.get("mapping"), dict):
            yield Talk("", "", broken=[f"conversation {number}: no messages"])
            continue
        name = _text(row.get("conversation_id")) or _text(row.get("id")) or f"{row.get('create_time')}:{number}"
        talk = Talk(f"chatgpt:{name}"[:120], _text(row.get("title")))
        _pair_up(talk, _branch(row), moment(row.get("create_time")))
        yield talk


def _branch(row: dict) -> list[tuple[str, dict]]:
    """(node id, message) from the first to `current_node`; without one, to the newest message."""
    nodes = {name: node for name, node in row["mapping"].items() if isinstance(node, dict)}
    name = row.get("current_node")
    if not isinstance(name, str) or name not in nodes:
        name = max(nodes, key=lambda each: _seconds(_message(nodes[each]).get("create_time")), default=None)
    path = []
    while isinstance(name, str) and name in nodes:
        node = nodes.pop(name)  # popped, so that a circle of parents ends
        path.append((name, _message(node)))
        name = node.get("parent")
    return path[::-1]


def _message(node: dict) -> dict:
    message = node.get("message")
    return message if isinstance(message, dict) else {}


def _pair_up(talk: Talk, path: list[tuple[str, dict]], begun: datetime | None) -> None:
    """A user's message with all that the assistant said before the next one."""
    pending, answers, last = None, [], begun
    for name, message in path:
        role = message.get("author", {}).get("role") if isinstance(message.get("author"), dict) else ""
        if role == "user":
            _close(talk, pending, answers)
            last = moment(message.get("create_time")) or (last and last + timedelta(seconds=1))
            pending, answers = (name, _parts(message), last), []
        elif role == "assistant" and (said := _parts(message)):
            answers.append(said)
    _close(talk, pending, answers)


def _close(talk: Talk, pending: tuple[str, str, datetime | None] | None, answers: list[str]) -> None:
    if pending is not None:
        name, text, at = pending
        talk.add(f"message {name}"[:80], text, "\n\n".join(answers), at)


def _parts(message: dict) -> str:
    """The text of a message; pictures, code runs and tool results have none that a person said."""
    content = message.get("content")
    if not isinstance(content, dict) or content.get("content_type") not in {"text", "multimodal_text"}:
        return ""
    parts = content.get("parts")
    return "\n".join(part for part in parts if isinstance(part, str)).strip() if isinstance(parts, list) else ""


# MemoryBank: {person: {history: {day: [{query, response}]}}}.


def _memorybank(data: dict, zone: tzinfo) -> Iterator[Talk]:
    for number, (person, row) in enumerate(data.items()):
        history = row.get("history") if isinstance(row, dict) else None
        if not isinstance(history, dict):
            yield Talk("", "", person, broken=[f"person {number}: no history"])
            continue
        for day, exchanges in history.items():
            yield _day(person, day, exchanges, zone)


def _day(person: str, day: str, exchanges: Any, zone: tzinfo) -> Talk:
    talk = Talk(f"memorybank:{person}:{day}"[:120], day[:40], person)
    date = _date(day)
    for number, row in enumerate(dicts(exchanges)):
        at = datetime(date.year, date.month, date.day, DAY_BEGINS, tzinfo=zone) + number * STEP if date else None
        talk.add(f"{day[:40]} {number}", row.get("query"), row.get("response"), at)
    return talk


# What may be anything.


def dicts(value: Any) -> list[dict]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _seconds(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else 0.0


def _date(text: str):
    try:
        date = parse_date(text)
    except ValueError:
        return None
    return date if date and EARLIEST.date() <= date <= LATEST.date() else None


def moment(value: Any) -> datetime | None:
    """Of seconds since 1970 or an ISO text with a zone; None for anything else."""
    try:
        if isinstance(value, str):
            found = parse_datetime(value)
        elif seconds := _seconds(value):
            found = datetime.fromtimestamp(seconds, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return found if found and found.tzinfo and EARLIEST <= found <= LATEST else None
