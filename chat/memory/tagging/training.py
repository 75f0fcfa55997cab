"""Training of the three models on the labelled messages."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pycrfsuite

from chat.memory import ontology
from chat.memory.clauses import Clause, split_folded
from chat.memory.spellings import mend
from chat.memory.tagging import corpus
from chat.memory.tagging.corpus import Labelled
from chat.memory.tagging.features import KINDS, Seen, of_key, of_mark, see
from chat.memory.tagging.tagger import NO_KEY
from chat.memory.text import Folded, align, numbered

AT, ZONE = datetime(2026, 3, 2, 4, tzinfo=UTC), "Asia/Shanghai"
# Chosen by `train_tagger --measure`: little L1 and much L2 read unseen messages best; what occurs once or twice says nothing.
SPANS = {"c1": 0.4, "c2": 0.8, "max_iterations": 70, "feature.minfreq": 3}
SINGLE = {"c1": 0.1, "c2": 0.1, "max_iterations": 100}


class Span(NamedTuple):
    """A label over the tokens first..last (half-open) of a message."""

    first: int
    last: int
    slot: str
    key: str
    mark: str


def read(text: str) -> tuple[Folded, list[Clause]]:
    """A message as the rules read it: folded, with its clauses."""
    folded = numbered(align(text))
    folded = replace(folded, text=mend(folded.text))
    return folded, split_folded(folded, AT, ZONE)


def prepare(message: Labelled) -> tuple[Seen, list[Span]]:
    """A message as it is seen, with its labels."""
    folded, clauses = read(message.text)
    seen = see(folded.text, clauses)
    origins = [folded.offsets[token.start] for token in seen.tokens]
    spans = []
    for label in message.labels:
        inside = [at for at, origin in enumerate(origins) if label.start <= origin < label.end]
        if inside:
            spans.append(Span(inside[0], inside[-1] + 1, label.slot, label.key, label.mark))
    return seen, spans


def train(messages: Iterable[Labelled], folder: Path, say: Callable[[str], None] = lambda line: None) -> None:
    """Train all three models and write them to the folder. Takes minutes; the same messages give the same models."""
    prepared = [prepare(message) for message in messages]
    folder.mkdir(parents=True, exist_ok=True)
    say(f"{len(prepared)} messages, {sum(len(spans) for _seen, spans in prepared)} values")
    _fit(folder / "spans.crf", [(seen.features, _labels(seen, spans)) for seen, spans in prepared if seen.tokens], SPANS)
    values = [(seen, span) for seen, spans in prepared for span in spans]
    _fit(folder / "marks.crf", [([of_mark(seen, *span[:3])], [span.mark]) for seen, span in values], SINGLE)
    keyed = [([of_key(seen, *span[:3])], [f"{span.slot}={span.key}" if span.key else NO_KEY]) for seen, span in values]
    _fit(folder / "keys.crf", keyed + _listed(), SINGLE)


def source_print(folder: Path = corpus.FOLDER) -> str:
    """A hash of all that the models are trained on; they are out of date where it is not the one that lies beside them."""
    files = [*sorted(folder.glob("*.txt")), KINDS]
    return hashlib.sha256(b"\x1f".join(path.read_bytes() for path in files)).hexdigest()


def _listed() -> list[tuple[list[list[str]], list[str]]]:
    """Every spelling of every listed value of the ontology."""
    rows: list[tuple[list[list[str]], list[str]]] = []
    for attribute in ontology.load().attributes.values():
        for choice in attribute.choices:
            for word in choice.words:
                seen = see(word, [])
                if seen.tokens:
                    rows.append(([of_key(seen, 0, len(seen.tokens), attribute.slot)], [f"{attribute.slot}={choice.key}"]))
    return rows


def _labels(seen: Seen, spans: Iterable[Span]) -> list[str]:
    """Of each token: B- and I- with the slot of the value that begins or goes on there, O outside of all."""
    labels = ["O"] * len(seen.tokens)
    for span in spans:
        labels[span.first : span.last] = [f"B-{span.slot}", *[f"I-{span.slot}"] * (span.last - span.first - 1)]
    return labels


def _fit(path: Path, rows: Sequence[tuple[list[list[str]], list[str]]], parameters: dict) -> None:
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", params=parameters, verbose=False)
    for features, labels in rows:
        trainer.append(features, labels)
    trainer.train(str(path))
