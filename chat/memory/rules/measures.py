"""Lengths, times of day and frequencies: found as values first, then given to the slot of what the clause is about."""

import re
from dataclasses import dataclass, replace

from chat.memory.clauses import Clause
from chat.memory.ontology import Attribute
from chat.memory.rules import from_to
from chat.memory.rules import measure_words as words
from chat.memory.rules.reading import ACTIVITIES, Found, Reading
from chat.memory.values import clock, duration, frequency

LONGEST_CLAUSE = 200
_FINDERS = {
    "duration": duration.find,
    "time_of_day": lambda text: clock.find(text, "day"),
    "frequency": frequency.find,
}
_SLOTS = (
    "habit.wake_time",
    "habit.sleep_time",
    "habit.meditation_frequency",
    "habit.meditation_time",
    "habit.meditation_duration",
)
_GOES_ON = {"duration": 6, "time_of_day": 1, "frequency": 1}


@dataclass(frozen=True)
class _Mention:
    kind: str
    start: int
    end: int
    normalized: dict
    topic: str


def find(reading: Reading, place: int) -> list[Found]:
    """The typed values of one clause, each with the slot it belongs to."""
    clause = reading.clauses[place]
    if clause.mood != "statement" or clause.subject != "self" or len(clause.text) > LONGEST_CLAUSE:
        return []
    if clause.scope == "conversation" or clause.retraction or clause.narrative:
        return []
    mentions = _mentions(reading, place)
    if not mentions:
        return []
    if clause.intended:
        return _goal(reading, place, mentions)
    negated = words.NEGATED.search(clause.text) and not (words.NOT_BEFORE.search(clause.text) or words.NOT_TILL.search(clause.text))
    if clause.event or negated or _happened_once(clause.text):
        return []
    found = []
    for slot in _SLOTS:
        attribute = reading.ontology.attribute(slot)
        fitting = [m for m in mentions if _fits(attribute, m, clause)]
        if fitting:
            found.append(measured(reading, place, attribute, fitting))
    return _sat_from_to(reading, place, found)


def _sat_from_to(reading: Reading, place: int, found: list[Found]) -> list[Found]:
    """六点坐到六点半 says when one sits and for how long, unless the message says how long otherwise."""
    slots = {f.slot: f for f in found}
    when, length = slots.get("habit.meditation_time"), reading.ontology.attribute("habit.meditation_duration")
    if when is None or length.slot in slots or any(m.kind == "duration" for other in range(len(reading.clauses)) for m in _mentions(reading, other)):
        return found
    spans = {span[end] for span in when.value.normalized["spans"] for end in ("from", "to")}
    text = reading.clauses[place].text
    ends = from_to.sat(text, [time for time in clock.find(text, "day") if {time[2]["from"], time[2]["to"]} <= spans])
    if ends is None:
        return found
    begins, minutes = ends
    lasts = replace(when, attribute=length, value=reading.valued(length, {"type": "duration", "seconds": minutes * 60}))
    return [*(f for f in found if f is not when), replace(when, value=reading.valued(when.attribute, begins)), lasts]


def bare(reading: Reading, place: int) -> tuple[list[_Mention], str]:
    """The measures of a clause that belong to no activity, and the letters that stand beside them."""
    mentions = [m for m in _mentions(reading, place) if not m.topic]
    spans = [(m.kind, m.start, m.end, m.normalized) for m in mentions]
    return mentions, _rest(reading.clauses[place].text, spans)


def _fits(attribute: Attribute, mention: _Mention, clause: Clause) -> bool:
    topic = mention.topic
    if topic == "waking" and attribute.name == "meditation_time" and words.UP_AND_SIT.search(clause.text):
        topic = "sitting"
    if attribute.name == "wake_time" and "part" in mention.normalized and words.UP_AND_SIT.search(clause.text):
        return False
    return mention.kind in attribute.types and topic == attribute.topic and plausible(attribute, mention, clause)


def _happened_once(text: str) -> bool:
    return bool(words.UNDONE.search(text)) and not words.STILL_GOOD.search(text)


def _mentions(reading: Reading, place: int) -> list[_Mention]:
    clause = reading.clauses[place]
    spans = [(kind, *span) for kind, finder in _FINDERS.items() for span in finder(clause.text)]
    hours = [(start, end) for kind, start, end, at in spans if kind == "time_of_day" and "part" not in at]
    spans = [s for s in spans if s[0] != "duration" or not any(start < s[2] and s[1] < end for start, end in hours)]  # 六点十分
    spans += [("duration", *match.span("n"), duration.parse(match["n"] + "分钟")) for match in words.BARE_MINUTES.finditer(clause.text)]
    if not spans:
        return []
    topics = _topic_places(reading, clause)
    rest = _rest(clause.text, spans) if not topics or reading.main[place] else ""
    granted = _taken_for_granted(reading, clause.text, spans, rest) if not topics else ""
    mentions = []
    for kind, start, end, normalized in spans:
        # 下班后 itself speaks of work, and is no work
        apart = [t for t in topics if kind != "time_of_day" or t[1] <= start or end <= t[0]]
        carried = reading.main[place] if len(rest) <= _GOES_ON[kind] else ""
        changed = "sitting" if not topics and _changes_it(clause, kind, start) else ""
        mentions.append(_Mention(kind, start, end, normalized, _nearest(apart, start, end, kind) or carried or granted or changed))
    return mentions


def _changes_it(clause: Clause, kind: str, start: int) -> bool:
    """Does the value that begins at `start` replace another of something that goes without saying?"""
    changed = words.CHANGED_IT.search(clause.text[:start])
    told = changed and (re.search(rf" {words.IT}(?![a-z])", changed[0]) or re.search("(?<![a-z])(?:to|from) ", changed[0]))
    lasting = kind != "time_of_day" or words.STILL_GOOD.search(clause.text) or re.search("instead|(?:morning|evening|night|afternoon)s|since", clause.text)
    return bool(told and lasting) and not words.NOT_IT.search(clause.text)


def _rest(text: str, spans: list[tuple]) -> str:
    """The letters of a clause without its measures and the words that go with them."""
    letters = list(text)
    for _, start, end, _ in spans:
        letters[start:end] = " " * (end - start)
    return re.sub(r"\W", "", words.MEASURE_WORDS.sub("", "".join(letters)))


def _taken_for_granted(reading: Reading, text: str, spans: list[tuple], rest: str) -> str:
    """每天40分钟, with nothing else in the clause: here that is said of sitting."""
    kinds = {kind for kind, *_ in spans}
    daily = "frequency" in kinds or words.PER_SITTING.search(text)
    exact = re.search("具体|准确|precise|exact|specific", reading.folded.text)
    measured = (daily and "duration" in kinds) or (exact and "time_of_day" in kinds)
    return "sitting" if measured and not rest else ""


def _topic_places(reading: Reading, clause: Clause) -> list[tuple[int, int, str]]:
    return [
        (match.start(), match.end(), topic)
        for topic in ACTIVITIES
        for match in reading.ontology.topics[topic].finditer(clause.text)
    ]


def _nearest(topics: list[tuple[int, int, str]], start: int, end: int, kind: str) -> str:
    """A time of day belongs to the verb after it (六点起床), a length to the verb before it (打坐半小时)."""

    topics = [t for t in topics if not (t[2] == "waking" and kind == "duration")] or topics

    def distance(place: tuple[int, int, str]) -> tuple[int, int]:
        first, last, _ = place
        follows = first >= end
        gap = first - end if follows else max(0, start - last)
        wrong_side = follows if kind == "duration" else not follows
        return gap + (4 if wrong_side else 0), first

    return min(topics, key=distance)[2] if topics else ""


def plausible(attribute: Attribute, mention: _Mention, clause: Clause) -> bool:
    """Whether the measure is one of the kind and size that the attribute can have here."""
    if mention.kind == "frequency":
        return mention.normalized.get("vague") in (None, "sometimes")
    if mention.kind == "time_of_day":
        before, after = clause.text[: mention.start], clause.text[mention.end :]
        lain_in = before.endswith("睡到") and not re.search("起|醒", after)
        sat_on = before.endswith(("坐到", "坐到了")) and len(clock.find(before)) == 0
        return not (lain_in or sat_on or (words.UNTIL.search(before) and not words.NOT_TILL.search(before)))
    low, high = attribute.within or (0, float("inf"))
    if not low <= mention.normalized["seconds"] <= high:
        return False
    before, after = clause.text[: mention.start], clause.text[mention.end :]
    if words.OTHER_LENGTH_BEFORE.search(before) and not re.search("(?:加|增|延长|up)到了? ?$", before):
        return False
    return not words.OTHER_LENGTH_AFTER.match(after)


def measured(reading: Reading, place: int, attribute: Attribute, mentions: list[_Mention]) -> Found:
    """What these mentions of a clause say of the attribute."""
    clause = reading.clauses[place]
    if words.MOVED.search(clause.text):
        mentions = mentions[-1:]
    first, last = mentions[0], mentions[-1]
    if attribute.types[0] == "time_of_day":
        value = reading.valued(attribute, _times(attribute, clause, mentions))
    else:
        chosen = last if attribute.types[0] == "duration" else first
        value = reading.valued(attribute, chosen.normalized)
    return Found(attribute, clause, place, value)


def _times(attribute: Attribute, clause: Clause, mentions: list[_Mention]) -> dict:
    """The times of day of these mentions, bare hours read as the attribute means them (睡: 十一点 is 23:00)."""
    places = [m.start for m in mentions]
    return clock.together([span for start, _, span in clock.find(clause.text, attribute.hint or "day") if start in places])


def _goal(reading: Reading, place: int, mentions: list[_Mention]) -> list[Found]:
    """What is only intended: a daily goal, not yet a habit."""
    attribute = reading.ontology.attribute("goal.daily_meditation")
    clause = reading.clauses[place]
    fitting = [m for m in mentions if m.topic == "sitting" and m.kind in attribute.types and plausible(attribute, m, clause)]
    if not fitting:
        fitting = [m for m in mentions if m.kind == "duration" and not m.topic and words.DAILY.search(clause.text) and plausible(attribute, m, clause)]
    lengths = [m for m in fitting if m.kind == "duration"]
    chosen = (lengths or fitting)[-1:]
    if not chosen or ("vague" in chosen[0].normalized):
        return []
    return [Found(attribute, clause, place, reading.valued(attribute, chosen[0].normalized))]
