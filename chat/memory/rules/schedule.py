"""Appointments and reminders: something at a time still to come, or at a time of day again and again."""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from chat.memory.clauses import Clause
from chat.memory.rules.reading import Found, Reading
from chat.memory.text import align
from chat.memory.times import TimeSpan, find_in
from chat.memory.values import Value, clock, frequency
from chat.memory.values.wording import fold_text, tidy

_REMIND = re.compile(
    "(?:提醒|叫|喊|催)(?:一下)?(?:我|俺)(?:一下|一声)?"
    "|(?:set|add) (?:me )?(?:a |an )?(?:reminder|alarm)(?: for me)?(?: to| for| at)?"
    "|remind me(?: to| that| about)?|设(?:个|一个)?(?:闹钟|提醒)|定(?:个|一个)?(?:闹钟|提醒)"
)
_CALLED = re.compile("(?:叫|喊)我(?!.{0,14}(?:起|打坐|睡|做|去|吃|练|冥想|坐|出门|上课|开会|喝))")
_CANCEL = re.compile(
    "(?:取消|别再|不要再|不用再|不用|别|关掉|删掉|停掉|stop|cancel|turn off|no more).{0,10}(?:提醒|闹钟"
    "|叫我(?=了|$|.{0,6}(?:起|坐|睡|醒|吃|喝|出门))|remind)"
    "|(?:提醒|闹钟)[^,。]{0,6}(?:取消|删|关|停|撤|不用|不要|不需要|不必|免)"
    "|reminder[^,.]{0,20}(?:can go|not needed|off|cancel|no longer)"
)
_MEET = re.compile(
    "(?<![大公制节契条预])约(?!束|定俗|好的|莫|[\\d一二三四五六七八九十]+(?:分|小时|点|次))|预约|预定"
    "|复查|复诊|看(?:牙|中|西)?医|牙医|体检|面试|考试|开(?!始|心)[\u4e00-\u9fff]{0,3}会(?!儿)|家长会"
    "|做(?:核磁|ct|b超|胃镜|肠镜|检查|透析|化疗|雾化)|会议|聚会|聚餐|上课|听课|讲座|法会|共修|见面|拜访"
    "|手术|打针|疫苗|航班|飞机|火车|高铁|婚礼|开班|开营|讲经|挂号|门诊|答辩|出发|拔牙|针灸|理疗|按摩"
    r"|\bappointment\b|\bmeeting\b|\bdentist\b|\bdoctor'?s?\b|\binterview\b|\bexam\b|\bflight\b|\bclass\b"
    r"|\blunch with\b|\bdinner with\b|\bsurgery\b|\bcheck-?up\b|\bmeet(?:ing)? (?:with|my|the|up)\b"
    r"|\bwedding\b|\bgroup sit\b|\bbooked\b"
)
# An exact time ahead and somewhere to be.
_GO = re.compile(
    "(?<![过回])去(?!年)|要(?!是)|得(?=去|到|见)|有(?:个|一个|场|一场|节)|跟|和.{1,6}(?:见|约|碰|吃|爬)"
    "|参加|见(?!效)|接|\\bhave\\b|\\bgot to\\b|\\bneed to\\b|\\bgoing to\\b|\\bsee(?:ing)?\\b"
)
_NOT_MET = re.compile("开始(?:每天|打坐|坐)|会不会|下不下|天气|(?:打坐|冥想|静坐|睡|起床)$|想(?!起)")
_ENDS = re.compile("^(?:我|要|得|该|去|一下|到|时候|,|的|上|,| |to |that |about |at |on |for |the )+")


@dataclass(frozen=True)
class _Due:
    """When it is: once at `start`, or `every` so often at the times of day `hour` (normalized values)."""

    start: datetime | None = None
    every: dict | None = None
    hour: dict | None = None


def find(reading: Reading, place: int) -> list[Found]:
    clause = reading.clauses[place]
    if clause.mood == "hypothetical" or clause.subject == "other":
        return []
    if _CANCEL.search(clause.text):
        return [_found(reading, place, "schedule.reminder", None, "end")]
    if _REMIND.search(clause.text) and not (_CALLED.search(clause.text) and not _timed(clause.text)):
        return _reminder(reading, place)
    if clause.mood == "statement" and not clause.past and not clause.event:
        return _appointment(reading, place)
    return []


def _timed(text: str) -> bool:
    """每晚十点喊我上座: called at a time is woken or reminded, not named."""
    return bool(clock.parse(text, None) or frequency.parse(text))


def _reminder(reading: Reading, place: int) -> list[Found]:
    clause = reading.clauses[place]
    ask = _REMIND.search(clause.text)
    every = frequency.parse(clause.text)
    when = _ahead(reading, clause)
    hour = clock.parse(clause.text, None)
    if not (every or when or hour):
        return []
    what = _what(reading, clause, ask.start(), ask.end())
    start = when.start if when else _next(reading.at, hour) if hour and not every else None
    return [_event(reading, place, "schedule.reminder", what, _Due(start, every, hour))]


def _appointment(reading: Reading, place: int) -> list[Found]:
    clause = reading.clauses[place]
    if frequency.parse(clause.text) or _NOT_MET.search(clause.text):
        return []
    when = _ahead(reading, clause)
    if when is None or when.precision in ("vague", "year", "season", "month"):
        return []
    if when.precision != "minute" and when.start <= reading.at:
        return []  # today, at no hour: told, not planned
    if not _MEET.search(clause.text) and not (when.precision == "minute" and _GO.search(clause.text)):
        return []
    first, last = when.place
    what = _what(reading, clause, first - clause.start, last - clause.start)
    return [_event(reading, place, "schedule.appointment", what, _Due(when.start))] if what else []


def _ahead(reading: Reading, clause: Clause) -> TimeSpan | None:
    """The first time the clause names that is still to come."""
    text = align(reading.folded.text[clause.start : clause.end])
    for span in find_in(text, reading.at, reading.zone, lean="future"):
        if span.end > reading.at:
            first, last = span.place
            return replace(span, place=(first + clause.start, last + clause.start))
    return None


def _next(at: datetime, hour: dict) -> datetime | None:
    """The next moment at this time of day."""
    minute = hour["spans"][0]["from"] % clock.DAY
    moment = at.replace(hour=minute // 60, minute=minute % 60, second=0, microsecond=0)
    return moment if moment > at else moment + timedelta(days=1)


def _what(reading: Reading, clause: Clause, start: int, end: int) -> str:
    """What is to happen: the clause without the time and the asking."""
    after, before = clause.text[end:], clause.text[:start]
    span = (clause.start + end, clause.end) if fold_text(_ENDS.sub("", after)) else (clause.start, clause.start + start)
    words = after if span[0] == clause.start + end else before
    lead = _ENDS.match(words)
    first = span[0] + (lead.end() if lead else 0)
    return tidy(reading.original(first, span[1]))[:60] if first < span[1] else ""


def _event(reading: Reading, place: int, slot: str, what: str, due: _Due) -> Found:
    """A value of type text with `start` (ISO) where it happens once, `every` and `spans` where it comes again."""
    start, every, hour = due.start, due.every, due.hour
    told = []
    if every:
        told.append(frequency.show(every, reading.language))
    if hour and not start:
        told.append(clock.show(hour, reading.language))
    if start:
        told.append(_show_moment(start, reading.language))
    text = fold_text(what) or ("提醒" if reading.language == "zh" else "reminder")
    normalized = {"type": "text", "text": " ".join([*told, text])}
    if start:
        normalized["start"] = start.isoformat()
    if every:
        normalized["every"] = every
    if hour:
        normalized["spans"] = hour["spans"]
    value = Value(" ".join([*told, what or text]), normalized, f"text:{normalized['text']}")
    found = _found(reading, place, slot, value, "assert", normalized["text"][:60])
    when = found.clause.when
    if start and (when is None or when.start != start):
        found = replace(found, clause=replace(found.clause, when=TimeSpan(start, start + timedelta(hours=1), when.words if when else "", "minute")))
    return replace(found, scope="lasting")


def _show_moment(start: datetime, language: str) -> str:
    clock_part = "" if (start.hour, start.minute) == (0, 0) else f" {start.hour}:{start.minute:02d}"
    day = f"{start.month}月{start.day}日" if language == "zh" else f"{start:%d %B}".lstrip("0")
    return day + clock_part


def _found(reading: Reading, place: int, slot: str, value: Value | None, operation: str, item: str = "") -> Found:
    clause = replace(reading.clauses[place], past=False, hedged=reading.clauses[place].hedged)
    return Found(reading.ontology.attribute(slot), clause, place, value, item, operation)
