"""Real token counts (o200k), so that a budget is a budget and not a guess from characters."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_openai import Encoding


@cache
def _encoding() -> "Encoding":
    from bpe_openai import get_encoding  # a second and 70 MB, which pages, beat and most commands have no use for

    return get_encoding("o200k_base")


def count(text: str) -> int:
    """How many tokens a text is. Markers such as <|endoftext|> count as the plain text that they are here."""
    return len(_encoding().encode_ordinary(text))


def cut(text: str, tokens: int) -> str:
    """The longest beginning of the text that has at most so many tokens and no broken character."""
    ids = _encoding().encode_ordinary(text)
    if len(ids) <= tokens:
        return text
    room = max(tokens, 0)
    while room > 0:
        start = _encoding().decode_bytes(ids[:room]).decode("utf-8", "ignore")
        if count(start) <= tokens:  # a beginning, encoded anew, can have more tokens than it had inside the whole
            return start
        room -= 1
    return ""
