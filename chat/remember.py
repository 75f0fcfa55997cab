"""What goes on after an answer: the turn is read closely, its blocks are kept, the talk behind it is compressed, vectors are made.

Every step is safe to run again, and a worker may be killed between or inside any of them: the job stays until all are done.
"""

import logging
from collections.abc import Callable, Iterable

from django.contrib.auth.models import User

from chat import jobs
from chat.db import release_connection
from chat.llm import client
from chat.llm.errors import LLMError
from chat.memory import compression, extraction, fragments, indexing, last_query, reading
from chat.models import Account, Job, Memory, Turn

log = logging.getLogger(__name__)


def enqueue(turns: Iterable[Turn]) -> None:
    """Have these turns remembered. Call it in the transaction that wrote them."""
    jobs.enqueue(Job.Kind.REMEMBER, turns)


def remember(turn_id: int) -> None:
    """Remember one turn. Safe to call twice: the job's claim lets one worker through, the others return."""
    with jobs.claimed(Job.Kind.REMEMBER, turn_id) as job:
        if job is None:
            return
        turn = Turn.objects.select_related("conversation", "user").filter(pk=turn_id).first()
        if turn is None or turn.is_open:
            return
        account = Account.objects.of(turn.user)
        if extraction.may_write(turn, account):
            try:
                with client.meanwhile(lambda: go_on(job, turn.user)):
                    failed = read_closely(turn, account, lambda: jobs.beat(job))
            except jobs.GaveWay:
                jobs.postpone(job)
                return
            indexing.embed(_made_of(turn))
            if failed is not None and failed.code == "timeout":
                jobs.give_up(job, failed.code)  # a model that slow would only keep the answers waiting again
            elif failed is not None:
                raise failed  # all else is done; the job comes again for the model's part


def go_on(job: Job, user: User) -> None:
    """While a model reads in the background: say so, and give way when its user waits for an answer."""
    try:
        jobs.beat(job)
        if Turn.objects.owned_by(user).filter(status__in=[Turn.Status.QUEUED, Turn.Status.RUNNING]).exists():
            raise jobs.GaveWay
    finally:
        release_connection()


def read_closely(turn: Turn, account: Account, beat: Callable[[], object] = lambda: None) -> LLMError | None:
    """All steps for one turn but its vectors, in order. Returns what the model's part ran into, if it did."""
    _state_what_it_says(turn, account)
    failed = _let_the_model_read(turn, account)
    beat()
    fragments.keep(turn, account)
    compression.compress(turn.conversation, account, beat=beat)
    beat()
    return failed


def _state_what_it_says(turn: Turn, account: Account) -> None:
    """Live turns have been observed in their answer; imported ones are observed here."""
    extraction.observe_turn(turn, account)
    reading.read(turn)
    if turn.status == Turn.Status.IMPORTED:
        last_query.note_topic(turn, turn.topic)


def _let_the_model_read(turn: Turn, account: Account) -> LLMError | None:
    """The model's extraction, where there is one. Its error is returned: it must not cost the other steps."""
    if not client.configured():
        return None
    from chat.memory import model_extraction

    try:
        model_extraction.extract(turn, account)
    except LLMError as error:
        log.warning("model extraction of turn %s: %s", turn.pk, error.code)
        return error
    return None


def _made_of(turn: Turn) -> list[int]:
    """Memories that came from the turn, and summaries of its conversation that have no vector yet."""
    own = Memory.objects.live().filter(turns=turn)
    near = Memory.objects.live().filter(conversation_id=turn.conversation_id, space=None)
    return sorted({*own.values_list("pk", flat=True), *near.values_list("pk", flat=True)})
