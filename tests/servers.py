"""Throw-away PostgreSQL and Valkey for one run of the tests, started before Django reads its settings.

The process that pytest was called in starts them; workers of pytest-xdist inherit their addresses and take a Redis
database of their own. DATABASE_URL and REDIS_URL that are already set are used as they are.
"""

import atexit
import os
import shutil
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path


def start() -> None:
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker:
        base, _slash, _number = os.environ["REDIS_URL"].rpartition("/")
        os.environ["REDIS_URL"] = f"{base}/{int(worker.removeprefix('gw')) + 1}"
    elif not _only_pure():
        _run_servers()


def _run_servers() -> None:
    from memoryapp import embedded

    data = Path(tempfile.mkdtemp(prefix="xinji-test-"))
    stack = ExitStack()
    stack.callback(shutil.rmtree, data, ignore_errors=True)
    stack.enter_context(embedded.run(data, lasting=False))
    os.environ.setdefault("XINJI_DATA", str(data))
    atexit.register(stack.close)


def _only_pure() -> bool:
    """True when every path that pytest was given lies in tests/pure, which needs no server."""
    paths = [Path(argument.partition("::")[0]) for argument in sys.argv[1:] if not argument.startswith("-")]
    paths = [path.resolve() for path in paths if path.exists()]
    pure = Path(__file__).resolve().parent / "pure"
    return bool(paths) and all(path.is_relative_to(pure) for path in paths)
