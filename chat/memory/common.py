"""Words that so many memories of a user hold that looking where would be in vain, remembered for a while.

What is common in a store stays so; a store that lost hundreds of memories meanwhile is asked anew when the time is over.
Each process learns them for itself, by hash, so that no text is kept; without them recall brings up the same, only later.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from time import monotonic

REMEMBERED_SECONDS = 1800.0
USERS, WORDS = 500, 2000  # at most; of a user who reaches it all are forgotten

_lock = threading.Lock()
_until: OrderedDict[int, dict[int, float]] = OrderedDict()  # by user: hash of the word → when to ask anew


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
