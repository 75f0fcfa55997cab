"""The site's real processes, run against the test database: uvicorn and Celery workers."""

import os
import signal
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, urlencode

from django.conf import settings
from django.db import connection

from memoryapp import processes
from memoryapp.children import Child

MODEL_SETTINGS = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "CHAT_MODEL", "LLM_FIRST_TOKEN_SECONDS", "LLM_ANSWER_SECONDS",
                  "LLM_EXTRACTION", "CONTEXT_WINDOW")  # fmt: skip


def wait_until(condition: Callable[[], object], seconds: float = 30, what: str = "") -> object:
    """The first true result of `condition`, asked again and again for `seconds`."""
    until = time.monotonic() + seconds
    while not (result := condition()):
        if time.monotonic() > until:
            raise AssertionError(f"not within {seconds} s: {what or getattr(condition, '__name__', condition)}")
        time.sleep(0.05)
    return result


def wait_until_quiet() -> None:
    """No other process is in the middle of anything on this test's database, so that it can be emptied without a deadlock."""

    def nobody_is_busy() -> bool:
        with connection.cursor() as cursor:
            cursor.execute(
                """SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                   AND (state = 'active' OR state LIKE 'idle in transaction%')"""
            )
            return cursor.fetchone()[0] == 0

    wait_until(nobody_is_busy, 20, "the site to finish its requests")
    with connection.cursor() as cursor:
        # A request may begin right now: then let PostgreSQL end that one rather than the emptying.
        cursor.execute("SELECT set_config('deadlock_timeout', '20s', false) WHERE current_setting('is_superuser') = 'on'")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment() -> dict[str, str]:
    """What a process needs to work on this test's database, Redis and model."""
    values = {name: str(getattr(settings, name)) for name in MODEL_SETTINGS}
    return {
        **values,
        "DATABASE_URL": database_url(),
        "REDIS_URL": settings.REDIS_URL,
        "SECRET_KEY": settings.SECRET_KEY,
        "DJANGO_SETTINGS_MODULE": "memoryapp.settings",
        **processes.ENVIRONMENT,
    }


def database_url() -> str:
    """The test database, as the environment names it."""
    entry = connection.settings_dict
    login = quote(entry["USER"]) + (f":{quote(entry['PASSWORD'])}" if entry["PASSWORD"] else "")
    where = {name: value for name, value in (("host", entry["HOST"]), ("port", entry["PORT"])) if value}
    return f"postgresql://{login}@/{entry['NAME']}?{urlencode(where)}"


class Workers:
    """Celery workers by the name of their queue, as they run in production."""

    commands = {"reply": processes.reply_worker, "memory": processes.memory_worker}

    def __init__(self, directory: Path):
        self._directory = directory
        self._children: dict[str, Child] = {}

    def start(self, *queues: str) -> None:
        """Start workers (both, when none is named) and wait until they take tasks."""
        queues = queues or tuple(self.commands)
        for queue in queues:
            log = self._directory / f"{queue}.log"
            log.unlink(missing_ok=True)
            child = Child(queue, self.commands[queue](), log, environment())
            child.start()
            self._children[queue] = child
        for queue in queues:
            wait_until(lambda queue=queue: self._ready(queue), 120, f"worker {queue} is ready")

    def _ready(self, queue: str) -> bool:
        assert self._children[queue].running, self.log(queue)
        return " ready." in self.log(queue)

    def log(self, queue: str) -> str:
        return self._children[queue].log.read_text(errors="replace")

    def pid(self, queue: str) -> int:
        return self._children[queue].process.pid

    def kill(self, queue: str) -> None:
        """kill -9, the worker and its own children at once, as a machine that loses power would."""
        self._children.pop(queue).kill()

    def kill_parent(self, queue: str) -> None:
        """kill -9 of the worker's main process only."""
        child = self._children.pop(queue)
        os.kill(child.process.pid, signal.SIGKILL)
        child.process.wait()

    def stop(self) -> None:
        for child in self._children.values():
            child.ask_to_stop()
        for queue, child in self._children.items():
            child.stop(15)
            print(f"--- {queue}\n{self.log(queue)}")  # pytest shows it when the test failed
        self._children.clear()


class Site:
    """uvicorn on a free port of the loopback."""

    def __init__(self, directory: Path):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._child = Child("web", processes.web("127.0.0.1", self.port), directory / "web.log", environment())

    def start(self) -> None:
        self._child.start()
        wait_until(self._answers, 60, f"the site: {self._child.log.read_text(errors='replace')}")

    def stop(self) -> None:
        self._child.stop(8)

    def kill(self) -> None:
        self._child.kill()

    @property
    def log(self) -> str:
        return self._child.log.read_text(errors="replace")

    def _answers(self) -> bool:
        assert self._child.running, self.log
        try:
            urllib.request.urlopen(self.url + "/api/health", timeout=5).close()
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False
        return True
