"""Keep child processes running: start one that died again, pass errors from its log on, keep the log short."""

import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from memoryapp.children import Child

LOOK_SECONDS = 0.5
LONGEST_PAUSE = 30.0  # seconds before a child that keeps dying is tried again
STEADY_SECONDS = 60.0  # having run so long, a child has its failures forgiven
_ERROR = re.compile(r"\b(ERROR|CRITICAL|FATAL|PANIC)\b")


@dataclass
class _Watch:
    child: Child
    started: float
    failures: int = 0
    due: float | None = None  # when it is to be started again
    read: int = 0  # how far its log has been read


def watch(children: Sequence[Child]) -> None:
    """Start `children` again whenever they die. Returns only by an exception, such as KeyboardInterrupt."""
    watches = [_Watch(child, time.monotonic(), read=_log_size(child)) for child in children]
    while True:
        for one in watches:
            _pass_errors_on(one)
            _see_to(one, time.monotonic())
            one.child.cap_log()
        time.sleep(LOOK_SECONDS)


def _see_to(one: _Watch, now: float) -> None:
    if one.child.running:
        if now - one.started > STEADY_SECONDS:
            one.failures = 0
    elif one.due is None:
        pause = min(LONGEST_PAUSE, 0.5 * 2**one.failures)
        one.failures += 1
        one.due = now + pause
        say(f"{one.child.name} ended (code {one.child.process.returncode}); again in {pause:g} s, see {one.child.log}")
    elif now >= one.due:
        one.due, one.started = None, now
        one.child.start()


def _pass_errors_on(one: _Watch) -> None:
    size = _log_size(one.child)
    if size < one.read:  # it was set aside and begun anew
        one.read = 0
    if size > one.read:
        with one.child.log.open("rb") as log:
            log.seek(one.read)
            lines = log.read(size - one.read).decode(errors="replace").splitlines()
        one.read = size
        for line in filter(_ERROR.search, lines):
            say(f"{one.child.name}: {line[:300]}")


def _log_size(child: Child) -> int:
    return child.log.stat().st_size if child.log.exists() else 0


def stop(children: Sequence[Child], seconds: float) -> None:
    """Ask all at once, wait for all, and kill what is left after `seconds`."""
    until = time.monotonic() + seconds
    for child in children:
        child.ask_to_stop()
    for child in children:
        child.stop(max(0.1, until - time.monotonic()))


def kill(children: Sequence[Child]) -> None:
    for child in children:
        child.kill()


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201
