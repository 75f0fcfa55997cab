"""Days by their Chinese names: 昨天, 上周三, 去年夏天, 三天前, 8月20日."""

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

_N = numerals.ZH
_D = "(?:\\d{1,2}|三十一?|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|初?[一二三四五六七八九]|初十)"
_WEEKDAY = {char: day for day, char in enumerate("一二三四五六日")} | {"天": 6, **{str(n + 1): n for n in range(7)}}
_DAY_WORDS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "当": 0, "明": 1, "后": 2, "大后": 3}
_YEAR_WORDS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "本年": 0, "明年": 1, "后年": 2}
_YEARS = "(?P<named>大前年|前年|去年|今年|本年|明年|后年)"
_PARTS = "上旬|中旬|下旬|初|中|末|底"


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
        return part_of(Days(start, date(year + 1, 1, 1), "year"), m["yearpart"])
    year = year if year is not None else choose_year(today, month, day or 15)
    return one(date(year, month, day)) if day else part_of(month_of(year, month), m["monthpart"])


def _iso(m: re.Match, today: Today) -> Days:
    if m["d"] is None:
        return month_of(int(m["y"]), int(m["m"]))
    return one(date(int(m["y"]), int(m["m"]), int(m["d"])))


def _day_of_month(m: re.Match, today: Today) -> Days:
    day = date(today.day.year, today.day.month, _number(m["d"]))
    if today.lean == "past" and day > today.day:
        day = add_months(day, -1)
    elif today.lean == "future" and day < today.day:
        day = add_months(day, 1)
    return one(day)


def _day_word(m: re.Match, today: Today) -> Days:
    return one(today.day + timedelta(days=_DAY_WORDS[m["which"]]))


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
    return one(day)


def _lean_week(day: date, today: Today) -> int:
    if today.lean == "past" and day > today.day:
        return -7
    return 7 if today.lean == "future" and day < today.day else 0


def _year_end(m: re.Match, today: Today) -> Days:
    year = today.day.year
    return part_of(Days(date(year, 1, 1), date(year + 1, 1, 1), "year"), m["part"])


def _this_month(m: re.Match, today: Today) -> Days:
    steps = m["steps"]
    shift = steps.count("下") - steps.count("上")
    first = add_months(today.day.replace(day=1), shift)
    day = _number(m["day"])
    return one(first.replace(day=day)) if day else part_of(month_of(first.year, first.month), m["monthpart"])


def _season(m: re.Match, today: Today) -> Days:
    shift = _YEAR_WORDS.get(m["named"] or "", 0)
    year = _full_year(m["year"]) if m["year"] else today.day.year + shift
    start = date(year, SEASONS[m["season"]], 1)
    if not (m["named"] or m["year"]) and start > today.day and today.lean != "future":
        start = date(year - 1, start.month, 1)
    return Days(start, add_months(start, 3), "season")


def _ago(m: re.Match, today: Today) -> Days | None:
    count = 0.5 if m["n"] == "半" else numerals.parse(m["n"])
    if count is None:
        return None
    if m["half"]:
        count += 0.5
    sign = 1 if m["dir"].endswith("后") else -1
    return shifted(today.day, sign * count, m["unit"].removeprefix("个") if m["unit"] != "个月" else "月")


def _holiday(m: re.Match, today: Today) -> Days:
    month, day, length = {"国庆": (10, 1, 7), "十一": (10, 1, 7), "元旦": (1, 1, 1), "五一": (5, 1, 5), "劳动": (5, 1, 5), "圣诞": (12, 25, 1)}[m["feast"]]
    year = today.day.year + _YEAR_WORDS[m["named"]] if m["named"] else choose_year(today, month, day)
    start = date(year, month, day)
    return Days(start, start + timedelta(days=length), "day")


RULES: list[Rule] = [
    (
        re.compile(
            rf"(?:(?P<year>\d{{4}}|\d{{2}}|[零〇一二三四五六七八九]{{4}}|[零〇一二三四五六七八九]{{2}})年|{_YEARS}的?)"
            rf"(?:(?P<month>\d{{1,2}}|十[一二]?|[一二三四五六七八九正])月(?:份?(?P<monthpart>{_PARTS})"
            rf"|(?P<day>{_D})(?:日|号)?|份)?|年?(?P<yearpart>初|中|底|末|上半|下半)(?:年)?)?"
        ),
        _absolute,
    ),
    (
        re.compile(
            rf"(?P<year>(?!))?(?P<named>(?!))?(?P<yearpart>(?!))?(?<![\d个])(?P<month>\d{{1,2}}|十[一二]?"
            rf"|[一二三四五六七八九])月(?:份?(?P<monthpart>{_PARTS})|(?P<day>{_D})(?:日|号)?|份)?"
        ),
        _absolute,
    ),
    (re.compile(r"(?<!\d)(?P<y>(?:19|20)\d{2})[-/.](?P<m>0?[1-9]|1[0-2])(?:[-/.](?P<d>3[01]|[12]\d|0?[1-9]))?(?![\d-])"), _iso),
    (re.compile(rf"(?<![\d月第])(?P<d>{_D})号(?![线楼院门])"), _day_of_month),
    (re.compile("(?P<which>大前|大后|前|昨|今|当|明|后)(?:天|儿个?|日(?=$|[^本]))"), _day_word),
    (re.compile("(?P<which>昨|今|明|前)(?=早|晚|晨|夜)"), _day_word),
    (re.compile("(?<![去今明前后一二两三四五六七八九十\\d])年(?P<part>初|中|底|末)"), _year_end),
    (re.compile(
        "(?P<steps>上+个?|下+个?|这个?|本)?(?:周|星期|礼拜)(?P<which>[一二三四五六日天末1-7](?!次|回|遍|天|个"
        "|到两))(?!年)"
    ), _week),
    (re.compile("(?P<steps>上+个?|下+个?|这个?|本)(?:周|星期|礼拜)(?P<which>(?!))?"), _week),
    (re.compile(rf"(?P<steps>上+个?|下+个?|这个|本|当)月(?:(?P<day>{_D})(?:日|号)|(?P<monthpart>{_PARTS}))?"), _this_month),
    (re.compile(rf"(?:{_YEARS}|(?P<year>\d{{4}})年)?的?(?P<season>[春夏秋冬])(?:天|季)"), _season),
    (re.compile(
        rf"(?:大概|大约|约|差不多)?(?P<n>{_N})个?(?P<more>多|来)?(?P<unit>天|日|周|个?星期|个?礼拜|个?月"
        r"|年)(?P<half>半)?多?(?P<dir>前|之前|以前|后|之后|以后)(?!天|年)"
    ), _ago),
    (re.compile(rf"(?P<n>{_N})个?半?(?:分钟|小时|钟头)(?:以|之)?后(?!来|面)"), lambda _match, today: one(today.day)),
    (re.compile("(?:前|这|近)(?:几|两|些)天|前(?:一)?(?:阵子|段时间|段日子)|不久前|几天前"), few_days),
    (re.compile("最近(?!一[周个月年])(?![两三四五六七八九几\\d])|近来|近期|近日|这阵子|这段时间|这段日子"), recently),
    (re.compile(rf"(?:最近|近|过去|这)(?:的)?(?P<n>{_N})个?(?P<unit>天|周|星期|礼拜|月|年)(?:以?来|里|内)?"), last_n),
    (re.compile(rf"第(?P<n>{_N})[天日](?!开始)"), nth_day),
    (re.compile(f"{_YEARS}?(?P<feast>国庆|十一(?=假|放假|期间|长假)|元旦|五一|劳动|圣诞)节?(?:假期|长假|期间)?"), _holiday),
]
