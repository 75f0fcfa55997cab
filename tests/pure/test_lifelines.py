"""The line of a weight: exact from its clock on, told from its uses before."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from chat.memory import lifelines
from chat.memory.retention import weight

NOW = datetime(2026, 11, 30, tzinfo=UTC)


@dataclass
class Life:
    clock_at: datetime
    use_count: int = 0
    decay: str = "normal"
    importance: float = 0.5
    pinned: bool = False
    authoritative: bool = False
    marked_wrong: bool = False
    start_weight: float = 1.0
    extra_days: float = 0.0
    due_at: datetime | None = None
    skips: int = 0


def test_the_line_meets_the_weight_of_now_and_fades_from_there():
    life = Life(NOW - timedelta(days=10))
    past, ahead = lifelines.past(life, life.clock_at, [], NOW), lifelines.ahead(life, NOW)
    assert past[0] == (life.clock_at, 1.0)
    assert past[-1] == (NOW, weight(life, NOW)) == ahead[0]
    values = [value for _at, value in (*past, *ahead)]
    assert values == sorted(values, reverse=True)


def test_every_use_is_a_new_beginning():
    born, used = NOW - timedelta(days=60), NOW - timedelta(days=20)
    life = Life(used, use_count=1)
    line = dict(lifelines.past(life, born, [used], NOW))
    before = max(at for at in line if at < used)
    assert line[before] < 0.7 and line[used] == 1.0


def test_a_memory_of_this_moment_has_a_line():
    assert lifelines.past(Life(NOW), NOW, [], NOW)[-1] == (NOW, 1.0)
