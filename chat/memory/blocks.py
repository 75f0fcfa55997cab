"""The semantic blocks of a message that are worth keeping: what happened, what troubles, what is planned; with its subject.

Left out are courtesies, pure questions, orders, suppositions, other people's texts, and what is only a state (that is kept
as a belief). A block is a literal stretch of the message; it never ends between a number and its unit.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from chat.memory import clauses
from chat.memory.clauses import Clause
from chat.memory.intents import intent, is_courtesy
from chat.memory.reactions import reacts
from chat.memory.text import Folded, align, fold, words
from chat.memory.times import TimeSpan, find_times

LONGEST = 240  # characters of one block, unless a single clause is longer
SHORT = 48  # two neighbours that are no longer together are one block
LEAST_WORDS = 2
LEAST_LETTERS = 5
_LEANS = re.compile(
    "(?:所以|因此|因为|结果|于是|然后|后来|但是?|不过|可是|而且|而|并且|同时|这|那|它|他|她|其中|另外|还"
    "|也|又|就|so|because|but|and|then|that|this|it|he|she|they|which|also|after that)"
)
_WORD = re.compile(r"\w")
_NOT_KEPT = {"courtesy", "recall", "ask", "command"}


@dataclass(frozen=True)
class Block:
    """One block: literal `text`, its main intent, and the time it names (None: the moment of the message)."""

    text: str
    intent: str
    when: TimeSpan | None = None


def blocks(text: str, at: datetime, zone: str, stated: Iterable[str] = (), heard: str = "") -> list[Block]:
    """The blocks of a message in order. `stated`: quotes that beliefs were made from, which alone make no block; `heard`:
    the answer that the message follows, whose echo is none either."""
    folded = align(text)
    quotes = [fold(quote) for quote in stated if quote.strip()]
    runs = _runs(clauses.split_folded(folded, at, zone), heard)
    kept = [run for run in runs if _tells(run, quotes)]
    return [_block(folded, run, at, zone) for run in _joined(kept, folded.text)]


def _runs(found: list[Clause], heard: str) -> list[list[Clause]]:
    """Neighbouring clauses of one sentence that may be kept."""
    runs: list[list[Clause]] = []
    before: Clause | None = None
    for clause in found:
        if not _may_be_kept(clause) or reacts(clause.text, heard):
            before = None
            continue
        if before is not None and before.sentence == clause.sentence and clause.end - runs[-1][0].start <= LONGEST:
            runs[-1].append(clause)
        else:
            runs.append([clause])
        before = clause
    return runs


def _may_be_kept(clause: Clause) -> bool:
    if clause.mood != "statement" or clause.retraction or clause.subject == "assistant" or "■" in clause.text:
        return False
    return intent(clause.text) not in _NOT_KEPT


def _tells(run: list[Clause], quotes: list[str]) -> bool:
    """Whether it says something of its own, beyond the quoted states."""
    new = [c for c in run if not any(c.text in quote or quote == c.text for quote in quotes)]
    new = [c for c in new if not is_courtesy(c.text)]
    said = " ".join(c.text for c in new)
    return len(said.replace(" ", "")) >= LEAST_LETTERS and len(set(words(said))) >= LEAST_WORDS


def _joined(runs: list[list[Clause]], text: str) -> list[list[Clause]]:
    """Cause and result stay together, and a sentence without a subject stays with the one that has it."""
    joined: list[list[Clause]] = []
    for run in runs:
        if joined and _belongs(joined[-1], run) and not _WORD.search(text[joined[-1][-1].end : run[0].start]):
            joined[-1] = [*joined[-1], *run]
        else:
            joined.append(run)
    return joined


def _belongs(before: list[Clause], run: list[Clause]) -> bool:
    length = run[-1].end - before[0].start
    if length > LONGEST or run[0].sentence - before[-1].sentence > 1:
        return False
    leans = bool(_LEANS.match(run[0].text)) or not run[0].named_subject
    return leans or length <= SHORT


def _block(folded: Folded, run: list[Clause], at: datetime, zone: str) -> Block:
    words_ = folded.quote(run[0].start, run[-1].end).strip()
    planned = any(clause.planned for clause in run)
    spans = find_times(words_, at, zone, lean="future" if planned else "past")
    spans = [span for span in spans if span.precision != "vague"]
    told = [intent(clause.text) for clause in run]
    return Block(words_, max(told, key=told.count), spans[0] if spans else None)
