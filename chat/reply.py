"""One turn, as a story: save, state, recall, check, assemble, speak, close with the notice, finish.

`post` runs in the request and returns at once; `answer` runs in a worker. Only `answer` talks to a model, and while it
waits for one it holds no database connection.
"""

import logging
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from chat import composing, jobs, speech, streams
from chat.errors import BadInput
from chat.memory import (
    consistency,
    disliked,
    extraction,
    last_query,
    notices,
    recording,
    rewriting,
    rules,
    text,
    topics,
)
from chat.memory.prompt import QuestionTooLong
from chat.memory.recall import nothing_recalled, recall
from chat.models import Account, Conversation, Job, Notice, Turn
from chat.scene import Scene

log = logging.getLogger(__name__)

TITLE_CHARACTERS = 24


# 1. Save. Nothing that the user typed is ever lost.


def post(
    user: User, conversation: Conversation, words: str, *, at: datetime | None = None, key: str = ""
) -> Turn:
    """Store the message as a queued Turn and have it answered. A second post with the same key returns the first turn.

    Raises BadInput: empty_text, too_long, bad_characters.
    """
    words = readable(words)
    with transaction.atomic():
        conversation = Conversation.objects.select_for_update().owned_by(user).get(pk=conversation.pk)
        if key and (sent := conversation.turns.filter(key=key[:64]).first()):
            return sent
        turn = Turn.objects.create(
            conversation=conversation,
            user=user,
            parent_id=conversation.leaf_id,
            text=words,
            at=at or timezone.now(),
            language=text.language(words),
            key=key[:64],
        )
        conversation.leaf = turn
        conversation.last_turn_at = max(conversation.last_turn_at, turn.at)
        conversation.title = conversation.title or title_of(words)
        conversation.save(update_fields=["leaf", "last_turn_at", "title"])
        jobs.enqueue(Job.Kind.REPLY, [turn])
    return turn


def readable(words: str) -> str:
    """The message if it can be stored and read. Raises BadInput."""
    if "\x00" in words or any("\ud800" <= character <= "\udfff" for character in words):
        raise BadInput("bad_characters", _("The message has characters that are not text. Please remove them."))
    if text.is_blank(words):
        raise BadInput("empty_text", _("Please type a message."))
    if len(words) > settings.MESSAGE_MAX_CHARACTERS:
        message = _("A message may have at most %(limit)s characters; yours has %(length)s.")
        counts = {"limit": settings.MESSAGE_MAX_CHARACTERS, "length": len(words)}
        raise BadInput("too_long", message % counts, **counts)
    return words


def title_of(words: str) -> str:
    first_line = words.strip().splitlines()[0]
    return first_line if len(first_line) <= TITLE_CHARACTERS else first_line[:TITLE_CHARACTERS] + "…"


def stop(turn: Turn) -> None:
    """Ask the worker to stop; what has been said so far stays. A turn that waits is stopped before it begins."""
    Turn.objects.filter(pk=turn.pk, status__in=[Turn.Status.QUEUED, Turn.Status.RUNNING]).update(stop_requested=True)
    streams.request_stop(turn)


# The worker's part.


def answer(turn_id: int) -> None:
    """Answer a queued turn. Safe to call twice: the job's claim lets one worker through, the others return."""
    with jobs.claimed(Job.Kind.REPLY, turn_id) as job:
        if job is None:
            return
        scene = _set_scene(turn_id)
        if scene is None:
            return
        try:
            _tell(scene, job)
        except speech.TakenOver:
            log.warning("turn %s is answered by another worker now", turn_id)
        except QuestionTooLong:
            _fail(scene, "question_too_long")
        except Exception as error:
            _fail(scene, "internal")
            jobs.give_up(job, type(error).__name__)
            raise


def _set_scene(turn_id: int) -> Scene | None:
    """The turn, running now. None for one that is answered; one that failed by our fault may be tried again by staff."""
    open_or_ours = Q(status__in=[Turn.Status.QUEUED, Turn.Status.RUNNING]) | Q(status="failed", error="internal")
    begun = Turn.objects.filter(open_or_ours, pk=turn_id).update(
        status=Turn.Status.RUNNING, error="", started_at=timezone.now(), finished_at=None
    )
    if not begun:
        return None
    turn = Turn.objects.select_related("conversation", "user").get(pk=turn_id)
    turn.notices.all().delete()  # of a worker that died on the way
    account = Account.objects.of(turn.user)
    question = rules.read_question(turn.text, turn.at, account.zone_name)
    return Scene(turn, account, ZoneInfo(account.zone_name), question)


def _tell(scene: Scene, job: Job) -> None:
    with scene.clock.time("state"):
        _state_what_it_says(scene)
    with scene.clock.time("recall"):
        _recall(scene)
    with scene.clock.time("check"):
        _check(scene)
    with scene.clock.time("prompt"):
        _assemble(scene)
    with scene.clock.time("answer"):
        spoken = speech.speak(scene.turn, scene.prompt, scene.material, scene.question, job)
    scene.clock.note("first_token", spoken.first_token_ms)
    with scene.clock.time("finish"):
        _finish(scene, spoken, job)


# 2. State what the message itself says, so that the newest statement already counts in this answer.


def _state_what_it_says(scene: Scene) -> None:
    scene.observations = extraction.observe_turn(scene.turn, scene.account)


# 3. Recall for this user, this question, this moment.


def _recall(scene: Scene) -> None:
    turn = scene.turn
    scene.rewritten = rewriting.rewrite(turn, scene.reads)
    if not scene.reads:
        scene.recalled = nothing_recalled()
        return
    weights = scene.account.weights or None
    about = {"at": turn.at, "conversation": turn.conversation, "weights": weights, "also": scene.rewritten}
    scene.recalled = disliked.left_out(recall(turn.user, turn.text, **about), turn)


# 4. Check consistency, before every answer, and write the notice that will close it.


def _check(scene: Scene) -> None:
    turn = scene.turn
    if not scene.writes:
        return
    opened = [o.conflict for o in scene.observations if o.conflict is not None]
    question = scene.question if scene.reads else replace(scene.question, implies=())
    scene.findings = consistency.check(turn, question, opened)
    consistency.mark_summaries(turn, [c.memory_id for c in scene.recalled.items])
    slots = set(scene.question.concerns)
    scene.notices = notices.write_notices(turn, scene.findings, scene.observations, slots, scene.zone)
    if scene.reads and scene.question.is_question and not scene.findings.all:
        scene.notices += notices.write_offer(turn)
    if scene.reads:
        scene.notices += notices.write_reminders(turn, scene.zone)


# 5. Assemble the prompt within the token budget.


def _assemble(scene: Scene) -> None:
    scene.material = composing.material_of(scene)
    scene.prompt = composing.prompt_of(scene)
    seen = {
        "used": len(scene.prompt.used_memory_ids),
        "considered": scene.recalled.considered,
        "took_ms": round(scene.clock.milliseconds["recall"], 1),
        "degraded": list(scene.recalled.degraded),
    }
    streams.publish(scene.turn, "recall", seen)


# 6. happens in chat.speech. 7. and 8.: close with the notice, finish the turn, store the recall, go on in the background.


def _finish(scene: Scene, spoken: "speech.Spoken", job: Job) -> None:
    if not jobs.beat(job):
        raise speech.TakenOver
    turn = scene.turn
    turn.status, turn.answer, turn.answered_by = spoken.status, spoken.text, spoken.answered_by
    turn.error, turn.timings = spoken.error, scene.clock.milliseconds
    turn.topic = topics.topic(turn.text)
    turn.finished_at = timezone.now()
    with transaction.atomic():
        turn.save(update_fields=["status", "answer", "answered_by", "error", "timings", "topic", "finished_at"])
        recording.store_recall(turn, scene.recalled, scene.prompt)
        if scene.writes:
            if not scene.question.refers_back:
                last_query.note_topic(turn, turn.topic)
            jobs.enqueue(Job.Kind.REMEMBER, [turn])
    _close(turn, scene.notices)


def _close(turn: Turn, written: list[Notice]) -> None:
    for notice in written:
        streams.publish(turn, "notice", notice_data(notice))
    for event in streams.closing_events(turn):
        streams.publish(turn, event.name, event.data)


def notice_data(notice: Notice) -> dict:
    return {
        "id": notice.pk,
        "kind": notice.kind,
        "prominence": notice.prominence,
        "text": notice.text,
        "conflict_id": notice.conflict_id,
        "version_id": notice.version_id,
        "decisions": ["keep_new", "keep_old", "keep_both"] if notice.conflict_id else [],
    }


def _fail(scene: Scene, code: str) -> None:
    turn = scene.turn
    turn.status, turn.error, turn.finished_at = Turn.Status.FAILED, code, timezone.now()
    turn.timings = scene.clock.milliseconds
    turn.save(update_fields=["status", "error", "finished_at", "timings"])
    _close(turn, [])
