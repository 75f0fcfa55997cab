"""Calls that wait: for an answer, and for what is remembered in the background. No database connection is held meanwhile."""

import time
from collections.abc import Collection
from typing import Annotated, Literal

from ninja import Query, Status

from chat import jobs, streams
from chat.db import release_connection
from chat.models import Job, Turn

FOR_ANSWER = "answer"
SECONDS = 120
LOOK_AGAIN_SECONDS = 0.1

Wait = Annotated[
    Literal["answer", "remember", "none"],
    Query(description="answer: until the answer is there; remember: also until it is remembered; none: don't wait."),
]
Timeout = Annotated[float, Query(gt=0, le=600, allow_inf_nan=False, description="Seconds to wait at most.")]


def answered(turn: Turn, wait: str, timeout: float) -> Status:
    """201 with the answered turn, or 202 with the turn as it is when the time is over."""
    deadline = time.monotonic() + timeout
    done = wait != "none" and streams.wait_done(turn, timeout)
    remembered = until_remembered([turn.pk], deadline - time.monotonic()) if done and wait == "remember" else None
    turn = Turn.objects.with_outcome().get(pk=turn.pk)
    turn.remembered = remembered
    return Status(202 if turn.is_open else 201, turn)


def until_remembered(turn_ids: Collection[int], timeout: float) -> bool:
    """Wait until no `remember` job of these turns is unfinished; False when the time is over before."""
    unfinished = Job.objects.filter(
        kind=Job.Kind.REMEMBER,
        key__in=[jobs.key_of(turn_id) for turn_id in turn_ids],
        status__in=[Job.Status.WAITING, Job.Status.RUNNING],
    )
    deadline = time.monotonic() + timeout
    while unfinished.exists():
        if time.monotonic() >= deadline:
            return False
        release_connection()
        time.sleep(LOOK_AGAIN_SECONDS)
    return True
