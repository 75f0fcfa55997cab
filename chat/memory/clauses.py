"""A message as clauses: who each one is about, whether it states, asks or supposes, and for what time it speaks."""

import re
from dataclasses import dataclass, replace
from datetime import datetime

from chat.memory import voices
from chat.memory.borders import MASK, pieces
from chat.memory.text import Folded, align
from chat.memory.times import TimeSpan, find_in

LONGEST = 4_000  # folded characters of a message that are read; a longer one is a text, not a statement
_STORY = 60  # Chinese characters of a sentence, or two and a half times as many Latin ones
_TERSE = 8.5  # of them a clause, on average, in a sentence of short clauses
_QUOTE = re.compile((
    "“[^”]{0,2000}”|「[^」]{0,2000}」|『[^』]{0,2000}』|《[^》]{0,60}》|\"[^\"]{1,2000}\""
    "|(?<![a-z])'[^'\n]{3,400}'(?![a-z])|'''.{0,3000}?'''"  # folded, a fence of code is made of these
), re.DOTALL)
_NAMING = re.compile(
    "(?:琢磨|研究|参|读|抄|念|看|学|练|背|诵|持|听|主攻|叫|名字?[是为]?|称呼?我?|喊我|唤作|名为|名曰"
    "|name is|call me|called|named|i'm|是|改成|换成|改为|写|设成) ?$"
)
_TITLE = "《"


@dataclass(frozen=True)
class Clause:
    """A stretch start..end (half-open) of the folded message and what holds of it.

    subject: self, other or assistant. mood: statement, question or hypothetical. scope: lasting or conversation.
    when: the time it names. past: speaks of what used to be. event: of something that happened once. planned: of what
    is wanted or still to come; intended: of nothing but that. hedged: the speaker is not sure. narrative: stands in a long sentence in which the speaker does not
    occur, as in a retold story. correction: takes back the clause before it. sentence counts
    the sentences from 0.
    """

    start: int
    end: int
    text: str
    sentence: int
    narrative: bool = False
    subject: str = "self"
    mood: str = "statement"
    scope: str = "lasting"
    named_subject: bool = False  # the clause itself says who it is about
    past: bool = False
    event: bool = False
    planned: bool = False
    intended: bool = False
    hedged: bool = False
    correction: bool = False
    retraction: bool = False
    when: TimeSpan | None = None
    since: bool = False  # `when` is the beginning of what holds now


def split(text: str, at: datetime, zone: str) -> list[Clause]:
    """The clauses of a message that its writer says in their own voice: quotations and pasted texts are left out."""
    return split_folded(align(text), at, zone)


def split_folded(folded: Folded, at: datetime, zone: str) -> list[Clause]:
    spoken = own_words(folded.text[:LONGEST])
    named = find_in(folded, at, zone)
    backwards = {span.place[0]: span for span in find_in(folded, at, zone, lean="past")} if named else {}
    times = _Moments(at, named, backwards)
    clauses: list[Clause] = []
    for start, end, sentence, asked in pieces(spoken):
        before = clauses[-1] if clauses and clauses[-1].sentence == sentence else None
        clause = Clause(start, end, spoken[start:end], sentence)
        clauses.append(_understood(clause, before, asked, times))
    return _told(_tagged(clauses))


def _told(clauses: list[Clause]) -> list[Clause]:
    """Mark the long sentences without a word of the speaker. Strings of short clauses are how people tell of themselves."""
    sentences: dict[int, list[Clause]] = {}
    for clause in clauses:
        sentences.setdefault(clause.sentence, []).append(clause)
    retold = set()
    for number, parts in sentences.items():
        length = sum(0.4 if char.isascii() else 1 for part in parts for char in part.text)
        flows = length >= _TERSE * len(parts) or any(voices.THEM.search(part.text) for part in parts)
        if length > _STORY and flows and not any(voices.MYSELF.search(part.text) for part in parts):
            retold.add(number)
    return [replace(clause, narrative=True) if clause.sentence in retold else clause for clause in clauses]


def own_words(text: str) -> str:
    """The folded text with everything that is not its writer's own voice masked, character by character."""
    if voices.INJECTION.search(text):
        return text[: _sentence_before(text, voices.INJECTION.search(text).start())]
    masked = text
    for match in _QUOTE.finditer(text):
        inside = match[0][1:-1]
        naming = len(inside) <= 16 and _NAMING.search(text[max(0, match.start() - 8) : match.start()])
        if match[0].startswith(_TITLE) or naming:
            continue
        masked = masked[: match.start()] + MASK * len(match[0]) + masked[match.end() :]
    pasted = voices.PASTED.search(masked)
    if pasted and MASK not in masked[pasted.end() : pasted.end() + 3]:
        masked = masked[: pasted.start()]
    return masked


def _sentence_before(text: str, place: int) -> int:
    """Where the last sentence that ends before `place` ends: what was said before an injection stays said."""
    ends = [match.end() for match in re.finditer("[。!?\n]|\\.\\s", text[:place])]
    return ends[-1] if ends else 0


@dataclass(frozen=True)
class _Moments:
    """When the message was written, and the times it names."""

    at: datetime
    named: list[TimeSpan]
    backwards: dict[int, TimeSpan]  # by place: the same, days without a year or week taken for past ones


def _understood(clause: Clause, before: Clause | None, asked: bool, times: _Moments) -> Clause:
    subject, named = _subject(clause.text, before)
    mood = _mood(clause.text, before, asked)
    clause = replace(clause, subject=subject, named_subject=named, mood=mood)
    clause = _timed(clause, before, times)
    return replace(
        clause,
        hedged=bool(voices.HEDGE.search(clause.text)),
        scope="conversation" if _only_now(clause, before) else "lasting",
        planned=bool(voices.PLAN.search(clause.text)) or _plan_goes_on(clause, before),
        intended=bool(voices.ONLY_PLAN.search(clause.text)) or _plan_goes_on(clause, before),
        correction=bool(voices.CORRECTION.match(clause.text)),
        retraction=clause.subject != "other" and bool(voices.RETRACTION.search(clause.text)),
    )


def _plan_goes_on(clause: Clause, before: Clause | None) -> bool:
    """目标往上调一调，改成每天一小时: what is changed is still the goal."""
    if before and voices.VOW.fullmatch(before.text):
        return True  # 立个flag，以后十一点睡
    return bool(before and before.planned and voices.GOAL.search(before.text) and voices.CHANGED_TO.match(clause.text))


def _subject(text: str, before: Clause | None) -> tuple[str, bool]:
    if voices.ABOUT_ME.search(text):
        return "self", True
    if voices.OTHER.match(text) and not voices.TRADE.fullmatch(text):
        return "other", True
    if voices.YOU.match(text):
        return "assistant", True
    if voices.ME.match(text):
        return "self", True
    if before and not voices.FRESH.match(text) and not (before.subject == "other" and voices.TO_ME.search(before.text)):
        return before.subject if before.subject != "assistant" else "self", False
    return "self", False


def _mood(text: str, before: Clause | None, asked: bool) -> str:
    if voices.HYPOTHETICAL.search(text):
        return "hypothetical"
    if voices.is_question(text) or (asked and not voices.OPINION.match(text)):
        return "question"
    if before and before.mood == "hypothetical" and not voices.IN_FACT.match(text):
        return "hypothetical"
    if before and before.mood == "question" and voices.ASKING_ON.match(before.text):
        return "question"
    return "statement"


def _timed(clause: Clause, before: Clause | None, times: _Moments) -> Clause:
    text = clause.text
    when = _named_time(clause, times)
    now = bool(voices.NOW.search(text))
    since = bool(when and voices.TURNED.search(text) and not voices.PAST.search(text))
    gone = bool(when and when.precision in ("month", "season", "year") and when.end <= times.at and voices.GONE_BY.search(when.words)) and not voices.PLAN.search(text)
    past = (bool(voices.PAST.search(text)) or gone) and not now and not since
    turned = bool(voices.THEN.match(text) and voices.TURNED.search(text))
    if before and before.past and not (now or when or since or turned):
        past = past or not (clause.named_subject or voices.FRESH.match(text))
    event = bool(voices.EVENT.search(text)) and not (voices.HABIT.search(text) or since)
    return replace(clause, when=when, since=since, past=past, event=event)


def _named_time(clause: Clause, times: _Moments) -> TimeSpan | None:
    """The first time a clause names. What has already happened did not happen next Wednesday."""
    happened = voices.TURNED.search(clause.text) and not voices.PLAN.search(clause.text)
    for span in times.named:
        if clause.start <= span.place[0] < clause.end:
            return times.backwards.get(span.place[0], span) if happened and span.start > times.at else span
    return None


def _only_now(clause: Clause, before: Clause | None) -> bool:
    if voices.LASTING.search(clause.text):
        return False
    if voices.ONLY_NOW.search(clause.text):
        return True
    return bool(before and before.scope == "conversation" and not clause.named_subject and not voices.LASTING_TURN.search(clause.text))


def _tagged(clauses: list[Clause]) -> list[Clause]:
    """What one clause says of its neighbours: 就这一次, 说不准 and 吗 at the end of a sentence speak of what stands before."""
    result = list(clauses)
    for place, clause in enumerate(clauses):
        if place == 0 or clauses[place - 1].sentence != clause.sentence:
            continue
        for earlier in range(place - 1, -1, -1):
            if clauses[earlier].sentence != clause.sentence:
                break
            if voices.ONLY_NOW_TAG.match(clause.text):
                result[earlier] = replace(result[earlier], scope="conversation")
            if voices.UNSURE_TAG.match(clause.text):
                result[earlier] = replace(result[earlier], hedged=True)
    return result
