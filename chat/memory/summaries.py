"""A stretch of talk as a short sheet: 主题 / 用户问题 / 建议方案 / 用户反馈 / 关键事实, made of the talkers' own words.

Nothing here knows a model: clauses are chosen greedily within a budget of tokens, and what must not be lost (values of
beliefs, numbers, dates, names) is appended where the chosen clauses don't say it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from chat.memory import details, voices
from chat.memory.details import Detail
from chat.memory.intents import intent, is_courtesy
from chat.memory.keywords import content_words, keywords
from chat.memory.text import fold

PARTS = ("question", "advice", "feedback", "facts")
_LABELS = {
    "zh": {"topic": "主题", "question": "用户问题", "advice": "建议方案", "feedback": "用户反馈", "facts": "关键事实"},
    "en": {"topic": "Topic", "question": "Asked", "advice": "Advice", "feedback": "Response", "facts": "Key facts"},
}
_WORTH = {"question": 1.0, "facts": 1.0, "advice": 0.75, "feedback": 0.5}
LONGEST_PIECE = 120  # characters of one clause
_CLAUSE = re.compile(r"(?:[^，,。！？!?；;\n.…～~]|(?<=\d)[.,](?=\d)|\.(?=\S)|,(?=\S))+[，,。！？!?；;\n.…～~]*")
_LEAD = re.compile((
    "^(?:那么?(?!个|天|次|时)|其实|就是|嗯+|哦+|啊|哇|呃|好的?|是的|对的?呀?|当然|对了|不过说起来|说起来"
    "|我觉得|我认为|我想说|我感觉|另外|此外|首先|其次|最后|同时|而且|并且|所以|然后|还有|也许"
    "|你(?:也)?可以|您(?:也)?可以|建议你|我建议你?|我推荐你?|推荐你|你不妨|well|so|and|also|then|actually"
    "|i think|i feel|you can|you could|i suggest|i'd suggest|maybe)[,，、 ]*"
), re.IGNORECASE)
_TAIL = re.compile("(?:呢|吧|啊|呀|哦|哈|啦|喔|嘛|哟|[，,。.！!；;~～…\\s])+$")
_ADVISES = re.compile(
    "可以|建议|试|不妨|推荐|应该|先|尽量|保持|避免|注意|例如|比如|如果.*就|需要|多|少|每天|try|should"
    "|could|recommend|suggest|start|avoid|keep|instead|practi[cs]e|helps?"
)
_REACTS = re.compile(
    "有用|有效|没用|没效|效果|好多了|好些|试了|试过|照(?:着|你说)|按(?:你|照)|有道理|有帮助|受益"
    "|我会(?:去|试|好好|按|考虑)|会试|听你|你说的|这个(?:方法|建议|主意)|这些(?:方法|建议)|不管用|做不到"
    "|太难|tried|it (?:helped|works|worked|didn't)|that helps|i'll try|makes sense|useful|helpful"
)
_HOLLOW = re.compile(
    "^(?:(?:这|那|听起来|看来|真的?|确实|的确|你|是|非常|很|太)*(?:不错|有道理|有意思|有趣|好的?|棒|对"
    "|厉害|重要|好主意|有帮助|有用|高兴|开心|荣幸)[了啊呀的吧呢哦!！。 ]*)$"
    "|有什么(?:我)?(?:可以|能)?(?:帮|需要)|随时(?:告诉|联系|找|和|向|跟)我"
    "|很(?:高兴|荣幸|乐意)(?:能|为|听|和|认识)|作为(?:一个|一名|你的)?(?:ai|人工智能)"
    "|希望(?:你|能|这|我的)|祝(?:你|您)|加油|我(?:会|能)?一直(?:在|陪)|谢谢你的|可以(?:和|跟|告诉|给)我"
    "|跟我(?:说|讲|分享)"
    "|想(?:要)?(?:请教|问|咨询|和你|跟你|聊)|我有一?个?(?:小)?问题|i'm (?:glad|happy|here)|let me know"
    "|feel free|you're welcome|no problem|hope (?:you|this|that)|as an ai|great question|good question",
    re.IGNORECASE,
)
_CONNECTS = re.compile("^(?:因为|所以|结果|导致|于是|以至于|因此|because|so that|therefore)", re.IGNORECASE)


@dataclass(frozen=True)
class Said:
    """One turn as a summary reads it."""

    id: int
    text: str
    answer: str
    at: datetime
    language: str = "zh"


@dataclass(frozen=True)
class Belief:
    """A version that the source asserts. `now`: what took its place, "" while it holds. `gone`: taken back, to be left out."""

    id: int
    label: str
    value: str
    quote: str = ""
    now: str = ""
    gone: bool = False


@dataclass(frozen=True)
class Sheet:
    """The parts of a summary. `mentions` are details that no other part says."""

    topic: str
    question: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    feedback: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    beliefs: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    days: str = ""
    language: str = "zh"


@dataclass(frozen=True)
class Piece:
    part: str
    text: str
    place: int
    value: float = 0.0


@dataclass
class Writing:
    """The state of one extraction: what has been chosen, and what must be said."""

    base: Sheet
    beliefs: Sequence[Belief]
    details: Sequence[Detail]
    chosen: list[Piece] = field(default_factory=list)

    def sheet(self, extra: Piece | None = None) -> Sheet:
        pieces = sorted([*self.chosen, *([extra] if extra else [])], key=lambda piece: piece.place)
        parts = {part: _joined([p.text for p in pieces if p.part == part], self.base.language) for part in PARTS}
        return complete(replace(self.base, **parts), self.beliefs, self.details)


def write(said: Sequence[Said], beliefs: Sequence[Belief], zone: str, budget: int, count: Callable[[str], int]) -> Sheet:
    """The sheet of some turns in about `budget` tokens by `count`. What must be said is said even where it takes more."""
    language = _language(said)
    found = unique(detail for turn in said for side in (turn.text, turn.answer) for detail in details.find(side, turn.at, zone))
    base = Sheet(_topic(said), days=show_days([turn.at for turn in said], zone, language), language=language)
    writing = Writing(base, beliefs, found)
    gone = [fold(belief.quote) for belief in beliefs if belief.gone and belief.quote]
    pieces = [piece for piece in _pieces(said) if not any(quote in fold(piece.text) or fold(piece.text) in quote for quote in gone)]
    spent = count(render(writing.sheet()))
    for piece in sorted(_valued(pieces, writing, spent, count), key=lambda piece: -piece.value):
        if spent >= budget:
            break
        cost = count(render(writing.sheet(piece)))
        if cost <= budget:
            writing.chosen.append(piece)
            spent = cost
    return writing.sheet()


def render(sheet: Sheet) -> str:
    """The sheet as text, a line for every part that has something to say."""
    labels, colon = _LABELS[sheet.language], "：" if sheet.language == "zh" else ": "
    mark = "；" if sheet.language == "zh" else "; "
    days = (f"（{sheet.days}）" if sheet.language == "zh" else f" ({sheet.days})") if sheet.days else ""
    lines = [f"{labels['topic']}{colon}{sheet.topic}{days}"]
    for part in ("question", "advice", "feedback"):
        if getattr(sheet, part):
            lines.append(f"{labels[part]}{colon}{mark.join(getattr(sheet, part))}")
    facts = [*sheet.facts, *sheet.beliefs, *([_listed(sheet.mentions, sheet.language)] if sheet.mentions else [])]
    if facts:
        lines.append(f"{labels['facts']}{colon}{mark.join(facts)}")
    return "\n".join(lines)


def complete(sheet: Sheet, beliefs: Sequence[Belief], found: Iterable[Detail]) -> Sheet:
    """The sheet with every value and detail that its parts don't say yet."""
    said = render(replace(sheet, beliefs=(), mentions=()))
    lines = tuple(line for belief in beliefs if (line := _belief_line(belief, said, sheet.language)))
    said = render(replace(sheet, beliefs=lines, mentions=()))
    lost = [detail.shown or detail.words for detail in details.missing(found, said)]
    kept = [word for word in lost if not any(word != other and fold(word) in fold(other) for other in lost)]
    return replace(sheet, beliefs=lines, mentions=tuple(dict.fromkeys(kept)))


def says_value(text: str, value: str) -> bool:
    """Whether a text says the value, in whatever script, width or spacing."""
    return "".join(fold(value).split()) in "".join(fold(text).split())


def show_days(moments: Sequence[datetime], zone: str, language: str) -> str:
    """The day or days of some moments: 8月20日, 8月20日–22日."""
    if not moments:
        return ""
    first, last = (details.show_day(moment, moments[-1], zone, language) for moment in (min(moments), max(moments)))
    if first == last:
        return first
    if language == "zh" and first.partition("月")[0] == last.partition("月")[0]:
        return f"{first}–{last.partition('月')[2]}"
    return f"{first}–{last}"


def _language(said: Sequence[Said]) -> str:
    english = sum(len(turn.text) for turn in said if turn.language == "en")
    return "en" if english * 2 > sum(len(turn.text) for turn in said) else "zh"


def _topic(said: Sequence[Said]) -> str:
    language = _language(said)
    found = keywords([turn.text for turn in said], 3) or keywords([turn.answer for turn in said], 2)
    return ("、" if language == "zh" else ", ").join(found) or ("问候" if language == "zh" else "greetings")


def _pieces(said: Sequence[Said]) -> list[Piece]:
    pieces: list[Piece] = []
    for number, turn in enumerate(said):
        for text in _clauses(turn.text):
            pieces.append(Piece(_part_of_user(text, number), text, len(pieces)))
        for text in _clauses(turn.answer):
            if _ADVISES.search(fold(text)) and "？" not in text and "?" not in text:
                pieces.append(Piece("advice", text, len(pieces)))
    shortened = [replace(piece, text=shorten(piece.text)) for piece in pieces]
    return [piece for piece in shortened if len(piece.text) >= 4]


def _clauses(text: str) -> list[str]:
    """Clauses that say something; a short one, and a result with its cause, stay with the one before."""
    found: list[str] = []
    for match in _CLAUSE.finditer(text[:6000]):
        clause = match[0].strip()
        bare = fold(clause).strip(" ,。.!?;…")
        if not bare or voices.INJECTION.search(bare) or is_courtesy(bare) or _HOLLOW.search(bare):
            continue
        if found and (len(bare) < 6 or _CONNECTS.match(bare)) and len(found[-1]) + len(clause) <= LONGEST_PIECE:
            found[-1] += clause
        else:
            found.append(clause)
    return [clause[: LONGEST_PIECE * 2] for clause in found]


def shorten(clause: str) -> str:
    """Without the opening that says nothing and the particles at the end."""
    bare = _TAIL.sub("", clause.strip())
    for _round in range(2):
        bare = _LEAD.sub("", bare, count=1) or bare
    return bare.strip()


def _part_of_user(clause: str, number: int) -> str:
    if number and _REACTS.search(fold(clause)):
        return "feedback"
    return "question" if intent(fold(clause)) in ("ask", "complain", "recall", "command") else "facts"


def _valued(pieces: Sequence[Piece], writing: Writing, spent: int, count: Callable[[str], int]) -> list[Piece]:
    """Each piece with its worth for the tokens that it would add."""
    frequent = Counter(word for piece in pieces for word in set(content_words(piece.text)))
    result = []
    seen: Counter[str] = Counter()
    for piece in pieces:
        words = set(content_words(piece.text))
        central = sum(min(frequent[word], 4) for word in words) / 4
        carried = sum(1 for detail in writing.details if detail.key in "".join(fold(piece.text).split()))
        worth = _WORTH[piece.part] * (0.4 + central + 1.5 * carried) / (1 + 0.3 * seen[piece.part])
        seen[piece.part] += 1
        cost = max(1, count(render(writing.sheet(piece))) - spent)
        result.append(replace(piece, value=worth / (cost + 4)))
    return result


def _belief_line(belief: Belief, said: str, language: str) -> str:
    """「标签：值」 where the text does not say the value; a value that no longer holds is followed by what took its place."""
    if belief.gone:
        return ""
    colon = "：" if language == "zh" else ": "
    if belief.now:
        later = f"（后来：{belief.now}）" if language == "zh" else f" (later: {belief.now})"
        return f"{belief.label}{colon}{belief.value}{later}"
    return "" if says_value(said, belief.value) else f"{belief.label}{colon}{belief.value}"


def _listed(words: Sequence[str], language: str) -> str:
    return "提到" + "、".join(words) if language == "zh" else "mentioned " + ", ".join(words)


def _joined(texts: list[str], language: str) -> tuple[str, ...]:
    """Without repetition: a piece that another one contains is left out."""
    kept: list[str] = []
    for text in texts:
        if not any(fold(text) in fold(other) for other in kept):
            kept = [other for other in kept if fold(other) not in fold(text)] + [text]
    return tuple(kept)


def unique(found: Iterable[Detail]) -> list[Detail]:
    """Each detail once, where it first stands."""
    result: dict[str, Detail] = {}
    for detail in found:
        result.setdefault(detail.key, detail)
    return list(result.values())
