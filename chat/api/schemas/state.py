"""Entities, versions and conflicts."""

from datetime import datetime
from typing import Any, Literal

from ninja import Field, Schema

from chat.api.schemas.common import Body, Id, Reason, Text, Value, Window
from chat.models import Conflict, Entity, EntityVersion

Decision = Literal["keep_new", "keep_old", "keep_both", "merge", "both_wrong", "dismiss"]


class EntityFilter(Window):
    category: Text = Field("", max_length=32)
    attribute: Text = Field("", max_length=48)
    all: bool = Field(False, description="Also slots where nothing is current or pending.")

    def fields(self) -> dict[str, str]:
        return {name: value for name in ("category", "attribute") if (value := getattr(self, name))}


class ConflictFilter(Window):
    status: Literal["open", "resolved", "dismissed"] | None = None
    kind: Literal["entity", "query_vs_history", "summary_vs_entity", "knowledge_vs_memory"] | None = None

    def fields(self) -> dict[str, str]:
        return {name: value for name in ("status", "kind") if (value := getattr(self, name))}


class VersionOut(Schema):
    id: int
    entity_id: int
    value: str
    normalized: Any
    status: str
    confidence: float
    source: str
    quote: str
    turn_id: int | None
    time_words: str
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    observations: int
    support: float
    supersedes_id: int | None
    extractor: str


class EntityOut(Schema):
    """A slot with what is believed now. `value` … `valid_from` are null where nothing is current."""

    id: int
    category: str
    attribute: str
    item: str
    value: str | None
    normalized: Any
    status: str | None = Field(description="Of the version shown: current, or pending where nothing is current yet.")
    confidence: float | None
    source: str | None
    quote: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime | None
    observations: int | None
    version_id: int | None
    turn_id: int | None
    pending: list[VersionOut] = Field(description="Beliefs that wait for a person's word.")
    pinned: bool
    authoritative: bool
    conversation_id: int | None = Field(description="Set when it holds in that conversation only.")
    open_conflict_id: int | None
    updated_at: datetime


def entity_out(row: Entity) -> dict:
    """Of an entity `with_state()`."""
    pending = [version for version in row.believed if version.status == EntityVersion.Status.PENDING]
    current = next((version for version in row.believed if version.status == EntityVersion.Status.CURRENT), None)
    shown = current or (pending[0] if pending else None)
    of_version = ("value", "normalized", "status", "confidence", "source", "quote", "valid_from", "valid_to")
    fields = {name: getattr(shown, name, None) for name in (*of_version, "recorded_at", "observations", "turn_id")}
    of_entity = ("id", "category", "attribute", "item", "pinned", "authoritative", "conversation_id", "updated_at")
    return {
        **{name: getattr(row, name) for name in of_entity},
        **fields,
        "version_id": shown.pk if shown else None,
        "pending": pending,
        "open_conflict_id": row.open_conflicts[0].pk if row.open_conflicts else None,
    }


class ValueIn(Body):
    value: Value
    expected_version: Id | None = Field(None, description="The version the edit was based on; another one now → 409.")


class VersionIn(Body):
    version_id: Id


class Side(Schema):
    """One of the two beliefs."""

    version_id: int
    value: str
    normalized: Any
    status: str
    source: str
    confidence: float
    quote: str
    turn_id: int | None
    conversation_id: int | None
    said_at: datetime | None
    recorded_at: datetime
    support: float


def side(version: EntityVersion | None) -> dict | None:
    if version is None:
        return None
    names = ("value", "normalized", "status", "source", "confidence", "quote", "turn_id", "recorded_at", "support")
    turn = version.turn
    return {
        **{name: getattr(version, name) for name in names},
        "version_id": version.pk,
        "conversation_id": turn.conversation_id if turn else None,
        "said_at": turn.at if turn else None,
    }


class ConflictOut(Schema):
    id: int
    kind: str
    status: str
    decision: str
    decider: str
    suggested: str
    reason: str
    entity_id: int | None
    category: str | None
    attribute: str | None
    item: str | None
    old: Side | None
    new: Side | None
    memory_id: int | None
    passage_id: int | None
    turn_id: int | None
    opened_at: datetime
    told_at: datetime | None
    decided_at: datetime | None
    decisions: list[str] = Field(description="What `resolve` takes now; empty once decided.")

    @staticmethod
    def resolve_category(row: Conflict) -> str | None:
        return row.entity.category if row.entity else None

    @staticmethod
    def resolve_attribute(row: Conflict) -> str | None:
        return row.entity.attribute if row.entity else None

    @staticmethod
    def resolve_item(row: Conflict) -> str | None:
        return row.entity.item if row.entity else None

    @staticmethod
    def resolve_old(row: Conflict) -> dict | None:
        return side(row.old)

    @staticmethod
    def resolve_new(row: Conflict) -> dict | None:
        return side(row.new)


class ResolveIn(Body):
    decision: Decision
    text: Text = Field("", max_length=2000, description="The merged value, for merge.")
    reason: Reason = ""
