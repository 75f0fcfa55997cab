"""What the learned reader (chat.memory.tagging) sees in a message beyond what the rules found.

The rules go first: a slot that they have read is not read again, nor are the words that they took for another slot's value.
What is likely is believed as an inference, which takes the place of nothing that was said: against a belief it is asked about.
What is only perhaps so is believed of nothing, and asked about where something else is believed of its slot.
"""

import re
from dataclasses import replace

from chat.memory import tagging, voices
from chat.memory.clauses import Clause
from chat.memory.ontology import Attribute
from chat.memory.rules.plausible import plausible
from chat.memory.rules.proposal import HEDGED
from chat.memory.rules.reading import ACTIVITIES, Found, Reading
from chat.memory.rules.sayings import item_of
from chat.memory.tagging import Tagged
from chat.memory.text import dictionary
from chat.memory.values import Value

PERHAPS = 0.7  # chance from which it is asked about
LIKELY = 0.8  # chance from which it is believed
SURE = 0.93  # the same of what is over, and where the rules take its clause for a question; as good as a rule
KEY_LIKELY = 0.6
CONFIDENCE = 0.75
_OUTSIDE = re.compile("外面|窗外|外头|隔壁|楼[上下]|邻居|描写|[写画]一|(?<![a-z])(?:outside|next door|upstairs|downstairs|neighbou?r)")
_WISHES = {"preference.answer_style", "preference.answer_language"}  # the rules know what is asked of one text only
_DENIED = re.compile("(?:[没不别未甭]|(?<![a-z])(?:not|no|never|without|non)(?![a-z])|n't)[^,。]{0,3}$")


def see(reading: Reading) -> list[Tagged]:
    """What the message seems to state. Before the rules put its clauses right: the reader knows them as they were split."""
    return tagging.tag(reading.folded.text, reading.clauses)


def find(reading: Reading, tagged: list[Tagged], found: list[Found]) -> list[Found]:
    """Of what was tagged what is not among what the rules found."""
    if reading.corrected:
        return []  # what was a slip and what is meant, the rules have put right
    more: list[Found] = []
    for each in tagged:
        read = _read(reading, each)
        if read and not any(_tells(known, read) for known in (*found, *more)):
            more.append(read)
    return more


def _read(reading: Reading, tagged: Tagged) -> Found | None:
    attribute, clause = reading.ontology.attribute(tagged.slot), reading.clauses[tagged.place]
    perhaps = tagged.chance < _least(reading, tagged)
    unsaid = clause.mood == "hypothetical" or clause.retraction or clause.narrative or tagged.mark == "unsure"
    if attribute is None or unsaid or not _is_ones_own(reading, tagged) or (perhaps and not _may_be_asked(reading, tagged)):
        return None
    value = _value(reading, tagged)
    if value is None:
        return None
    said = replace(
        clause,
        past=clause.past or tagged.mark == "past",
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
    if tagged.slot == "preference.meditation_sound":
        return not _OUTSIDE.search(clause.text)
    spoken_of = {topic for topic in ACTIVITIES if reading.ontology.topics[topic].search(clause.text)}
    return not attribute.topic or not spoken_of or attribute.topic in spoken_of


def _begins_with_a_name(clause: Clause) -> bool:
    """小明住在上海, 李姐退休了; not 我叫小明."""
    first = dictionary().tag(clause.text[:12])[:1]
    return bool(first) and first[0][1] == "nr"


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
    return known.place == read.place and known.value is not None and known.value.key == read.value.key
