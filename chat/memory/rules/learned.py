"""What the learned reader (chat.memory.tagging) sees in a message beyond what the rules found.

The rules go first: a slot that they have read is not read again, nor are the words that they took for another slot's value.
What is likely is believed as an inference, which takes the place of nothing that was said: against a belief it is asked about.
What is only perhaps so is believed of nothing, and asked about where something else is believed of its slot.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from chat.memory import tagging, voices
from chat.memory.clauses import Clause
from chat.memory.ontology import Attribute
from chat.memory.rules.measure_words import OTHER_LENGTH_BEFORE
from chat.memory.rules.plausible import plausible
from chat.memory.rules.proposal import HEDGED
from chat.memory.rules.reading import ACTIVITIES, Found, Reading
from chat.memory.rules.sayings import item_of
from chat.memory.tagging import Tagged
from chat.memory.text import dictionary
from chat.memory.values import Value

PERHAPS = 0.5  # chance from which it is asked about
LIKELY = 0.6  # chance from which it is believed
SURE = 0.75  # the same of what is over, and where the rules take its clause for a question; as good as a rule
KEY_LIKELY = 0.6
CONFIDENCE = 0.75
_ELSEWHERE = re.compile(  # sounds that are none of the sitting
    "写字|喝茶|看书|读书|开车|做饭|做家务|上班|干活|写作业|跑步|通勤|(?<![a-z])(?:driv|cook|writ|commut)ing(?![a-z])"
    "|外面|窗外|外头|隔壁|楼[上下]|邻居|描写|[写画]一|(?<![a-z])(?:outside|next door|upstairs|downstairs|neighbou?r)"
)
LONG_AGO = timedelta(days=60)
_YEARS_AGO = re.compile(r"[几多]年前|\byears ago\b|\bwhen i (?:first )?(?:started|began)\b")
_TRIED = re.compile(r"试[过了]|\btried\b")  # and not said to be kept up
_ANOTHER_NAME = re.compile("[小乳网曾]名|外号|绰号|英文名|花名|nickname|username")
_OF_OTHERS = re.compile("(?:这|以上|上面)(?:就)?是我.{1,4}[填写发]的")
_WISHES = {"preference.answer_style", "preference.answer_language"}  # the rules know what is asked of one text only
_DENIED = re.compile("(?:[没不别未甭]|(?<![a-z])(?:not|no|never|without|non)(?![a-z])|n't)[^,。]{0,3}$")


def find(reading: Reading, as_split: Sequence[Clause], found: list[Found]) -> list[Found]:
    """What the reader sees that is not among what the rules found. It knows clauses as they were split, before rules put them right."""
    if reading.corrected:
        return []  # what was a slip and what is meant, the rules have put right
    more: list[Found] = []
    for each in tagging.tag(reading.folded.text, as_split):
        read = _read(reading, each)
        if read and not any(_tells(known, read) for known in (*found, *more)):
            more.append(read)
    return more


def _read(reading: Reading, tagged: Tagged) -> Found | None:
    attribute, clause = reading.ontology.attribute(tagged.slot), reading.clauses[tagged.place]
    perhaps = tagged.chance < _least(reading, tagged)
    unsaid = clause.mood == "hypothetical" or clause.retraction or clause.narrative or tagged.mark == "unsure" or _TRIED.search(clause.text)
    if attribute is None or unsaid or not _is_ones_own(reading, tagged) or (perhaps and not _may_be_asked(reading, tagged)):
        return None
    value = _value(reading, tagged)
    if value is None:
        return None
    said = replace(
        clause,
        past=tagged.mark == "past" or _is_of_the_past(reading, tagged.place),
        scope="conversation" if tagged.mark == "now" else clause.scope,
    )
    item = item_of(attribute, value.normalized)
    operation = "end" if tagged.mark == "over" else "assert"
    among = (attribute.slot,) if perhaps else ()
    source = "explicit" if tagged.chance >= SURE else "inferred"
    return Found(attribute, said, tagged.place, value, item, operation, HEDGED if perhaps else CONFIDENCE, source, among=among)


def _least(reading: Reading, tagged: Tagged) -> float:
    """The chance from which it is believed."""
    return LIKELY if _is_plain(reading, tagged) and tagged.mark != "over" else SURE


def _is_ones_own(reading: Reading, tagged: Tagged) -> bool:
    """Said of the writer and of what the slot is about: not 小明住在上海, 外面有流水声, my commute is 40 minutes."""
    attribute, clause = reading.ontology.attribute(tagged.slot), reading.clauses[tagged.place]
    if clause.subject == "other" or voices.THIRD.match(clause.text) or tagged.slot in _WISHES or _begins_with_a_name(clause):
        return False
    if attribute.unless and attribute.unless.search(clause.text):
        return False
    if any(_OF_OTHERS.match(c.text) for c in reading.clauses):
        return False  # 张伟 28 广州 程序员，这是我室友填的表
    if tagged.slot == "profile.name":
        return not _ANOTHER_NAME.search(clause.text)
    if tagged.slot == "preference.meditation_sound":
        return not _ELSEWHERE.search(clause.text)
    spoken_of = {topic for topic in ACTIVITIES if reading.ontology.topics[topic].search(clause.text)}
    return not attribute.topic or not spoken_of or attribute.topic in spoken_of


def _begins_with_a_name(clause: Clause) -> bool:
    """小明住在上海, 李姐退休了; not 我叫小明."""
    first = dictionary().tag(clause.text[:12])[:1]
    return bool(first) and first[0][1] == "nr"


def _is_of_the_past(reading: Reading, place: int) -> bool:
    """三年前刚入门，五分钟都坐不满: of what used to be, or of a time long ago that the sentence began with."""
    said = reading.clauses[place]
    ahead = [clause for clause in reading.clauses[: place + 1] if clause.sentence == said.sentence]
    long_ago = any(_YEARS_AGO.search(c.text) or (c.when and not c.since and c.when.end < reading.at - LONG_AGO) for c in ahead)
    return said.past or (long_ago and not voices.NOW.search(said.text))


def _may_be_asked(reading: Reading, tagged: Tagged) -> bool:
    """Of one thing that holds now, said plainly, and likely enough to trouble the user with a question."""
    single = not reading.ontology.attribute(tagged.slot).multi
    return single and tagged.mark == "holds" and tagged.chance >= PERHAPS and _is_plain(reading, tagged)


def _is_plain(reading: Reading, tagged: Tagged) -> bool:
    clause = reading.clauses[tagged.place]
    return clause.mood == "statement" and not clause.past


def _value(reading: Reading, tagged: Tagged) -> Value | None:
    attribute = reading.ontology.attribute(tagged.slot)
    words = reading.original(tagged.start, tagged.end)
    if _is_denied(attribute, tagged.key, reading.folded.text[tagged.start : tagged.end]):
        return None
    if "duration" in attribute.types and OTHER_LENGTH_BEFORE.search(reading.folded.text[: tagged.start]):
        return None  # 坐不到五分钟
    if tagged.key_chance >= KEY_LIKELY and attribute.choice(tagged.key):
        value = reading.valued(attribute, {"type": "enum", "key": tagged.key})
        return replace(value, shown=words) if attribute.multi else value
    if not plausible(attribute, reading.folded.text[tagged.start : tagged.end]):
        return None
    return reading.value(attribute, words)


def _is_denied(attribute: Attribute, key: str, words: str) -> bool:
    """没有吃素 is no 吃素, though 不碰荤 is: the words name the value and deny it."""
    named = (m for m in attribute.spelling.finditer(words) if attribute.choice_of(m[0]).key == key) if attribute.choices else ()
    return any(_DENIED.search(words[: match.start()]) for match in named)


def _tells(known: Found, read: Found) -> bool:
    """Whether the rules have read this already."""
    if known.slot == read.slot:
        several = read.attribute.multi or read.attribute.faceted
        return not several or known.place == read.place or known.item == read.item
    if known.place != read.place:
        return False
    reached = known.attribute.category == "status" and read.attribute.category == "goal"  # 戒烟第12天 is no wish to quit
    return reached or (known.value is not None and known.value.key == read.value.key)
