"""The ways a question finds memories of one user. Each is one statement and gives ids; what they are worth is scored later.

The statements stay in SQL: covering-index scans over bit codes and posting lists have no words in the ORM.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from django.db import connection
from django.db.models import Q

from chat.llm.spaces import Space, code
from chat.memory import lexemes
from chat.memory.times import TimeSpan
from chat.models import Memory

SHORTLIST, SHORTLIST_SHARE = 400, 0.03  # rows that the codes choose for exact ranking: at least, and of the store
NEAREST = 100  # of them go on
POSTINGS_READ = 2000  # of one word; a word in more memories than this tells little
WORDED = 100
TIMED = 60
ENTITIES = 20
PINNED = 20


@dataclass
class Postings:
    """Where the words of a question stand. holding: in how many memories each word is, at most POSTINGS_READ."""

    holding: dict[str, int] = field(default_factory=dict)
    ids: dict[str, list[int]] = field(default_factory=dict)


def store_size(user_id: int) -> int:
    return Memory.objects.filter(user_id=user_id).live().count()


def pinned(user_id: int) -> list[int]:
    return list(Memory.objects.filter(user_id=user_id, pinned=True).live().values_list("pk", flat=True)[:PINNED])


def of_slots(user_id: int, slots: Sequence[str]) -> list[int]:
    """Entity route: the rows of the beliefs that the question names."""
    wanted = Q()
    for slot in slots:
        category, _dot, attribute = slot.partition(".")
        wanted |= Q(version__entity__category=category, version__entity__attribute=attribute)
    if not slots:
        return []
    rows = Memory.objects.filter(wanted, user_id=user_id, kind=Memory.Kind.ENTITY).live()
    return list(rows.order_by("-occurred_at").values_list("pk", flat=True)[:ENTITIES])


def at_times(user_id: int, spans: Sequence[TimeSpan]) -> list[int]:
    """Time route: what happened within the stretches that the question names, newest first."""
    wanted = Q()
    for span in spans:
        wanted |= Q(occurred_at__gte=span.start, occurred_at__lt=span.end)
        wanted |= Q(occurred_at__lt=span.start, occurred_to__gt=span.start)
    if not spans:
        return []
    rows = Memory.objects.filter(wanted, user_id=user_id).live()
    return list(rows.order_by("-occurred_at").values_list("pk", flat=True)[:TIMED])


def postings(user_id: int, words: Sequence[str]) -> Postings:
    """Lexical route: for every word the memories that hold it, in one statement."""
    if not words:
        return Postings()
    queries = [lexemes.query(user_id, word) for word in words]
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT place, array(SELECT id FROM chat_memory
                                   WHERE search @@ asked::tsquery AND state = 'live' LIMIT %s)
               FROM unnest(%s::text[]) WITH ORDINALITY AS words(asked, place)""",
            [POSTINGS_READ, queries],
        )
        found = {words[place - 1]: ids for place, ids in cursor.fetchall()}
    return Postings({word: len(ids) for word, ids in found.items()}, found)


def best_worded(found: Postings, rarities: dict[str, float]) -> list[int]:
    """The memories with the rarest words in common, best first."""
    if not any(found.ids.values()):
        return []
    ids = np.concatenate([np.asarray(found.ids[word], np.int64) for word in found.ids])
    worth = np.concatenate([np.full(len(found.ids[word]), rarities[word]) for word in found.ids])
    distinct, place = np.unique(ids, return_inverse=True)
    totals = np.bincount(place, weights=worth)
    return distinct[np.argsort(-totals, kind="stable")[:WORDED]].tolist()


def nearest(user_id: int, vectors: Sequence[np.ndarray], space: Space, size: int) -> list[int]:
    """Vector route: the rows whose text or context is nearest to any of the vectors.

    First Hamming distance of codes, from the covering index alone; then the shortlist by exact cosine.
    """
    shortlist = max(SHORTLIST, int(SHORTLIST_SHARE * size))
    found: list[int] = []
    for vector in vectors:
        with connection.cursor() as cursor:
            cursor.execute(
                """WITH close AS MATERIALIZED (
                       SELECT id FROM chat_memory WHERE user_id = %(user)s AND state = 'live'
                       ORDER BY least(code <~> %(code)s::bit(384), context_code <~> %(code)s::bit(384)) LIMIT %(shortlist)s)
                   SELECT id FROM chat_memory JOIN close USING (id) WHERE space_id = %(space)s
                   ORDER BY least(embedding <=> %(vector)s::halfvec, context_embedding <=> %(vector)s::halfvec) LIMIT %(limit)s""",
                {
                    "user": user_id,
                    "code": code(vector),
                    "vector": literal(vector),
                    "space": space.row,
                    "shortlist": shortlist,
                    "limit": NEAREST,
                },
            )
            found += [pk for (pk,) in cursor.fetchall()]
    return list(dict.fromkeys(found))


def neighbours(ids: Iterable[int]) -> dict[int, list[int]]:
    """For each memory the ones just before and after it in its conversation."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT m.id, before.id, after.id FROM chat_memory m
               LEFT JOIN LATERAL (SELECT id FROM chat_memory n
                   WHERE n.conversation_id = m.conversation_id AND n.state = 'live'
                   AND (n.occurred_at, n.id) < (m.occurred_at, m.id)
                   ORDER BY n.occurred_at DESC, n.id DESC LIMIT 1) before ON true
               LEFT JOIN LATERAL (SELECT id FROM chat_memory n
                   WHERE n.conversation_id = m.conversation_id AND n.state = 'live'
                   AND (n.occurred_at, n.id) > (m.occurred_at, m.id)
                   ORDER BY n.occurred_at, n.id LIMIT 1) after ON true
               WHERE m.id = ANY(%s) AND m.conversation_id IS NOT NULL""",
            [list(ids)],
        )
        return {pk: [other for other in others if other is not None] for pk, *others in cursor.fetchall()}


def literal(vector: np.ndarray) -> str:
    return "[" + ",".join(f"{number:.5g}" for number in vector) + "]"
