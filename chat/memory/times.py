"""Time expressions in Chinese and English, resolved against the moment they were written in the writer's zone."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock_time
from functools import lru_cache
from zoneinfo import ZoneInfo

from chat.memory.calendar import RULES, Days, Today
from chat.memory.text import Folded, align
from chat.memory.values import clock

# Text beyond this is not searched: a recall's question or a message's clause never needs it.
LONGEST = 20_000
_HINT = re.compile(
    "[天日周月年期拜号早晚晨夜近昨今明节第前后末阵时点:/]|\\d{4}|ago|day|tomorrow|tonight|week|month|year"
    "|night|recent|late|past|next|last"
    "|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|fall|winter|morning|evening|afternoon"
)
_GAP = re.compile("(?:的|[ ,]*(?:at |on |in |around )?)")
_TO = re.compile(" ?(?:到|至|-|~|直到|一直到|and|to|until|till|through|和(?=.{1,12}之间)) ?")
_ORDER = {name: order for order, name in enumerate(("minute", "hour", "part", "day", "week", "month", "season", "year", "vague"))}


@dataclass(frozen=True)
class TimeSpan:
    """A half-open stretch [start, end) of time that a text names, `words` being its literal words there.

    precision: minute, part (of a day), day, week, month, season, year or vague. `place` is where the words stand in the
    folded text, half-open.
    """

    start: datetime
    end: datetime
    words: str
    precision: str
    place: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class _Named:
    """Days named at a place of the folded text, with the time of day where one is named beside them."""

    start: int
    end: int
    days: Days
    span: dict | None = None


def find_times(text: str, at: datetime, zone: str, *, lean: str = "") -> list[TimeSpan]:
    """The times a text names, in order. `at` is aware: the moment it was written; `zone` the IANA zone of its writer.

    `lean` says where days without a year or week lie: "past", "future", or "" for the nearest. Times of day without a day
    (早上六点) are not among them: they are habits more often than moments; `values.clock` reads those.
    """
    return find_in(align(text[:LONGEST]), at, zone, lean=lean)


def find_in(folded: Folded, at: datetime, zone: str, *, lean: str = "") -> list[TimeSpan]:
    """`find_times` for a text that is folded already."""
    if not _HINT.search(folded.text):
        return []
    place = _zone(zone)
    today = Today(at.astimezone(place).date(), lean)
    named = _join_ranges(folded.text, _with_clocks(folded.text, _days(folded.text, today)))
    return [_span(folded, item, place) for item in named]


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo | type[UTC]:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC


def _days(text: str, today: Today) -> list[_Named]:
    found: list[_Named] = []
    for pattern, read in RULES:
        for match in pattern.finditer(text):
            days = _read(read, match, today)
            if days and days.start < days.end:
                found.append(_Named(match.start(), match.end(), days))
    return _longest(found)


def _read(read, match: re.Match, today: Today) -> Days | None:
    """A day that no calendar has (2月30日) names nothing."""
    try:
        return read(match, today)
    except (ValueError, OverflowError, KeyError):
        return None


def _longest(found: list[_Named]) -> list[_Named]:
    kept: list[_Named] = []
    for item in sorted(found, key=lambda item: (item.start, -item.end)):
        if not kept or item.start >= kept[-1].end:
            kept.append(item)
        elif item.end - item.start > kept[-1].end - kept[-1].start:
            kept[-1] = item
    return kept


def _with_clocks(text: str, named: list[_Named]) -> list[_Named]:
    if not named:
        return []
    clocks = clock.find(text, "day")
    result = []
    for item in named:
        if item.days.precision == "day" and (item.days.end - item.days.start).days == 1:
            item = _with_clock(text, item, clocks)
        result.append(item)
    return result


def _with_clock(text: str, item: _Named, clocks: list) -> _Named:
    for start, end, span in clocks:
        follows = end > item.end and item.start <= start and (start <= item.end or _GAP.fullmatch(text[item.end : start]))
        leads = start < item.start and text[end : item.start] in (" ", " on ") and text[start : start + 1].isascii()
        within = item.start <= start and end <= item.end
        if follows or leads or within:
            return _Named(min(start, item.start), max(end, item.end), item.days, _afternoon(text[start:end], span))
    return item


def _afternoon(words: str, span: dict) -> dict:
    """明天三点 is in the afternoon unless the words say otherwise: nobody meets at three in the morning."""
    bare = re.match(r"(?:at )?(?:\d{1,2}|[一二三四五六两])(?:点|:\d\d|$)", words)
    if bare and span["from"] < 360 and "part" not in span:
        return {**span, "from": span["from"] + 720, "to": span["to"] + 720}
    return span


def _join_ranges(text: str, named: list[_Named]) -> list[_Named]:
    joined: list[_Named] = []
    for item in named:
        if joined and _TO.fullmatch(text[joined[-1].end : item.start]) and item.days.end > joined[-1].days.start:
            first = joined[-1]
            precision = max(first.days.precision, item.days.precision, key=_ORDER.get)
            joined[-1] = _Named(first.start, item.end, Days(first.days.start, item.days.end, precision))
        else:
            joined.append(item)
    return joined


def _span(folded: Folded, item: _Named, zone) -> TimeSpan:
    words, place = folded.quote(item.start, item.end), (item.start, item.end)
    if item.span is None:
        return TimeSpan(_midnight(item.days.start, zone), _midnight(item.days.end, zone), words, item.days.precision, place)
    start = _moment(item.days.start, item.span["from"], zone)
    if item.span["from"] == item.span["to"]:
        return TimeSpan(start, start + timedelta(minutes=1), words, "minute", place)
    precision = "part" if "part" in item.span else "hour"
    return TimeSpan(start, _moment(item.days.start, item.span["to"], zone), words, precision, place)


def _midnight(day: date, zone) -> datetime:
    return datetime.combine(day, clock_time(), zone)


def _moment(day: date, minute: int, zone) -> datetime:
    extra, minute = divmod(minute, clock.DAY)
    return datetime.combine(day + timedelta(days=extra), clock_time(minute // 60, minute % 60), zone)
