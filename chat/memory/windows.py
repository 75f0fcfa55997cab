"""Where a run of turns is cut into windows for level-1 summaries."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from chat.memory.keywords import changed
from chat.memory.text import fold

IDLE = timedelta(hours=6)  # so long without a word: the sitting is over
LEAST_TOKENS = 120  # of a window that only a change of topic closes; a smaller one takes in what follows
_CLOSES = re.compile(
    "就这样(?:吧|了|定|决定)|就这么(?:定|办|着|说定)|先这样|总结一下|小结一下|概括一下|确定了(?!解)"
    "|定下来了|说定了|到此为止|今天就(?:到|聊到)这"
    "|\\b(?:that's (?:all|it|settled)|let's (?:wrap up|leave it)|to sum up"
    "|sum(?:marize|marise) (?:it|this|that)|it's settled|we're done)\\b"
)


class Spoken(Protocol):
    text: str
    answer: str
    at: datetime


T = TypeVar("T", bound=Spoken)


@dataclass(frozen=True)
class Limits:
    """turns: what working memory holds; window: turns of one summary; tokens: of an open run; message: of one message."""

    turns: int
    window: int
    tokens: int
    message: int


def closed(turns: Sequence[T], limits: Limits, count: Callable[[str], int], now: datetime) -> list[list[T]]:
    """The windows that are closed, oldest first; what is left at the end is still open.

    `turns`: those that no summary holds yet, in order. A window closes when working memory overflows (in turns or
    tokens), a message is long, its words close the matter, the topic changes, or nothing is said for six hours.
    """
    done: list[list[T]] = []
    run: list[T] = []
    size = 0
    for turn in turns:
        if run and (turn.at - run[-1].at > IDLE or (size >= LEAST_TOKENS and _other_topic(run, turn))):
            done.append(run)
            run, size = [], 0
        run.append(turn)
        spent = count(turn.text)
        size += spent + count(turn.answer)
        if spent > limits.message or size > limits.tokens or closes(turn.text):
            done.append(run)
            run, size = [], 0
        elif len(run) > limits.turns:
            done.append(run[: limits.window])
            run = run[limits.window :]
            size = sum(count(each.text) + count(each.answer) for each in run)
    if run and now - run[-1].at > IDLE:
        done.append(run)
    return done


def closes(text: str) -> bool:
    """Whether the words close a matter: 就这样吧, 总结一下, that's settled."""
    return bool(_CLOSES.search(fold(text)))


def _other_topic(run: Sequence[Spoken], turn: Spoken) -> bool:
    return changed([side for each in run for side in (each.text, each.answer)], turn.text)
