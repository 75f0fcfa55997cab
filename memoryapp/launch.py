"""What manage.py sees to before Django reads its settings: the .env file, and servers to work on."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dotenv import load_dotenv

BASE_DIR = Path(__file__).resolve().parent.parent
WAIT_SECONDS = 30
# `up` starts the servers itself; the others work on files.
WITHOUT_SERVERS = {"up", "help", "version", "check", "makemigrations", "makemessages", "compile_translations",
                   "collectstatic", "findstatic", "diffsettings"}  # fmt: skip


@contextmanager
def prepared(arguments: list[str]) -> Iterator[None]:
    """Around one command of manage.py: `arguments` are those after the script's name.

    Servers that the environment names are used, else those that `up` runs on the same data directory. When nothing runs,
    both servers are started for as long as the command takes.
    """
    command = next(iter(arguments), "help")
    if command in WITHOUT_SERVERS or command.startswith("-") or {"--help", "-h"} & set(arguments):
        yield
    else:
        with _servers(migrate=command not in {"migrate", "prepare", "doctor", "showmigrations"}):
            yield


def read_env_file() -> None:
    """Take variables from the .env file, except those that are set already."""
    load_dotenv(BASE_DIR / ".env")


def data_directory() -> Path:
    return Path(os.environ.get("XINJI_DATA") or BASE_DIR / "var").resolve()


@contextmanager
def _servers(migrate: bool) -> Iterator[None]:
    from memoryapp import embedded  # not needed, and slow to import, where the environment names both servers

    if all(os.environ.get(name) for name in embedded.VARIABLES):
        yield
        return
    data = data_directory()
    if running := _running(data):
        for name, url in running.items():
            os.environ.setdefault(name, url)
        yield
        return
    try:
        with embedded.run(data, wait=WAIT_SECONDS):
            if migrate:
                arguments = [sys.executable, BASE_DIR / "manage.py", "migrate", "--verbosity", "0"]
                subprocess.run(arguments, check=True, stdout=sys.stderr)  # noqa: S603
            try:
                yield
            finally:
                _close_pools()
    except (embedded.InUse, embedded.DidNotStart) as error:
        sys.exit(str(error))


def _close_pools() -> None:
    """Django keeps connections open in its pools; the server that they lead to is about to stop."""
    from django.db import connections

    for connection in connections.all(initialized_only=True):
        connection.close()
        connection.close_pool()


def _running(data: Path) -> dict[str, str]:
    """The servers of an `up` on this data. One that is just starting is waited for; {} when there is none."""
    from memoryapp import embedded

    until = time.monotonic() + WAIT_SECONDS
    while embedded.locked(data) and time.monotonic() < until:
        if servers := embedded.announcement(data):
            return servers
        time.sleep(0.2)
    return {}
