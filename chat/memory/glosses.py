"""What a word tells of somebody without saying it: who is 左撇子 writes with the left hand, and that is what is asked for."""

import re
import tomllib
from functools import cache
from pathlib import Path

from chat.memory.text import fold

MOST = 2  # of one text


def glosses(text: str) -> list[str]:
    """In other words, what is told of the one who says this; at most MOST of them."""
    pattern, told = _table()
    return list(dict.fromkeys(told[match[0]] for match in pattern.finditer(fold(text))))[:MOST]


@cache
def _table() -> tuple[re.Pattern, dict[str, str]]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    told = {word: meant for words, meant in table["zh"].items() for word in words.split()}
    told |= {word: meant for words, meant in table["en"].items() for word in words.split(", ")}
    spelt = sorted(told, key=len, reverse=True)
    found = [re.escape(word) if not word.isascii() else rf"\b{re.escape(word)}\b" for word in spelt]
    return re.compile("|".join(found)), told
