"""The trained models at work."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pycrfsuite

from chat.memory.clauses import Clause
from chat.memory.tagging.features import Seen, of_key, of_mark, see

MODELS = Path(__file__).with_name("models")
NO_KEY = "-"
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


def tag(text: str, clauses: Sequence[Clause], folder: Path = MODELS) -> list[Tagged]:
    """What a folded text with these clauses seems to state, in its order; nothing outside of its writer's own clauses."""
    seen = see(text, clauses)
    if not seen.tokens or len(seen.tokens) > LONGEST:
        return []
    spans = [span for span in _spans(seen, _model(folder / "spans.crf")) if seen.places[span[0]] >= 0]
    return [_tagged(seen, *span, folder) for span in spans]


def _spans(seen: Seen, tagger: pycrfsuite.Tagger) -> list[tuple[int, int, str, float]]:
    """(first, last, slot, chance) over the tokens, half-open."""
    labels = [*tagger.tag(seen.features), "O"]
    found, first = [], None
    for at, label in enumerate(labels):
        if first is not None and label != f"I-{labels[first][2:]}":
            chance = min(tagger.marginal(labels[i], i) for i in range(first, at))
            found.append((first, at, labels[first][2:], chance))
            first = None
        if first is None and label != "O":
            first = at
    return found


def _tagged(seen: Seen, first: int, last: int, slot: str, chance: float, folder: Path) -> Tagged:
    mark, _chance = _likeliest(_model(folder / "marks.crf"), of_mark(seen, first, last, slot))
    key, key_chance = _likeliest(_model(folder / "keys.crf"), of_key(seen, first, last, slot))
    listed = key.startswith(f"{slot}=")
    return Tagged(
        seen.tokens[first].start,
        seen.tokens[last - 1].end,
        seen.places[first],
        slot,
        chance,
        mark,
        key.removeprefix(f"{slot}=") if listed else "",
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
