"""What is common in a large store, remembered for a while: words that so many memories of a user hold that looking where
would be in vain, and how many memories there are.

What is common in a store stays so; a store that lost hundreds of memories meanwhile is asked anew when the time is over.
Each process learns it for itself, words by hash, so that no text is kept; without it recall brings up the same, only later.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from time import monotonic

REMEMBERED_SECONDS = 1800.0
USERS, WORDS = 500, 2000  # at most; of a user who reaches it all are forgotten
# To count a store of 100,000 takes half as long as to find the nearest of them, and some more or less change nothing.
COUNTED_SECONDS, LARGE = 300.0, 5000  # memories; a smaller store is counted every time

_lock = threading.Lock()
_until: OrderedDict[int, dict[int, float]] = OrderedDict()  # by user: hash of the word → when to ask anew
_sizes: OrderedDict[int, tuple[int, float]] = OrderedDict()  # by user: memories, when to count anew


def known(user_id: int, words: Iterable[str]) -> set[str]:
    """Which of these words were common the last time."""
    now = monotonic()
    with _lock:
        mine = _until.get(user_id, {})
        return {word for word in words if mine.get(hash(word), 0.0) > now}


def learn(user_id: int, words: Iterable[str]) -> None:
    until = monotonic() + REMEMBERED_SECONDS
    with _lock:
        mine = _until.setdefault(user_id, {})
        _until.move_to_end(user_id)
        if len(mine) > WORDS:
            mine.clear()
        mine |= dict.fromkeys(map(hash, words), until)
        if len(_until) > USERS:
            _until.popitem(last=False)


def size(user_id: int) -> int | None:
    """How many memories a large store had a few minutes ago. None: not known, or not large."""
    with _lock:
        counted, until = _sizes.get(user_id, (None, 0.0))
    return counted if monotonic() < until else None


def learn_size(user_id: int, counted: int) -> None:
    with _lock:
        _sizes.pop(user_id, None)
        if counted >= LARGE:
            _sizes[user_id] = (counted, monotonic() + COUNTED_SECONDS)
        if len(_sizes) > USERS:
            _sizes.popitem(last=False)
