"""What the user has erased must not be written again from the turns, which stay."""

from collections.abc import Iterable

from chat.memory import rules
from chat.memory.blocks import blocks
from chat.memory.tombstones import buried, buried_text
from chat.models import Tombstone, Turn


def erased_words(turns: Iterable[Turn], zone: str) -> list[str]:
    """Literal stretches of these turns that say something erased: quotes of buried beliefs, texts of buried memories."""
    turns = list(turns)
    if not turns or not Tombstone.objects.filter(user_id=turns[0].user_id).exists():
        return []
    return [words for turn in turns for words in _of(turn, zone)]


def _of(turn: Turn, zone: str) -> list[str]:
    proposals = rules.propose(turn.text, turn.at, zone)
    quotes = [p.quote for p in proposals if p.operation == "assert" and buried(turn.user_id, p)]
    return quotes + [b.text for b in blocks(turn.text, turn.at, zone) if buried_text(turn.user_id, b.text)]
