"""Search words as they stand in a `tsvector`: each carries its owner, so that one posting list belongs to one owner.

The wheel's PostgreSQL has no btree_gin; with the owner in the lexeme a GIN index needs no second column.
"""

from collections.abc import Iterable, Sequence

from chat.memory.text import STOP_WORDS, words

KNOWLEDGE = "k"  # the owner of the shared knowledge base
SHORTEST_STEM = 3  # letters that stemming leaves of any word
LONGEST_WORD = 60  # longer runs without a border (links, keys) are cut


def lexemes(owner: int | str, words: Iterable[str]) -> list[str]:
    """Distinct lexemes for `array_to_tsvector`."""
    return sorted({f"{owner}:{word[:LONGEST_WORD]}" for word in words if word})


def query(owner: int | str, word: str) -> str:
    """The text of a `tsquery` that finds one word of one owner, whatever characters it has."""
    escaped = f"{owner}:{word[:LONGEST_WORD]}".replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def may_hold(owner: int | str, phrase: str) -> str:
    """The text of a `tsquery` that finds every row of the owner whose text has `phrase` in it, and few others; "" where only
    reading can tell. Of Chinese all pairs of characters must be there, of other words the beginning, which stemming keeps."""
    tokens = {word for word in words(phrase) if len(word) <= 2 or word.isascii()}
    if tokens <= STOP_WORDS:
        return ""
    starts = {f"{query(owner, word[:SHORTEST_STEM])}:*" if word.isascii() else query(owner, word) for word in tokens}
    return " & ".join(sorted(starts))


def joined(words: Sequence[str]) -> str:
    """Words with their repeats as they are kept beside the vector, for counting."""
    return " ".join(word[:LONGEST_WORD] for word in words)
