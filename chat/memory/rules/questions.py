"""What a message asks: of which slots, what it takes for granted, and whether it leans on what was said before."""

import re
from dataclasses import replace
from datetime import datetime

from chat.memory import ontology, voices
from chat.memory.clauses import Clause, split_folded
from chat.memory.ontology import Attribute
from chat.memory.rules import granted
from chat.memory.rules.proposal import Proposal, Question
from chat.memory.rules.reading import Found, Reading
from chat.memory.rules.sayings import item_of
from chat.memory.spellings import mend
from chat.memory.text import align, language
from chat.memory.values import Value

LONGEST = 1_000
LEANING = 16  # characters of a question that may lean on the one before it
_WHAT = re.compile(
    r"什么时候|什么时间|啥时候|几点钟?|多久|多长时间|几分钟|几次|在?哪里?"
    r"|\b(?:when|what time|how (?:long|often)|where)\b"
)
_TAKEN_FOR_GRANTED = {"confidence": 0.55, "source": "implied", "scope": "lasting"}
_BACK = re.compile(
    "上次|上回|上一次|刚才|刚刚|之前(?:说|聊|提|讲|问|那|你)|那个(?:方法|问题|事|练习|建议|话题)?"
    "|那(?:件事|种方法|些方法|段话)|这个(?:方法|问题|练习)?(?:怎么|呢|还|的话)|前面(?:说|讲|提)|你说的"
    "|你提到|接着|继续(?:说|讲|上)|还记得(?!(?:关于)?我的?(?:什么|啥|哪|多少|吗|情况|信息|一切|事))"
    "|它(?!们)|上面(?:说|讲|那)|第[一二三四五]点|后来呢|然后呢|再(?:说|讲|解释)"
    r"|\blast time\b|\bearlier\b|\byou (?:said|mentioned|told|suggested)\b|\bwe (?:talked|discussed)\b"
    r"|\bthat (?:method|practice|thing|one|advice|exercise)\b|\bgo on\b|\bcontinue\b"
    r"|\bremember (?:what|when|that)\b|(?<!is )(?<!was )\bit\b(?! is| was| ok| possible)|\bas before\b|\bprevious(?:ly)?\b"
)
_SELF = re.compile(r"我|咱|俺|自己|\b(?:i|my|me|i'm|i've|mine)\b")
_RECALLS = re.compile(
    r"(?:还?记得|知道|忘了|说过|告诉过|提过).{0,12}我"
    r"|我.{0,12}(?:是什么|是谁|是哪|叫什么|几|多少|多久|什么时候|哪|怎么样来着|来着|说过)"
    r"|\b(?:do you (?:remember|know)|what(?:'s| is| are| was) my|when do i|how (?:long|often) do i"
    r"|where do i|who am i|what do i)\b"
)
# A question about another, about a relapse, or about the reason takes nothing for granted of the asker.
_NOT_MINE = re.compile(
    "复吸|复饮|防止|预防|避免|之后|以后(?!.{0,4}少)|后(?:会|老|总|怎)|戒断|的人|别人|朋友|同事|室友|家人"
    "|老公|老婆|爸|妈|父|母|哥|弟|姐|妹|儿|女(?!声)|孩|他|她|师|劝|帮.{0,4}(?:戒|少)|为什么|为何|为啥"
    "|好处|坏处|危害|影响|原理|是不是|有没有人|算不算|万一|如果|假如"
    r"|\b(?:friend|sister|brother|husband|wife|son|daughter|dad|mom|mum|father|mother|boyfriend|girlfriend"
    r"|partner|colleague|roommate|someone|people|he|she|they|him|her|them|his|their|guests?|neighbou?rs?"
    r"|flatmates?|landlords?|boss|teenagers?|kids?|family|parents?|uncle|aunt|cousins?|students?|relapse"
    r"|relapsing|withdrawal|after quitting|benefits?|why|stay (?:quit|sober)|did i|have i|was i)\b|当初"
    r"|当时|怎么(?:戒|停|熬|撑|坚持)(?:掉|下)?(?:的|过来|来的)$"
)


# 我每晚喝的那杯酒会影响打坐吗: what is one's own stays so, whatever is asked of its reasons and effects.
_FOR_THE_REASON = re.compile(
    r"(?:抽|吸)(?:完|了)?烟(?:之?后|以后)|喝(?:完|了)?(?:酒| ?wine| ?beer)(?:之?后|以后)|影响|好处|坏处"
    r"|危害|为什么|为何|为啥|是不是|\bwhy\b|\bbenefits?\b"
)


def read_question(text: str, at: datetime, zone: str) -> Question:
    """What the message asks. `implies` holds proposals of source "implied"; they speak of the state, not to be stored as said."""
    folded = align(text[:LONGEST])
    folded = replace(folded, text=mend(folded.text))
    clauses = split_folded(folded, at, zone)
    reading = Reading(ontology.load(), folded, clauses, at, zone, language(text))
    asking = [(place, clause) for place, clause in enumerate(clauses) if clause.mood == "question" or _begs(clause)]
    refers_back = bool(_BACK.search(folded.text))
    if not asking:
        return Question(refers_back=refers_back)
    slots = tuple(dict.fromkeys(slot for place, _ in asking for slot in _asked(reading, place)))
    about_self = any(_SELF.search(clause.text) for _, clause in asking)
    leading_up = [place for place in range(len(clauses)) if granted.leads_to_a_question(reading, place)]
    implied = tuple(p for place in [*(place for place, _ in asking), *leading_up] for p in _implied(reading, place))
    return Question(True, slots, implied, refers_back, about_self or bool(slots))


def _begs(clause: Clause) -> bool:
    """推荐几首…: a request that is as good as a question."""
    return bool(voices.BEGS.search(clause.text)) and clause.mood != "hypothetical"


def _asked(reading: Reading, place: int) -> list[str]:
    """Slots whose own question this is, in full or leaning on the question before; then slots named in a question about oneself."""
    clause = reading.clauses[place]
    if clause.subject == "other" and not re.search("我", clause.text):
        return []
    if exact := _own_question(reading, clause.text):
        return exact
    if leaning := _leans_on_the_question_before(reading, place):
        return leaning
    if not _RECALLS.search(clause.text):
        return []
    attributes = reading.ontology.attributes.values()
    return [a.slot for a in attributes if any(name in clause.text for name in a.names) or _value_asked(a, clause.text)]


def _leans_on_the_question_before(reading: Reading, place: int) -> list[str]:
    """我一般几点打坐？一次多久？: what the second asks once the rest of the first is put to it."""
    clause, before = reading.clauses[place], reading.clauses[place - 1] if place else None
    if before is None or before.mood != "question" or len(clause.text) > LEANING:
        return []
    rest = _WHAT.sub("", before.text).strip(" ?")
    asked = _own_question(reading, f"{rest}{clause.text}") + _own_question(reading, f"{clause.text.strip(' ?')} {rest}")
    return [slot for slot in dict.fromkeys(asked) if slot not in _own_question(reading, before.text)]


def _own_question(reading: Reading, text: str) -> list[str]:
    return [a.slot for a in reading.ontology.attributes.values() if any(asked.search(text) for asked in a.asks)]


def _value_asked(attribute: Attribute, text: str) -> bool:
    return bool(attribute.choices and attribute.category in ("preference", "status", "profile") and attribute.spelling.search(text))


def _implied(reading: Reading, place: int) -> list[Proposal]:
    clause = reading.clauses[place]
    if clause.subject == "other":
        return []
    own = granted.is_mine(clause.text) or granted.leads_to_a_question(reading, place) or granted.suffers(clause.text)
    asked = _FOR_THE_REASON.sub("", clause.text) if own else clause.text
    values = {} if _NOT_MINE.search(asked) else _by_patterns(reading, clause)
    for attribute, value in granted.find(reading, place):
        values.setdefault(attribute.slot, (attribute, value))
    return [
        reading.proposal(Found(attribute, clause, place, value, item_of(attribute, value.normalized), **_TAKEN_FOR_GRANTED))
        for attribute, value in values.values()
    ]


def _by_patterns(reading: Reading, clause: Clause) -> dict[str, tuple[Attribute, Value]]:
    """By slot, what the ontology's own patterns say that the question takes for granted."""
    found = {}
    for attribute in reading.ontology.attributes.values():
        for saying in attribute.implies:
            if match := saying.pattern.search(clause.text):
                words = "" if saying.value else reading.original(*(clause.start + place for place in match.span("x")))
                value = reading.value(attribute, words) if words else reading.valued(attribute, {"type": "enum", "key": saying.value})
                found[attribute.slot] = (attribute, value)
                break
    return found
