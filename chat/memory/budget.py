"""Which pieces fit into a prompt: ceilings of its sections, what is cut first, and what a long question may borrow."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Count = Callable[[str], int]

# Tokens for a window of 8,192 (DESIGN §7); what the named sections leave of it is for notes on conflicts.
BASE_WINDOW = 8192
BASE = {
    "system": 500,
    "entities": 800,
    "knowledge": 1500,
    "memories": 1500,
    "working": 1000,
    "conflicts": 192,
    "question": 500,
    "reserve": 2200,
}
SMALLEST_WINDOW = 2048
# Who makes room for a long question, first to go first. Notes on conflicts and pinned facts stay.
GIVES_WAY = ("memories", "working", "knowledge", "entities")


class QuestionTooLong(Exception):
    """The question has `tokens`, and even with everything else cut there is room for `limit` only."""

    def __init__(self, tokens: int, limit: int):
        super().__init__(f"question of {tokens} tokens, room for {limit}")
        self.tokens = tokens
        self.limit = limit


def ceilings(window: int) -> dict[str, int]:
    """The most tokens that each section may have in a context window of so many tokens. They never add up to more."""
    if window < SMALLEST_WINDOW:
        raise ValueError(f"a context window needs at least {SMALLEST_WINDOW} tokens, not {window}")
    scaled = {name: tokens * window // BASE_WINDOW for name, tokens in BASE.items()}
    scaled["reserve"] += window - sum(scaled.values())
    return scaled


@dataclass
class Section:
    """The pieces that compete for one section: `pieces` in the order of the prompt, `rank` from most to least wanted.

    wrap: makes the section's text, fence and all, of the pieces that are kept.
    ids: of the pieces, None for one that has none. firm: places that never give way to a long question.
    """

    name: str
    ceiling: int
    pieces: Sequence[str]
    rank: Sequence[int]
    wrap: Callable[[Sequence[str]], str]
    ids: Sequence[int | None] = ()
    firm: frozenset[int] = frozenset()
    kept: list[int] = field(default_factory=list)  # places, most wanted first

    @property
    def text(self) -> str:
        return self.wrap([self.pieces[place] for place in sorted(self.kept)]) if self.kept else ""

    @property
    def dropped(self) -> int:
        return len(self.pieces) - len(self.kept)

    @property
    def kept_ids(self) -> tuple[int, ...]:
        return tuple(id for place, id in enumerate(self.ids) if id is not None and place in self.kept)

    @property
    def dropped_ids(self) -> tuple[int, ...]:
        return tuple(id for place, id in enumerate(self.ids) if id is not None and place not in self.kept)

    def fill(self, count: Count) -> None:
        """Keep the most wanted pieces that fit under the ceiling, whole; a piece too large lets smaller ones pass."""
        room = self.ceiling - count(self.wrap([]))
        for place in self.rank:
            cost = count("\n" + self.pieces[place])
            if cost <= room:
                self.kept.append(place)
                room -= cost
        while self.kept and count(self.text) > self.ceiling:
            self.kept.pop()

    def give_way(self, tokens: int, count: Count) -> bool:
        """Drop the least wanted pieces that may go until about so many tokens are free. False where none may go."""
        before = len(self.kept)
        for place in [place for place in reversed(self.kept) if place not in self.firm]:
            self.kept.remove(place)
            tokens -= count("\n" + self.pieces[place])
            if tokens <= 0:
                break
        return len(self.kept) < before


def spend(sections: Sequence[Section], question_tokens: int, question_ceiling: int, count: Count) -> int:
    """Fill every section, then make room for the question. Returns the ceiling that the question ended up with.

    The question borrows what the sections leave of their ceilings. Where that is not enough, they give way piece by
    piece in the order of GIVES_WAY. Raises QuestionTooLong when even then it doesn't fit.
    """
    for section in sections:
        section.fill(count)
    allowed = question_ceiling + sum(section.ceiling for section in sections)
    used = {section.name: count(section.text) for section in sections}
    by_name = {section.name: section for section in sections}
    for section in (by_name[name] for name in GIVES_WAY if name in by_name):
        while (over := question_tokens + sum(used.values()) - allowed) > 0 and section.give_way(over, count):
            used[section.name] = count(section.text)
    room = allowed - sum(used.values())
    if question_tokens > room:
        raise QuestionTooLong(question_tokens, room)
    return max(question_ceiling, question_tokens)
