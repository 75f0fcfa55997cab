"""What two texts state of the speaker's state, held against each other by normalised and typed values."""

from datetime import UTC, datetime
from functools import lru_cache

from chat.memory import ontology, rules, values
from chat.memory.rules import Proposal
from chat.memory.values import Relation

AGREE, APART = "agree", "apart"
TEXT = "text"
_WHEN = datetime(2026, 1, 15, 4, tzinfo=UTC)  # any moment: both texts are read at the same one


def relation(one: str, other: str) -> str:
    """APART where they contradict each other in a slot, AGREE where they state the same of one, "" where neither.

    Of values that are free text (开面馆, 开了家小面馆) nobody can tell that they contradict.
    """
    found = {
        values.compare(attribute, mine.normalized, theirs.normalized)
        for mine in _stated(one)
        for theirs in _stated(other)
        if (mine.slot, mine.item) == (theirs.slot, theirs.item)
        and TEXT not in (mine.normalized["type"], theirs.normalized["type"])
        and (attribute := ontology.load().attribute(mine.slot))
    }
    if Relation.CONTRADICTS in found:
        return APART
    return AGREE if found else ""


@lru_cache(2_000)
def _stated(text: str) -> tuple[Proposal, ...]:
    return tuple(p for p in rules.propose(text, _WHEN, "UTC") if p.operation == "assert" and p.normalized)
