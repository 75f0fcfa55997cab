"""BM25 as a share of what the question could get at most: 0 = no word in common, 1 = says it all.

Okapi BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009).
"""

from collections.abc import Mapping, Sequence
from math import log

K1 = 1.2
B = 0.4  # memories are short: length says little
UNKNOWN_SHARE = 0.5  # of its rarity that a word counts which no memory holds
PAIR_SHARE = 0.2  # the same for two Chinese characters, and for a pair that is no word wherever it stands
SINGLE_SHARE = 0.5  # of its rarity that a single Chinese character counts


def rarity(documents: int, holding: float, word: str = "", *, pair: bool = False) -> float:
    """Inverse document frequency, always positive: ln(1 + (N − n + 0.5)/(n + 0.5)); less where no document has the word, for
    a single Chinese character, and for a `pair` of them that is no word."""
    holding = min(holding, documents)
    found = log(1.0 + (documents - holding + 0.5) / (holding + 0.5))
    if len(word) == 1 and not word.isascii():
        found *= SINGLE_SHARE  # 常, 留: in many words that have nothing to do with each other
    if pair or (not holding and len(word) == 2 and not word.isascii()):
        return PAIR_SHARE * found
    return found if holding else UNKNOWN_SHARE * found


def length(terms: str) -> int:
    """How many words `terms` has, which are separated by single spaces."""
    return terms.count(" ") + 1 if terms else 0


def frequencies(terms: str, asked: Mapping[str, float]) -> tuple[dict[str, int], int]:
    """How often each asked word is among `terms` (words separated by spaces), and how many terms there are."""
    tokens = terms.split()
    counts: dict[str, int] = {}
    for token in tokens:
        if token in asked:
            counts[token] = counts.get(token, 0) + 1
    return counts, len(tokens)


def share(asked: Mapping[str, float], counts: Mapping[str, float], length: float, mean_length: float) -> float:
    """BM25 of one text divided by the most any text could get for these words.

    asked: rarity of each word of the question. counts: how often each is in the text.
    """
    most = sum(asked.values()) if counts else 0.0
    if not most:
        return 0.0
    damp = K1 * (1.0 - B + B * length / max(mean_length, 1.0))
    return sum([asked[word] * n / (n + damp) for word, n in counts.items()]) / most


def mean(lengths: Sequence[int]) -> float:
    return sum(lengths) / len(lengths) if lengths else 1.0
