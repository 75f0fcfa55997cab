"""Memories, as they come in and go out."""

from datetime import datetime
from typing import Annotated, Any, Literal

from django.utils import timezone
from ninja import Field, Schema

from chat.api.schemas.common import At, Body, Id, Paging, Reason, Share, Text
from chat.memory.curation import LONGEST
from chat.memory.retention import weight
from chat.models import Memory

Words = Annotated[Text, Field(max_length=LONGEST)]
Tier = Literal["short_term", "long_term"]
Kind = Literal["summary", "fragment", "entity", "theme"]
State = Literal["live", "forgotten", "merged", "superseded", "expired"]
Order = Literal["new", "old", "event", "used", "uses", "important"]
ORDERS = {
    "new": ("-recorded_at", "-pk"),
    "old": ("recorded_at", "pk"),
    "event": ("-occurred_at", "-pk"),
    "used": ("-last_used_at", "-pk"),
    "uses": ("-use_count", "-pk"),
    "important": ("-importance", "-pk"),
}


class MemoryFilter(Paging):
    tier: Tier | None = None
    kind: Kind | None = None
    state: State = "live"
    q: Text = Field("", max_length=200, description="Words to find, in simplified or traditional Chinese.")
    pinned: bool = False
    order: Order = "new"


class MemoryOut(Schema):
    id: int
    tier: str
    kind: str
    level: int
    text: str
    state: str
    weight: float = Field(description="How alive it is now, 0–1.")
    importance: float
    pinned: bool
    authoritative: bool
    marked_wrong: bool
    stale: bool
    decay: str
    occurred_at: datetime
    occurred_to: datetime | None
    recorded_at: datetime
    due_at: datetime | None
    use_count: int
    last_used_at: datetime | None
    number: int = Field(description="Counts edits; send it back with an edit.")
    labels: list[Any]
    emotion: str
    entity_id: int | None
    version_id: int | None
    conversation_id: int | None
    merged_into_id: int | None
    forgotten_at: datetime | None
    forgotten_by: str
    purge_at: datetime | None

    @staticmethod
    def resolve_weight(row: Memory) -> float:
        return round(weight(row, timezone.now()), 4)

    @staticmethod
    def resolve_entity_id(row: Memory) -> int | None:
        return row.version.entity_id if row.version else None


class RevisionOut(Schema):
    number: int
    text: str
    actor: str
    reason: str
    created_at: datetime


class MemoryDetail(MemoryOut):
    """With its sources and its earlier wordings."""

    data: dict[str, Any]
    turn_ids: list[int]
    children_ids: list[int]
    asserts_version_ids: list[int]
    revisions: list[RevisionOut]

    @staticmethod
    def resolve_turn_ids(row: Memory) -> list[int]:
        return sorted(row.sources.values_list("turn_id", flat=True))

    @staticmethod
    def resolve_children_ids(row: Memory) -> list[int]:
        return sorted(row.children.values_list("pk", flat=True))

    @staticmethod
    def resolve_asserts_version_ids(row: Memory) -> list[int]:
        return sorted(row.asserts.values_list("pk", flat=True))

    @staticmethod
    def resolve_revisions(row: Memory) -> list:
        return list(row.revisions.order_by("-number"))


class MemoryIn(Body):
    text: Words
    kind: Literal["fragment", "theme"] = "fragment"
    occurred_at: At | None = Field(None, description="When it happened. Default: now.")
    importance: Share = 0.6


class MemoryPatch(Body):
    text: Words
    number: int | None = Field(None, ge=1, description="The number the edit was based on; another one now → 409.")


class ReasonIn(Body):
    reason: Reason = ""


class MergeIn(Body):
    ids: list[Id] = Field(min_length=2, max_length=20)
    into: Id = Field(description="One of the ids: the memory that survives.")
    text: Text = Field(
        "", max_length=LONGEST, description="What it says afterwards. Default: all their texts, oldest first."
    )
