"""How well passages answer a question: signals of 0–1 each, how sure the best is, and the order of all.

A cosine, a BM25 and a share of words are no common currency: on one question the best passage has 0.9 of a signal, on the
next 0.2. So each signal is measured by the best passage of the question before they are added up. How sure the whole
search is says the absolute value of the best; what it adds up to is scaled to that.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chat.knowledge.asking import Asked
from chat.memory.bm25 import share
from chat.memory.text import fold, sentences

# What each signal adds: the vector, the words of the passage, those of its best sentence or two, the text being named.
SHARES = {"vector": 0.50, "words": 0.10, "sentence": 0.15, "title": 0.25}
# What the best passage is judged by before any is shown: its vector tells questions that have an answer here from those
# that have none (area under the curve 0.94 on 36 questions about something else), words alone hardly do (0.70).
SURE = {"vector": 0.8, "words": 0.2}
NAMED = 0.5  # how sure a passage of a text that the question names is at least
MEAN_LENGTH = 300.0  # search words of a passage
SENTENCE_CHARACTERS = 80  # a sentence so long counts half
OTHER_LANGUAGE = 0.8  # what a passage in another language than the question's keeps


@dataclass(frozen=True)
class Seen:
    """A passage as far as ranking looks at it. `relevance`: 0–1 by its vector; `named`: the question names its text."""

    text: str
    terms: str  # search words, separated by spaces
    language: str
    relevance: float
    cosine: float
    named: bool


def rank(
    seen: Sequence[Seen], asked: Asked, weights: Mapping[str, float], shares: Mapping[str, float]
) -> list[dict[str, float]]:
    """The parts of each passage's score, in the order given. weights: of the words, by rarity."""
    signals = [_signals(one, weights) for one in seen]
    best = {name: max((signal[name] for signal in signals), default=0.0) for name in shares}
    sums = []
    for one, signal in zip(seen, signals, strict=True):
        keeps = 1.0 if one.language == asked.language else OTHER_LANGUAGE
        sums.append({name: keeps * part * signal[name] / best[name] if best[name] > 0 else 0.0 for name, part in shares.items()})
    most = max((sum(parts.values()) for parts in sums), default=0.0)
    sure = max((_sureness(one, asked, weights, shares) for one in seen), default=0.0)
    scale = sure / most if most > 0 else 0.0
    return [{name: scale * part for name, part in parts.items()} for parts in sums]


def _signals(one: Seen, weights: Mapping[str, float]) -> dict[str, float]:
    return {
        "vector": max(0.0, one.cosine),
        "words": _bm25(one, weights),
        "sentence": _best_sentence(one.text, weights),
        "title": float(one.named),
    }


def _bm25(one: Seen, weights: Mapping[str, float]) -> float:
    counts = Counter(term for term in one.terms.split() if term in weights)
    return share(weights, counts, one.terms.count(" ") + 1, MEAN_LENGTH)


def _best_sentence(text: str, weights: Mapping[str, float]) -> float:
    """What a sentence, or two that follow each other, holds of the words: an answer stands close together."""
    found = (
        sum(weight for word, weight in weights.items() if word in piece) / (1.0 + len(piece) / SENTENCE_CHARACTERS)
        for piece in _pieces(text)
    )
    return max(found, default=0.0)


@lru_cache(maxsize=4096)
def _pieces(text: str) -> tuple[str, ...]:
    folded = [fold(sentence) for sentence in sentences(text)]
    return (*folded, *(one + two for one, two in zip(folded, folded[1:], strict=False)))


def _sureness(one: Seen, asked: Asked, weights: Mapping[str, float], shares: Mapping[str, float]) -> float:
    """0–1, the same for the same passage whatever else was found. Where there are no vectors the words stand for them."""
    own = {word: weights[word] for word in asked.own if word in weights}
    if "vector" in shares:
        sure = SURE["vector"] * one.relevance + SURE["words"] * _bm25(one, own)
    else:
        got = _bm25(one, weights) * sum(weights.values())
        sure = min(1.0, got / sum(own.values())) if own else 0.0
    keeps = 1.0 if one.language == asked.language else OTHER_LANGUAGE
    return keeps * max(sure, NAMED if one.named else 0.0)
