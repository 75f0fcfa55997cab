"""The trained models at work."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock

import numpy as np
import pycrfsuite

from chat.memory.clauses import Clause
from chat.memory.tagging import encoder
from chat.memory.tagging.features import Seen, of_key, of_mark, see

MODELS = Path(__file__).with_name("models")
ENCODER = "encoder.npz"
NO_KEY = "-"
_ONE_AT_A_TIME = Lock()  # a model of crfsuite is asked about the text that it read last, and threads share it
LONGEST = 600  # tokens of a message; a longer one is a text, not a statement


@dataclass(frozen=True)
class Tagged:
    """start..end (half-open) of the folded text are thought to carry a value of the slot.

    place: number of the clause. chance: of these words being of this slot, the least certain of them. mark: how it is said
    (a value of corpus.MARKS). key: of the listed value that the words most likely mean, "" where they are none of the
    list, with its chance. Chances are 0–1, as the models have them.
    """

    start: int
    end: int
    place: int
    slot: str
    chance: float
    mark: str
    key: str
    key_chance: float


@dataclass(frozen=True)
class Stretch:
    """Tokens first..last (half-open) that may carry a value of the slot."""

    first: int
    last: int
    slot: str

    def overlaps(self, other: "Stretch") -> bool:
        return self.first < other.last and other.first < self.last


def tag(text: str, clauses: Sequence[Clause], folder: Path = MODELS) -> list[Tagged]:
    """What a folded text with these clauses seems to state, in its order; nothing outside of its writer's own clauses."""
    return list(_tag(text, tuple(clauses), folder))


@lru_cache(maxsize=1)  # the message at hand is read again after each belief that it may lean on
def _tag(text: str, clauses: tuple[Clause, ...], folder: Path) -> list[Tagged]:
    seen = see(text, clauses)
    if not seen.tokens or len(seen.tokens) > LONGEST:
        return []
    by_sense = _Senses(seen, text, encoder.load(folder / ENCODER))
    with _ONE_AT_A_TIME:
        return [_tagged(seen, stretch, chance, folder) for stretch, chance in _stretches(seen, by_sense, folder) if seen.places[stretch.first] >= 0]


def _stretches(seen: Seen, by_sense: "_Senses", folder: Path) -> list[tuple[Stretch, float]]:
    """What either reader sees, with the mean of both chances; of those that overlap the likeliest."""
    by_shape = _Shapes(seen, _model(folder / "spans.crf"))
    seen_by_either = {stretch: (by_shape.chance(stretch) + by_sense.chance(stretch)) / 2 for stretch in (*by_shape.stretches(), *by_sense.stretches())}
    kept: list[tuple[Stretch, float]] = []
    for stretch, chance in sorted(seen_by_either.items(), key=lambda item: -item[1]):
        if not any(stretch.overlaps(other) for other, _chance in kept):
            kept.append((stretch, chance))
    return sorted(kept, key=lambda item: item[0].first)


class _Shapes:
    """What the conditional random field makes of the tokens."""

    def __init__(self, seen: Seen, tagger: pycrfsuite.Tagger) -> None:
        self.tagger, self.known = tagger, set(tagger.labels())
        self.labels = tagger.tag(seen.features)

    def stretches(self) -> list[Stretch]:
        return _joined([label[2:] for label in self.labels], [label.startswith("B-") for label in self.labels])

    def chance(self, stretch: Stretch) -> float:
        labels = [label for label in (f"B-{stretch.slot}", f"I-{stretch.slot}") if label in self.known]
        return min(sum(self.tagger.marginal(label, at) for label in labels) for at in range(stretch.first, stretch.last))


class _Senses:
    """What the encoder makes of the text, in terms of its tokens."""

    def __init__(self, seen: Seen, text: str, reader: encoder.Encoder) -> None:
        pieces, likely = reader.read(text)
        self.slots = ("", *reader.slots)
        self.likely = np.zeros((len(seen.tokens), len(self.slots)), np.float32)
        self.likely[:, 0] = 1  # what was cut off states nothing
        at = 0
        for number, token in enumerate(seen.tokens):
            while at < len(pieces) - 1 and pieces[at].end <= token.start:
                at += 1
            if at < len(pieces) and pieces[at].start < token.end and token.start < pieces[at].end:
                self.likely[number] = likely[at]

    def stretches(self) -> list[Stretch]:
        return _joined([self.slots[best] for best in self.likely.argmax(axis=1)])

    def chance(self, stretch: Stretch) -> float:
        if stretch.slot not in self.slots:
            return 0.0
        return float(self.likely[stretch.first : stretch.last, self.slots.index(stretch.slot)].min())


def _joined(slots: Sequence[str], begun: Sequence[bool] = ()) -> list[Stretch]:
    """Neighbouring tokens of one slot, where none of them begins another value."""
    found: list[Stretch] = []
    for at, slot in enumerate(slots):
        if slot and found and found[-1].last == at and found[-1].slot == slot and not (begun and begun[at]):
            found[-1] = Stretch(found[-1].first, at + 1, slot)
        elif slot:
            found.append(Stretch(at, at + 1, slot))
    return found


def _tagged(seen: Seen, stretch: Stretch, chance: float, folder: Path) -> Tagged:
    words = stretch.first, stretch.last, stretch.slot
    mark, _chance = _likeliest(_model(folder / "marks.crf"), of_mark(seen, *words))
    key, key_chance = _likeliest(_model(folder / "keys.crf"), of_key(seen, *words))
    listed = key.startswith(f"{stretch.slot}=")
    return Tagged(
        seen.tokens[stretch.first].start,
        seen.tokens[stretch.last - 1].end,
        seen.places[stretch.first],
        stretch.slot,
        min(1.0, chance),
        mark,
        key.removeprefix(f"{stretch.slot}=") if listed else "",
        key_chance if listed else 0.0,
    )


def _likeliest(tagger: pycrfsuite.Tagger, features: list[str]) -> tuple[str, float]:
    label = tagger.tag([features])[0]
    return label, tagger.marginal(label, 0)


@cache
def _model(path: Path) -> pycrfsuite.Tagger:
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    return tagger
