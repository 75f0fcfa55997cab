"""A level-1 summary by the model, checked by code: what it invents throws it away, what it forgets is appended."""

import json
import logging
from collections.abc import Sequence
from dataclasses import replace

from chat.llm import client, prompts, tokens
from chat.llm.errors import LLMError
from chat.memory import details, summaries
from chat.memory.inventions import invented, invented_values
from chat.memory.summaries import PARTS, Belief, Said, Sheet
from chat.memory.text import fold, strip_controls

log = logging.getLogger(__name__)

SECONDS = 45
LONGEST_LINE = 300
SCHEMA = {
    "type": "object",
    "properties": {
        "topic": {"type": "string"},
        **{part: {"type": "array", "items": {"type": "string"}} for part in PARTS},
    },
    "required": ["topic", *PARTS],
    "additionalProperties": False,
}


def write(said: Sequence[Said], beliefs: Sequence[Belief], zone: str, room: int) -> Sheet | None:
    """The model's sheet in about `room` tokens. None without a model, when it fails, and when the check throws it away."""
    if not client.configured():
        return None
    language = "en" if sum(turn.language == "en" for turn in said) * 2 > len(said) else "zh"
    try:
        reply = client.complete(_messages(said, language, room), schema=SCHEMA, deadline=SECONDS)
        return checked(reply, said, beliefs, zone, language, room)
    except (LLMError, ValueError) as error:
        log.warning("summary by the model left out: %s", type(error).__name__)
        return None


def checked(
    reply: str, said: Sequence[Said], beliefs: Sequence[Belief], zone: str, language: str, room: int
) -> Sheet | None:
    """The reply as a sheet, completed; None if it invents a number, date, name or value, says what was taken back, or is too long.

    Raises ValueError for what is no such JSON.
    """
    sheet = _parsed(reply, said, zone, language)
    text = summaries.render(sheet)
    sources = [side for turn in said for side in (turn.text, turn.answer)]
    moments = [turn.at for turn in said]
    if tokens.count(text) > 2 * room + 60 or invented(text, sources, moments, zone) or invented_values(text, sources):
        return None
    if any(belief.gone and belief.quote and fold(belief.quote) in fold(text) for belief in beliefs):
        return None
    found = [d for turn in said for side in (turn.text, turn.answer) for d in details.find(side, turn.at, zone)]
    return summaries.complete(sheet, beliefs, found)


def _parsed(reply: str, said: Sequence[Said], zone: str, language: str) -> Sheet:
    start, end = reply.find("{"), reply.rfind("}")
    data = json.loads(reply[start : end + 1])
    if not isinstance(data, dict) or not isinstance(data.get("topic"), str) or not data["topic"].strip():
        raise ValueError("no topic")
    parts = {part: tuple(_line(line) for line in data.get(part) or () if isinstance(line, str) and line.strip()) for part in PARTS}
    if not any(parts.values()):
        raise ValueError("no content")
    days = summaries.show_days([turn.at for turn in said], zone, language)
    return replace(Sheet(_line(data["topic"])[:80], days=days, language=language), **parts)


def _line(text: str) -> str:
    return " ".join(strip_controls(text).split())[:LONGEST_LINE]


def _messages(said: Sequence[Said], language: str, room: int) -> list[dict[str, str]]:
    template = prompts.load("summarise", language)
    names = ("用户", "助手") if language == "zh" else ("User", "Assistant")
    talk = "\n".join(f"{names[0]}: {turn.text}\n{names[1]}: {turn.answer}" for turn in said)
    return [
        {"role": "system", "content": template.filled(tokens=str(room))},
        {"role": "user", "content": f"<talk>\n{talk.replace('<', '＜')}\n</talk>"},
    ]
