"""Reading a message by rules: what it proposes to the user's state, and what it asks. Chinese and English, no model."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from chat.memory import ontology, values, voices
from chat.memory.clauses import split_folded
from chat.memory.rules import (
    cancelled,
    cards,
    elliptic,
    granted,
    learned,
    measures,
    mentions,
    mentions_zh,
    plain,
    sayings,
    schedule,
    taking_back,
    turning,
)
from chat.memory.rules.proposal import Proposal, Question
from chat.memory.rules.questions import read_question
from chat.memory.rules.reading import Found, Reading
from chat.memory.spellings import mend, thin
from chat.memory.text import Folded, align, closed_up, language, numbered

__all__ = ["Proposal", "Question", "propose", "read_question"]

LONGEST_REPLY = 80  # characters of a message that may lean on what was said before it
LONGEST = 6_000  # characters of a message that are read; the rest of a longer one is a text, not a statement
MOST_CLAUSES = 200
MORE = 4  # letters
NEAR = 3  # clauses between what was mistaken and what puts it right
# Said of something known without its name: it's more like 7 these days.
COMPARES = re.compile(r"(?i)\b(?:closer|nearer) to\b|\bmore like\b|更接近|(?:现在|最近|可能|大概)(?:更|比较)(?:接近|像)")


def propose(text: str, at: datetime, zone: str, before: Callable[[], str] = str) -> list[Proposal]:
    """What the message itself states, in the order to be observed: retractions first, then as it was said.

    at: when it was said (aware); zone: IANA name of the user's zone. `before`: fetches what was said just before it; a
    short message that says nothing alone is read after it (几点打坐？ 六点半吧). Never raises for any text.
    """
    reading = _reading(text, at, zone)
    alone, as_split = reading, tuple(reading.clauses)  # before those that correct one another are put right
    found = turning.resumed(reading, granted.premises(reading, _read_mixed(reading)))
    found += turning.find(reading, found)
    found += plain.find(reading, found)
    if voices.OFF_RECORD.search(reading.folded.text) and _says_more(reading.folded.text):
        return []
    taken_back = taking_back.retractions(reading, found)
    if not (found or taken_back) and len(text) <= LONGEST_REPLY:
        earlier = before()
        reading = _reading(f"{earlier}\n{text}", at, zone) if earlier else reading
        said_before = len(numbered(align(f"{earlier}\n")).text) if earlier else 0
        found = [f for f in _read(reading) if f.clause.start >= said_before] if earlier else []
        if not found:
            reading, found = alone, elliptic.finer_place(alone) or turning.unplaced(alone)
    elif not taken_back and all(f.attribute.name == "common_difficulty" for f in found):
        found += turning.unplaced(reading)  # 十点老犯困，提前到晚饭前了
    planned = any(f.attribute.category in ("goal", "schedule") and f.operation == "assert" for f in found if _worth_keeping(f))
    off = [] if planned else cancelled.find(reading)
    if reading is alone and not (taken_back or off):
        found += learned.find(reading, as_split, found)
    proposals = [reading.proposal(f) for f in _settled(found) if _worth_keeping(f)]
    return [*taken_back, *off, *_distinct(proposals)]


def narrowed(text: str, at: datetime, zone: str, believed: Callable[[], Iterable[tuple[str, dict]]]) -> list[Proposal]:
    """What the beginning of a short message says, more exactly, of what is believed.

    believed: fetches slots with their normalized values; called only where the message begins by stating something.
    """
    if len(text) > LONGEST_REPLY:
        return []
    reading = _reading(text, at, zone)
    if not reading.clauses or not elliptic.states(reading.clauses[0]):
        return []
    known = [(reading.ontology.attribute(slot), broad) for slot, broad in believed()]
    return [reading.proposal(f) for f in elliptic.narrower(reading, 0, [pair for pair in known if pair[0]])]


def _reading(text: str, at: datetime, zone: str) -> Reading:
    folded = numbered(align(text[:LONGEST]))
    return _reading_of(replace(folded, text=mend(folded.text)), at, zone)


def _reading_of(folded: Folded, at: datetime, zone: str) -> Reading:
    clauses = split_folded(folded, at, zone)[:MOST_CLAUSES]
    return Reading(ontology.load(), folded, clauses, at, zone, language(folded.original))


def _read_mixed(reading: Reading) -> list[Found]:
    """What is read of a message; again without the spaces between two scripts, and without words that only lend weight."""
    found = _read(reading)
    for again in (closed_up(reading.folded), thin(reading.folded)):
        if again is not reading.folded:
            known = {f.slot for f in found}
            found += [f for f in _read(_reading_of(again, reading.at, reading.zone)) if f.slot not in known]
    return found


def _read(reading: Reading) -> list[Found]:
    found: list[Found] = []
    mistaken: list[Found] = []
    carded = cards.find(reading)
    for place, clause in enumerate(reading.clauses):
        if swapped := taking_back.swapped(reading, place, mistaken or found):
            wrong, right = swapped
            found, mistaken = [*(f for f in found if f is not wrong), right], []
            reading.corrected.add(place)
            continue
        if (slip := taking_back.slip(reading, place, found)) and not mistaken:
            mistaken = slip
            reading.clauses[place] = replace(clause, retraction=False, correction=False)
            reading.corrected.add(place)
            continue
        if clause.correction:
            mistaken = mistaken or [f for f in _last_said(found) if f.place not in reading.corrected and place - f.place <= NEAR]
            rest = taking_back.after_marker(clause)
            reading.clauses[place] = replace(rest, retraction=False) if mistaken else rest
            if mistaken:
                reading.corrected.add(place)
            if not rest.text:
                continue
        on_card = [f for f in carded if f.place == place]
        told = {f.slot for f in on_card}
        here = [*on_card, *(f for f in _of_clause(reading, place) if f.slot not in told)]
        if mistaken:
            slots = {f.slot for f in here}
            if slots & {f.slot for f in mistaken}:
                found = [f for f in found if not (f in mistaken and f.slot in slots)]
                mistaken = []
            elif instead := taking_back.instead(reading, place, mistaken):
                found = [f for f in found if f not in mistaken or f.slot != instead[0].slot]
                here, mistaken = [*here, *instead], []
        found += here
    return [f for f in found if f not in mistaken]


def _says_more(text: str) -> bool:
    """Is there anything else in a message that asks for something not to be kept?"""
    return len(voices.OFF_RECORD.sub("", text).strip(" ,.。!:")) >= MORE


def _of_clause(reading: Reading, place: int) -> list[Found]:
    if voices.MARKS_ONLY.fullmatch(reading.clauses[place].text):
        return []
    scheduled = schedule.find(reading, place)
    if scheduled:
        return scheduled
    return _said(reading, place) or _said_of_i(reading, place)


def _said_of_i(reading: Reading, place: int) -> list[Found]:
    """What a clause says that leaves out its I (Run a wool shop in Ennis; dry since 2019), read with it."""
    clause = reading.clauses[place]
    lead = voices.left_out(clause.text) if clause.mood == "statement" and clause.subject == "self" else ""
    if not lead:
        return []
    reading.clauses[place] = replace(clause, text=lead + clause.text, start=clause.start - len(lead), named_subject=True)
    try:
        return [replace(f, clause=clause) for f in _said(reading, place)]
    finally:
        reading.clauses[place] = clause


def _said(reading: Reading, place: int) -> list[Found]:
    over = turning.left_off(reading, place)
    items = {(f.slot, f.item) for f in over}
    said = [*(f for f in sayings.find(reading, place) if (f.slot, f.item) not in items), *over]
    said += [f for f in elliptic.shifted(reading, place) if f.slot not in {known.slot for known in said}]
    opposed = {(f.attribute.opposes, f.item) for f in said if f.attribute.opposes}
    said = [f for f in said if (f.slot, f.item) not in opposed]
    known = {f.slot for f in said if not (f.operation == "end" and f.attribute.multi)}
    return [*said, *_mentioned(reading, place, said, known), *measures.find(reading, place)]


def _mentioned(reading: Reading, place: int, said: list[Found], known: set[str]) -> list[Found]:
    """What is only mentioned, and not of an item that the clause says is disliked."""
    opposed = {(f.attribute.opposes, f.item) for f in said if f.attribute.opposes}
    told = opposed | {(f.slot, f.item) for f in said}
    found = [*mentions.find(reading, place, known), *mentions_zh.find(reading, place, known)]
    return [f for f in found if (f.slot, f.item) not in told]


def _last_said(found: list[Found]) -> list[Found]:
    """What the last clause that said anything said."""
    return [f for f in found if f.place == found[-1].place] if found else []


def _settled(found: list[Found]) -> list[Found]:
    """Of a single-valued slot the last present statement of the message counts; what used to be stays beside it.

    An end with a new value beside it (别放雨声了，安静就好) is a change. What is said for good and then again more loosely (以后回答短一点，别啰嗦) is said for good.
    """
    last: dict[tuple, Found] = {}
    for item in found:
        if item.operation != "assert" or item.clause.past or item.clause.hedged:
            continue
        before = last.get((item.slot, item.item))
        if before and _says_no_more(item, before) and before.scope != "conversation" and before.clause.scope == "lasting":
            continue
        last[item.slot, item.item] = item
    replaced = {slot for slot, _ in last}
    opposed = {(f.attribute.opposes, f.item) for f in found if f.attribute.opposes and f.operation == "assert"}
    found = [f for f in found if (f.slot, f.item) not in opposed]  # 慈心禅我做着别扭 says nothing of doing it
    return [
        f
        for f in found
        if (f.operation == "end" and (f.attribute.multi or f.slot not in replaced))
        or (f.operation == "assert" and (f.clause.past or last.get((f.slot, f.item), f) is f))
    ]


def _says_no_more(item: Found, before: Found) -> bool:
    """净土宗的, 信佛: the same, or only more broadly."""
    if item.value.key == before.value.key:
        return True
    worded = item.value.normalized["type"] == before.value.normalized["type"] and item.value.normalized["type"] in ("enum", "text")
    return worded and values.compare(item.attribute, before.value.normalized, item.value.normalized) is values.Relation.SAME


def _worth_keeping(found: Found) -> bool:
    """Not of today's exceptions; of the past only single-valued slots: 以前练过瑜伽 says little, 以前住北京 does."""
    if found.clause.scope == "conversation" and found.attribute.category in ("habit", "goal", "profile") and found.attribute.name != "name":
        return False
    return not (found.clause.past and (found.attribute.multi or found.operation != "assert"))


def _distinct(proposals: list[Proposal]) -> list[Proposal]:
    seen: dict[tuple, Proposal] = {}
    for proposal in proposals:
        seen.setdefault((proposal.slot, proposal.item, proposal.key, proposal.operation, proposal.past), proposal)
    return list(seen.values())
