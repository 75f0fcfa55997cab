"""The processes of 心记 as command lines, the same for `manage.py up`, the tests and the containers."""

import sys

REPLY_THREADS = 8
MEMORY_PROCESSES = 2
# Django's checks import the pages and the API, which workers have no use for: two seconds and 30 MB each.
ENVIRONMENT = {"CELERY_SKIP_CHECKS": "1", "PYTHONUNBUFFERED": "1"}


def web(host: str, port: int) -> list[str]:
    return [
        *(sys.executable, "-m", "uvicorn", "memoryapp.asgi:application", "--host", host, "--port", str(port)),
        # An open stream would keep the server from ending; readers resume by Last-Event-ID.
        *("--timeout-graceful-shutdown", "3", "--no-access-log", "--log-level", "warning"),
    ]


def reply_worker() -> list[str]:
    """Answers: threads, since they mostly wait for a model."""
    return _worker("reply", "threads", REPLY_THREADS)


def memory_worker() -> list[str]:
    """Everything that can wait: processes, since it computes."""
    return _worker("memory", "prefork", MEMORY_PROCESSES)


def beat(schedule: str) -> list[str]:
    return [*_celery("beat"), "--schedule", schedule, "--pidfile", ""]


def _celery(command: str) -> list[str]:
    return [sys.executable, "-m", "celery", "--app", "memoryapp", "--quiet", command, "--loglevel", "INFO"]


def _worker(queue: str, pool: str, concurrency: int) -> list[str]:
    return [
        *_celery("worker"),
        *("--queues", queue, "--pool", pool, "--concurrency", str(concurrency), "--hostname", f"{queue}@%h"),
        # Workers need not know of each other.
        *("--without-gossip", "--without-mingle"),
    ]
