"""Search words as they stand in a `tsvector`: each carries its owner, so that one posting list belongs to one owner.

The wheel's PostgreSQL has no btree_gin; with the owner in the lexeme a GIN index needs no second column.
"""

from collections.abc import Iterable, Sequence

KNOWLEDGE = "k"  # the owner of the shared knowledge base
LONGEST_WORD = 60  # longer runs without a border (links, keys) are cut


def lexemes(owner: int | str, words: Iterable[str]) -> list[str]:
    """Distinct lexemes for `array_to_tsvector`."""
    return sorted({f"{owner}:{word[:LONGEST_WORD]}" for word in words if word})


def query(owner: int | str, word: str) -> str:
    """The text of a `tsquery` that finds one word of one owner, whatever characters it has."""
    escaped = f"{owner}:{word[:LONGEST_WORD]}".replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def joined(words: Sequence[str]) -> str:
    """Words with their repeats as they are kept beside the vector, for counting."""
    return " ".join(word[:LONGEST_WORD] for word in words)
