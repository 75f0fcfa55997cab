"""Long-run patterns in what someone says: how strong a theme is, and habits of talking that only show over many turns."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from chat.memory.text import fold

GAIN = 0.2  # share of what is missing to full strength that a day of evidence adds
FADE = 0.9  # of the strength is left after a week without evidence
LEAST_DAYS = 3  # of evidence, before something is a theme
GONE = 0.08  # a theme weaker than this is forgotten
LEAST_TURNS, LEAST_SHARE = 20, 0.4  # of a habit
_PROS_AND_CONS = re.compile(
    "优缺点|利弊|好处和坏处|好坏|优点|缺点|有什么(?:风险|坏处|副作用)|pros and cons|advantages|drawbacks"
    "|downsides"
)
_SHORT = re.compile("简单(?:说|点|讲)|简短|一句话|长话短说|briefly|in short|tl;?dr|keep it short")
_STEPS = re.compile("具体(?:步骤|怎么做|操作)|一步一步|分步|step by step|exact steps")


@dataclass(frozen=True)
class Habit:
    """A way of talking. `key` names it for good; `share` of the turns, 0–1."""

    key: str
    share: float
    turns: int


def strength(days: Sequence[int], today: int) -> float:
    """Of a theme, 0–1, from the day numbers of its evidence: each day adds, each week without takes away."""
    value, before = 0.0, None
    for day in sorted(set(days)):
        if before is not None:
            value *= FADE ** ((day - before) / 7)
        value += (1 - value) * GAIN
        before = day
    return 0.0 if before is None else round(value * FADE ** (max(0, today - before) / 7), 4)


def habits(turns: Sequence[tuple[str, datetime]], zone: str) -> list[Habit]:
    """Of (text, at) pairs: chats late (23–5 o'clock), asks for pros and cons, for short answers, for steps."""
    if len(turns) < LEAST_TURNS:
        return []
    local = [at.astimezone(ZoneInfo(zone)).hour for _text, at in turns]
    late = sum(hour >= 23 or hour < 5 for hour in local)
    found = [Habit("late", late / len(turns), late)] if late / len(turns) >= LEAST_SHARE else []
    asked = [fold(text) for text, _at in turns]
    for key, pattern in (("pros_and_cons", _PROS_AND_CONS), ("short", _SHORT), ("steps", _STEPS)):
        count = sum(bool(pattern.search(text)) for text in asked)
        if count >= 3 and count / len(turns) >= 0.1:
            found.append(Habit(key, count / len(turns), count))
    return found
