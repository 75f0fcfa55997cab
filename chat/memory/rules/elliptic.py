"""What is said of something known without naming or repeating it: ten minutes more, half an hour earlier; Galway, to be exact."""

import re
from collections.abc import Iterable
from dataclasses import replace

from chat.memory import voices
from chat.memory.clauses import Clause
from chat.memory.ontology import Attribute
from chat.memory.rules.plausible import known_place, plausible
from chat.memory.rules.reading import Found, Reading
from chat.memory.text import fold
from chat.memory.values import Relation, Value, compare, duration
from chat.memory.values.places import lies_in

CONFIDENCE = 0.85
LONGEST_UNNAMED = 32  # characters of a clause that does not say of what
_MORE = re.compile(
    "(?:[再又]多?[加坐练]|[多加](?:坐|打坐|练|加)?|增加|延长|拉长|添)(?:了|个)*$"
    r"|(?<![a-z])(?:add(?:ed|ing)?|another|an? extra|an? additional|extend(?:ed|ing)?(?: it| them)? by"
    r"|bump(?:ed)?(?: it| them)?(?: up)? by|up(?:ped)? it by"
    r"|increas(?:ed?|ing)(?: it| them)? by|plus|longer by)(?: another| an? extra)? ?$"
)
_LESS = re.compile(
    "(?:减少?|缩短|少(?:坐|打坐|练)?|砍|扣)(?:了|掉|个)*$"
    r"|(?<![a-z])(?:cut(?: it| them)?(?: down| back)? by|reduc(?:ed?|ing)(?: it| them)? by"
    r"|shorten(?:ed)?(?: it| them)? by|drop(?:ped)?(?: it)? by"
    r"|shav(?:ed?|ing)(?: off)?|trimm?(?:ed)?(?: off)?|knock(?:ed)?(?: off)?|less by) ?$"
)
_MORE_AFTER = re.compile(" ?(?:longer|more|extra)(?! than)(?![a-z])")
_LESS_AFTER = re.compile(" ?(?:shorter|less|off)(?! than)(?![a-z])")
# Which way a time of day has gone, and of what.
_EARLIER = re.compile(
    r"提前|提早|往前|早(?:起|睡|坐|上床|醒)|(?:起|睡|坐)(?:得)?早|早了?(?=\S{2,5}(?:起|睡|坐))"
    r"|(?<![a-z])earlier(?![a-z])|(?<![a-z])sooner(?![a-z])"
)
_LATER = re.compile(
    r"推[迟后]|往后|晚(?:起|睡|坐|上床|醒)|(?:起|睡|坐)(?:得)?晚|晚了?(?=\S{2,5}(?:起|睡|坐))"
    r"|(?<![a-z])later(?![a-z])"
)
_TIMES = {"waking": "habit.wake_time", "sleeping": "habit.sleep_time", "sitting": "habit.meditation_time"}
_LASTS = re.compile(
    r"现在|最近|近来|如今|目前|每|天天|以后|今后|开始|起$|这[周月]|这阵|都|平时|一般"
    r"|(?<![a-z])(?:now|nowadays|these days|lately|every|each|daily"
    r"|this (?:month|week|year)|since|from now|usually|these)(?![a-z])"
)
_CHANGED = re.compile(
    r"[再又]|加了|增加|延长|拉长|缩短|减[了少]|砍|提前|提早|推[迟后]"
    r"|(?<![a-z])(?:added|extended|bumped|upped|increased|cut|reduced|shortened|dropped|shaved|trimmed"
    r"|knocked|moved|shifted|pushed|brought)(?![a-z])"
)
_ELSE = re.compile(
    r"上班|下班|会|课|车|火|闹钟|班|饭|药|跑|走|泳|瑜伽|读|念|抄|书|睡眠|觉(?!得)"
    r"|(?<![a-z])(?:work|class|meeting|train|bus|run|running|walk|swim|yoga|read"
    r"|sleep|nap|commute|lunch|dinner|break|workout|gym|cook\w*|oven|boil\w*)(?![a-z])"
)
_MINUTES = re.compile(
    r"(?<![\d:.])(?P<n>[1-9]\d?)(?=$|[ ,]| ?(?:to|this|now|since|each|every))(?! ?(?:times|days|years|am"
    r"|pm|o'clock|%|percent|people|kg|pounds|breaths))"
)
# What may stand beside a place that says more exactly where.
_FINER = re.compile(
    rf"{voices.FINER.pattern}|[ ,.!:~]|是|在|就|我|住|的|说|点|其实|哈|啦|吧|哦|啊|呢|嘛|那边"
    r"|(?<![a-z])(?:i|i'm|in|it's|that's|is|well|actually|exactly"
    r"|more|to be|exact|precise|specific|or|rather|mean|the|city|town|of|at|near)(?![a-z])"
)

_PLACE_NAME = re.compile("(?<![\u4e00-\u9fff])[\u4e00-\u9fff]{2,8}?(?=的?$|的?[,。 ]|这边|那边)|(?<![a-z])[a-z]{3,}(?![a-z])")


def shifted(reading: Reading, place: int) -> list[Found]:
    """By how much something known has changed: 再加十分钟, cut 5 minutes off, 现在早起半小时了."""
    clause = reading.clauses[place]
    told = clause.mood == "statement" and clause.subject == "self" and clause.scope == "lasting"
    aside = clause.hedged or clause.planned or clause.narrative or clause.retraction or clause.event or clause.past
    if not told or aside or len(clause.text) > 40 or not (_LASTS.search(clause.text) or _CHANGED.search(clause.text)):
        return []
    for start, end, normalized in _lengths(clause.text):
        before, after = clause.text[:start], clause.text[end:]
        if found := _later(reading, place, normalized) or _longer(reading, place, normalized, before, after):
            return [found]
    return []


def _lengths(text: str) -> list[tuple[int, int, dict]]:
    spans = [span for span in duration.find(text) if "to" not in span[2] and span[2]["seconds"] <= 4 * 3600]
    if spans or not text.isascii():
        return spans
    return [(m.start(), m.end(), duration.parse(f"{m['n']} minutes")) for m in _MINUTES.finditer(text)]


def _longer(reading: Reading, place: int, length: dict, before: str, after: str) -> Found | None:
    more = bool(_MORE.search(before) or _MORE_AFTER.match(after))
    less = bool(_LESS.search(before) or _LESS_AFTER.match(after))
    other = _ELSE.search(before + after) or reading.main[place] not in ("", "sitting")
    if more == less or other:
        return None
    return _by(reading, place, "habit.meditation_duration", length, 1 if more else -1)


def _later(reading: Reading, place: int, length: dict) -> Found | None:
    text = reading.clauses[place].text
    earlier, later = bool(_EARLIER.search(text)), bool(_LATER.search(text))
    named = [slot for topic, slot in _TIMES.items() if reading.ontology.topics[topic].search(text)]
    if earlier == later or _ELSE.search(text) or (not named and len(text) > LONGEST_UNNAMED):
        return None
    slots = tuple(named[:1]) or tuple(_TIMES.values())
    return replace(_by(reading, place, slots[0], length, 1 if later else -1), among=slots)


def _by(reading: Reading, place: int, slot: str, length: dict, way: int) -> Found:
    attribute = reading.ontology.attribute(slot)
    value = reading.valued(reading.ontology.attribute("habit.meditation_duration"), length)
    found = Found(attribute, reading.clauses[place], place, value, confidence=CONFIDENCE, among=(slot,))
    return replace(found, by=way * length["seconds"])


def finer_place(reading: Reading) -> list[Found]:
    """具体点是常州, "Galway, to be exact": where the user lives is known, and said more exactly."""
    if not voices.FINER.search(reading.folded.text) or len(reading.folded.text) > 40:
        return []
    words = _FINER.sub(" ", reading.folded.text).strip()
    for place, clause in enumerate(reading.clauses):
        start = clause.text.find(words) if words else -1
        if start < 0 or clause.mood != "statement" or clause.subject == "other":
            continue
        original = reading.original(clause.start + start, clause.start + start + len(words))
        attribute = reading.ontology.attribute("profile.location")
        if known_place(words) or (original[:1].isupper() and fold(original).isascii() and len(words.split()) <= 2 and plausible(attribute, words)):
            return [Found(attribute, clause, place, reading.value(attribute, original), confidence=CONFIDENCE, among=(attribute.slot,))]
    return []


def narrower(reading: Reading, place: int, known: Iterable[tuple[Attribute, dict]]) -> list[Found]:
    """佛山顺德 after 我在广东, 最好是下雨的声音 after 放点自然的声音: a clause that says what is known more exactly.

    known: attributes with their normalized values. Only what lies within a value counts.
    """
    clause = reading.clauses[place]
    values = [(attribute, _within(reading, attribute, broad, clause)) for attribute, broad in known if not attribute.multi]
    return [Found(attribute, clause, place, value, confidence=CONFIDENCE) for attribute, value in values if value]


def states(clause: Clause) -> bool:
    told = clause.mood == "statement" and clause.subject == "self" and clause.scope == "lasting"
    return told and not (clause.hedged or clause.planned or clause.retraction or clause.past or clause.event or clause.narrative)


def _within(reading: Reading, attribute: Attribute, broad: dict, clause: Clause) -> Value | None:
    """A value in the clause that is a kind of the known one, or a place in it."""
    if attribute.slot == "profile.location":
        region = broad.get("text", "")
        named = (m for m in _PLACE_NAME.finditer(clause.text) if lies_in(m[0], region) and m[0] != region)
        name = next((m for m in named if m[0].isascii() or known_place(m[0])), None)
        return reading.value(attribute, reading.original(clause.start + name.start(), clause.start + name.end())) if name else None
    if broad.get("type") != "enum":
        return None
    for match in attribute.spelling.finditer(clause.text):
        if re.search("不|没|别|除了|not |no |n't ", clause.text[max(0, match.start() - 4) : match.start()]):
            continue
        narrow = {"type": "enum", "key": attribute.choice_of(match[0]).key}
        if compare(attribute, broad, narrow) is Relation.REFINES:
            return reading.valued(attribute, narrow)
    return None
