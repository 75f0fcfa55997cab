"""Child processes that end with their parent, whatever ends it."""

import contextlib
import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

LOG_BYTES = 5 * 1024 * 1024  # a log that grew past this is set aside as <name>.1 and begun anew

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def bound(number: int = signal.SIGTERM) -> dict:
    """Arguments of subprocess for a child in a session of its own, so that Ctrl-C in the terminal reaches its parent alone.

    On Linux the kernel sends it `number` when the thread that started it is gone: so start it from the main thread.
    Elsewhere a parent that is killed leaves its children; the next start finds and stops the ones that matter.
    """
    return {"start_new_session": True, "preexec_fn": _end_with_parent(number)}


def _end_with_parent(number: int) -> Callable[[], None]:
    parent = os.getpid()

    def ask_kernel() -> None:
        if sys.platform == "linux":
            _libc.prctl(_PR_SET_PDEATHSIG, number)
            if os.getppid() != parent:  # it died before the kernel knew
                os.kill(os.getpid(), number)

    return ask_kernel


@dataclass
class Child:
    """One process whose life is bound to that of the thread that starts it (see `bound`)."""

    name: str
    argv: Sequence[str]
    log: Path
    env: Mapping[str, str] = field(default_factory=dict)  # on top of the parent's
    stop_with: int = signal.SIGTERM
    cwd: Path | None = None
    user: str | None = None  # name of the system user to run as; only root may ask for another
    process: subprocess.Popen | None = None

    def start(self) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603
                [str(part) for part in self.argv],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self.env},
                cwd=self.cwd,
                **bound(self.stop_with),
                **as_user(self.user),
            )

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def ask_to_stop(self) -> None:
        if self.running:
            self.process.send_signal(self.stop_with)

    def stop(self, seconds: float = 10) -> None:
        """Ask, wait, and after `seconds` kill the whole session. Returns when the process is gone."""
        self.ask_to_stop()
        if self.process is None:
            return
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def last_words(self, lines: int = 12) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    def cap_log(self) -> None:
        """Set a log that grew too long aside. The child goes on writing to the same file, from its beginning."""
        if self.log.exists() and self.log.stat().st_size > LOG_BYTES:
            shutil.copyfile(self.log, self.log.with_suffix(".log.1"))
            os.truncate(self.log, 0)


def as_user(name: str | None) -> dict:
    """Arguments of subprocess to run as another user with none of this one's groups."""
    if name is None:
        return {}
    entry = pwd.getpwnam(name)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
