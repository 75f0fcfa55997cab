"""The second hop: what the best memories name leads to others that the question itself could not reach.

"我的上司" finds "我的上司叫赵雅琳"; that name, rare in the store and absent from the question, finds what was said of 赵雅琳.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from chat.memory import bm25
from chat.memory.found import Row
from chat.memory.text import loose_pairs, words

HEADS = 3  # the best memories that are followed
LEAST_FIT = 0.18  # of a memory that is followed
READ = 400  # characters of its text that are read for words
WORDS_OF_HEAD = 16
NAME_GAIN = 3.0  # a word that a memory carries as a label (a name, an item) counts so much more
NAMED_SHARE = 0.6  # that a rare name alone is worth
MOST_HELD, MOST_HOLDERS = 0.1, 60  # a word in more of the store, or in more memories, than this leads nowhere
NEW_ROWS = 40
SURE = 2.0  # a memory of this inverse fit is certainly what the question speaks of


@dataclass(frozen=True)
class Trail:
    """One memory that is followed: how sure we are of it, and the words it adds to the question, with their gain."""

    memory_id: int
    strength: float
    gains: dict[str, float]


def trails(fits: Mapping[int, float], rows: Mapping[int, Row], asked: Iterable[str]) -> list[Trail]:
    """What to follow: the words of the best memories that the question does not have.

    fits: how far each memory is what the question is about, 0–1.
    """
    known = set(asked)
    heads = sorted((pk for pk, fit in fits.items() if fit >= LEAST_FIT), key=lambda pk: (-fits[pk], -pk))[:HEADS]
    found = []
    for row in (rows[pk] for pk in heads):
        named = {word for label in row.labels for word in words(label)}
        passed = (known | loose_pairs(row.text[:READ])) - named
        new = [word for word in dict.fromkeys(row.terms.split()) if len(word) > 1 and word not in passed and word not in known]
        new.sort(key=lambda word: word not in named)
        gains = {word: NAME_GAIN if word in named else 1.0 for word in new[:WORDS_OF_HEAD]}
        if gains:
            found.append(Trail(row.id, min(1.0, SURE * fits[row.id]), gains))
    return found


def most_held(store_size: int) -> int:
    """In how many memories a word may be that is followed."""
    return min(MOST_HOLDERS, max(5, int(MOST_HELD * store_size)))


def follow(trails: Sequence[Trail], ids: dict[str, Sequence[int]], store_size: int) -> dict[int, tuple[float, int]]:
    """How strongly each memory hangs on the followed ones, 0–1: the share of a trail's rare words that it has, and more for a name.

    ids: for each word of the trails that is rare enough the memories that hold it. Each comes with the one it hangs on most.
    """
    hops: dict[int, tuple[float, int]] = {}
    for trail in trails:
        worth = {
            word: gain * bm25.rarity(store_size, len(ids[word]))
            for word, gain in trail.gains.items()
            if word in ids
        }
        total = sum(worth.values())
        shares: dict[int, float] = {}
        for word, value in worth.items():
            for pk in ids[word]:
                least = NAMED_SHARE if trail.gains[word] == NAME_GAIN else 0.0
                shares[pk] = max(least, shares.get(pk, 0.0) + value / total)
        for pk, share in shares.items():
            if pk != trail.memory_id:
                hops[pk] = max(hops.get(pk, (0.0, 0)), (trail.strength * share, trail.memory_id))
    return hops


def best(hops: dict[int, float], known: Iterable[int]) -> list[int]:
    """The memories worth looking up that no route had found."""
    new = set(hops) - set(known)
    return sorted(new, key=lambda pk: -hops[pk])[:NEW_ROWS]
