"""Speak the answer: the model's stream, or the built-in answerer's words, piece by piece into the turn's stream."""

import logging
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from time import monotonic, perf_counter

from chat import jobs, streams
from chat.db import release_connection
from chat.llm import builtin, client
from chat.llm.errors import LLMError
from chat.memory.material import Material
from chat.memory.notices import EN, ZH
from chat.memory.owed import owed
from chat.memory.prompt import Prompt
from chat.memory.rules import Question
from chat.models import Job, Turn

log = logging.getLogger(__name__)

PULSE_SECONDS = 0.2  # how often a silent model lets us look whether the user wants to stop
BUILTIN = "builtin"
PIECE = 6  # characters of the built-in answer a reader gets at once
MARKS = (ZH["head"], EN["head"])  # a notice is ours to write: what a model puts after its head is left out


@dataclass
class Spoken:
    text: str = ""
    status: str = Turn.Status.DONE
    answered_by: str = ""
    error: str = ""
    first_token_ms: float | None = None


class TakenOver(Exception):
    """Another worker has the job now; this one must leave the turn alone."""


def speak(turn: Turn, prompt: Prompt, material: Material, question: Question, job: Job) -> Spoken:
    """Answer and publish the pieces. A model that fails before its first word is replaced by the built-in answerer;

    one that fails later leaves what it said, with the error. Stop ends it at the next piece or pulse. What a whole answer
    of the model owes the user (chat.memory.owed) is added.
    """
    if turn.stop_requested:
        return Spoken(status=Turn.Status.STOPPED)
    if not client.configured():
        return _utter(turn, _in_pieces(builtin.answer(material, question)), job, BUILTIN)
    release_connection()
    pieces = client.stream(prompt.messages, max_tokens=prompt.answer_tokens, pulse=PULSE_SECONDS)
    spoken = _utter(turn, pieces, job, client.model_name())
    if spoken.error and not spoken.text.strip():
        log.warning("model failed with %s, the built-in answerer takes over", spoken.error)
        return _utter(turn, _in_pieces(builtin.answer(material, question)), job, BUILTIN)
    if spoken.status == Turn.Status.DONE:
        _add(turn, spoken, owed(spoken.text, material, question))
    return spoken


def _add(turn: Turn, spoken: Spoken, line: str) -> None:
    """A line of our own at the end of the answer."""
    if line:
        line = f"\n\n{line}" if spoken.text else line
        streams.publish(turn, "token", {"text": line})
        spoken.text += line


def _in_pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]


def _utter(turn: Turn, pieces: Iterator[str], job: Job, answered_by: str) -> Spoken:
    spoken, begun, last_beat = Spoken(answered_by=answered_by), perf_counter(), monotonic()
    published = 0
    with closing(pieces):
        try:
            for piece in pieces:
                if piece:
                    spoken.first_token_ms = spoken.first_token_ms or (perf_counter() - begun) * 1000
                    spoken.text += piece
                    published = _publish_sayable(turn, spoken.text, published)
                if monotonic() - last_beat > jobs.HEARTBEAT_SECONDS:
                    last_beat = monotonic()
                    _keep_claim(job)
                if streams.stop_requested(turn):
                    spoken.status = Turn.Status.STOPPED
                    break
                if _notice_begins(spoken.text) >= 0:
                    break
        except LLMError as error:
            spoken.status, spoken.error = Turn.Status.FAILED, error.code
    spoken.text = _without_notice(spoken.text)
    _publish_rest(turn, spoken.text, published)
    return spoken


def _keep_claim(job: Job) -> None:
    try:
        if not jobs.beat(job):
            raise TakenOver
    finally:
        release_connection()


def _publish_sayable(turn: Turn, text: str, published: int) -> int:
    """Publish what is surely not the beginning of a notice. Returns how many characters are published by now."""
    end = _notice_begins(text)
    if end < 0:
        end = len(text) - _half_a_mark(text)
    if end > published:
        streams.publish(turn, "token", {"text": text[published:end]})
    return max(end, published)


def _publish_rest(turn: Turn, text: str, published: int) -> None:
    if len(text) > published:
        streams.publish(turn, "token", {"text": text[published:]})


def _notice_begins(text: str) -> int:
    places = [place for mark in MARKS if (place := text.find(mark)) >= 0]
    return min(places, default=-1)


def _half_a_mark(text: str) -> int:
    """How many of the last characters could be the beginning of a mark."""
    for length in range(max(map(len, MARKS)) - 1, 0, -1):
        if any(mark.startswith(text[-length:]) for mark in MARKS) and len(text) >= length:
            return length
    return 0


def _without_notice(text: str) -> str:
    begins = _notice_begins(text)
    return (text if begins < 0 else text[:begins]).strip()
