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

# What each signal adds: the vector, the words of the passage, those of its best sentence or two, the things asked for that
# such a sentence speaks of in whatever words, the text being named.
SHARES = {"vector": 0.50, "words": 0.10, "sentence": 0.10, "things": 0.10, "title": 0.25}
# What the best passage is judged by before any is shown: its vector tells questions that have an answer here from those
# that have none (area under the curve 0.94 on 36 questions about something else), words alone hardly do (0.70).
SURE = {"vector": 0.8, "words": 0.2}
NAMED = 0.5  # how sure a passage of a text that the question names is at least
KEYWORD_GAIN = 0.25  # and how much surer one is whose text has a keyword that the question says
MEAN_LENGTH = 300.0  # search words of a passage
SENTENCE_CHARACTERS = 80  # a sentence so long counts half
OTHER_LANGUAGE = 0.8  # what a passage in another language than the question's keeps


@dataclass(frozen=True)
class Seen:
    """A passage as far as ranking looks at it. `relevance`: 0–1 by its vector.

    named: 1 where the question names its text, less where it says one of the text's own keywords.
    """

    text: str
    terms: str  # search words, separated by spaces
    language: str
    relevance: float
    cosine: float
    named: float


def rank(
    seen: Sequence[Seen], asked: Asked, weights: Mapping[str, float], shares: Mapping[str, float]
) -> list[dict[str, float]]:
    """The parts of each passage's score, in the order given. weights: of the words, by rarity."""
    things = _weighed(asked, weights)
    signals = [_signals(one, weights, things) for one in seen]
    best = {name: max((signal[name] for signal in signals), default=0.0) for name in shares} | {"title": 1.0}
    sums = []
    for one, signal in zip(seen, signals, strict=True):
        keeps = 1.0 if one.language == asked.language else OTHER_LANGUAGE
        sums.append({name: keeps * part * signal[name] / best[name] if best[name] > 0 else 0.0 for name, part in shares.items()})
    most = max((sum(parts.values()) for parts in sums), default=0.0)
    sure = max((_sureness(one, asked, weights, shares) for one in seen), default=0.0)
    scale = sure / most if most > 0 else 0.0
    return [{name: scale * part for name, part in parts.items()} for parts in sums]


Thing = list[tuple[float, str]]  # the words for one thing that is asked for, each with its weight, the heaviest first


def _weighed(asked: Asked, weights: Mapping[str, float]) -> list[Thing]:
    shares = asked.shares
    return [
        sorted(((share * weights[word] / shares[word], word) for word, share in thing.items() if word in weights), reverse=True)
        for thing in asked.things
    ]


def _signals(one: Seen, weights: Mapping[str, float], things: Sequence[Thing]) -> dict[str, float]:
    return {
        "vector": max(0.0, one.cosine),
        "words": _bm25(one, weights),
        "sentence": _best_sentence(one.text, weights),
        "things": _best_of_things(one.text, things),
        "title": one.named,
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


def _best_of_things(text: str, things: Sequence[Thing]) -> float:
    """The same with each thing counted once, by the best word for it that stands there."""
    found = (
        sum(next((weight for weight, word in thing if word in piece), 0.0) for thing in things)
        / (1.0 + len(piece) / SENTENCE_CHARACTERS)
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
    if one.named == 1.0:
        sure = max(sure, NAMED)
    elif one.named:
        sure = min(1.0, sure + KEYWORD_GAIN)
    return keeps * sure
