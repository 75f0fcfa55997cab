"""What the user has erased or taken back must not be written again from the turns, which stay."""

import re
from collections.abc import Iterable, Sequence

from chat.memory import details, rules
from chat.memory.blocks import blocks
from chat.memory.fragments import heard_before
from chat.memory.keywords import content_words
from chat.memory.summaries import Belief, Said
from chat.memory.text import fold
from chat.memory.tombstones import buried, buried_text
from chat.models import Tombstone, Turn

_SENTENCE = re.compile(r"[^。！？!?；;\n]+[。！？!?；;\n]*")


def still_said(turns: Sequence[Turn], beliefs: Iterable[Belief], zone: str) -> list[Said]:
    """The turns without the words that were erased or taken back, and without what their answers say of the same."""
    taken_back = [belief.quote for belief in beliefs if belief.gone and belief.quote]
    graves = bool(turns) and Tombstone.objects.filter(user_id=turns[0].user_id).exists()
    return [_cut(turn, [*taken_back, *(_erased(turn, zone) if graves else ())], zone) for turn in turns]


def _erased(turn: Turn, zone: str) -> list[str]:
    """Literal stretches of the message that say something erased: quotes of buried beliefs, texts of buried memories."""
    proposals = rules.propose(turn.text, turn.at, zone)
    quotes = [p.quote for p in proposals if p.operation == "assert" and buried(turn.user_id, p)]
    told = {b.text for heard in ("", heard_before(turn)) for b in blocks(turn.text, turn.at, zone, heard=heard)}
    return quotes + [text for text in told if buried_text(turn.user_id, text)]


def _cut(turn: Turn, words: Iterable[str], zone: str) -> Said:
    text, answer = turn.text, turn.answer
    gone = sorted((stretch for stretch in words if stretch in text), key=len, reverse=True)
    for stretch in gone:
        text = text.replace(stretch, "")
    if gone:
        about = {detail.key for stretch in gone for detail in details.find(stretch, turn.at, zone)}
        about |= {word for stretch in gone for word in content_words(stretch)}
        kept = [s for s in _SENTENCE.findall(answer) if not any(word in "".join(fold(s).split()) for word in about)]
        answer = "".join(kept)
    return Said(turn.pk, text, answer, turn.at, turn.language)
