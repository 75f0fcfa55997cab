"""Statements found by the patterns of the ontology: tastes, status, who the user is."""

import re
from dataclasses import replace
from zoneinfo import ZoneInfo

from chat.memory import voices
from chat.memory.clauses import Clause
from chat.memory.ontology import Attribute, Saying
from chat.memory.rules import cancelled
from chat.memory.rules.plausible import known_place, own, place_name, plausible
from chat.memory.rules.reading import Found, Reading
from chat.memory.values import Value, days
from chat.memory.values.wording import fold_text

LONGEST_CLAUSE = 160  # a longer stretch without a mark is not how people state a fact
_WISHES = frozenset(
    ["preference.meditation_sound", "preference.meditation_guidance", "preference.answer_style", "preference.answer_language", "preference.environment"]
)
# Free words: any, those of a second branch of a pattern, a place that the dictionary must know, and one that at least
# its capital letters tell.
_FREE = ("x", "y", "p", "c")
_JOINT = re.compile(
    "(?:、|和|跟|与|及|以及|还有|再?加上?|外加|配合?|/|\\+"
    "|,? and | or | & |, |,? (?:and )?then | followed by | plus | along with | with )+(?:[一两俩三四几\\d](?:只"
    "|条|个|种|遍|套)?|又|也|老是|总|还"
    "|(?:(?:an? )?(?:bit|spot|round|touch|dash|little) of"
    "|(?:\\d+|a few|five|ten|fifteen|twenty) (?:min\\w*|rounds) of|an?|one|two|three|four|my|our|some"
    "|little|baby|small|older|younger) )*"
)
_WITH = re.compile(
    "(?<=[\u4e00-\u9fff]{2})(?:跟|和|陪着?|带着?)(?:我|老|儿|女|爸|妈|父|孩|家|孙|对象|男|闺|室|朋|同|爷"
    "|奶|外|一)"
)  # 无锡跟儿子
_A_WORD = re.compile("[\u4e00-\u9fff]{2}")
_SINCE_STATES = ("已戒烟", "已戒酒")
# 从上周一开始戒的, 九月一号就没碰过烟
_FROM_THEN = re.compile(r"从|自|起|开始|就没|戒的|以来|至今|\b(?:on|since|from|in|ago|last|stopped|quit|gave up|given up)\b")
_GENERAL_STYLE = re.compile(
    "回答|往后|下次|回复|答复|回我|说话|讲话|风格|解释|建议|以后|今后|都|总|一律|每次|喜欢|答|answers?"
    "|repl|respon|explain|always|from now|need to be|with me|no more|when you|your |you're|stop |enough"
    "|any more|style|tone|prefer|like"
)


def find(reading: Reading, place: int) -> list[Found]:
    """What the patterns find in one clause."""
    clause = reading.clauses[place]
    if len(clause.text) > LONGEST_CLAUSE or clause.mood == "hypothetical" or clause.retraction or clause.narrative:
        return []
    found = []
    for attribute in reading.ontology.spoken_of(clause.text, reading.about[place]):
        if not attribute.says or not _may_say(attribute, clause):
            continue
        if not (attribute.unless and attribute.unless.search(clause.text)):
            found += _of_attribute(reading, place, attribute)
    return found


def _may_say(attribute: Attribute, clause: Clause) -> bool:
    """Whether this clause can speak for this attribute at all."""
    if clause.mood == "question" and not (attribute.addressed and _requests(attribute, clause)):
        return False
    if clause.subject == "other" and not (attribute.any_subject and clause.named_subject and not voices.THIRD.match(clause.text)):
        return False
    if clause.subject == "assistant" and (not attribute.addressed or voices.OF_YOU.search(clause.text)):
        return False
    if attribute.category == "goal" and cancelled.OFF.search(clause.text):
        return False
    wish = attribute.slot in _WISHES
    if clause.planned and not (wish or attribute.name == "common_difficulty" or attribute.category == "goal" or attribute.any_subject):
        return not clause.intended
    passing = attribute.category in ("preference", "habit") and attribute.name != "common_difficulty"
    return not (clause.event and passing and not wish)


def _requests(attribute: Attribute, clause: Clause) -> bool:
    """Asked for rather than asked: can you keep it short; of the style also why is every answer a list?"""
    complains = attribute.name == "answer_style" and voices.COMPLAINT.search(clause.text)
    return bool(complains or voices.REQUEST.search(clause.text))


def _of_attribute(reading: Reading, place: int, attribute: Attribute) -> list[Found]:
    clause = reading.clauses[place]
    found: list[Found] = []
    taken: list[tuple[int, int]] = []
    for saying in attribute.says:
        if saying.topic and saying.topic not in reading.about[place]:
            continue
        for match in saying.pattern.finditer(clause.text):
            span = match.span("v") if "v" in match.re.groupindex and match["v"] else match.span()
            if any(start < span[1] and span[0] < end for start, end in taken):
                continue
            read = _read(reading, place, attribute, saying, match) if saying.operation != "none" else []
            if read or saying.operation == "none":
                taken.append(span)
                known = {f.item for f in found} if attribute.faceted else ()
                found += [f for f in read if f.item not in known]
                if read and attribute.multi and attribute.choices:
                    found += _coordinated(reading, place, attribute, read[0], span[1])
        if taken and not (attribute.multi or attribute.faceted):
            break
    return found


def _coordinated(reading: Reading, place: int, attribute: Attribute, first: Found, end: int) -> list[Found]:
    """What is listed beside the value that ends at `end`: 高血压、糖尿病, 六字诀和五禽戏, 两猫一狗."""
    clause = reading.clauses[place]
    found: list[Found] = []
    if first.operation == "none" or not first.value or first.value.normalized["type"] != "enum":
        return found
    while True:
        joint = _JOINT.match(clause.text, end)
        match = attribute.spelling.match(clause.text, joint.end() if joint else end)
        choice = attribute.choice_of(match[0]) if match and (joint or _A_WORD.match(match[0])) else None
        if choice is None:
            break
        value = reading.valued(attribute, {"type": "enum", "key": choice.key})
        value = replace(value, shown=reading.original(clause.start + match.start(), clause.start + match.end()))
        found.append(replace(first, value=value, item=item_of(attribute, value.normalized)))
        end = match.end()
    return found


def _read(reading: Reading, place: int, attribute: Attribute, saying: Saying, match: re.Match) -> list[Found]:
    clause = reading.clauses[place]
    value = _value(reading, clause, attribute, saying, match)
    if (value is None and saying.operation == "assert") or not own(attribute, clause.text, match.start()):
        return []
    if value and attribute.multi and value.normalized["type"] == "enum":
        value = replace(value, shown=_as_said(reading, clause, match, value))
    item = item_of(attribute, value.normalized) if value else ""
    scope = "" if clause.scope == "conversation" and saying.scope == "lasting" else saying.scope
    if attribute.name == "answer_style" and not scope and not any(
        _GENERAL_STYLE.search(c.text) for c in reading.clauses if c.sentence == clause.sentence
    ):
        scope = "conversation"
    among = (attribute.slot,) if saying.known else ()
    return [Found(attribute, clause, place, value, item, saying.operation, saying.confidence, saying.source, scope, among)]


def _value(reading: Reading, clause: Clause, attribute: Attribute, saying: Saying, match: re.Match):
    groups = match.groupdict()
    spelling, named = groups.get("v"), next((name for name in _FREE if groups.get(name)), "")
    choice = attribute.choice(saying.value) if saying.value else attribute.choice_of(spelling) if spelling else None
    if choice:
        return reading.valued(attribute, _detailed(reading, clause, attribute, choice.key, match))
    if named and groups[named].strip():
        start, end = match.span(named)
        if attribute.slot == "profile.location" and (with_whom := _WITH.search(groups[named])):
            end = start + with_whom.start()
            groups[named] = groups[named][: with_whom.start()]
        original = reading.original(clause.start + start, clause.start + end)
        if named == "c":
            original = place_name(original)
            return reading.value(attribute, original) if original else None
        if not (known_place(groups[named]) if named == "p" else plausible(attribute, groups[named])):
            return None
        return reading.value(attribute, saying.phrase(original, reading.language))
    return None


def _as_said(reading: Reading, clause: Clause, match: re.Match, value: Value) -> str:
    """An item is shown by the user's own word for it (橘猫, 老婆), with the name or detail that was told."""
    groups = match.groupdict()
    free = ("v", "p", "y") if value.normalized.get("detail") else ("v", "p", "y", "x")
    start, end = match.span(next((name for name in free if groups.get(name)), 0))
    said = reading.original(clause.start + start, clause.start + end)
    return " ".join(filter(None, [said, value.normalized.get("detail", "")]))


def _detailed(reading: Reading, clause: Clause, attribute: Attribute, key: str, match: re.Match) -> dict:
    """A listed value with what else the clause says of it: a name, the day it began."""
    normalized = {"type": "enum", "key": key}
    if match.groupdict().get("x"):
        start, end = match.span("x")
        normalized["detail"] = reading.original(clause.start + start, clause.start + end)
    if key in _SINCE_STATES and not clause.past:
        counted = days.parse_counter(_without_dates(clause.text), reading.setting)
        if counted:
            normalized["since"] = counted["start"]
        elif clause.when and clause.when.precision in ("minute", "day") and clause.when.start <= reading.at and _FROM_THEN.search(clause.text):
            normalized["since"] = clause.when.start.astimezone(ZoneInfo(reading.zone)).date().isoformat()
    return normalized


def _without_dates(text: str) -> str:
    return re.sub(r"\d{4}年", "", text) if re.search("第|天|个月|年了|半年|(?<![a-z])d(?:ay)? ?-?\\d", text) else ""


def item_of(attribute: Attribute | None, normalized: dict) -> str:
    """Which row of the attribute the value belongs to: of a multi-valued one the canonical key of the item, of a value
    with a facet the facet (an answer may be short and gentle, so the two stand side by side), else none."""
    if attribute is None or not attribute.multi:
        choice = attribute and normalized.get("type") == "enum" and attribute.choice(normalized["key"])
        return choice.facet if choice else ""
    return str(normalized.get("key") or fold_text(str(normalized.get("text", ""))))[:60]
