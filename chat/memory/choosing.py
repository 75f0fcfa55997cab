"""From scored candidates to the few that are used: the floor, duplicates, the limit, the budget. Nothing is lost: every
candidate leaves with its decision."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from chat.memory import candidates as decision
from chat.memory.candidates import Candidate
from chat.memory.text import fold, words

ALIKE = 0.85  # share of words in common from which two texts say the same
COMPARED = 40  # the best so many are compared with each other
LEAST_WORDS = 3  # a text of fewer words is not "contained" in a longer one, it just shares a word
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Limits:
    items: int
    tokens: int


def choose(ranked: Sequence[Candidate], limits: Limits, count: Callable[[str], int]) -> tuple[list[Candidate], list[Candidate]]:
    """(used, cut), both best first. `ranked`: best first, with the decisions made so far; only those still USED compete.

    count: tokens of a text. Texts are cut at item borders only: one that doesn't fit makes room for the next that does.
    """
    used: list[Candidate] = []
    cut: list[Candidate] = []
    spent = 0
    for candidate in _without_repeats(ranked):
        if candidate.decision != decision.USED:
            cut.append(candidate)
        elif len(used) >= limits.items:
            cut.append(replace(candidate, decision=decision.OVER_LIMIT))
        else:
            candidate = replace(candidate, tokens=count(candidate.text))
            if spent + candidate.tokens > limits.tokens:
                cut.append(replace(candidate, decision=decision.OVER_BUDGET))
            else:
                spent += candidate.tokens
                used.append(candidate)
    return used, cut


def _without_repeats(ranked: Sequence[Candidate]) -> Iterable[Candidate]:
    """Mark near-duplicates and contained texts among the best; the entity stays where a summary says the same."""
    heads = [c for c in ranked if c.decision == decision.USED][:COMPARED]
    tokens = {c.memory_id: frozenset(words(c.text)) for c in heads}
    repeats: dict[int, int] = {}
    for place, candidate in enumerate(heads):
        for earlier in heads[:place]:
            if earlier.memory_id in repeats or not _alike(earlier, candidate, tokens):
                continue
            loser, kept = (earlier, candidate) if _prefers_second(earlier, candidate) else (candidate, earlier)
            repeats[loser.memory_id] = kept.memory_id
            if loser is candidate:
                break
    for candidate in ranked:
        if candidate.memory_id in repeats:
            yield replace(candidate, decision=decision.DUPLICATE, duplicate_of=repeats[candidate.memory_id])
        else:
            yield candidate


def _prefers_second(first: Candidate, second: Candidate) -> bool:
    return second.kind == "entity" and first.kind in {"summary", "fragment"}


def _alike(higher: Candidate, lower: Candidate, tokens: dict) -> bool:
    """The same words, or the lower one within the higher. Texts with other numbers never say the same."""
    a, b = tokens[higher.memory_id], tokens[lower.memory_id]
    common = len(a & b)
    if not common or common < ALIKE * len(b):
        return False
    if not set(_NUMBER.findall(fold(lower.text))) <= set(_NUMBER.findall(fold(higher.text))):
        return False
    return common >= ALIKE * len(a) or len(b) >= LEAST_WORDS
