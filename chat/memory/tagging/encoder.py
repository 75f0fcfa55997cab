"""A small transformer that reads a message piece by piece: to which slot's value each piece belongs.

It is multilingual-e5-small (Wang et al. 2024, a BERT; Devlin et al. 2019) without what its first layers don't need, fitted to the
corpus by `manage.py train_tagger --encoder`. Its weights are kept in whole numbers of 8 bits, with a scale for each row.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from chat.memory.tagging.pieces import Piece, Vocabulary

HEADS = 12
EPSILON = 1e-12  # of the normalisation, as e5 has it
LONGEST = 400  # pieces
Weights = tuple[np.ndarray, np.ndarray]  # float32: (inputs, outputs) and (outputs,)


@dataclass(frozen=True)
class Layer:
    """Attention (query, key and value side by side; out), then two dense ones (up, down), each with its normalisation."""

    attend: Weights
    out: Weights
    attended: Weights
    up: Weights
    down: Weights
    done: Weights


@dataclass(frozen=True)
class Encoder:
    """words: the vectors of the pieces, each row times its scale. head: to "outside", then two columns a slot: begins, goes on."""

    vocabulary: Vocabulary
    slots: tuple[str, ...]
    words: np.ndarray  # int8, (pieces, width)
    scales: np.ndarray  # float32, (pieces, 1)
    positions: np.ndarray  # float32, (LONGEST + 2, width)
    embedded: Weights
    layers: tuple[Layer, ...]
    head: Weights
    begin: int
    end: int

    def read(self, text: str) -> tuple[list[Piece], np.ndarray]:
        """The pieces of a folded text and, float32 of shape (pieces, 1 + slots), the chances that each is outside of every
        value or belongs to one of each slot. What is longer than LONGEST pieces is cut off."""
        pieces = self.vocabulary.split(text)[:LONGEST]
        numbers = [self.begin, *(piece.number for piece in pieces), self.end]
        state = _normalised(self.words[numbers] * self.scales[numbers] + self.positions[: len(numbers)], self.embedded)
        for layer in self.layers:
            state = _through(state, layer)
        likely = _softmax(_dense(state[1:-1], self.head))
        begun, inside = likely[:, 1::2], likely[:, 2::2]
        return pieces, np.concatenate([likely[:, :1], begun + inside], axis=1)


@cache
def load(path: Path) -> Encoder:
    """The encoder of a file that `fitting.save` wrote."""
    with np.load(path) as kept:
        part = dict(kept)

    def weights(name: str) -> Weights:
        return (part[f"{name}.weight"] * part[f"{name}.scale"]).astype(np.float32).T.copy(), part[f"{name}.bias"]

    def norm(name: str) -> Weights:
        return part[f"{name}.weight"], part[f"{name}.bias"]

    pieces = part["pieces"].tobytes().decode().split("\n")
    unknown, begin, end = (int(number) for number in part["special"])
    return Encoder(
        Vocabulary(pieces, part["scores"].tolist(), unknown),
        tuple(part["slots"].tobytes().decode().split("\n")),
        part["words"],
        part["word_scales"],
        part["positions"],
        norm("embedded"),
        tuple(
            Layer(
                weights(f"{number}.attend"),
                weights(f"{number}.out"),
                norm(f"{number}.attended"),
                weights(f"{number}.up"),
                weights(f"{number}.down"),
                norm(f"{number}.done"),
            )
            for number in range(int(part["layers"]))
        ),
        weights("head"),
        begin,
        end,
    )


def _through(state: np.ndarray, layer: Layer) -> np.ndarray:
    size, width = state.shape
    query, key, value = _dense(state, layer.attend).reshape(size, 3, HEADS, width // HEADS).transpose(1, 2, 0, 3)
    heed = _softmax(query @ key.transpose(0, 2, 1) / np.float32((width // HEADS) ** 0.5))
    heard = (heed @ value).transpose(1, 0, 2).reshape(size, width)
    state = _normalised(state + _dense(heard, layer.out), layer.attended)
    return _normalised(state + _dense(_gelu(_dense(state, layer.up)), layer.down), layer.done)


def _dense(state: np.ndarray, weights: Weights) -> np.ndarray:
    return state @ weights[0] + weights[1]


def _normalised(state: np.ndarray, weights: Weights) -> np.ndarray:
    """Layer normalisation (Ba et al. 2016)."""
    apart = state - state.mean(axis=-1, keepdims=True)
    return apart / np.sqrt((apart * apart).mean(axis=-1, keepdims=True) + EPSILON) * weights[0] + weights[1]


def _gelu(x: np.ndarray) -> np.ndarray:
    """By its tanh form (Hendrycks and Gimpel 2016)."""
    return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def _softmax(x: np.ndarray) -> np.ndarray:
    raised = np.exp(x - x.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)
