"""What a question looks for: its clauses, words, slots, times and, where it leans on them, the turns before it."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from chat.memory.rules import read_question
from chat.memory.text import fold, sentences, strip_controls, words
from chat.memory.times import TimeSpan, find_times

MOST_CLAUSES = 4
MOST_WORDS = 32
CLAUSE_SHARE = 0.9  # of what a clause alone finds, against the whole message
LEAST_CLAUSE = 4  # characters; shorter ones ask nothing on their own
_READ = 4000  # characters of a long message that are read for words
_BREAK = re.compile(r"[,，;；]?\s*(?:另外|还有|此外|以及另外|also|besides|and another thing)[,，:：]\s*", re.IGNORECASE)
_ASKS = re.compile(r"[?？]|[吗呢么](?:[。!！\s]|$)|什么|怎么|如何|多少|几[个点次天岁]|哪|谁|为什么|^(?:wh|how|do|is|are|can)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Clause:
    """One of the questions in a message; `share` is how much what it finds counts against the others, 0–1."""

    text: str
    words: tuple[str, ...]
    share: float = 1.0


@dataclass(frozen=True)
class Asked:
    clauses: tuple[Clause, ...]
    slots: tuple[str, ...] = ()
    spans: tuple[TimeSpan, ...] = ()

    folded: str = ""

    def names(self, label: str) -> bool:
        """Whether the question has this label literally, as a word of its own in scripts that part words."""
        wanted = fold(label).strip()
        if len(wanted) < 2:
            return False
        if wanted.isascii():
            return re.search(rf"(?<![a-z0-9]){re.escape(wanted)}(?![a-z0-9])", self.folded) is not None
        return wanted in self.folded

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(word for clause in self.clauses for word in clause.words))


def read(
    question: str, at: datetime, zone: str, earlier: Sequence[str] = (), without: Collection[str] = (), also: Sequence[str] = ()
) -> Asked:
    """Read a question. `earlier`: the user's last turns, newest last; they are used only if the question leans on them.

    also: other wordings of it.
    """
    question = strip_controls(question)
    read_as = read_question(question, at, zone)
    clauses = [question, *also] if "split" in without else [question, *also, *split(question)]
    if read_as.refers_back and earlier:
        clauses.append("\n".join([*earlier[-2:], question]))
    kept = list(dict.fromkeys(clauses))[:MOST_CLAUSES]
    asked_words = [tuple(dict.fromkeys(words(text[:_READ])))[:MOST_WORDS] for text in kept]
    return Asked(
        clauses=tuple(Clause(*pair, CLAUSE_SHARE if place else 1.0) for place, pair in enumerate(zip(kept, asked_words, strict=True))),
        slots=() if "entity" in without else read_as.concerns,
        folded=fold(question[:_READ]),
        spans=() if "time" in without else tuple(find_times(question[:_READ], at, zone, lean="past")),
    )


def split(question: str) -> list[str]:
    """The questions that a message asks, without what it says around them; none when it is one question already."""
    pieces = [part for sentence in sentences(question[:_READ]) for part in _BREAK.split(sentence)]
    pieces = [piece.strip() for piece in pieces if len(piece.strip()) >= LEAST_CLAUSE]
    asking = [piece for piece in pieces if _ASKS.search(piece)]
    return asking if asking and len(pieces) > 1 else []
