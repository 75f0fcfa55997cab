"""How much speaks for two differently worded texts saying one thing: a sum of what can be counted, with fitted weights.

Likeness of vectors alone can't tell 检查出脂肪肝 / 体检说有脂肪肝 from 腕骨骨折 / 踝骨骨折. Beside it count: what each text says that
the other doesn't, how near those words are to a word of the other's, how many of them are things, whether the two are built
alike, what both state of the speaker, and what differs that as a rule makes another matter. `manage.py evaluate merges --fit` fits the weights (evidence.toml).
"""

import tomllib
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np

from chat.memory import facts
from chat.memory.differences import SOFT
from chat.memory.text import language
from chat.memory.wording import is_noun, units

MOST = 4  # words that count; more say no more


class Near(Protocol):
    """Gives the vectors of texts, of length 1, in rows: as those of passages, or of questions."""

    def __call__(self, texts: Sequence[str], *, asking: bool = False) -> np.ndarray: ...


def signs(texts: tuple[str, str], said: tuple[str, str], unsaid: tuple[list[str], list[str]], found: frozenset[str], near: Near) -> dict[str, float]:
    """Each sign by its name. `said`: the two texts, told without their days and numbers; `unsaid`: the telling words of each
    that the other says in no way; `found`: names of their differences."""
    words = tuple(units(text) for text in said)
    nearest = [near_one for own, theirs in zip(unsaid, reversed(words), strict=True) for near_one in _nearest(own, theirs, near)]
    common = [len(all_) - len(own) for all_, own in zip(words, unsaid, strict=True)]
    shape = SequenceMatcher(None, *said, autojunk=False).ratio()
    likeness, asked = _cosine(near(texts)), _cosine(near(texts, asking=True))
    return {
        "likeness": likeness,
        "likeness_asked": asked,
        "likeness_of_words": _cosine(near([_joined(own, text) for own, text in zip(words, said, strict=True)])),
        "likeness_rebuilt": asked * (1 - shape),
        "shape": shape,
        "nearest": float(np.mean(nearest)),
        "least_near": min(nearest),
        "unsaid": min(MOST, *map(len, unsaid)) / MOST,
        "things": min(MOST, *(sum(map(is_noun, own)) for own in unsaid)) / MOST,
        "common": min(MOST, *common) / MOST,
        "fact_agrees": float(facts.relation(*texts) == facts.AGREE),
        **{name: float(name in found) for name in SOFT},
    }


def odds(signs: Mapping[str, float]) -> float:
    """How much more speaks for the two being one than against it; they are from 0 on."""
    weights = fitted()
    return weights["always"] + sum(weights[name] * value for name, value in signs.items())


@cache
def fitted() -> dict[str, float]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["weights"]


def _nearest(own: list[str], theirs: tuple[str, ...], near: Near) -> list[float]:
    """For each word the cosine of the nearest word of the other text."""
    return (near(own) @ near(theirs).T).max(axis=1).tolist() if theirs else [0.0] * len(own)


def _joined(words: Sequence[str], text: str) -> str:
    return (" " if language(text) == "en" else "").join(words) or text


def _cosine(vectors: np.ndarray) -> float:
    return float(vectors[0] @ vectors[1])
