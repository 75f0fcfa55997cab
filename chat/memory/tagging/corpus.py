"""Labelled messages: `我{profile.location:绍兴}人，{-profile.pet=猫:猫上个月走了}`, one a line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("corpus")
# How a value is said to hold, by the mark before its slot.
MARKS = {"": "holds", "-": "over", "<": "past", "?": "unsure", "~": "now"}
_LABEL = re.compile(r"\{(?P<mark>[-<?~]?)(?P<slot>[a-z_]+\.[a-z_]+)(?:=(?P<key>[^:{}]+))?:(?P<words>[^{}]+)\}")


@dataclass(frozen=True)
class Label:
    """start..end (half-open) of the message carry a value of the slot. key: of the listed value, "" for free words."""

    start: int
    end: int
    slot: str
    key: str
    mark: str  # a value of MARKS


@dataclass(frozen=True)
class Labelled:
    text: str
    labels: tuple[Label, ...]


def read(folder: Path = FOLDER) -> Iterator[Labelled]:
    """The messages of all files of the folder, in the order of their names. Raises ValueError that names the line."""
    for path in sorted(folder.glob("*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            try:
                yield parse(line)
            except ValueError as error:
                raise ValueError(f"{path.name}, line {number}: {error}") from None


def parse(line: str) -> Labelled:
    """One line of a corpus. Raises ValueError where a brace belongs to no label."""
    text, labels, done = "", [], 0
    for match in _LABEL.finditer(line):
        text += line[done : match.start()]
        start = len(text)
        text += match["words"]
        labels.append(Label(start, len(text), match["slot"], match["key"] or "", MARKS[match["mark"]]))
        done = match.end()
    text += line[done:]
    if "{" in text or "}" in text:
        raise ValueError(f"a brace that belongs to no label: {text[:60]}")
    return Labelled(text, tuple(labels))
