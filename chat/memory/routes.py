"""The ways a question finds memories of one user. Each is one statement and gives ids; what they are worth is scored later.

The statements stay in SQL: covering-index scans over bit codes and posting lists have no words in the ORM.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

import numpy as np
from django.db import connection
from django.db.models import Q

from chat.llm.spaces import Space, code
from chat.memory import common, lexemes
from chat.memory.times import TimeSpan
from chat.models import Memory

SHORTLIST, SHORTLIST_SHARE = 300, 0.006  # rows that the codes choose for exact ranking: at least, and of the store
NEAREST = 60  # of them go on, for each clause of the question
COMMON = 300  # memories; a word in more of them brings up none on its own, only together with others
TOGETHER = 6  # common words that are asked for together
WORDED = 60
TIMED = 60
ENTITIES = 20
PINNED = 20
THEMES = 12
SPACE = "(SELECT id FROM chat_embeddingspace WHERE name = %s AND version = %s)"  # found in passing: no trip of its own


@dataclass
class Postings:
    """Where the words of a question stand.

    holding: in how many memories each word is; of common ones an estimate. ids: those memories, for words that are not
    common. together: the memories that hold (nearly) all of the common ones.
    """

    holding: dict[str, float] = field(default_factory=dict)
    ids: dict[str, list[int]] = field(default_factory=dict)
    common: tuple[str, ...] = ()
    together: list[int] = field(default_factory=list)


def store_size(user_id: int) -> int:
    """Live memories of the user; of a large store those of some minutes ago."""
    if (known := common.size(user_id)) is not None:
        return known
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM chat_memory WHERE user_id = %s AND state = 'live'", [user_id])
        counted = cursor.fetchone()[0]
    common.learn_size(user_id, counted)
    return counted


def pinned(user_id: int) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM chat_memory WHERE user_id = %s AND pinned AND state = 'live' LIMIT %s", [user_id, PINNED])
        return [pk for (pk,) in cursor.fetchall()]


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


def themes(user_id: int) -> list[int]:
    """Theme route: what comes up again and again, for questions that ask just that."""
    rows = Memory.objects.filter(user_id=user_id, kind=Memory.Kind.THEME).live()
    return list(rows.order_by("-importance", "-pk").values_list("pk", flat=True)[:THEMES])


def postings(user_id: int, words: Sequence[str], size: int, most: int = COMMON) -> Postings:
    """Lexical route: for every word the memories that hold it, in one statement; a second one where several are common.

    size: live memories of the user. Words that more than `most` memories hold are not counted out. By Zipf's law the
    logarithm of their number is spread evenly up to that of all, so the middle of it is taken.
    """
    if not words:
        return Postings()
    passed_over = common.known(user_id, words)
    asked = [word for word in words if word not in passed_over]
    found = _holders(user_id, [lexemes.query(user_id, word) for word in asked], most + 1)
    ids = {word: holders for word, holders in zip(asked, found, strict=True) if len(holders) <= most}
    too_many = tuple(word for word in words if word not in ids)
    if most == COMMON:
        common.learn(user_id, (word for word in asked if word not in ids))
    holding = {word: float(len(ids[word])) if word in ids else (most * max(size, most)) ** 0.5 for word in words}
    together = _together(user_id, too_many[:TOGETHER]) if len(too_many) > 1 and most == COMMON else []
    return Postings(holding, ids, too_many, together)


def _together(user_id: int, words: Sequence[str]) -> list[int]:
    """Memories that hold all of these words, or all but one of three and more."""
    queries = [lexemes.query(user_id, word) for word in words]
    (found,) = _holders(user_id, [" | ".join(f"({' & '.join(part)})" for part in combinations(queries, max(2, len(words) - 1)))], COMMON)
    return found


def _holders(user_id: int, queries: Sequence[str], limit: int) -> list[list[int]]:
    """For each query the ids of at most `limit` live memories that it matches."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT array(SELECT id FROM chat_memory WHERE search @@ asked::tsquery AND state = 'live' LIMIT %s)
               FROM unnest(%s::text[]) WITH ORDINALITY AS queries(asked, place) ORDER BY place""",
            [limit, list(queries)],
        )
        return [ids for (ids,) in cursor.fetchall()]


def best_worded(found: Postings, rarities: dict[str, float]) -> list[int]:
    """The memories with the rarest words in common, best first."""
    lists = [(holders, rarities[word]) for word, holders in found.ids.items()]
    lists.append((found.together, sum(rarities[word] for word in found.common)))
    ids = np.concatenate([np.asarray(holders, np.int64) for holders, _worth in lists])
    worth = np.concatenate([np.full(len(holders), worth) for holders, worth in lists])
    distinct, place = np.unique(ids, return_inverse=True)
    totals = np.bincount(place, weights=worth)
    return distinct[np.argsort(-totals, kind="stable")[:WORDED]].tolist()


def nearest(user_id: int, vectors: Sequence[np.ndarray], space: Space, size: int) -> list[int]:
    """Vector route: the rows whose text or context is nearest to any of the vectors, for each vector its nearest first.

    First Hamming distance of codes, in one pass over the covering index alone; then the shortlist by exact cosine.
    """
    shortlist = max(SHORTLIST, int(SHORTLIST_SHARE * size)) * len(vectors)
    apart = [f"{key} <~> %s::bit(384)" for _vector in vectors for key in ("code", "context_code")]
    exact = [f"least(embedding <=> %s::halfvec, context_embedding <=> %s::halfvec) AS d{n}" for n in range(len(vectors))]
    best = [f"(SELECT id FROM apart ORDER BY d{n}, id LIMIT {NEAREST})" for n in range(len(vectors))]  # noqa: S608 (numbers)
    with connection.cursor() as cursor:
        cursor.execute(
            f"""WITH close AS MATERIALIZED (
                    SELECT id FROM chat_memory WHERE user_id = %s AND state = 'live' ORDER BY least({", ".join(apart)}) LIMIT %s),
                apart AS MATERIALIZED (
                    SELECT id, {", ".join(exact)} FROM chat_memory JOIN close USING (id) WHERE space_id = {SPACE})
                {" UNION ALL ".join(best)}""",  # noqa: S608 (no values)
            [user_id, *_twice(map(code, vectors)), shortlist, *_twice(map(literal, vectors)), space.name, space.version],
        )
        return list(dict.fromkeys(pk for (pk,) in cursor.fetchall()))


def _twice(values: Iterable[str]) -> list[str]:
    return [value for value in values for _key in range(2)]


_NEIGHBOURS = """
SELECT m.id, before.id FROM chat_memory m JOIN LATERAL (SELECT id FROM chat_memory n
    WHERE n.conversation_id = m.conversation_id AND n.state = 'live' AND (n.occurred_at, n.id) < (m.occurred_at, m.id)
    ORDER BY n.occurred_at DESC, n.id DESC LIMIT 1) before ON true
WHERE m.id = ANY(%(ids)s) AND m.conversation_id IS NOT NULL
UNION ALL
SELECT m.id, after.id FROM chat_memory m JOIN LATERAL (SELECT id FROM chat_memory n
    WHERE n.conversation_id = m.conversation_id AND n.state = 'live' AND (n.occurred_at, n.id) > (m.occurred_at, m.id)
    ORDER BY n.occurred_at, n.id LIMIT 1) after ON true
WHERE m.id = ANY(%(ids)s) AND m.conversation_id IS NOT NULL
UNION ALL
SELECT l.first_id, n.id FROM chat_memorylink l JOIN chat_memory n ON n.id = l.second_id AND n.state = 'live' WHERE l.first_id = ANY(%(ids)s)
UNION ALL
SELECT l.second_id, n.id FROM chat_memorylink l JOIN chat_memory n ON n.id = l.first_id AND n.state = 'live' WHERE l.second_id = ANY(%(ids)s)
"""


def neighbours(ids: Iterable[int]) -> dict[int, list[int]]:
    """For each memory the ones just before and after it in its conversation, and those that are linked to it."""
    found: dict[int, list[int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_NEIGHBOURS, {"ids": list(ids)})
        for pk, other in cursor.fetchall():
            found.setdefault(pk, []).append(other)
    return found


def literal(vector: np.ndarray) -> str:
    return _literal(vector.tobytes())


@lru_cache(maxsize=64)  # a question's vectors go into several statements
def _literal(numbers: bytes) -> str:
    return "[" + ",".join(f"{number:.5g}" for number in np.frombuffer(numbers, np.float32).tolist()) + "]"
