"""What an answer saw, and what a probe finds."""

from datetime import datetime
from typing import Any

from ninja import Field, Schema

from chat.api.schemas.common import At, Body, Id, Message
from chat.models import Recall, RecallItem

Used = RecallItem.Decision.USED


class ProbeIn(Body):
    query: Message
    at: At | None = Field(None, description="As if asked at this moment. Default: now.")
    limit: int = Field(8, ge=1, le=50)
    conversation_id: Id | None = Field(None, description="As if asked there: its working memory widens the question.")


class ItemOut(Schema):
    id: int | None = Field(description="The memory; null for a passage of the knowledge base or an erased memory.")
    passage_id: int | None = None
    version_id: int | None = None
    tier: str | None
    kind: str
    text: str
    score: float = Field(description="The sum of the parts.")
    parts: dict[str, float]
    signals: dict[str, Any] = {}
    reasons: list[str]
    routes: list[str] = []
    decision: str
    duplicate_of: int | None = None
    conflict_id: int | None
    turn_ids: list[int]
    occurred_at: datetime | None
    tokens: int = 0


class ProbeOut(Schema):
    items: list[ItemOut]
    cut: list[ItemOut]
    considered: int
    store_size: int
    took_ms: float
    timings_ms: dict[str, float]
    degraded: list[str]


class RecallOut(Schema):
    """A stored snapshot: never recomputed, so it shows what the answer really had."""

    query: str
    items: list[ItemOut]
    cut: list[ItemOut]
    considered: int
    store_size: int
    sections: dict[str, Any]
    timings_ms: dict[str, float]
    degraded: list[str]

    @staticmethod
    def resolve_items(row: Recall) -> list[dict]:
        return [stored_item(item) for item in row.items.all() if item.decision == Used]

    @staticmethod
    def resolve_cut(row: Recall) -> list[dict]:
        return [stored_item(item) for item in row.items.all() if item.decision != Used]

    @staticmethod
    def resolve_timings_ms(row: Recall) -> dict:
        return row.timings


class RecallDetail(RecallOut):
    """With the messages exactly as they were sent to the model."""

    turn_id: int
    attempt: int
    prompt: list[dict[str, Any]]


def stored_item(row: RecallItem) -> dict:
    memory = row.memory
    return {
        "id": row.memory_id,
        "passage_id": row.passage_id,
        "version_id": row.version_id_then,
        "tier": memory.tier if memory else None,
        "kind": row.kind,
        "text": row.text,
        "score": row.score,
        "parts": row.parts,
        "signals": row.signals,
        "reasons": row.reasons,
        "routes": row.routes,
        "decision": row.decision,
        "duplicate_of": row.duplicate_of,
        "conflict_id": row.conflict_id,
        "turn_ids": [source.turn_id for source in memory.sources.all()] if memory else [],
        "occurred_at": memory.occurred_at if memory else None,
        "tokens": row.tokens,
    }


def probed_item(candidate) -> dict:
    """Of a `chat.memory.candidates.Candidate`."""
    return {
        "id": candidate.memory_id,
        "passage_id": candidate.passage_id,
        "version_id": candidate.version_id,
        "tier": candidate.tier,
        "kind": candidate.kind,
        "text": candidate.text,
        "score": candidate.score,
        "parts": candidate.parts,
        "signals": candidate.signals,
        "reasons": list(candidate.reasons),
        "routes": list(candidate.routes),
        "decision": candidate.decision,
        "duplicate_of": candidate.duplicate_of,
        "conflict_id": candidate.conflict_id,
        "turn_ids": list(candidate.turn_ids),
        "occurred_at": candidate.occurred_at,
        "tokens": candidate.tokens,
    }
