"""What a name of days means, and the arithmetic that the names of both languages share."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from chat.memory import numerals

SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12, "spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_UNIT_DAYS = {"day": 1, "week": 7, "fortnight": 14, "天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7}


@dataclass(frozen=True)
class Days:
    """A half-open stretch of days and how exactly it was named."""

    start: date
    end: date
    precision: str  # day, week, month, season, year, vague


@dataclass(frozen=True)
class Today:
    """The day a text was written, and where its undated days lie: "past", "future" or "" (the nearest)."""

    day: date
    lean: str = ""


def one(day: date) -> Days:
    return Days(day, day + timedelta(days=1), "day")


def add_months(day: date, months: int) -> date:
    """The same day of another month, or its last day where that month is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    for last in (day.day, 30, 29, 28):
        try:
            return date(year, month + 1, last)
        except ValueError:
            continue
    raise ValueError(f"no such month: {year}-{month + 1}")


def month_of(year: int, month: int) -> Days:
    first = date(year, month, 1)
    return Days(first, add_months(first, 1), "month")


def part_of(days: Days, part: str | None) -> Days:
    if not part:
        return days
    length = (days.end - days.start).days
    cut = {"初": (0, 1 / 3), "上旬": (0, 1 / 3), "中": (1 / 3, 2 / 3), "中旬": (1 / 3, 2 / 3), "末": (2 / 3, 1), "底": (2 / 3, 1), "下旬": (2 / 3, 1)}
    cut |= {"early": cut["初"], "mid": cut["中"], "late": cut["底"], "上半": (0, 0.5), "下半": (0.5, 1)}
    low, high = cut[part.strip(" -")]
    start = days.start + timedelta(days=round(length * low))
    return Days(start, days.start + timedelta(days=round(length * high)), days.precision)


def choose_year(today: Today, month: int, day: int) -> int:
    """The year of a day without one: the nearest, unless the text leans to the past or the future."""
    year = today.day.year
    away = (date(year, month, min(day, 28)) - today.day).days
    if today.lean == "past" and away > 1:
        return year - 1
    if today.lean == "future" and away < -1:
        return year + 1
    return year - 1 if away > 183 else year + 1 if away < -270 else year


def shifted(today: date, count: float, unit: str) -> Days:
    """The day, week, month or year that lies `count` units away."""
    if unit in ("年", "year"):
        months = round(count * 12)
        if count != int(count):
            return Days(add_months(today, months) - timedelta(days=15), add_months(today, months) + timedelta(days=16), "month")
        start = add_months(today, months)
        return Days(add_months(start, -2), add_months(start, 2), "year")
    if unit in ("月", "个月", "month"):
        day = add_months(today, round(count)) if count == int(count) else today + timedelta(days=round(count * 30.4))
        return Days(day - timedelta(days=7), day + timedelta(days=8), "month")
    days = round(count * _UNIT_DAYS[unit])
    day = today + timedelta(days=days)
    if unit in ("week", "fortnight", "周", "星期", "礼拜"):
        return Days(day - timedelta(days=2), day + timedelta(days=3), "week") if abs(count) > 1 else one(day)
    return one(day)


# Names that both languages build alike.


def few_days(m: re.Match, today: Today) -> Days:
    words = m[0]
    if words.startswith(("这", "近", "these")):
        return Days(today.day - timedelta(days=7), today.day + timedelta(days=1), "vague")
    if "阵" in words or "段" in words or words.startswith("不久"):
        return Days(today.day - timedelta(days=45), today.day - timedelta(days=5), "vague")
    return Days(today.day - timedelta(days=7), today.day - timedelta(days=1), "vague")


def recently(m: re.Match, today: Today) -> Days:
    return Days(today.day - timedelta(days=14), today.day + timedelta(days=1), "vague")


def last_n(m: re.Match, today: Today) -> Days | None:
    count, unit = numerals.parse(m["n"] or "1"), m["unit"]
    if count is None:
        return None
    if unit in ("年", "year"):
        start = add_months(today.day, -round(count * 12))
    elif unit in ("月", "个月", "month"):
        start = add_months(today.day, -round(count)) if count >= 1 else today.day - timedelta(days=15)
    else:
        start = today.day - timedelta(days=round(count * _UNIT_DAYS[unit.removeprefix("个")]))
    return Days(start, today.day + timedelta(days=1), "vague")


def nth_day(m: re.Match, today: Today) -> Days | None:
    nth = numerals.parse(m["n"])
    return one(today.day - timedelta(days=int(nth) - 1)) if nth else None


Rule = tuple[re.Pattern, Callable[[re.Match, Today], Days | None]]
