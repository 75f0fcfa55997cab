"""What the routes found, looked up: everything that scoring needs of each memory, in one statement."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
from django.db import connection

from chat.llm.spaces import Space
from chat.memory.candidates import Candidate
from chat.memory.routes import SPACE, literal
from chat.models import Conflict, MemorySource

# Moments come as seconds: to read a written date takes ten times as long, and there are hundreds.
_COLUMNS = """m.id, m.tier, m.kind, m.text, m.terms, m.context_terms, m.version_id, m.stale, m.conversation_id, m.decay,
    m.importance, m.pinned, m.authoritative, m.marked_wrong, m.start_weight, m.extra_days, m.use_count, m.skips, e.category,
    e.attribute, m.labels, extract(epoch FROM m.occurred_at)::float8, extract(epoch FROM m.occurred_to)::float8,
    extract(epoch FROM m.clock_at)::float8, extract(epoch FROM m.due_at)::float8"""


class Row(NamedTuple):
    """One memory as scoring sees it; its life fields make it a retention.Life."""

    id: int
    tier: str
    kind: str
    text: str
    terms: str
    context_terms: str
    version_id: int | None
    stale: bool
    conversation_id: int | None
    decay: str
    importance: float
    pinned: bool
    authoritative: bool
    marked_wrong: bool
    start_weight: float
    extra_days: float
    use_count: int
    skips: int
    category: str | None
    attribute: str | None
    labels: list[str]
    occurred_at: datetime
    occurred_to: datetime | None
    clock_at: datetime
    due_at: datetime | None
    cosines: tuple[float | None, ...] = ()  # of the text, for each clause of the question
    context_cosines: tuple[float | None, ...] = ()

    @property
    def slot(self) -> str:
        return f"{self.category}.{self.attribute}" if self.category else ""

    @property
    def unfit(self) -> bool:
        """Known to be wrong or out of date: shown, never used."""
        return self.marked_wrong or self.stale


@dataclass
class Found:
    """All candidates of one question. routes: which routes brought up each. space: None when vectors were left out."""

    rows: dict[int, Row] = field(default_factory=dict)
    routes: dict[int, list[str]] = field(default_factory=dict)
    rarities: dict[str, float] = field(default_factory=dict)
    neighbours: dict[int, list[int]] = field(default_factory=dict)
    hops: dict[int, float] = field(default_factory=dict)
    heads: dict[int, int] = field(default_factory=dict)  # for each hop the memory it starts from
    store_size: int = 0
    space: Space | None = None
    vectors: Sequence[np.ndarray] = ()  # of the clauses of the question

    def add(self, route: str, ids: Sequence[int]) -> None:
        for pk in ids:
            self.routes.setdefault(pk, []).append(route)


def look_up(user_id: int, ids: Sequence[int], vectors: Sequence[np.ndarray], space: Space | None) -> dict[int, Row]:
    """The rows of live memories of this user, with exact cosines to each vector where they are of the same space."""
    if not ids:
        return {}
    similar = [f"1 - (m.{key} <=> %s::halfvec)" for key in ("embedding", "context_embedding") for _v in vectors]
    same = f"CASE WHEN m.space_id = {SPACE} THEN ARRAY[{', '.join(similar)}]::real[] END" if vectors else "NULL"
    values = [space.name, space.version, *map(literal, vectors), *map(literal, vectors)] if vectors and space else []
    with connection.cursor() as cursor:
        cursor.execute(
            f"""SELECT {_COLUMNS}, {same} FROM chat_memory m
                LEFT JOIN chat_entityversion v ON v.id = m.version_id LEFT JOIN chat_entity e ON e.id = v.entity_id
                WHERE m.id = ANY(%s::bigint[]) AND m.user_id = %s AND m.state = 'live'""",  # noqa: S608 (column names only)
            [*values, f"{{{','.join(map(str, ids))}}}", user_id],
        )
        return {row[0]: _row(row, len(vectors)) for row in cursor.fetchall()}


def _row(columns: tuple, clauses: int) -> Row:
    *fields, labels, at, to, clock, due, cosines = columns
    found = cosines or ()
    moments = (None if one is None else datetime.fromtimestamp(one, UTC) for one in (at, to, clock, due))
    return Row(*fields, json.loads(labels) if labels != "[]" else [], *moments, tuple(found[:clauses]), tuple(found[clauses:]))


def with_sources(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The used candidates with the turns they came from and the open conflict of their belief."""
    ids = [candidate.memory_id for candidate in candidates]
    if not ids:
        return []
    turns: dict[int, list[int]] = {}
    for memory_id, turn_id in MemorySource.objects.filter(memory__in=ids).order_by("turn").values_list("memory", "turn"):
        turns.setdefault(memory_id, []).append(turn_id)
    versions = [candidate.version_id for candidate in candidates if candidate.version_id]
    conflicts = dict(Conflict.objects.open().filter(entity__versions__in=versions).values_list("entity__versions", "pk")) if versions else {}
    return [
        replace(c, turn_ids=tuple(turns.get(c.memory_id, ())), conflict_id=conflicts.get(c.version_id)) for c in candidates
    ]


