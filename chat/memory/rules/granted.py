"""What the words of a question take for granted beside what it asks: my evening sits, 我双盘的时候脚疼怎么办."""

import re
from dataclasses import replace

from chat.memory.ontology import Attribute
from chat.memory.rules import measures
from chat.memory.rules.reading import Found, Reading
from chat.memory.values import Value

_TASTES = ("preference.posture", "preference.meditation_sound", "preference.meditation_guidance")
_MEASURED = ("habit.meditation_time", "habit.meditation_duration", "habit.meditation_frequency")
# From here on an English question speaks of what the asker has or does anyway.
_MINE = re.compile(
    r"(?<![a-z])(?:(?:my|our) (?!(?:friend|teacher|doctor|goal|plan)(?![a-z]))"
    r"|(?:when(?:ever)?|while) (?:i|we)(?:'m| am)? (?!(?:start|begin|try|switch|change|learn|should|can"
    r"|could|get))|as i (?:usually|always|normally) )"
)
_ELSE = re.compile(
    r"喝|吃|抽|跑|睡(?!前)|起床|看书|读|走路|工作|上班"
    r"|(?<![a-z])(?:drink|eat|smok|run|sleep|wake|work|read|coffee|wine|beer|cigar)\w*"
)  # what is measured is not how one sits
_DOES = re.compile(r"(?<![a-z])(?:the|which) [a-z ]{2,24} i (?:play|use|listen to|put on|follow|do)(?![a-z])")
_MINE_ZH = re.compile(
    "我(?:们|家)?(?:的|都|在|就|打坐|静坐|冥想|坐)*(?:每|平时|平常|一般|通常|总|老|一直|天天|经常)"
    "|我.{1,10}(?:的?时候|时(?!间|长)|(?:老是|总是|就会|会)|的(?!人))"
)
# What is only considered is not taken for granted.
_OPEN = re.compile(
    "能不能|可不可以|可以|(?<!不)能(?!量)|该|要不要|应不|是不是|还是|适合|才|想|学|练成|改|换|如果|会不会"
    "|是否|有没有|什么时候|多久|多长|几|试|开始|以前|之前|曾"
)
# 双盘的时候脚踝硌得疼怎么办: who asks what to do about a pain has it. 双盘会伤膝盖吗 asks in general.
_SUFFERS = re.compile(
    "(?:(?:的)?时候?|[着完]|以?后|之后|久了|老是?|总是?).{0,10}(?:疼|痛|麻|硌|酸|胀|抖|晕|睡着|犯困|难受"
    "|恶心|心跳).{0,8}(?:怎么办|咋办|咋整|怎么破|咋回事|怎么回事|正常吗|怎么缓解|怎么处理)"
    "|(?:的?时候|时(?!间|长)|久了|完|着|起来|压|硌|坐到).{0,12}(?:疼|痛|麻|酸|硌|抽筋|发紫|僵|困|难受"
    "|不舒服|受不了).{0,8}(?:怎么|咋|如何|正常|要紧|有没有办法|怎样)"
)
_TROUBLE = re.compile(
    "喝(?:高|多|大|醉)|抽(?:多|猛)|分心|心跳|头?晕|恶心|胸闷|咳|硌|散乱|(?:老|总)是?(?=[一-鿿])|容易|困"
    "|疼|痛|麻|累|吵|啰|长|短|难受"
    "|睡着|走神|烦|昏|坐不住|静不|不舒服|没精神|打扰|干扰|腻|出汗|冷|抖"
    r"|(?<![a-z])(?:keeps? [a-z]+ing|cut\w* out|hurts?|ach\w+|numb|boring|bored|too|sleepy|tired|drows\w+"
    r"|asleep|distract\w*|annoy\w*|sore|stiff|dig\w* into|go(?:es)? (?:dead|to sleep)|kill\w*|burn\w*"
    r"|throb\w*|tingl\w*|shak\w+|trembl\w*|nod\w* off|drift\w* off|restless|awake|uncomfortable|cramps?"
    r"|pain\w*|wander\w*|dragg?\w*|noisy)(?![a-z])"
)
_CHANGED = re.compile(
    "改|换|现在|以后|今后|开始|最近|如今|已经|喜欢|更|习惯|switch|chang|now|these days|from now|start"
    "|moved|prefer|like|love|instead|decided"
)


def find(reading: Reading, place: int) -> list[tuple[Attribute, Value]]:
    """The values that a question clause takes to be the asker's own."""
    clause = reading.clauses[place]
    mine = _MINE.search(clause.text)
    if _DOES.search(clause.text):
        return _values(reading, place, clause.text)
    if mine:
        return _values(reading, place, clause.text[mine.start() :])
    if (_MINE_ZH.search(clause.text) or suffers(clause.text)) and not _OPEN.search(clause.text):
        return _values(reading, place, clause.text)
    return []


def is_mine(text: str) -> bool:
    """Does the question speak of what the asker has or does anyway?"""
    return bool(_MINE.search(text) or _MINE_ZH.search(text))


def suffers(text: str) -> bool:
    """Does it ask what to do about a trouble that its asker has?"""
    return bool(_SUFFERS.search(text))


def _values(reading: Reading, place: int, text: str) -> list[tuple[Attribute, Value]]:
    found = []
    for slot in _TASTES:
        attribute = reading.ontology.attribute(slot)
        match = attribute.spelling.search(text)
        about_it = slot == "preference.meditation_guidance" or "sitting" in reading.about[place]
        if match and about_it:
            found.append((attribute, reading.valued(attribute, {"type": "enum", "key": attribute.choice_of(match[0]).key})))
    return found + [(f.attribute, f.value) for f in _measured(reading, place, text)]


def _measured(reading: Reading, place: int, text: str) -> list[Found]:
    clause = reading.clauses[place]
    if _ELSE.search(text):
        return []
    stated = replace(clause, text=text, start=clause.end - len(text), mood="statement", subject="self")
    reading.clauses[place] = stated
    try:
        return [f for f in measures.find(reading, place) if f.slot in _MEASURED]
    finally:
        reading.clauses[place] = clause


def premises(reading: Reading, found: list[Found]) -> list[Found]:
    """What is said on the way to a question (晚上打坐老犯困，该怎么办) is taken for granted by it rather than told as news."""
    return [replace(f, source="implied") if _is_premise(reading, f) else f for f in found]


def _is_premise(reading: Reading, found: Found) -> bool:
    once = found.slot in ("status.drinking_status", "status.smoking_status") and found.clause.event
    known = (found.slot in (*_TASTES, *_MEASURED) or once) and found.operation == "assert"
    return known and leads_to_a_question(reading, found.place)


def leads_to_a_question(reading: Reading, place: int) -> bool:
    """Does the clause say, as news, no more than the trouble that the next one asks about?"""
    if place + 1 >= len(reading.clauses):
        return False
    clause, after = reading.clauses[place], reading.clauses[place + 1]
    if after.mood == "statement" and _TROUBLE.search(after.text) and place + 2 < len(reading.clauses):
        after = reading.clauses[place + 2]  # 每次喝了酒再坐，总觉得头晕，怎么回事
        return clause.mood == "statement" and after.sentence == clause.sentence and after.mood == "question" and not _CHANGED.search(clause.text)
    asks_on = clause.mood == "statement" and after.sentence == clause.sentence and after.mood == "question"
    return asks_on and bool(_TROUBLE.search(clause.text)) and not _CHANGED.search(clause.text)
