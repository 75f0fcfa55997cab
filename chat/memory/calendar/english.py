"""Days by their English names: yesterday, last Wednesday, in May 2023, three weeks ago."""

import re
from datetime import date, timedelta

from chat.memory import numerals
from chat.memory.calendar.naming import (
    SEASONS,
    Days,
    Rule,
    Today,
    add_months,
    choose_year,
    few_days,
    last_n,
    month_of,
    nth_day,
    one,
    part_of,
    recently,
    shifted,
)

_EN = numerals.EN
_EN_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_EN_MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]
_WEEKDAY_EN = r"(?P<weekday>monday|tues(?:day)?|wednesday|thurs(?:day)?|friday|saturday|sunday)s?\b"
_MONTH_EN = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
_EN_UNIT = "(?P<unit>day|week|fortnight|month|year)s?"
_MONTH_AHEAD = re.compile(r"(?:in|since|until|till|by|of|from|to|during|before|after|and) $")


def _us_date(m: re.Match, today: Today) -> Days:
    return one(date(int(m["y"]), int(m["m"]), int(m["d"])))


def _en_day(m: re.Match, today: Today) -> Days:
    words = {"day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "tomorrow": 1, "day after tomorrow": 2}
    return one(today.day + timedelta(days=words.get(m["word"].removeprefix("the "), 0)))


def _en_weekday(m: re.Match, today: Today) -> Days:
    index = next(i for i, name in enumerate(_EN_WEEKDAYS) if name.startswith(m["weekday"][:3]))
    away = index - today.day.weekday()
    if m["which"] == "last" or (not m["which"] and today.lean == "past"):
        away -= 7 if away >= 0 else 0
    elif m["which"] in ("next", "this coming") or today.lean == "future":
        away += 7 if away <= 0 else 0
    return one(today.day + timedelta(days=away))


def _en_period(m: re.Match, today: Today) -> Days:
    shift = {"last": -1, "this": 0, "next": 1, "previous": -1}[m["which"]]
    unit = m["unit"]
    if unit in ("week", "weekend"):
        monday = today.day - timedelta(days=today.day.weekday() - 7 * shift)
        if unit == "weekend":
            return Days(monday + timedelta(days=5), monday + timedelta(days=7), "day")
        return Days(monday, monday + timedelta(days=7), "week")
    if unit == "month":
        first = add_months(today.day.replace(day=1), shift)
        return month_of(first.year, first.month)
    if unit == "year":
        return Days(date(today.day.year + shift, 1, 1), date(today.day.year + shift + 1, 1, 1), "year")
    start = date(today.day.year, SEASONS[unit], 1)
    if shift == -1 and add_months(start, 3) > today.day:
        start = date(start.year - 1, start.month, 1)
    if shift == 1 and start <= today.day:
        start = date(start.year + 1, start.month, 1)
    return Days(start, add_months(start, 3), "season")


def _en_month(m: re.Match, today: Today) -> Days | None:
    said_exactly = m["day"] or m["day2"] or m["year"] or m["which"] or m["part"]
    if not said_exactly and not _MONTH_AHEAD.search(m.string[max(0, m.start() - 8) : m.start()]):
        return None  # may and march are verbs too
    month = next(i for i, name in enumerate(_EN_MONTHS, 1) if name.startswith(m["month"][:3]))
    day = int(m["day"] or m["day2"] or 0)
    if m["year"]:
        year = int(m["year"])
    elif m["which"]:
        year = today.day.year + {"last": -1 if month >= today.day.month else 0, "next": 1 if month <= today.day.month else 0, "this": 0}[m["which"]]
    else:
        year = choose_year(today, month, day or 15)
    return one(date(year, month, day)) if day else part_of(month_of(year, month), m["part"])


def _en_year(m: re.Match, today: Today) -> Days:
    year = int(m["year"])
    if m["season"]:
        start = date(year, SEASONS[m["season"]], 1)
        return Days(start, add_months(start, 3), "season")
    return Days(date(year, 1, 1), date(year + 1, 1, 1), "year")


def _en_ago(m: re.Match, today: Today) -> Days | None:
    count = {"a few": 3, "several": 4, "the other": 2}.get(m["n"]) or numerals.parse(m["n"])
    if count is None:
        return None
    if m["half"] or m["half2"]:
        count += 0.5
    return shifted(today.day, count if m["ahead"] or m["later"] else -count, m["unit"])


def _en_nth(m: re.Match, today: Today) -> Days | None:
    """the 3rd of last month; on the 3rd: of the month that lies nearest on the side the sentence leans to."""
    day, shift = int(m["day"]), {"last": -1, "this": 0, "next": 1}.get(m["which"])
    if shift is None:
        ahead = day < today.day.day if today.lean == "future" else False
        back = day > today.day.day if today.lean == "past" else False
        shift = 1 if ahead else -1 if back else 0
    first = add_months(today.day.replace(day=1), shift)
    try:
        return one(first.replace(day=day))
    except ValueError:
        return None


RULES: list[Rule] = [
    (re.compile(
        r"\b(?:on |since |from |until |by )the (?P<day>3[01]|[12]\d|[1-9])(?:st|nd|rd"
        r"|th)(?: of (?P<which>this|last|next) month)?(?= |$|[,.;!?])"
        r"(?! (?:of|floor|day|time|attempt|try|chapter|century))"
    ), _en_nth),
    (re.compile(r"(?<![\d/])(?P<m>0?[1-9]|1[0-2])/(?P<d>3[01]|[12]\d|0?[1-9])/(?P<y>20\d{2})(?!\d)"), _us_date),
    (re.compile(rf"(?:in|over|during|for) the (?:last|past) (?P<n>{_EN})? ?{_EN_UNIT}"), last_n),
    (re.compile(
        r"\b(?P<word>(?:the )?day before yesterday|yesterday|last night|today|tonight"
        r"|(?:the )?day after tomorrow|tomorrow|this (?=morning|afternoon|evening))"
    ), _en_day),
    (re.compile(rf"\b(?:on )?(?:(?P<which>last|this coming|this|next) )?{_WEEKDAY_EN}"), _en_weekday),
    (re.compile(
        r"\b(?P<which>last|this|next|previous) (?P<unit>weekend|week|month|year|spring|summer|autumn|fall"
        r"|winter)\b"
    ), _en_period),
    (re.compile(
        r"\b(?:(?P<which>last|this|next) )?(?P<part>early |mid-?"
        rf"|late )?(?:(?P<day2>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?)?{_MONTH_EN}(?: (?P<day>3[01]|[12]\d"
        rf"|[1-9])(?:st|nd|rd|th)?(?!\d))?(?:,? (?P<year>(?:19|20)\d{{2}}))?"
    ), _en_month),
    (re.compile(
        r"\b(?:(?:in|since|during|back in) )?(?:the )?(?:(?P<season>spring|summer|autumn|fall"
        r"|winter) (?:of |in )?)?(?<!\d)(?P<year>(?:19|20)\d{2})\b(?![-/.年]\d?)"
    ), _en_year),
    (re.compile(
        rf"\b(?:about |around |roughly )?(?P<ahead>in )?(?P<n>{_EN}|several"
        rf"|the other)(?P<half> and a half)? {_EN_UNIT}(?P<half2> and a half)?(?(ahead)(?:'? time)?"
        r"| (?:ago|before|earlier|back|(?P<later>from now|later)))"
    ), _en_ago),
    (re.compile("the other day|a few days ago|these (?:past )?(?:few )?days"), few_days),
    (re.compile("recently|lately|of late"), recently),
    (re.compile(r"\bday (?P<n>\d{1,4})\b"), nth_day),
]
