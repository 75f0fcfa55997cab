"""What a question looks for: its clauses, words, slots, times and, where it leans on them, the turns before it."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from chat.memory.rules import read_question
from chat.memory.text import fold, loose_pairs, sentences, strip_controls, words
from chat.memory.times import TimeSpan, find_times

MOST_CLAUSES = 4
MOST_PIECES = 3
MOST_WORDS = 96
LEAST_CLAUSE = 4  # characters; shorter ones ask nothing on their own
_READ = 4000  # characters of a long message that are read for words
_BREAK = re.compile(r"[,，;；]?\s*(?:另外|还有|此外|以及另外|also|besides|and another thing)[,，:：]\s*", re.IGNORECASE)
_ASKS = re.compile((
    r"[?？]|[吗呢么](?:[。!！\s]|$)|什么|怎么|如何|多少|几[个点次天岁]|哪|谁|为什么"
    r"|^(?:wh|how|do|is|are|can)\b"
), re.IGNORECASE)
# What a question may say beside a time, or beside 常常, and still ask for nothing in particular.
_BARE = re.compile(
    r"[\s\W_]+|我们?|你们?|咱们?|自己|都|还|又|一起|曾经?|说|聊|谈|讲|提|做|干|发生|聊天|谈话|对话|事情?"
    r"|内容|话题|记得|告诉|回忆|回顾|想起|问|过|了|的|吗|呢|"
    r"什么|啥|哪些|哪里|哪儿|有|没|些|在|去|跟|和|是|关于|到|天|情况|怎么样?|如何|得|咋样|那|这|时候?|主要"
    r"|一下|来着|请|帮|查|看|找|会|把|给|总结|生活|"
    r"\b(?:what|which|where|how|did|do|does|have|had|has|was|were|been|be|is|are|there|we|i|you|me|us|my"
    r"|our|a|an|the|on|in|at|of|to|with|about|for|from|that|this|"
    r"talk|talks|talked|talking|discuss|discussed|say|said|tell|told|mention|mentioned|happen|happened"
    r"|chat|chatted|chats|conversation|conversations|speak|spoke|write|wrote|"
    r"any|anything|something|things|thing|stuff|day|going|go|went|up|remember|recall|summarize|summary|and"
    r"|so|please|can|could|life)\b",
    re.IGNORECASE,
)
# What asks for the last of several times: 我上次去海边是什么时候, the most recent walk. Of the words none says what it is about.
_LAST = re.compile(
    r"(?:上|最[后後]|最近|前)(?:的)?(?:一|那|[这這])?(?:次|回|趟|遍)(?![数數访訪应應答家来來])"
    r"|\b(?:(?:when|what) (?:was|is) )?(?:the |my )?(?:last|latest|most recent) (?:time|occasion)(?: (?:that|when))?\b"
    r"|\b(?:latest|most recent(?:ly)?)\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"(?:大概|大约|具体)?(?:是|在)?(?:什[么麼][时時]候|啥[时時]候|何[时時]|哪(?:一)?(?:天|年|[个個]月|月|日|周)|[几幾]月[几幾][号號日]|[几幾][号號月])(?:的)?(?:事|[来來][着著])?|^when (?:was|is|did)\b",
    re.IGNORECASE,
)
_PATTERN = re.compile(
    r"常常?|经常|时常|总是?|老是?|一直|通常|平时|往往|反复|多次|习惯|规律|模式|倾向|主题|最关心|最在意|"
    r"\b(?:often|usually|always|mostly|keeps?|recurring|patterns?|habits?|themes?|topics?|tend|most)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Clause:
    """A message, or one of the sentences or wordings that are asked beside the whole of it."""

    text: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    clauses: tuple[Clause, ...]
    slots: tuple[str, ...] = ()
    spans: tuple[TimeSpan, ...] = ()
    only_time: bool = False  # it names a time and nothing else: 昨天我说了什么
    patterns: bool = False  # it asks what comes up again and again: 我常聊什么
    newest: bool = False  # it asks for the last of several times, or for what was 最近: newest first
    folded: str = ""

    @property
    def bare(self) -> bool:
        """Whether it asks for nothing in particular, only for a time or for what repeats."""
        return self.only_time or self.patterns

    def names(self, label: str) -> bool:
        """Whether the question has this label literally, as a word of its own in scripts that part words."""
        if label not in self._names:  # a speaker is the label of all that they said
            self._names[label] = self._has(label)
        return self._names[label]

    @cached_property
    def _names(self) -> dict[str, bool]:
        return {}

    def _has(self, label: str) -> bool:
        wanted = fold(label).strip()
        if len(wanted) < 2:
            return False
        if wanted.isascii():
            return re.search(rf"(?<![a-z0-9]){re.escape(wanted)}(?![a-z0-9])", self.folded) is not None
        return wanted in self.folded

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(word for clause in self.clauses for word in clause.words))

    @cached_property
    def pairs(self) -> frozenset[str]:
        """Which of the words are none, only characters side by side."""
        return frozenset(pair for clause in self.clauses if clause.words for pair in loose_pairs(clause.text[:_READ]))


def read(
    question: str, at: datetime, zone: str, earlier: Sequence[str] = (), without: Collection[str] = (), also: Sequence[str] = ()
) -> Asked:
    """Read a question. `earlier`: the user's last turns, newest last; they are used only if the question leans on them.

    also: other wordings of it.
    """
    question = strip_controls(question)
    read_as = read_question(question, at, zone)
    clauses = [question if "time" in without else subject(question), *also]
    if read_as.refers_back and earlier:
        clauses.append("\n".join([*earlier[-2:], question]))
    if "split" not in without:
        clauses += pieces(question)
    asking = _asked_of(question)
    last = _asks_for_last(asking)
    spans = find_times(asking, at, zone, lean="past")
    if last:  # the 最近 of 最近一次 is no stretch of time
        spans = [span for span in spans if not _LAST.match(asking, asking.find(span.words))]
    only_time = bool(spans) and "time" not in without and not _said_beside(asking, spans)
    kept = list(dict.fromkeys(clauses))[:MOST_CLAUSES]
    # Where nothing but a time is asked for no word is: the 昨天 in a text of last month is another day.
    asked_words = [() if only_time else tuple(dict.fromkeys(words(text[:_READ])))[:MOST_WORDS] for text in kept]
    repeats = _PATTERN.search(fold(asking)) is not None and not _said_beside(asking, spans, _PATTERN)
    return Asked(
        clauses=tuple(Clause(*pair) for pair in zip(kept, asked_words, strict=True)),
        slots=() if "entity" in without else read_as.concerns,
        spans=() if "time" in without else tuple(spans),
        only_time=only_time,
        patterns=repeats and "theme" not in without,
        newest="time" not in without and (last or (_asks(asking) and any(span.precision == "vague" for span in spans))),
        folded=fold(question[:_READ]),
    )


def subject(question: str) -> str:
    """The question without what only asks for the last time, where it does and something else is left."""
    if not _asks_for_last(_asked_of(question)):
        return question
    rest = _WHEN.sub("", _LAST.sub("", question)).strip()
    return rest if _BARE.sub("", rest) else question


def _asks_for_last(asking: str) -> bool:
    return any(_LAST.search(sentence) and _asks(sentence) for sentence in sentences(asking))


def _asks(sentence: str) -> bool:
    """More strictly than what makes a sentence one to look for: 上次我去还看到了呢 tells."""
    return any(match[0][0] not in "呢么" for match in _ASKS.finditer(sentence))


def _said_beside(asking: str, spans: Sequence[TimeSpan], also: re.Pattern = _BARE) -> str:
    """What a question asks for in particular, beside its times and what `also` matches; "" where that is nothing."""
    rest = fold(asking)
    for span in reversed(spans):
        rest = f"{rest[: span.place[0]]} {rest[span.place[1] :]}"
    return _BARE.sub("", also.sub(" ", rest))


def _asked_of(message: str) -> str:
    """Where a message names the time that it asks about: not in what it tells beside its questions."""
    asking, others = split(message)
    return message[:_READ] if len(asking) + len(others) < 2 else "\n".join(asking)


def pieces(message: str) -> list[str]:
    """What is looked for on its own beside the whole of a message of several sentences: the longest of them."""
    asking, others = split(message)
    return sorted([*asking, *others], key=len, reverse=True)[:MOST_PIECES] if len(asking) + len(others) > 1 else []


def split(message: str) -> tuple[list[str], list[str]]:
    """The sentences of a message that ask something, and the others, each in order."""
    parts = [part.strip() for sentence in sentences(message[:_READ]) for part in _BREAK.split(sentence)]
    parts = [part for part in parts if len(part) >= LEAST_CLAUSE]
    asking = [part for part in parts if _ASKS.search(part)]
    return asking, [part for part in parts if part not in asking]
