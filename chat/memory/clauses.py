"""A message as clauses: who each one is about, whether it states, asks or supposes, and for what time it speaks."""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice, pairwise

from chat.memory import voices
from chat.memory.text import Folded, align
from chat.memory.times import TimeSpan, find_in

LONGEST = 4_000  # folded characters of a message that are read; a longer one is a text, not a statement
_STORY = 60  # Chinese characters of a sentence, or two and a half times as many Latin ones
_TERSE = 8.5  # of them a clause, on average, in a sentence of short clauses
_MASK = "■"
# A place and what it lies in.
_PLACE = re.compile(
    r"(?:(?:liv(?:e|es|ed|ing)|based|moved|mov(?:e|ing)|relocated|settled|from|home|stay(?:ing)?"
    r"|reside)(?: \w+){0,2} (?:in|to|near|outside)|(?:^"
    r"|[\n.!?] ?)(?:now |yes |yeah )?in) [a-z][a-z'-]+(?: [a-z][a-z'-]+)?$"
)
_IN = re.compile(
    r" (?!now|too|and|but|i|we|so|always|again|still|for|since|yes|no|not|where|which|with|my|because"
    r"|though|actually|please|thanks|sitting|working|every|just|as|it|that)[a-z][a-z'-]+(?: [a-z]+)?(?=$"
    r"|[.!;,\n]| (?:to be exact|exactly|and|but|now|these days|with|since|near|for)(?![a-z]))"
)
_CJK = "\u3400-\u9fff"
_EMOJI = "\u2600-\u27bf\U0001f000-\U0001faff\u2190-\u21ff\u2b00-\u2bff"
# Where one clause ends and the next begins. A point between digits or letters (3.5, a@b.com) is none; a space is one
# between two Chinese stretches, which is how people write without marks.
# 抄经，我不喜欢: a bare predicate belongs to what stands before the comma.
_PREDICATE = (
    " ?(?:我|就|也|都|真|很|挺|实在|还|特别|非常)*(?:不(?:太|怎么|大|是很)?喜欢|喜欢|讨厌|受不了|不适合我"
    "|不感冒)(?:的|了|它)?(?=$|[,。!?;\n])"
)
_BORDER = re.compile(
    rf"(?P<end>[。!?！？\n]+|\.{{2,}}|…+|\.(?=\s|$|[{_CJK}])|[~～]+(?=\s|$|[{_CJK}]))"
    r"|(?P<mark>(?<=情况|介绍|一下|报下|况吧|近况|更新|补充|说明|如下|说下):|[()](?!\d)"
    rf"|[,;](?<!目标,)(?<!计划,)(?!{_PREDICATE})|(?<=[a-z]):(?= )(?<!goals:)(?<!goal:)(?<!plan:)(?<!year:)"
    rf"|—+| -+ |--+| / |\||[{_EMOJI}\ufe0f\u200d]+)"
    rf"|(?P<space>(?<=[{_CJK})])[ \t]+(?=[{_CJK}])|(?<=\d)[ \t]+(?=[{_CJK}])(?!点|分|个|小时|天|次|岁|月|年"
    rf"|号|遍|刻|周|公里|万?步)|(?<=[{_CJK}])[ \t]{{2,}}(?=\d)"
    rf"|(?<=[{_CJK}])[ \t]+(?=[1-9]\d[了啦]?[ ,](?!分|个|小时|天|次|min|岁))"
    rf"|(?<=[{_CJK}])[ \t]+(?=\d{{2,4}}年(?:的|生)|\d\d岁)|(?<=[起睡坐床醒])[ \t]+(?=\d{{1,2}}(?:点|:\d\d)))"
    r"|(?P<word> (?=(?:but|because|though|although|so now|so (?:i|we)(?:'ve|'m|'re)?"
    r"|and (?:i|my|we|now|on|also|keep|please|don't)|then i) ))"
    rf"|(?P<turn>(?<=[{_CJK}]{{2}})(?=(?:不对|[打说写]?错了?)是?[\d一二三四五六七八九十])"
    rf"|(?<=[{_CJK}]{{2}})(?=(?:但是|但(?!愿|丁)|不过|可是|只是(?!想|说)|而且|所以|因为|然后"
    rf"|另外)[{_CJK}]))"
)
# Where a stretch that goes on and on without a mark, as people dictate, turns to the next thing.
_RUN_ON = re.compile(
    rf"(?<=[{_CJK}]{{3}})(?=(?:后来|然后|现在|如今|目前|结果|以前|平时|平常|一般(?:都|是)?|最近|去年|今年|前年|每天"
    rf"|每周|每晚|每次|每回|天天|(?:早上|晚上)(?!也|再|各|都|一次|一座|一回|吧|的)|另外|还有|其实|反正|就是说"
    rf"|我(?:老|爸|妈|儿|女|闺|媳|孙|姐|哥|弟|妹)|(?<![居常现在]|[也都是就我人])(?<!一直)住(?=在|[{_CJK}]{{2}})"
    rf"|(?<![住人现是])在(?=[{_CJK}]{{2,3}}(?:开|做|当|教|上班|工作|读|干|打工|跑))"
    rf"|背景|身体(?=还|不|也|挺|有)|血[压糖脂]|睡眠(?=不|也|还|很|质)|养了|家里|膝盖|腰不"
    rf"|(?<=[床了坐睡吧嘛])(?:打坐|静坐|冥想)))"
    rf"|(?<=[了呢吧啊呀哦嘛的])(?=我(?!的|们的|自己)|他|她|咱|俺)"
)
# i get up at 6 sit for half an hour i work as a nurse
_NEXT_EN = (
    r"(?:and |so |then |also |plus |but )*(?:i|im|i'm|ive|i've|my|we|we're|our) (?!am$)"
    r"|(?:and |then )+(?:no|on|in|at|keep|just|mostly|usually|never) |(?:also|plus|anyway|btw|oh) "
    r"|(?:with )?no (?=music|sounds?|guidance|apps?)|(?<! i )(?:sit|meditate|run|work|live|sleep) (?=for |at |on |in |about |\d)"
)
_HANGS_ON = (
    r"(?<! i)(?<! we)(?<!don't)(?<!usually)(?<!always)(?<!only)(?<!just)(?<!mostly)(?<!never)(?<!when)(?<!if)(?<!that)(?<!what)(?<!which)(?<!while)(?<!before)(?<!after)(?<!since)(?<!because)(?<!think)"
    r"(?<!guess)(?<!hope)(?<!wish)(?<!know)(?<!feel)(?<!said)(?<!say)(?<!mean)(?<!where)(?<!why)(?<!how)(?<!as)"
    r"(?<!than)(?<!until)(?<!till)(?<!once)(?<!though)(?<!unless)(?<!believe)(?<!sure)(?<!told)(?<!and)(?<!so)(?<!then)"
    r"(?<!whenever)(?<!in)(?<!on)(?<!with)(?<!of)(?<!for)(?<!to)(?<!from)(?<!at)(?<!by)(?<!hi)(?<!hello)(?<!but)"
    r"(?<!all)(?<!do)(?<!should)(?<!can)(?<!about)(?<!is)(?<!hurts)(?<!also)(?<!plus)(?<!like)(?<!not)(?<!under)(?<!make)"
    r"(?<!have)(?<!had)(?<!not)(?<!near)(?<!helps)(?<!into)(?<!over)(?<!anyway)(?<!btw)(?<!oh)(?<!time)(?<!way)(?<!gives)"
)
_RUN_ON_EN = re.compile(rf"{_HANGS_ON} (?={_NEXT_EN})")
_DICTATED_EN = 60
_DICTATED = 24  # characters without a mark
_MOST_TURNS = 24
_QUOTE = re.compile((
    "“[^”]{0,2000}”|「[^」]{0,2000}」|『[^』]{0,2000}』|《[^》]{0,60}》|\"[^\"]{1,2000}\""
    "|(?<![a-z])'[^'\n]{3,400}'(?![a-z])|```.{0,3000}?```"
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
    for start, end, sentence, asked in _pieces(spoken):
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
        masked = masked[: match.start()] + _MASK * len(match[0]) + masked[match.end() :]
    pasted = voices.PASTED.search(masked)
    if pasted and _MASK not in masked[pasted.end() : pasted.end() + 3]:
        masked = masked[: pasted.start()]
    return masked


def _sentence_before(text: str, place: int) -> int:
    """Where the last sentence that ends before `place` ends: what was said before an injection stays said."""
    ends = [match.end() for match in re.finditer("[。!?\n]|\\.\\s", text[:place])]
    return ends[-1] if ends else 0


def _pieces(text: str) -> list[tuple[int, int, int, bool]]:
    """(start, end, sentence, asked) of each clause without the blanks and marks at its ends."""
    pieces, start, sentence = [], 0, 0
    borders = [(m.start(), m.end(), m.lastgroup, m[0]) for m in _BORDER.finditer(text)] + [(len(text), len(text), "end", "")]
    for begin, finish, kind, mark in borders:
        if mark == "," and _PLACE.search(text[start:begin]) and _IN.match(text, finish):
            continue  # in Hackney, London
        left, right = _trimmed(text, start, begin)
        if right > left and text[left:right].strip(_MASK):
            pieces += [(first, last, sentence, "?" in mark) for first, last in _runs(text, left, right)]
        start = finish
        if kind == "end" and mark not in ("...", "…"):
            sentence += 1
    return pieces


def _runs(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A stretch as it is, or, where it is too long to be one clause, cut before the words that begin another."""
    latin = text[start:end].isascii()
    if end - start < (_DICTATED_EN if latin else _DICTATED):
        return [(start, end)]
    turns = (_RUN_ON_EN if latin else _RUN_ON).finditer(text, start, end)
    cuts = [start, *(m.start() for m in islice(turns, _MOST_TURNS)), end]
    return [_trimmed(text, first, last) for first, last in pairwise(cuts) if text[first:last].strip()]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and (text[start].isspace() or text[start] in "\"'“”()[]{}*#>-·"):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in "\"'“”()[]{}*-·"):
        end -= 1
    return start, end


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
