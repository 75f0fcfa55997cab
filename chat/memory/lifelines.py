"""How the weight of a memory ran and will run: from when it was learned to `ahead` after now, if nothing happens to it.

What lies before its clock was last set is told from the answers that used it; feedback of that time is not in it. From the
clock on it is the weight itself.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from chat.memory.retention import Life, weight

POINTS = 60  # of each half


@dataclass(frozen=True)
class _Then:
    """A memory's life as it was after one of its uses."""

    decay: str
    importance: float
    clock_at: datetime
    use_count: int
    due_at: datetime | None
    start_weight: float = 1.0
    extra_days: float = 0.0
    skips: int = 0
    pinned: bool = False
    authoritative: bool = False
    marked_wrong: bool = False


def past(life: Life, born: datetime, uses: Iterable[datetime], now: datetime) -> list[tuple[datetime, float]]:
    """(moment, weight) from `born` to `now`, with a point at every use."""
    starts = sorted({born, *(at for at in uses if born < at < life.clock_at)})
    moments = sorted({*_between(born, now), *starts, *([life.clock_at] if born < life.clock_at <= now else [])})
    return [(at, _weight(life, starts, at)) for at in moments]


def ahead(life: Life, now: datetime, days: int = 90) -> list[tuple[datetime, float]]:
    return [(at, weight(life, at)) for at in _between(now, now + timedelta(days=days))]


def _weight(life: Life, starts: list[datetime], at: datetime) -> float:
    if at >= life.clock_at:
        return weight(life, at)
    before = [start for start in starts if start <= at]
    return weight(_Then(life.decay, life.importance, before[-1], len(before) - 1, life.due_at), at)


def _between(start: datetime, end: datetime) -> list[datetime]:
    return [start + (end - start) * (step / POINTS) for step in range(POINTS + 1)]
