"""A day or a month retold by the model, checked by code: what it invents throws it away, what it forgets is appended."""

import json
import logging
from dataclasses import replace

from chat.llm import client, prompts, tokens
from chat.memory.digests import Digest, Material, completed, render
from chat.memory.inventions import invented, invented_values
from chat.memory.text import fold, strip_controls

log = logging.getLogger(__name__)

SECONDS = 45
LONGEST_LINE, MOST_LINES, MOST_TOPICS = 300, 12, 4
LONGEST_SOURCES = 12_000  # characters
SCHEMA = {
    "type": "object",
    "properties": {name: {"type": "array", "items": {"type": "string"}} for name in ("topics", "lines")},
    "required": ["topics", "lines"],
    "additionalProperties": False,
}


def retell(material: Material) -> Digest | None:
    """The model's digest, completed; None when the check throws it away. Raises LLMError. Never inside a transaction."""
    reply = client.complete(_messages(material), schema=SCHEMA, deadline=SECONDS)
    try:
        return checked(reply, material)
    except ValueError as error:
        log.warning("digest by the model left out: %s", type(error).__name__)
        return None


def checked(reply: str, material: Material) -> Digest | None:
    """The reply as a digest with every value of a belief in it. None if it invents a number, date, name or value, says what
    was taken back, or is too long. Raises ValueError for what is no such JSON."""
    made = _parsed(reply, material)
    text = render(made)
    labels = [f"{belief.label} {belief.value} {belief.now}" for belief in material.beliefs if not belief.gone]
    sources = [*material.texts, *labels, material.title]
    if tokens.count(text) > 2 * material.budget + 60:
        return None
    if invented(text, sources, material.moments, material.zone) or invented_values(text, sources):
        return None
    if any(belief.gone and belief.quote and fold(belief.quote) in fold(text) for belief in material.beliefs):
        return None
    return completed(made, material, tokens.count)


def _parsed(reply: str, material: Material) -> Digest:
    data = json.loads(reply[reply.find("{") : reply.rfind("}") + 1])
    if not isinstance(data, dict):
        raise ValueError("no object")
    found = {name: tuple(_line(line) for line in data.get(name) or () if isinstance(line, str) and line.strip()) for name in SCHEMA["properties"]}
    if not found["lines"]:
        raise ValueError("no content")
    made = Digest(material.title, language=material.language)
    return replace(made, topics=found["topics"][:MOST_TOPICS], lines=found["lines"][:MOST_LINES])


def _line(text: str) -> str:
    return " ".join(strip_controls(text).split())[:LONGEST_LINE].rstrip("。.;；")


def _messages(material: Material) -> list[dict[str, str]]:
    template = prompts.load("digest", material.language)
    notes = "\n\n".join(material.children)[:LONGEST_SOURCES].replace("<", "＜")
    return [
        {"role": "system", "content": template.filled(tokens=str(material.budget), period=material.title)},
        {"role": "user", "content": f"<notes>\n{notes}\n</notes>"},
    ]
