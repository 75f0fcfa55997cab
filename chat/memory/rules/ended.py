"""What is done no longer, whatever it is: "I don't do yoga anymore" ends it as exercise and as a practice, in every slot that lists it."""

import re

from chat.memory.ontology import Attribute
from chat.memory.rules.reading import Found, Reading
from chat.memory.rules.sayings import item_of

_SLOTS = ("preference.practice_method", "habit.exercise", "habit.common_difficulty", "preference.posture")
# The negation before the value, or after it.
_ENDED = re.compile(
    r"(?<![a-z])(?:(?:do not|don't|dont|can't|cannot|not|never)(?= .*(?<![a-z])any ?(?:more|longer)(?![a-z]))|no longer"
    r"|(?:i|i've|i have|we|we've|and|then|just|finally|recently|also|have|^)[ ]?(?:stopped|quit|gave up"
    r"|given up|dropped|ditched|packed in|done with|finished with|let go of|left off)(?! by| in on| off"
    r"| out(?! of)))(?![a-z])"
)
_ENDED_ZH = re.compile(
    r"(?:不再|早就?不|已经不|现在不|没再|停了|放弃了?|quit ?了?|stop ?了?|drop ?了?)(?:去|做|练|打|上|玩"
    r"|用|想)*|(?<![要想会得])不(?:去|做|练|打|上|玩)(?=.{1,16}了$)"
)
_AFTER_ZH = re.compile(
    r" ?(?:也|都|已经|早就?|就|我)*(?:不(?:做|练|去|打|上|玩)了|停了|放弃了|quit ?了|stop ?了|drop ?了"
    r"|戒了)"
)
# Where what ends gives way to something else.
_BUT = re.compile(
    r"(?<![a-z])(?:but|because|since|so|for|instead|in favou?r|and now|after|before|when|while|during"
    r"|without)(?![a-z])|因为|但|改|换"
)
_NOT_ENDED = re.compile(
    r"(?<![a-z])(?:only|just do|enough|as much|as often|every ?day|daily|mind|like|hate|smok\w*"
    r"|drink\w*)(?![a-z])|只|光|每天"
)


def find(reading: Reading, place: int) -> list[Found]:
    """An end for each slot and item that the clause says is over."""
    clause = reading.clauses[place]
    own = clause.mood == "statement" and clause.subject == "self" and not (clause.past or clause.narrative or clause.retraction)
    if not own or clause.scope == "conversation" or _NOT_ENDED.search(clause.text):
        return []
    return [found for slot in _SLOTS for found in _of(reading, place, reading.ontology.attribute(slot))]


def _of(reading: Reading, place: int, attribute: Attribute) -> list[Found]:
    clause = reading.clauses[place]
    start, end = _span(clause.text)
    found = {}
    for match in attribute.spelling.finditer(clause.text):
        if start <= match.start() < end or _AFTER_ZH.match(clause.text, match.end()):
            value = reading.valued(attribute, {"type": "enum", "key": attribute.choice_of(match[0]).key})
            found[value.key] = Found(attribute, clause, place, value, item_of(attribute, value.normalized), "end")
    return list(found.values())


def _span(text: str) -> tuple[int, int]:
    """The part of a clause that speaks of what has ended: (0, 0) for none."""
    ended = _ENDED.search(text) or _ENDED_ZH.search(text)
    if ended is None:
        return 0, 0
    but = _BUT.search(text, ended.end())
    return ended.end(), but.start() if but else len(text)
