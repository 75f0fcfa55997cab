"""Short hashes that tell whether two texts, or two things said, are the same."""

import hashlib
import re
from datetime import datetime, timedelta

from chat.memory.text import fold

_NOT_WORDS = re.compile(r"[\W_]+")


def of_text(text: str) -> str:
    """SHA-256 of the text exactly as it is: tells whether a vector still belongs to it."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def of_meaning(*parts: str) -> str:
    """One hash for every spelling of the same words: folded, without punctuation or spaces."""
    spelled = "\x1f".join(_NOT_WORDS.sub("", fold(part)) for part in parts)
    return hashlib.sha256(spelled.encode()).hexdigest()


def of_hour(at: datetime) -> str:
    """The hour bucket a moment falls into, in UTC, such as 2026-08-20T07."""
    return (at - timedelta(seconds=at.utcoffset().total_seconds() if at.tzinfo else 0)).strftime("%Y-%m-%dT%H")
