"""Bench `maintain`: the nightly care of many users, one after the other in each process, as workers do it.

Each user is made, filled with memories and turns, cared for, left to talk for another day, and cared for again; only the care
is timed. `first`: the night that meets all 500 memories; `next`: a night like any other, with a day's talk; `idle`: one with
nothing new. Vectors are random but for the repeats, which lie near what they repeat: nobody's text is embedded to fill a
user, since live rows have their vectors by the time night comes.

A user lives in one transaction that is rolled back: whatever ends the bench, kill -9 included, no row of it stays. What a
commit costs (a write to the disk each) is therefore not in the seconds.
"""

import os
import resource
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime, timedelta
from functools import cache
from multiprocessing import get_context, parent_process
from pathlib import Path
from random import Random
from threading import Thread
from time import monotonic, process_time
from uuid import uuid4

import django
import numpy as np
from django.contrib.auth.models import User
from django.utils import timezone

from chat import maintenance
from chat.evaluation.frame import Result, passing_user
from chat.evaluation.retention import no_model
from chat.evaluation.year import SAID
from chat.llm.embeddings import registered_space
from chat.llm.spaces import code
from chat.memory.indexing import hash_of
from chat.models import DIMENSIONS, Conversation, Memory, Turn

USERS, MEMORIES, REPEATS = 1000, 500, 10
TURNS, FRAGMENTS = 24, 10  # of a day
NIGHTS = ("first", "next", "idle")
SHOWN, WARM = 25, 20  # users between two lines of progress; after which a process has all that it needs


def run(data_dir: Path, options: Mapping) -> Result:
    """`options["users"]`, 1,000 unless said otherwise, shared among `options["processes"]`, one unless said otherwise.

    Seconds are of one user's night in its process, `cpu_*` of that process; the database's are not in it. `minutes_per_1000_*`:
    the nights of a thousand users, one after the other in each process. How far it is goes to stderr.
    """
    users, processes = int(options.get("users") or USERS), int(options.get("processes") or 1)
    began, rss = monotonic(), {}
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in NIGHTS}
    for number, (nights, process, mb) in enumerate(_lives(users, processes), 1):
        for name, seconds in zip(NIGHTS, nights, strict=True):
            taken[name].append(seconds)
        rss.setdefault(process, []).append(mb)
        if number % SHOWN == 0 or number == users:
            sys.stderr.write(f"{number} of {users} users, {monotonic() - began:.0f} s\n")
    early, end = (max(own[min(place, len(own) - 1)] for own in rss.values()) for place in (WARM, users))
    metrics = {"rss_mb_early": round(early, 1), "rss_mb_end": round(end, 1)}
    for name, seconds in taken.items():
        wall, cpu = (np.array(column) for column in zip(*seconds, strict=True))
        metrics |= {
            f"seconds_{name}": round(float(wall.mean()), 4),
            f"seconds_{name}_p95": round(float(np.quantile(wall, 0.95)), 4),
            f"cpu_{name}": round(float(cpu.mean()), 4),
            f"minutes_per_1000_{name}": round(float(wall.mean()) * 1000 / 60 / processes, 2),
        }
    settings = {"users": users, "memories": MEMORIES, "repeats": REPEATS, "turns_a_day": TURNS, "processes": processes}
    return Result("bench maintain", users, monotonic() - began, metrics, settings=settings)


def _lives(users: int, processes: int) -> Iterator[tuple[list[tuple[float, float]], int, float]]:
    """Of each user the seconds of the nights, the process that cared, and its largest size so far in MB; in their order."""
    if processes == 1:
        yield from map(_life, range(users))
        return
    with ProcessPoolExecutor(processes, get_context("spawn"), django.setup) as pool:
        yield from pool.map(_life, range(users))


@cache
def _end_with_parent() -> None:
    """A process of the pool must not outlive the bench, however that ends: its user would live on with it."""
    if parent := parent_process():
        Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()


def _life(number: int) -> tuple[list[tuple[float, float]], int, float]:
    nights = []
    _end_with_parent()
    with no_model(), passing_user() as user:
        _fill(user, number)
        for place, name in enumerate(NIGHTS):
            now = timezone.now() + timedelta(days=place)
            if name == "next":
                _talk(user, Random(number), now)  # noqa: S311
            nights.append(_cared(user, now))
    return nights, os.getpid(), _rss()


def _cared(user: User, now: datetime) -> tuple[float, float]:
    start, cpu = monotonic(), process_time()
    maintenance.maintain(user.pk, now)
    return monotonic() - start, process_time() - cpu


def _fill(user: User, number: int) -> None:
    random = Random(number)  # noqa: S311
    now, space = timezone.now(), registered_space()
    vectors = _vectors(number, MEMORIES)
    rows = [_memory(user, random, now, space, vector) for vector in vectors]
    for row, again in zip(rows[:REPEATS], rows[REPEATS:], strict=False):
        again.text, again.terms, again.content_hash = row.text + "。", row.terms, hash_of(row.text + "。")
        again.embedding, again.code = row.embedding, row.code
    Memory.objects.bulk_create(rows)
    Conversation.objects.create(user=user)
    _talk(user, random, now)


def _vectors(seed: int, count: int) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(count, DIMENSIONS)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _talk(user: User, random: Random, now: datetime) -> None:
    """A day's turns, the last of them hours ago, read but not summarised; and the fragments that were kept of them."""
    space = registered_space()
    vectors = _vectors(random.randint(0, 10**9), FRAGMENTS)
    Memory.objects.bulk_create(_memory(user, random, now, space, vector) for vector in vectors)
    said = [random.choice(SAID["when"]) + random.choice(SAID["what"]).format(n=random.randint(2, 60)) for _turn in range(TURNS)]
    conversation = user.conversations.get()
    Turn.objects.bulk_create(
        Turn(
            conversation=conversation, user=user, text=text, answer=random.choice(SAID["answers"]), status=Turn.Status.IMPORTED,
            at=now - timedelta(hours=36 - place), observed_at=now,
        )
        for place, text in enumerate(said)
    )  # fmt: skip


def _memory(user: User, random: Random, now, space, vector) -> Memory:
    at = now - timedelta(days=random.uniform(0, 120))
    text = random.choice(SAID["when"]) + random.choice(SAID["what"]).format(n=random.randint(2, 5000))
    return Memory(
        user=user, kind=Memory.Kind.FRAGMENT, text=text, importance=round(random.uniform(0.1, 0.8), 2), occurred_at=at, recorded_at=at,
        clock_at=at, space_id=space.row, embedding=vector, code=code(vector), content_hash=hash_of(text),
        fingerprint_entity=uuid4().hex, terms=text,
    )  # fmt: skip


def _rss() -> float:
    """Largest resident size so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
