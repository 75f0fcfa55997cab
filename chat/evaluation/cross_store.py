"""Questions of one user against another user's store: nothing should come back.

`recalled` is the share of questions that bring up anything above the floor; lower is better.
"""

import time
from collections.abc import Collection
from pathlib import Path

from chat.evaluation import locomo, memdaily
from chat.evaluation.frame import Result, passing_user
from chat.evaluation.retrieval import Entry, Query, every, fill, probe, seconds_since

QUESTIONS_EACH = 60


def run(data: Path, options: dict) -> Result:
    """Each LoCoMo chat is asked the questions of the next one; the unrelated sentences of MemDaily its questions."""
    start, counts = time.monotonic(), {"locomo": [0, 0], "memdaily": [0, 0]}
    chats = [(stored := locomo.entries(chat), locomo.queries(chat, stored)) for chat in locomo.chats(data)]
    for place, (stored, _own) in enumerate(chats):
        foreign = chats[(place + 1) % len(chats)][1]
        _count(counts["locomo"], stored, _some(every(foreign, options)), options["without"])
    histories = [memdaily.question(history) for history in memdaily.load(data)]
    _count(counts["memdaily"], memdaily.distractors(data), _some(every(histories, options), 4), options["without"])
    asked, recalled = (sum(count[n] for count in counts.values()) for n in (0, 1))
    by = {group: {"recalled": count[1] / count[0]} for group, count in counts.items() if count[0]}
    return Result("cross_store", asked, seconds_since(start), {"recalled": recalled / asked}, by, {"without": options["without"]})


def _some(queries: list[Query], times: int = 1) -> list[Query]:
    wanted = QUESTIONS_EACH * times
    return queries[:: max(1, len(queries) // wanted)][:wanted]


def _count(count: list[int], stored: list[Entry], queries: list[Query], without: Collection[str]) -> None:
    with passing_user() as user:
        fill(user, stored)
        for query in queries:
            count[0] += 1
            count[1] += bool(probe(user, query, without).items)
