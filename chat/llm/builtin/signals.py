"""What a message is, as far as its words say so: danger, small talk, a question, a wish for advice."""

import re
import tomllib
from functools import cache
from pathlib import Path

from chat.memory.text import fold, one_pattern


@cache
def _patterns() -> dict[str, dict[str, re.Pattern[str]]]:
    tables = tomllib.loads(Path(__file__).with_name("signals.toml").read_text(encoding="utf-8"))
    return {table: {name: re.compile(one_pattern(words)) for name, words in names.items()} for table, names in tables.items()}


def first_of(table: str, message: str) -> str:
    """The first name of the table whose words are in the message, "" for none."""
    folded = fold(message).strip()
    return next((name for name, pattern in _patterns()[table].items() if pattern.search(folded)), "")


def all_of(table: str, message: str) -> list[str]:
    folded = fold(message).strip()
    return [name for name, pattern in _patterns()[table].items() if pattern.search(folded)]


def has(table: str, name: str, message: str) -> bool:
    return bool(_patterns()[table][name].search(fold(message).strip()))
