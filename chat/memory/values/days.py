"""Days and counters. A day may lack its year (--05-20) or its day (1990-05); a counter is the day it began to count."""

import re
from datetime import date, datetime, timedelta

from chat.memory import numerals, times
from chat.memory.calendar import add_months
from chat.memory.values.relation import Relation

_D = r"(?:\d{1,2}|三十一?|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|初?[一二三四五六七八九十])"
_M = r"(?:\d{1,2}|十[一二]?|[一二三四五六七八九正腊冬])"
_Y = r"(?:(?:19|20)\d{2}|\d{2}|[一二][零〇一二三四五六七八九]{3}|[零〇一二三四五六七八九]{2})"
_EN_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DATE = re.compile(
    rf"(?P<sd>\d{{1,2}})[./](?P<sm>\d{{1,2}})[./](?P<sy>(?:19|20)\d{{2}})(?!\d)"
    r"|(?P<lunar>农历|阴历|旧历|lunar )?(?:公历|阳历"
    rf"|新历)?(?:(?P<y>{_Y})(?:年|[./-])(?:的|农历|阴历)?)?(?P<m>{_M})(?:月份?|[./-])(?P<d>{_D})?(?:日"
    r"|号)?(?!分|点|个|天)"
    rf"|(?:(?P<ed1>\d{{1,2}})(?:st|nd|rd"
    rf"|th)?(?: of)? )?(?P<em>{_EN_MONTH})[a-z]*\.?(?: (?:the )?(?P<ed>\d{{1,2}})(?:st|nd|rd"
    rf"|th)?(?!\d))?(?:,? (?P<ey>(?:19|20)\d{{2}}))?"
    rf"|(?P<oy>(?:19|20)\d{{2}}(?=$|年|[^\d./-])|(?:\d{{2}}"
    rf"|[一二]?[零〇一二三四五六七八九]?[零〇一二三四五六七八九]{{2}})(?=年))年?"
)
_CONTRADICTING_FIELDS = ("year", "month", "day")
_COUNT = re.compile(
    rf"第 ?(?P<nth>{numerals.ZH}) ?[天日]|(?:\bd|\bday|(?<=[一-鿿])d(?:ay)?) ?-?(?P<dn>\d{{1,4}})(?!\d)"
    rf"|(?<![a-z])day ?(?:number )?(?P<day>\d{{1,5}})\b"
    rf"|(?P<n>{numerals.ZH}|{numerals.EN})(?P<more>多|来)?[ -]?(?P<unit>天|日(?!常)|周|个?星期|个?礼拜|个月"
    r"|年|days?|weeks?|months?|years?)(?P<half>半)?(?P<some>多)?(?!前|以前|之前| ago)"
)
_MONTHS_ZH = {"正": 1, "冬": 11, "腊": 12}


def parse(words: str, setting) -> dict | None:
    """A calendar day in the words; where there is none, the day that a relative time (昨天) names."""
    for match in _DATE.finditer(words):
        fields = _fields(match)
        if fields:
            return {"type": "date", "date": _iso(fields), **({"lunar": True} if match["lunar"] else {})}
    spans = times.find_times(words, setting.at, setting.zone)
    return {"type": "date", "date": spans[0].start.date().isoformat()} if spans else None


def _fields(match: re.Match) -> tuple[int | None, int | None, int | None] | None:
    if match["sy"]:  # 25/12/1990: the day first, as most of the world writes it, unless only the other way is a date
        day, month = int(match["sd"]), int(match["sm"])
        return _checked(int(match["sy"]), *((day, month) if month > 12 else (month, day)))
    if match["oy"]:
        year = int(numerals.parse(match["oy"]) or 0)
        return _full_year(year), None, None
    if match["em"]:
        day = match["ed1"] or match["ed"]
        year = int(match["ey"]) if match["ey"] else None
        month = _EN_MONTH.split("|").index(match["em"]) + 1
        return _checked(year, month, int(day) if day else None)
    month = _MONTHS_ZH.get(match["m"]) or numerals.parse(match["m"])
    day = numerals.parse(match["d"].removeprefix("初")) if match["d"] else None
    year = _full_year(numerals.parse(match["y"])) if match["y"] else None
    return _checked(year, month, day)


def _full_year(year: float) -> int:
    """87 is 1987, 03 is 2003."""
    return int(year) + (0 if year >= 100 else 1900 if year > 30 else 2000)


def _checked(year, month, day) -> tuple[int | None, int | None, int | None] | None:
    if month is None or not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    if day is None and year is None:
        return None
    return tuple(int(field) if field is not None else None for field in (year, month, day))


def _iso(fields: tuple) -> str:
    year, month, day = fields
    head = f"{year:04d}" if year else "-"
    return head + "".join(f"-{field:02d}" for field in (month, day) if field)


def parse_counter(words: str, setting) -> dict | None:
    """第12天, 连续30天, 三个月了, since May 1: the day that was day 1. `slack` in days, where the count was rough."""
    today = setting.today
    for match in _COUNT.finditer(words):
        start = _began(match, today)
        if start:
            return {"type": "counter", "start": start[0].isoformat(), **({"slack": start[1]} if start[1] else {})}
    spans = times.find_times(words, setting.at, setting.zone, lean="past")
    return {"type": "counter", "start": spans[0].start.date().isoformat()} if spans else None


def _began(match: re.Match, today: date) -> tuple[date, int] | None:
    nth = numerals.parse(match["nth"] or match["day"] or match["dn"] or "")
    if nth:
        return today - timedelta(days=int(nth) - 1), 0
    count = numerals.parse(match["n"] or "")
    if not count:
        return None
    count += 0.5 if match["half"] else 0
    unit, rough = match["unit"].removeprefix("个"), bool(match["more"] or match["some"])
    if unit in ("天", "日", "day", "days"):
        return today - timedelta(days=int(count) - 1), 5 if rough else 0
    if unit in ("周", "星期", "礼拜", "week", "weeks"):
        return today - timedelta(days=round(count * 7)), 3
    if unit in ("月", "month", "months"):
        return add_months(today, -int(count)) - timedelta(days=round((count % 1) * 30)), 20 if rough else 10
    return add_months(today, -round(count * 12)), 200 if rough else 60


def compare(old: dict, new: dict) -> Relation:
    """Days are the same where neither says anything else; the one that says more refines the other."""
    if old["type"] == "counter" or new["type"] == "counter":
        return _compare_counters(old, new)
    if bool(old.get("lunar")) != bool(new.get("lunar")):
        return Relation.CONTRADICTS
    before, after = _split(old["date"]), _split(new["date"])
    if any(a and b and a != b for a, b in zip(before, after, strict=True)):
        return Relation.CONTRADICTS
    return Relation.REFINES if sum(map(bool, after)) > sum(map(bool, before)) else Relation.SAME


def _compare_counters(old: dict, new: dict) -> Relation:
    starts = [date.fromisoformat(value.get("start") or value["date"]) for value in (old, new)]
    slack = 1 + old.get("slack", 0) + new.get("slack", 0)
    return Relation.SAME if abs((starts[0] - starts[1]).days) <= slack else Relation.CONTRADICTS


def _split(iso: str) -> tuple[str, str, str]:
    year, month, day = (iso.removeprefix("-").split("-") + ["", ""])[:3] if not iso.startswith("-") else ("", *(iso[2:].split("-") + [""])[:2])
    return year, month, day


def key(normalized: dict) -> str:
    if normalized["type"] == "counter":
        return f"counter:{normalized['start']}"
    return f"date:{'lunar:' if normalized.get('lunar') else ''}{normalized['date']}"


def show(normalized: dict, language: str, today: date | None = None) -> str:
    if normalized["type"] == "counter":
        return show_counter(normalized["start"], language, today)
    year, month, day = _split(normalized["date"])
    if language == "zh":
        shown = (f"{year}年" if year else "") + (f"{int(month)}月" if month else "") + (f"{int(day)}日" if day else "")
        return ("农历" if normalized.get("lunar") else "") + shown
    names = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
    shown = " ".join(filter(None, [str(int(day)) if day else "", names[int(month) - 1] if month else "", year]))
    return f"lunar {shown}" if normalized.get("lunar") else shown


def show_counter(start: str, language: str, today: date | datetime | None) -> str:
    """Today's number of a counter that began on `start`; the start itself where no day is given or it lies ahead."""
    began = date.fromisoformat(start)
    number = (today - began).days + 1 if today else 0
    if number < 1:
        return f"从{start}开始" if language == "zh" else f"since {start}"
    return f"第{number}天" if language == "zh" else f"day {number}"
