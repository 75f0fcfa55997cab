"""Which memories of a user are near each other: asked of the database in one query, so that no vector leaves it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db import connection

RELATED = 0.55  # cosine from which two memories speak of related things
LOOKED_AT = 200  # by their codes alone, before the exact cosine
# Of 384 signs. Two vectors whose cosine is 0.60 differ in about 113, ± 9; a cheap first look before the exact cosine.
MOST_SIGNS_APART = 140

_PAIRS = """
WITH fragment AS MATERIALIZED (
    SELECT id, recorded_at, space_id, embedding, code, fingerprint_entity, fingerprint_intent, fingerprint_hour FROM chat_memory
    WHERE user_id = %(user)s AND state = 'live' AND kind = 'fragment' AND NOT marked_wrong),
found AS (
    SELECT a.id AS one, b.id AS other, 1 - (a.embedding <=> b.embedding) AS likeness FROM fragment a JOIN fragment b
    ON b.space_id = a.space_id AND a.id <> b.id AND (a.code <~> b.code) <= %(signs)s WHERE a.id = ANY(%(ids)s)
    UNION ALL
    SELECT a.id, b.id, 1.0 FROM fragment a JOIN fragment b USING (fingerprint_entity, fingerprint_intent, fingerprint_hour)
    WHERE a.id = ANY(%(ids)s) AND a.id <> b.id AND fingerprint_entity <> '')
SELECT -max(likeness), older.id, newer.id FROM found JOIN fragment older ON older.id IN (one, other)
JOIN fragment newer ON newer.id IN (one, other) AND (newer.recorded_at, newer.id) > (older.recorded_at, older.id)
WHERE likeness >= %(least)s GROUP BY older.id, newer.id
"""
_NEAREST = """
WITH own AS (SELECT id, user_id, space_id, embedding, code FROM chat_memory WHERE id = %(id)s AND embedding IS NOT NULL),
close AS MATERIALIZED (
    SELECT m.id FROM chat_memory m JOIN own ON m.user_id = own.user_id AND m.id <> own.id
    WHERE m.state = 'live' ORDER BY m.code <~> own.code LIMIT %(looked_at)s)
SELECT m.id FROM chat_memory m JOIN close USING (id) JOIN own ON m.space_id = own.space_id
WHERE 1 - (m.embedding <=> own.embedding) >= %(least)s ORDER BY m.embedding <=> own.embedding, m.id LIMIT %(most)s
"""
_MARK = """
UPDATE chat_memory SET compared = true FROM unnest(%s::bigint[], %s::int[]) AS seen (id, number)
WHERE chat_memory.id = seen.id AND chat_memory.number = seen.number AND space_id IS NOT NULL AND state = 'live'
"""


class Pair(NamedTuple):
    """Two fragments; pairs sort with the likest first."""

    unlikeness: float  # minus the cosine of the vectors; −1 for equal fingerprints
    older: int
    newer: int


def pairs(user_id: int, ids: Sequence[int], least: float) -> list[Pair]:
    """The pairs that one of these live fragments makes with any other: equal fingerprints, or a cosine of at least `least`."""
    with connection.cursor() as cursor:
        cursor.execute(_PAIRS, {"user": user_id, "ids": list(ids), "least": least, "signs": MOST_SIGNS_APART})
        return [Pair(*row) for row in cursor.fetchall()]


def nearest_to(memory_id: int, most: int) -> list[int]:
    """The live memories of the same user that mean most nearly the same, nearest first; none for one without a vector yet."""
    with connection.cursor() as cursor:
        cursor.execute(_NEAREST, {"id": memory_id, "looked_at": LOOKED_AT, "least": RELATED, "most": most})
        return [pk for (pk,) in cursor.fetchall()]


def mark_compared(seen: Mapping[int, int]) -> None:
    """Note that these {id: edit count} were held against all others. One that was edited since, or has no vector, is not marked."""
    with connection.cursor() as cursor:
        cursor.execute(_MARK, [list(seen.keys()), list(seen.values())])
