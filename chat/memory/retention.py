"""How alive a memory is: a pure function of its age, use, feedback and class (DESIGN §6).

The curve of `normal` memories is continuous and never rises between uses; its corners are set by name below. Time is in
days, weights are in [0, 1].
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import exp
from typing import Any, Protocol

FORGOTTEN_AT = 0.05  # at or below this weight a memory is forgotten
WRONG = 0.01
RESTORED = 0.8
FEEDBACK_DAYS = 15.0
SKIPS_TO_EXPIRE = 3
COMMAND_LINGERS = timedelta(hours=24)
IDENTITY_DAYS, IDENTITY_WEIGHT = 5 * 365.25, 0.8

FRESH_DAYS, FRESH_RATE = 3.0, 0.02  # exp(−0.02·d) up to day 3
FADES = ((15.0, 0.70), (30.0, 0.50))  # then to these shares of it, so many days after
LAST_DAY = 90.0  # then linear to the floor, which is reached on this day
LOWEST_FLOOR, HIGHEST_FLOOR = 0.05, 0.3
LOW_IMPORTANCE, HIGH_IMPORTANCE, OFTEN_USED = 0.3, 0.7, 3
_DAY = timedelta(days=1)


class Life(Protocol):
    """The fields that the weight is computed from; a Memory has them."""

    decay: str
    importance: float
    pinned: bool
    authoritative: bool
    marked_wrong: bool
    clock_at: datetime
    start_weight: float
    extra_days: float
    use_count: int
    due_at: datetime | None
    skips: int


def weight(life: Life, now: datetime) -> float:
    """The weight at `now`, 0–1. Wrong beats pinned, pinned beats every class."""
    if life.marked_wrong:
        return WRONG
    if life.pinned or life.authoritative or life.decay == "state":
        return 1.0
    if life.decay == "command" and life.due_at is not None:
        return _command(life, now)
    return _left(life, age(life, now))


def age(life: Life, now: datetime) -> float:
    """Days since its clock was set, less the days that feedback gave. Never below 0."""
    return max(0.0, (now - life.clock_at) / _DAY - life.extra_days)


def floor(importance: float, use_count: int) -> float:
    """Where a normal memory comes to rest: 0.05 when it matters little and was never used, 0.3 when it matters or is used often."""
    matters = (importance - LOW_IMPORTANCE) / (HIGH_IMPORTANCE - LOW_IMPORTANCE)
    share = min(1.0, max(0.0, matters, use_count / OFTEN_USED))
    return LOWEST_FLOOR + share * (HIGHEST_FLOOR - LOWEST_FLOOR)


def half_life(life: Life) -> float | None:
    """Days of age, unused, after which half of its start is left; None: it never comes to that."""
    if life.marked_wrong or life.pinned or life.authoritative or life.decay in {"state", "command"}:
        return None
    low, high, half = 0.0, 2.0 * IDENTITY_DAYS, life.start_weight / 2
    if _left(life, high) > half:
        return None
    while high - low > 0.01:
        middle = (low + high) / 2
        low, high = (middle, high) if _left(life, middle) > half else (low, middle)
    return high


def is_forgotten(life: Life, now: datetime) -> bool:
    """Faded, or a reminder that was passed over three times. What was marked wrong is for a person to remove."""
    if life.decay == "command" and life.skips >= SKIPS_TO_EXPIRE and not (life.pinned or life.authoritative):
        return True
    return not life.marked_wrong and weight(life, now) <= FORGOTTEN_AT + 1e-9


def used(life: Life, now: datetime) -> Mapping[str, Any]:
    """Changes when an answer used it: the clock starts again from full weight."""
    return {"clock_at": now, "start_weight": 1.0, "use_count": life.use_count + 1, "last_used_at": now, "skips": 0}


def useful(life: Life, now: datetime) -> Mapping[str, Any]:
    """Changes on 有用: back to 0.8 (or what it has, if more), and 15 more days."""
    extra = max(0.0, life.extra_days) + FEEDBACK_DAYS
    return {"clock_at": now, "start_weight": max(RESTORED, min(1.0, weight(life, now))), "extra_days": extra, "skips": 0}


def useless(life: Life) -> Mapping[str, Any]:
    """Changes on 没用: 15 days older."""
    return {"extra_days": life.extra_days - FEEDBACK_DAYS}


def restored(now: datetime) -> Mapping[str, Any]:
    """Changes when it is fetched from the bin."""
    return {"clock_at": now, "start_weight": RESTORED, "extra_days": 0.0, "marked_wrong": False, "skips": 0}


def _command(life: Life, now: datetime) -> float:
    """1 until it is due, then down to 0 over the 24 hours after."""
    late = (now - life.due_at) / COMMAND_LINGERS
    return min(1.0, max(0.0, 1.0 - late))


def _left(life: Life, days: float) -> float:
    """The weight at this age."""
    if life.decay == "identity":
        return _identity(life, days)
    return _normal(days, life.start_weight, floor(life.importance, life.use_count))


def _identity(life: Life, days: float) -> float:
    """From its start to 0.8 of it over five years, then as slowly on to the highest floor."""
    if days <= IDENTITY_DAYS:
        return life.start_weight * (1.0 - (1.0 - IDENTITY_WEIGHT) * days / IDENTITY_DAYS)
    later = IDENTITY_WEIGHT * life.start_weight
    return max(min(HIGHEST_FLOOR, later), later * (2.0 - days / IDENTITY_DAYS))


def _normal(days: float, start: float, lowest: float) -> float:
    """`start`·exp(−0.02·d), then straight lines through the corners to `lowest`; never above the start, never below `lowest`
    unless it started there."""
    lowest = min(lowest, start)
    if days >= LAST_DAY:
        return lowest
    if days <= FRESH_DAYS:
        return max(lowest, start * exp(-FRESH_RATE * days))
    left_day, left = FRESH_DAYS, start * exp(-FRESH_RATE * FRESH_DAYS)
    corners = [(FRESH_DAYS + after, left * share) for after, share in FADES]
    for day, value in [*corners, (LAST_DAY, lowest)]:
        if days <= day:
            line = left + (value - left) * (days - left_day) / (day - left_day)
            return max(lowest, line)
        left_day, left = day, value
    return lowest
