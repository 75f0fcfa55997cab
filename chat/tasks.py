"""Celery tasks: claim, call one verb. Ids as arguments; safe to deliver twice."""

from celery import shared_task
from django.utils import timezone

from chat import conversations, jobs, maintenance, remember, reply
from chat.knowledge import ingest
from chat.memory import indexing
from chat.transfer import uploads


@shared_task(name="chat.tasks.reply")
def answer_turn(turn_id: int) -> None:
    reply.answer(turn_id)


@shared_task(name="chat.tasks.remember")
def remember_turn(turn_id: int) -> None:
    remember.remember(turn_id)


@shared_task(name="chat.tasks.import_history")
def import_history(job_id: int) -> None:
    uploads.bring_in(job_id)


@shared_task(name="chat.tasks.embed")
def embed(memory_ids: list[int]) -> None:
    indexing.embed(memory_ids)


@shared_task(name="chat.tasks.embed_knowledge")
def embed_knowledge() -> None:
    if ingest.embed_missing() == ingest.AT_ONCE:  # a library: go on behind what came meanwhile
        embed_knowledge.delay()


@shared_task(name="chat.tasks.sweep")
def sweep() -> None:
    jobs.hand_out_lost()
    conversations.end_temporary(timezone.now())


@shared_task(name="chat.tasks.maintain_all")
def maintain_all() -> None:
    embed_knowledge.delay()  # passages whose vectors an upload or a failing embedder left open
    maintain_due.delay()


@shared_task(name="chat.tasks.maintain_due")
def maintain_due(after: int = 0) -> None:
    """One message at a time, sent again behind what came meanwhile: a thousand nights must not stand before a new turn."""
    last = maintenance.maintain_due(after)
    if last is not None:
        maintain_due.delay(last)
