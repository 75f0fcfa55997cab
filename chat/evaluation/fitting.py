"""The weights of chat.memory.evidence: a logistic regression on labelled pairs, with a threshold from held-out tenths.

Our pairs that are not the same differ in a word or two, as a trap does. What a real store compares all day are sentences of one
topic, so near pairs of real talk (MemoryBank, LoCoMo) are learnt as different too, with a small weight: a few may be repeats.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

from chat.evaluation import locomo
from chat.evaluation.retention import FILE, people
from chat.llm.embeddings import embed_passages, near
from chat.memory.differences import HARD, differences
from chat.memory.evidence import signs
from chat.memory.quantities import without
from chat.memory.sameness import BARELY
from chat.memory.text import sentences
from chat.memory.wording import told, unsaid

REAL_WEIGHT, REAL_PAIRS, LIKEST = 0.3, 900, 0.8  # nearer ones may well be repeats
SENTENCES, SHORTEST, LONGEST = 400, 8, 140  # of one person; characters
RIDGE, ROUNDS, TENTHS, SHUFFLES = 0.05, 30, 10, 3
WRONG = 0.0075  # of all labelled pairs, of the tenth that was held out


def fit(pairs: list[dict], data_dir: Path, to: Path) -> None:
    """Fit on these labelled pairs and on real talk, where `data_dir` has it; write the weights as TOML."""
    labelled = [(found, pair["same"], 1.0) for pair in pairs if (found := weighed(pair["first"], pair["second"])) is not None]
    near_by = [(found, False, REAL_WEIGHT) for one, other in real(data_dir) if (found := weighed(one, other)) is not None]
    rows = labelled + near_by
    names = list(rows[0][0])
    x = np.array([[*(row[0][name] for name in names), 1.0] for row in rows])
    y, w = np.array([row[1] for row in rows], float), np.array([row[2] for row in rows])
    least = threshold(held_out(x, y, w)[: len(labelled)], y[: len(labelled)], int(WRONG * len(pairs)))
    weights = solve(x, y, w)
    lines = [f"always = {weights[-1] - least:.3f}", *(f"{name} = {weight:.3f}" for name, weight in zip(names, weights, strict=False))]
    head = "# What each sign adds to the odds that two texts say one thing, fitted by `manage.py evaluate merges --fit`.\n"
    to.write_text(f"{head}[weights]\n" + "\n".join(lines) + "\n", encoding="utf-8")


def weighed(one: str, other: str) -> dict[str, float] | None:
    """The signs of a pair that is decided by them; None for any other."""
    found = differences(one, other)
    said = without(told(one)), without(told(other))
    left = unsaid(*said), unsaid(*reversed(said))
    if not found.isdisjoint(HARD) or not all(left):
        return None
    weighed = signs((one, other), said, left, found, near)
    return weighed if weighed["likeness"] >= BARELY else None


def real(data_dir: Path) -> list[tuple[str, str]]:
    """Pairs of sentences of one person that are near, and not so near that they may say the same."""
    pairs = []
    for texts in _spoken(data_dir):
        own = list(dict.fromkeys(text for text in texts if SHORTEST <= len(text) <= LONGEST))[:SENTENCES]
        vectors = embed_passages(own)
        ones, others = np.where(np.triu((cosines := vectors @ vectors.T) >= BARELY, 1) & (cosines < LIKEST))
        pairs += [(own[i], own[j]) for i, j in zip(ones, others, strict=True)]
    Random(3).shuffle(pairs)  # noqa: S311 (the same ones every time)
    return pairs[:REAL_PAIRS]


def _spoken(data_dir: Path) -> Iterator[list[str]]:
    if (data_dir / FILE).is_file():
        for talks in people(data_dir / FILE).values():
            yield [part for talk in talks for exchange in talk.exchanges for part in sentences(exchange.text)]
    if (data_dir / "locomo").is_dir():
        for chat in locomo.chats(data_dir):
            yield [part for entry in locomo.entries(chat) for part in sentences(entry.text.partition(": ")[2])]


def solve(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Weighted logistic regression with a ridge on all but the constant (the last column), by Newton's method."""
    ridge = RIDGE * np.diag([*np.ones(x.shape[1] - 1), 0.0])
    beta = np.zeros(x.shape[1])
    for _round in range(ROUNDS):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        slope = x.T @ (w * (y - p)) - ridge @ beta
        beta = beta + np.linalg.solve((x * (w * p * (1 - p) + 1e-9)[:, None]).T @ x + ridge, slope)
    return beta


def held_out(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The odds of each row by weights that were fitted without its tenth."""
    odds = np.zeros(len(y))
    for shuffle in range(SHUFFLES):
        order = np.random.default_rng(shuffle).permutation(len(y))
        for tenth in range(TENTHS):
            held = order[tenth::TENTHS]
            rest = np.setdiff1d(order, held)
            odds[held] += x[held] @ solve(x[rest], y[rest], w[rest]) / SHUFFLES
    return odds


def threshold(odds: np.ndarray, same: np.ndarray, wrong: int) -> float:
    """The least odds with which at most so many pairs that are not the same would be merged."""
    others = np.sort(odds[same == 0])[::-1]
    return float(others[wrong]) + 1e-6
