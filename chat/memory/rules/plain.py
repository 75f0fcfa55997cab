"""Bare statements: in a message that tells of its writer, a clause that is a value and little else (躺着做, 数息, 在长沙, 后端).

The patterns of the ontology know how things are said; here the value alone is enough, since the rest says nothing else.
"""

import re

from chat.memory.clauses import Clause
from chat.memory.ontology import Attribute
from chat.memory.rules.plausible import known_place, plausible
from chat.memory.rules.reading import Found, Reading
from chat.memory.rules.sayings import item_of

_OF_SITTING = ("preference.practice_method", "preference.posture", "preference.meditation_sound", "preference.meditation_guidance")
_OF_LIFE = ("status.health_condition", "habit.exercise", "preference.diet", "profile.belief", "profile.pet")
_SITTING_FACTS = {f"habit.meditation_{name}" for name in ("time", "duration", "frequency")} | set(_OF_SITTING)
LONGEST_TRADE = 8
CONFIDENCE = 0.8
# Words around a value that add nothing to it.
_LITTLE = re.compile(
    "(?:我|咱|俺|自己|本人|的|了|着|地|得|是|就|都|也|还|又|只|主要|一般|平时|平常|通常|基本上?|目前|现在"
    "|如今|每次|每天|一直|一个|一只|一条|两只|这个|那种|这种|方法|方式|姿势|法门|类的?|之类的?|为主|居多"
    "|多一?些|比较多?|更多"
    "|做|练|坐|修|用|采用|放|听|开|配|跟着|跟|吃|养|有|得|患|打|跳|属于|算是?|偏|爱|喜欢|习惯|姿|功课"
    "|音频|视频|课程|跟练|吧|呢|啊|呀|哈|嘛|啦|哦|等|和|跟|加|、|,| "
    r"|(?<![a-z])(?:i|i'm|im|my|am|is|are|the|a|an|and|also|just|mostly|mainly|usually|on|in|with|using"
    r"|doing|do|follow|following|practi[cs]ing|practi[cs]e|have|have got|got|some|of|for now|these days"
    r"|audio|app|style|method|to|it|it's)(?![a-z]))*"
)
_JOINT = re.compile("[、, +/]*(?:和|跟|与|加上?|配着?|听着?|放着?|坐着?|,|and|with|then|while| )*")
_HERE = re.compile(
    "^(?:人|我|现在?|目前|坐标|base|常驻)*(?:在|:|是)?(?P<place>[\u4e00-\u9fff]{2,6}?)(?:人|这边|那边"
    "|市区)?$"
)


def find(reading: Reading, found: list[Found]) -> list[Found]:
    """What the clauses that no pattern read state, given what the others stated."""
    if not found:
        return []
    beside = [each for f in found for each in _beside(reading, f)]
    found = [*found, *beside]
    told = {f.slot for f in found}
    spoken = {f.place for f in found} | reading.corrected | {place - 1 for place in reading.corrected}
    silent = [place for place in range(len(reading.clauses)) if place not in spoken]
    return beside + [each for place in silent if _plain(reading.clauses[place]) for each in _of_clause(reading, place, told)]


def _beside(reading: Reading, found: Found) -> list[Found]:
    """What stands right beside a listed value, of the same list or another (念佛、抄经都做, 单盘数息, 散盘听雨声)."""
    clause, attribute = reading.clauses[found.place], found.attribute
    if found.operation != "assert" or attribute.slot not in _OF_SITTING or not _plain(clause) or found.value.normalized["type"] != "enum":
        return []
    own = next((m for m in attribute.spelling.finditer(clause.text) if attribute.choice_of(m[0]).key == found.value.normalized["key"]), None)
    if own is None:
        return []
    others = [reading.ontology.attribute(slot) for slot in _OF_SITTING]
    spelled = [(m.start(), m.end(), a) for a in others for m in a.spelling.finditer(clause.text) if a.multi or a is not attribute]
    listed = sorted(spelled, key=lambda found: found[:2])
    return [*_joined(reading, found, listed, own.end(), +1), *_joined(reading, found, listed[::-1], own.start(), -1)]


def _joined(reading: Reading, found: Found, listed: list[tuple[int, int, Attribute]], edge: int, way: int) -> list[Found]:
    """The listed values that follow the edge of a found one (way +1) or lead up to it (-1), with no more than a joint between."""
    text, joined = reading.clauses[found.place].text, []
    for start, end, attribute in listed:
        gap = text[edge:start] if way > 0 else text[end:edge]
        if (start >= edge if way > 0 else end <= edge) and _JOINT.fullmatch(gap):
            value = reading.valued(attribute, {"type": "enum", "key": attribute.choice_of(text[start:end]).key})
            item = item_of(attribute, value.normalized)
            joined.append(Found(attribute, found.clause, found.place, value, item, confidence=CONFIDENCE))
            edge = end if way > 0 else start
    return joined


def _plain(clause: Clause) -> bool:
    """Said of the writer, as lasting, for sure."""
    aside = clause.past or clause.event or clause.hedged or clause.planned or clause.narrative or clause.retraction or clause.correction
    return clause.mood == "statement" and clause.subject == "self" and clause.scope == "lasting" and not aside


def _of_clause(reading: Reading, place: int, told: set[str]) -> list[Found]:
    sitting = bool(told & _SITTING_FACTS) and reading.main[place] in ("", "sitting")
    slots = (_OF_SITTING if sitting else ()) + _OF_LIFE
    spoken = reading.ontology.spoken_of(reading.clauses[place].text, reading.about[place])
    listed = [f for a in spoken if a.slot in slots and (a.multi or a.slot not in told) and (f := _listed(reading, place, a))]
    return listed[:1] or _of_person(reading, place, told)


def _listed(reading: Reading, place: int, attribute: Attribute) -> Found | None:
    clause = reading.clauses[place]
    match = attribute.spelling.search(clause.text)
    if match is None or (attribute.unless and attribute.unless.search(clause.text)):
        return None
    if not (_LITTLE.fullmatch(clause.text[: match.start()]) and _LITTLE.fullmatch(clause.text[match.end() :])):
        return None
    value = reading.valued(attribute, {"type": "enum", "key": attribute.choice_of(match[0]).key})
    return Found(attribute, clause, place, value, item_of(attribute, value.normalized), confidence=CONFIDENCE)


def _of_person(reading: Reading, place: int, told: set[str]) -> list[Found]:
    """Where someone lives and what they do, in the string of facts with which people introduce themselves."""
    if not any(slot.startswith("profile.") for slot in told):
        return []
    clause = reading.clauses[place]
    here = _HERE.match(clause.text)
    if here and "profile.location" not in told and known_place(here["place"]):
        return [_named(reading, place, "profile.location", *here.span("place"))]
    trade = reading.ontology.attribute("profile.occupation")
    if trade.slot not in told and len(clause.text) <= LONGEST_TRADE and not clause.text.isascii() and plausible(trade, clause.text):
        return [_named(reading, place, trade.slot, 0, len(clause.text))]
    return []


def _named(reading: Reading, place: int, slot: str, start: int, end: int) -> Found:
    attribute, clause = reading.ontology.attribute(slot), reading.clauses[place]
    value = reading.value(attribute, reading.original(clause.start + start, clause.start + end))
    return Found(attribute, clause, place, value, confidence=CONFIDENCE)
