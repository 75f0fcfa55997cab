"""Dates by name: each rule reads one way of naming a stretch of days, against a day that counts as today."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from chat.memory import numerals

_N, _EN = numerals.ZH, numerals.EN
_D = "(?:\\d{1,2}|三十一?|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|初?[一二三四五六七八九]|初十)"
_WEEKDAY = {char: day for day, char in enumerate("一二三四五六日")} | {"天": 6, **{str(n + 1): n for n in range(7)}}
_EN_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_EN_MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]
_WEEKDAY_EN = r"(?P<weekday>monday|tues(?:day)?|wednesday|thurs(?:day)?|friday|saturday|sunday)s?\b"
_MONTH_EN = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
_SEASON = {"春": 3, "夏": 6, "秋": 9, "冬": 12, "spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_DAY_WORDS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "当": 0, "明": 1, "后": 2, "大后": 3}
_YEAR_WORDS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "本年": 0, "明年": 1, "后年": 2}
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


def _one(day: date) -> Days:
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


def _month(year: int, month: int) -> Days:
    first = date(year, month, 1)
    return Days(first, add_months(first, 1), "month")


def _part_of(days: Days, part: str | None) -> Days:
    if not part:
        return days
    length = (days.end - days.start).days
    cut = {"初": (0, 1 / 3), "上旬": (0, 1 / 3), "中": (1 / 3, 2 / 3), "中旬": (1 / 3, 2 / 3), "末": (2 / 3, 1), "底": (2 / 3, 1), "下旬": (2 / 3, 1)}
    cut |= {"early": cut["初"], "mid": cut["中"], "late": cut["底"], "上半": (0, 0.5), "下半": (0.5, 1)}
    low, high = cut[part.strip(" -")]
    start = days.start + timedelta(days=round(length * low))
    return Days(start, days.start + timedelta(days=round(length * high)), days.precision)


def _choose_year(today: Today, month: int, day: int) -> int:
    """The year of a day without one: the nearest, unless the text leans to the past or the future."""
    year = today.day.year
    away = (date(year, month, min(day, 28)) - today.day).days
    if today.lean == "past" and away > 1:
        return year - 1
    if today.lean == "future" and away < -1:
        return year + 1
    return year - 1 if away > 183 else year + 1 if away < -270 else year


def _number(words: str | None) -> int | None:
    value = numerals.parse(words) if words else None
    return int(value) if value is not None else None


def _full_year(words: str) -> int:
    year = _number(words)
    return year if year > 99 else year + (2000 if year < 50 else 1900)


def _absolute(m: re.Match, today: Today) -> Days:
    year = _full_year(m["year"]) if m["year"] else today.day.year + _YEAR_WORDS[m["named"]] if m["named"] else None
    month, day = _number(m["month"]), _number(m["day"])
    if month is None:
        start = date(year, 1, 1)
        return _part_of(Days(start, date(year + 1, 1, 1), "year"), m["yearpart"])
    year = year if year is not None else _choose_year(today, month, day or 15)
    return _one(date(year, month, day)) if day else _part_of(_month(year, month), m["monthpart"])


def _iso(m: re.Match, today: Today) -> Days:
    if m["d"] is None:
        return _month(int(m["y"]), int(m["m"]))
    return _one(date(int(m["y"]), int(m["m"]), int(m["d"])))


def _day_of_month(m: re.Match, today: Today) -> Days:
    day = date(today.day.year, today.day.month, _number(m["d"]))
    if today.lean == "past" and day > today.day:
        day = add_months(day, -1)
    elif today.lean == "future" and day < today.day:
        day = add_months(day, 1)
    return _one(day)


def _day_word(m: re.Match, today: Today) -> Days:
    return _one(today.day + timedelta(days=_DAY_WORDS[m["which"]]))


def _week(m: re.Match, today: Today) -> Days:
    steps = m["steps"] or ""
    shift = steps.count("下") - steps.count("上")
    monday = today.day - timedelta(days=today.day.weekday() - 7 * shift)
    which = m["which"]
    if which == "末":
        return Days(monday + timedelta(days=5), monday + timedelta(days=7), "day")
    if which is None:
        return Days(monday, monday + timedelta(days=7), "week")
    day = monday + timedelta(days=_WEEKDAY[which])
    if not steps:
        day += timedelta(days=_lean_week(day, today))
    return _one(day)


def _lean_week(day: date, today: Today) -> int:
    if today.lean == "past" and day > today.day:
        return -7
    return 7 if today.lean == "future" and day < today.day else 0


def _year_end(m: re.Match, today: Today) -> Days:
    year = today.day.year
    return _part_of(Days(date(year, 1, 1), date(year + 1, 1, 1), "year"), m["part"])


def _this_month(m: re.Match, today: Today) -> Days:
    steps = m["steps"]
    shift = steps.count("下") - steps.count("上")
    first = add_months(today.day.replace(day=1), shift)
    day = _number(m["day"])
    return _one(first.replace(day=day)) if day else _part_of(_month(first.year, first.month), m["monthpart"])


def _season(m: re.Match, today: Today) -> Days:
    shift = _YEAR_WORDS.get(m["named"] or "", 0)
    year = _full_year(m["year"]) if m["year"] else today.day.year + shift
    start = date(year, _SEASON[m["season"]], 1)
    if not (m["named"] or m["year"]) and start > today.day and today.lean != "future":
        start = date(year - 1, start.month, 1)
    return Days(start, add_months(start, 3), "season")


def _shift(today: date, count: float, unit: str) -> Days:
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
        return Days(day - timedelta(days=2), day + timedelta(days=3), "week") if abs(count) > 1 else _one(day)
    return _one(day)


def _ago(m: re.Match, today: Today) -> Days | None:
    count = 0.5 if m["n"] == "半" else numerals.parse(m["n"])
    if count is None:
        return None
    if m["half"]:
        count += 0.5
    sign = 1 if m["dir"].endswith("后") else -1
    return _shift(today.day, sign * count, m["unit"].removeprefix("个") if m["unit"] != "个月" else "月")


def _few_days(m: re.Match, today: Today) -> Days:
    words = m[0]
    if words.startswith(("这", "近", "these")):
        return Days(today.day - timedelta(days=7), today.day + timedelta(days=1), "vague")
    if "阵" in words or "段" in words or words.startswith("不久"):
        return Days(today.day - timedelta(days=45), today.day - timedelta(days=5), "vague")
    return Days(today.day - timedelta(days=7), today.day - timedelta(days=1), "vague")


def _recently(m: re.Match, today: Today) -> Days:
    return Days(today.day - timedelta(days=14), today.day + timedelta(days=1), "vague")


def _last_n(m: re.Match, today: Today) -> Days | None:
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


def _nth_day(m: re.Match, today: Today) -> Days | None:
    nth = _number(m["n"])
    return _one(today.day - timedelta(days=nth - 1)) if nth else None


def _holiday(m: re.Match, today: Today) -> Days:
    month, day, length = {"国庆": (10, 1, 7), "十一": (10, 1, 7), "元旦": (1, 1, 1), "五一": (5, 1, 5), "劳动": (5, 1, 5), "圣诞": (12, 25, 1)}[m["feast"]]
    year = today.day.year + _YEAR_WORDS[m["named"]] if m["named"] else _choose_year(today, month, day)
    start = date(year, month, day)
    return Days(start, start + timedelta(days=length), "day")


def _en_day(m: re.Match, today: Today) -> Days:
    words = {"day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "tomorrow": 1, "day after tomorrow": 2}
    return _one(today.day + timedelta(days=words.get(m["word"].removeprefix("the "), 0)))


def _en_weekday(m: re.Match, today: Today) -> Days:
    index = next(i for i, name in enumerate(_EN_WEEKDAYS) if name.startswith(m["weekday"][:3]))
    away = index - today.day.weekday()
    if m["which"] == "last" or (not m["which"] and today.lean == "past"):
        away -= 7 if away >= 0 else 0
    elif m["which"] in ("next", "this coming") or today.lean == "future":
        away += 7 if away <= 0 else 0
    return _one(today.day + timedelta(days=away))


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
        return _month(first.year, first.month)
    if unit == "year":
        return Days(date(today.day.year + shift, 1, 1), date(today.day.year + shift + 1, 1, 1), "year")
    start = date(today.day.year, _SEASON[unit], 1)
    if shift == -1 and add_months(start, 3) > today.day:
        start = date(start.year - 1, start.month, 1)
    if shift == 1 and start <= today.day:
        start = date(start.year + 1, start.month, 1)
    return Days(start, add_months(start, 3), "season")


_MONTH_AHEAD = re.compile(r"(?:in|since|until|till|by|of|from|to|during|before|after|and) $")


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
        year = _choose_year(today, month, day or 15)
    return _one(date(year, month, day)) if day else _part_of(_month(year, month), m["part"])


def _en_year(m: re.Match, today: Today) -> Days:
    year = int(m["year"])
    if m["season"]:
        start = date(year, _SEASON[m["season"]], 1)
        return Days(start, add_months(start, 3), "season")
    return Days(date(year, 1, 1), date(year + 1, 1, 1), "year")


def _en_ago(m: re.Match, today: Today) -> Days | None:
    count = {"a few": 3, "several": 4, "the other": 2}.get(m["n"]) or numerals.parse(m["n"])
    if count is None:
        return None
    if m["half"] or m["half2"]:
        count += 0.5
    return _shift(today.day, count if m["ahead"] or m["later"] else -count, m["unit"])


def _us_date(m: re.Match, today: Today) -> Days:
    return _one(date(int(m["y"]), int(m["m"]), int(m["d"])))


Rule = tuple[re.Pattern, Callable[[re.Match, Today], Days | None]]
_YEARS = "(?P<named>大前年|前年|去年|今年|本年|明年|后年)"
_PARTS = "上旬|中旬|下旬|初|中|末|底"
_EN_UNIT = "(?P<unit>day|week|fortnight|month|year)s?"
RULES: list[Rule] = [
    (
        re.compile(
            rf"(?:(?P<year>\d{{4}}|\d{{2}}|[零〇一二三四五六七八九]{{4}}|[零〇一二三四五六七八九]{{2}})年|{_YEARS}的?)"
            rf"(?:(?P<month>\d{{1,2}}|十[一二]?|[一二三四五六七八九正])月(?:份?(?P<monthpart>{_PARTS})|(?P<day>{_D})(?:日|号)?|份)?|年?(?P<yearpart>初|中|底|末|上半|下半)(?:年)?)?"
        ),
        _absolute,
    ),
    (
        re.compile(
            rf"(?P<year>(?!))?(?P<named>(?!))?(?P<yearpart>(?!))?(?<![\d个])(?P<month>\d{{1,2}}|十[一二]?|[一二三四五六七八九])月(?:份?(?P<monthpart>{_PARTS})|(?P<day>{_D})(?:日|号)?|份)?"
        ),
        _absolute,
    ),
    (re.compile(r"(?<!\d)(?P<y>(?:19|20)\d{2})[-/.](?P<m>0?[1-9]|1[0-2])(?:[-/.](?P<d>3[01]|[12]\d|0?[1-9]))?(?![\d-])"), _iso),
    (re.compile(r"(?<![\d/])(?P<m>0?[1-9]|1[0-2])/(?P<d>3[01]|[12]\d|0?[1-9])/(?P<y>20\d{2})(?!\d)"), _us_date),
    (re.compile(rf"(?<![\d月第])(?P<d>{_D})号(?![线楼院门])"), _day_of_month),
    (re.compile("(?P<which>大前|大后|前|昨|今|当|明|后)(?:天|儿个?|日(?=$|[^本]))"), _day_word),
    (re.compile("(?P<which>昨|今|明|前)(?=早|晚|晨|夜)"), _day_word),
    (re.compile("(?<![去今明前后一二两三四五六七八九十\\d])年(?P<part>初|中|底|末)"), _year_end),
    (re.compile("(?P<steps>上+个?|下+个?|这个?|本)?(?:周|星期|礼拜)(?P<which>[一二三四五六日天末1-7](?!次|回|遍|天|个|到两))(?!年)"), _week),
    (re.compile("(?P<steps>上+个?|下+个?|这个?|本)(?:周|星期|礼拜)(?P<which>(?!))?"), _week),
    (re.compile(rf"(?P<steps>上+个?|下+个?|这个|本|当)月(?:(?P<day>{_D})(?:日|号)|(?P<monthpart>{_PARTS}))?"), _this_month),
    (re.compile(rf"(?:{_YEARS}|(?P<year>\d{{4}})年)?的?(?P<season>[春夏秋冬])(?:天|季)"), _season),
    (re.compile(rf"(?:大概|大约|约|差不多)?(?P<n>{_N})个?(?P<more>多|来)?(?P<unit>天|日|周|个?星期|个?礼拜|个?月|年)(?P<half>半)?多?(?P<dir>前|之前|以前|后|之后|以后)(?!天|年)"), _ago),
    (re.compile(rf"(?P<n>{_N})个?半?(?:分钟|小时|钟头)(?:以|之)?后(?!来|面)"), lambda m, t: _one(t.day)),
    (re.compile("(?:前|这|近)(?:几|两|些)天|前(?:一)?(?:阵子|段时间|段日子)|不久前|几天前|the other day|a few days ago|these (?:past )?(?:few )?days"), _few_days),
    (re.compile("最近(?!一[周个月年])(?![两三四五六七八九几\\d])|近来|近期|近日|这阵子|这段时间|这段日子|recently|lately|of late"), _recently),
    (re.compile(rf"(?:最近|近|过去|这)(?:的)?(?P<n>{_N})个?(?P<unit>天|周|星期|礼拜|月|年)(?:以?来|里|内)?"), _last_n),
    (re.compile(rf"(?:in|over|during|for) the (?:last|past) (?P<n>{_EN})? ?{_EN_UNIT}"), _last_n),
    (re.compile(rf"第(?P<n>{_N})[天日](?!开始)|\bday (?P<n2>\d{{1,4}})\b"), lambda m, t: _nth_day(m, t) if m["n"] else _one(t.day - timedelta(days=int(m["n2"]) - 1)) if int(m["n2"]) else None),
    (re.compile(f"{_YEARS}?(?P<feast>国庆|十一(?=假|放假|期间|长假)|元旦|五一|劳动|圣诞)节?(?:假期|长假|期间)?"), _holiday),
    (re.compile(r"\b(?P<word>(?:the )?day before yesterday|yesterday|last night|today|tonight|(?:the )?day after tomorrow|tomorrow|this (?=morning|afternoon|evening))"), _en_day),
    (re.compile(rf"\b(?:on )?(?:(?P<which>last|this coming|this|next) )?{_WEEKDAY_EN}"), _en_weekday),
    (re.compile(r"\b(?P<which>last|this|next|previous) (?P<unit>weekend|week|month|year|spring|summer|autumn|fall|winter)\b"), _en_period),
    (re.compile(rf"\b(?:(?P<which>last|this|next) )?(?P<part>early |mid-?|late )?(?:(?P<day2>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?)?{_MONTH_EN}(?: (?P<day>3[01]|[12]\d|[1-9])(?:st|nd|rd|th)?(?!\d))?(?:,? (?P<year>(?:19|20)\d{{2}}))?"), _en_month),
    (re.compile(r"\b(?:(?:in|since|during|back in) )?(?:the )?(?:(?P<season>spring|summer|autumn|fall|winter) (?:of |in )?)?(?<!\d)(?P<year>(?:19|20)\d{2})\b(?![-/.年]\d?)"), _en_year),
    (re.compile(rf"\b(?:about |around |roughly )?(?P<ahead>in )?(?P<n>{_EN}|several|the other)(?P<half> and a half)? {_EN_UNIT}(?P<half2> and a half)?(?(ahead)(?:'? time)?| (?:ago|before|earlier|back|(?P<later>from now|later)))"), _en_ago),
]
