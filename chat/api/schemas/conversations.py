"""Conversations and turns, as they come in and go out."""

from datetime import datetime
from typing import Literal

from django.conf import settings
from ninja import Field, Schema

from chat.api.schemas.common import At, Body, Id, Message, Paging, Text
from chat.api.schemas.recall import RecallOut
from chat.api.schemas.state import ConflictOut
from chat.errors import message_for
from chat.models import Conversation, Notice, Turn

Mode = Literal["read_write", "read_only", "off"]


class ConversationIn(Body):
    title: Text = ""
    memory: Mode | None = Field(None, description="Default: read_write; off for a temporary chat.")
    temporary: bool = Field(False, description="Not listed, reads and writes no memory.")


class ConversationPatch(Body):
    title: Text | None = None
    memory: Mode | None = None


class ConversationFilter(Paging):
    q: Text = Field("", max_length=200, description="Words of the title or of what was said.")


class ConversationOut(Schema):
    id: int
    title: str
    memory: str
    temporary: bool
    created_at: datetime
    last_turn_at: datetime
    turn_count: int | None = None

    @staticmethod
    def resolve_turn_count(row: Conversation) -> int | None:
        return getattr(row, "turn_count", None)


class TurnIn(Body):
    text: str = Field(description=f"At most {settings.MESSAGE_MAX_CHARACTERS} characters.")
    at: At | None = Field(None, description="The moment it happens; every rule about time uses it. Default: now.")
    stream: bool = Field(False, description="true: the answer as text/event-stream.")


class ExchangeIn(Body):
    user: Message
    assistant: Text = Field("", max_length=200_000)
    at: At


class ImportIn(Body):
    turns: list[ExchangeIn] = Field(min_length=1, max_length=2000)


class ImportOut(Schema):
    added: int
    known: int = Field(description="How many were there already.")
    erased: int = Field(description="How many were left out because their words had been erased.")
    turn_ids: list[int]
    remembered: bool | None = Field(
        None, description="Only with ?wait=remember: whether all of it was remembered in time."
    )


class NoticeOut(Schema):
    id: int
    kind: str
    prominence: str
    text: str
    conflict_id: Id | None
    version_id: Id | None
    memory_id: Id | None
    decisions: list[str] = Field(description="What can be sent to /api/conflicts/{conflict_id}/resolve.")

    @staticmethod
    def resolve_decisions(row: Notice) -> list[str]:
        return row.conflict.decisions if row.conflict else []


class TurnError(Schema):
    code: str
    message: str


class TurnBrief(Schema):
    """A turn in the list of its conversation."""

    id: int
    conversation_id: int
    parent_id: int | None
    text: str
    at: datetime
    language: str
    status: str
    attempt: int
    answer: str
    answered_by: str
    error: TurnError | None
    feedback: int

    @staticmethod
    def resolve_answer(row: Turn) -> str:
        return row.full_answer

    @staticmethod
    def resolve_error(row: Turn) -> dict | None:
        return {"code": row.error, "message": str(message_for(row.error))} if row.error else None


class TurnOut(TurnBrief):
    """A turn with everything its answer did."""

    notices: list[NoticeOut]
    conflicts: list[ConflictOut]
    recall: RecallOut | None
    timings_ms: dict[str, float | None]
    topic: str
    emotion: str
    remembered: bool | None = Field(None, description="Only with ?wait=remember: whether it was remembered in time.")

    @staticmethod
    def resolve_conflicts(row: Turn) -> list:
        """Those it raised, and those its notices speak of."""
        found = {conflict.pk: conflict for conflict in row.conflicts.all()}
        found |= {notice.conflict.pk: notice.conflict for notice in row.notices.all() if notice.conflict}
        return list(found.values())

    @staticmethod
    def resolve_recall(row: Turn):
        return next((recall for recall in row.recalls.all() if recall.attempt == row.attempt), None)

    @staticmethod
    def resolve_timings_ms(row: Turn) -> dict:
        return row.timings

    @staticmethod
    def resolve_remembered(row: Turn) -> bool | None:
        return getattr(row, "remembered", None)
