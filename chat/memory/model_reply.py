"""What a model says that a user said: read from its reply, however it is wrapped. Nothing here is believed yet."""

import json
import re
from typing import Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, field_validator

LONGEST_REPLY = 60_000  # characters that are read
MOST_FACTS = 20
_LISTS = ("facts", "entities", "updates", "items", "memories", "result", "results", "data")
_FENCE = re.compile(r"```[a-z]*\s*\n?(.*?)```", re.DOTALL | re.IGNORECASE)
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


class Unreadable(ValueError):
    """The reply holds no list of facts."""


class Fact(BaseModel):
    """One claim of the model about what the user said."""

    model_config = ConfigDict(str_strip_whitespace=True, extra="ignore")

    category: str = Field(min_length=1, max_length=32)
    attribute: str = Field(min_length=1, max_length=60, validation_alias=AliasChoices("attribute", "name", "slot"))
    value: str = Field(min_length=1, max_length=200)
    quote: str = Field(min_length=1, max_length=400, validation_alias=AliasChoices("quote", "evidence", "source_text"))
    basis: Literal["explicit", "inferred"] = "inferred"
    operation: Literal["assert", "end"] = "assert"
    confidence: float = Field(default=0.7, ge=0, le=1)

    @field_validator("value", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


SCHEMA = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "category": {"type": "string"},
                    "attribute": {"type": "string"},
                    "value": {"type": "string"},
                    "quote": {"type": "string"},
                    "basis": {"type": "string", "enum": ["explicit", "inferred"]},
                    "operation": {"type": "string", "enum": ["assert", "end"]},
                    "confidence": {"type": "number"},
                },
                "required": ["category", "attribute", "value", "quote", "basis"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}


def read(reply: str) -> list[Fact]:
    """The facts of a reply, each once, those of a wrong shape left out.

    Prose around the JSON, code fences, other names for the list, broken escapes and trailing commas are forgiven.
    Raises Unreadable when there is no list, or when nothing in a filled list has the shape of a fact.
    """
    rows = _rows(reply[:LONGEST_REPLY])
    facts: dict[tuple, Fact] = {}
    for row in rows[:MOST_FACTS]:
        fact = _fact(row)
        if fact is not None:
            facts.setdefault((fact.category, fact.attribute, fact.value, fact.operation), fact)
    if rows and not facts:
        raise Unreadable("no facts in the list")
    return list(facts.values())


def _fact(row: Any) -> Fact | None:
    try:
        return Fact.model_validate(row)
    except ValidationError:
        return None


def _rows(reply: str) -> list:
    fenced = [match[1] for match in _FENCE.finditer(reply)]
    for text in (*fenced, reply):
        for mended in (text, _TRAILING_COMMA.sub(r"\1", _BAD_ESCAPE.sub(r"\\\\", text))):
            rows = _first_list(mended)
            if rows is not None:
                return rows
    raise Unreadable("no list of facts")


def _first_list(text: str) -> list | None:
    """The list in the first JSON value of the text that has one."""
    decoder = json.JSONDecoder()
    place, tries = 0, 0
    while tries < 50 and (match := re.compile(r"[{\[]").search(text, place)):
        tries += 1
        try:
            value, place = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            place = match.end()
            continue
        rows = _list_of(value)
        if rows is not None:
            return rows
    return None


def _list_of(value: Any) -> list | None:
    if isinstance(value, list):
        return value
    named = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
    if named is not None:
        return named
    return [] if value == {} else [value] if "quote" in value else None
