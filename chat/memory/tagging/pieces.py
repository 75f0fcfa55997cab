"""A text in the pieces of words that the encoder knows: the likeliest split by a unigram model (Kudo 2018)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

SPACE = "▁"  # stands for any spaces, and begins every text
UNKNOWN_COST = 10.0  # how much less likely than the least likely piece a character is that is in none


class Piece(NamedTuple):
    """text[start:end] is the piece of this number, without the space before it; of a space alone it is empty."""

    number: int
    start: int
    end: int


@dataclass(frozen=True)
class Vocabulary:
    """The known pieces by their number; scores: the log probability of each; unknown: the number that stands for all others."""

    pieces: Sequence[str]
    scores: Sequence[float]
    unknown: int
    numbers: dict[str, int] = field(init=False)
    longest: int = field(init=False)
    floor: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", {piece: number for number, piece in enumerate(self.pieces) if number != self.unknown})
        object.__setattr__(self, "longest", max(map(len, self.pieces)))
        object.__setattr__(self, "floor", min(self.scores) - UNKNOWN_COST)

    def split(self, text: str) -> list[Piece]:
        """The pieces of a folded text in their order, which together cover all of it but its spaces."""
        chars, places = _spaced(text)
        size = len(chars)
        best, back = [0.0] + [float("-inf")] * size, [(0, self.unknown)] * (size + 1)
        for start in range(size):
            for end, number, score in self._from(chars, start):
                if best[start] + score > best[end]:
                    best[end], back[end] = best[start] + score, (start, number)
        found, end = [], size
        while end:
            start, number = back[end]
            begins = start + (chars[start] == SPACE)
            first = places[min(begins, size - 1)]
            found.append(Piece(number, first, places[end - 1] + 1 if begins < end else first))
            end = start
        return found[::-1]

    def _from(self, chars: str, start: int) -> Iterable[tuple[int, int, float]]:
        """Of each piece that begins there: its end, number and score."""
        yield start + 1, self.unknown, self.floor
        for end in range(start + 1, min(len(chars), start + self.longest) + 1):
            number = self.numbers.get(chars[start:end])
            if number is not None:
                yield end, number, self.scores[number]


def _spaced(text: str) -> tuple[str, list[int]]:
    """The text as the pieces spell it, and of each character its place in the text."""
    chars, places = [SPACE], [0]
    for place, char in enumerate(text):
        if not char.isspace():
            chars.append(char)
        elif chars[-1] == SPACE:
            continue
        else:
            chars.append(SPACE)
        places.append(place)
    return "".join(chars), places
