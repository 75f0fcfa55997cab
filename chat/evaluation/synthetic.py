"""Stores of any size for measuring speed: seeded vectors shaped like e5's, texts by Zipf's law, written by the server itself.

Rows belong to users made for the measurement; leaving the block removes them.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from uuid import uuid4

import numpy as np
from django.contrib.auth.models import User
from django.db import connection, transaction

from chat.llm.embeddings import registered_space
from chat.memory import lexemes
from chat.memory.text import words
from chat.models import DIMENSIONS, Conversation, Memory

SEED = 20_260
# Centred e5 vectors of real texts: half of the variance in 20 of 384 directions, falling by about the power 0.8; the
# nearest of some thousands at a cosine of 0.6 to 0.8. These two numbers give the same.
SPECTRUM, NOISE = 0.8, 0.8
TOPICS = 400
BATCH = 50_000
POOL = 20_000  # distinct texts
A_CONVERSATION = 50  # memories
WORDS = ["打坐", "走神", "数息", "腿麻", "双盘", "呼吸", "清晨", "睡前", "公园", "站桩", "心经", "抄经", "戒烟", "失眠", "焦虑", "同事", "上司", "孩子", "父母", "旅行", "海边", "下雨", "流水声", "膝盖", "医生", "体检", "加班", "会议", "搬家", "读书", "坛经", "素食", "早起", "跑步", "瑜伽", "音乐", "电影", "生日", "礼物", "猫", "狗", "咖啡", "茶", "火车", "飞机", "山路", "寺院", "师父"]  # fmt: skip
VOCABULARY = 6_000
FLAT = 2.7  # of the Zipf–Mandelbrot law p ∝ 1/(rank + FLAT)

_INSERT = f"""
    INSERT INTO chat_memory (
        user_id, conversation_id, tier, kind, level, text, data, number, context, context_terms, labels, intents, emotion,
        fingerprint_entity, fingerprint_intent, fingerprint_hour, occurred_at, recorded_at, state, decay, importance, pinned,
        authoritative, marked_wrong, clock_at, start_weight, extra_days, use_count, skips, stale, compared, forgotten_by,
        space_id,
        embedding, code, context_embedding, context_code, content_hash, terms, search)
    SELECT %(user)s, (%(talks)s::bigint[])[1 + s.n / {A_CONVERSATION}], 'short_term', 'fragment', 0, p.text, '{{}}', 1, '', '',
        '[]', '{{}}', '', '', '', '', p.at, p.at, 'live', 'normal', 0.5, false, false, false, p.at, 1, 0, 0, 0, false, true, '',
        %(space)s, s.vector, binary_quantize(s.vector)::bit({DIMENSIONS}), s.around,
        binary_quantize(s.around)::bit({DIMENSIONS}), '', p.terms, p.search
    FROM (SELECT *, row_number() OVER () - 1 + %(start)s AS n FROM bench_vectors) s
    JOIN LATERAL (SELECT *, now() - (s.n * 7919 %% 900000) * interval '1 minute' AS at FROM bench_texts
                  WHERE number = (s.n * 7907) %% {POOL}) p ON true
"""  # noqa: S608 (constants)


class Shape:
    """Seeded texts and vectors. The same seed gives the same stores and questions."""

    def __init__(self, seed: int = SEED):
        self._random = np.random.default_rng(seed)
        spread = np.arange(1, DIMENSIONS + 1) ** (-SPECTRUM / 2)
        turn, _rest = np.linalg.qr(self._random.standard_normal((DIMENSIONS, DIMENSIONS)))
        self._basis = (spread[:, None] * turn).astype(np.float32)
        self._topics = self._draw(TOPICS)
        letters = sorted({letter for word in WORDS for letter in word})
        made = ["".join(pair) for pair in zip(*(self._random.choice(letters, VOCABULARY) for _half in range(2)), strict=True)]
        self._words = [*WORDS, *made][:VOCABULARY]
        share = 1.0 / (np.arange(VOCABULARY) + FLAT)
        self._shares = share / share.sum()

    def vectors(self, count: int) -> np.ndarray:
        """Each leans on a topic that others share, with noise of its own."""
        return _unit(self._topics[self._random.integers(0, TOPICS, count)] + NOISE * self._draw(count))

    def near(self, vectors: np.ndarray) -> np.ndarray:
        """Vectors that mean nearly the same: the second keys."""
        return _unit(vectors + 0.5 * self._draw(len(vectors)))

    def texts(self, count: int) -> list[str]:
        lengths = self._random.integers(5, 15, count)
        picks = self._random.choice(VOCABULARY, lengths.sum(), p=self._shares)
        return ["".join(self._words[pick] for pick in part) for part in np.split(picks, np.cumsum(lengths)[:-1])]

    def _draw(self, count: int) -> np.ndarray:
        return _unit(self._random.standard_normal((count, DIMENSIONS), np.float32) @ self._basis)


@contextmanager
def stores(shape: Shape, sizes: Sequence[int], *, rich: Sequence[int] = ()) -> Iterator[list[tuple[User, int]]]:
    """Users with so many live memories each. Those of a size in `rich` have conversations and second keys too."""
    users = [(User.objects.create_user(f"bench-{uuid4().hex}"), size) for size in sizes]
    try:
        _make_texts(shape)
        for user, size in users:
            _fill(user, size, shape, rich=size in rich)
        settle()
        yield users
    finally:
        _remove([user.pk for user, _size in users])
        for user, _size in users:
            user.delete()


def _remove(user_ids: Sequence[int]) -> None:
    """All memories of these users. Nothing points to them, so where we may, PostgreSQL isn't made to look for each row."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        if cursor.fetchone()[0]:
            cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("DELETE FROM chat_memory WHERE user_id = ANY(%s)", [list(user_ids)])


def _make_texts(shape: Shape) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS pg_temp.bench_words")
        cursor.execute("CREATE TEMP TABLE bench_words (number bigint, text text, terms text, distinct_terms text[])")
        with cursor.copy("COPY bench_words FROM STDIN") as copy:
            for number, text in enumerate(shape.texts(POOL)):
                terms = words(text, index=True)
                copy.write_row((number, text, lexemes.joined(terms), sorted(set(terms))))


def _fill(user: User, size: int, shape: Shape, *, rich: bool) -> None:
    talks = range(-(-size // A_CONVERSATION)) if rich else ()
    made = Conversation.objects.bulk_create(Conversation(user=user, title=f"{number}") for number in talks)
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS pg_temp.bench_texts")
        cursor.execute(
            """CREATE TEMP TABLE bench_texts AS SELECT number, text, terms,
                   array_to_tsvector(array(SELECT %s || ':' || term FROM unnest(distinct_terms) term)) AS search FROM bench_words""",
            [str(user.pk)],
        )
        cursor.execute("CREATE INDEX ON bench_texts (number)")
        cursor.execute("ANALYZE bench_texts")
        for start in range(0, size, BATCH):
            _stage(cursor, shape, min(BATCH, size - start), rich=rich)
            talk_ids = [talk.pk for talk in made]
            cursor.execute(_INSERT, {"user": user.pk, "talks": talk_ids, "space": registered_space().row, "start": start})


def _stage(cursor, shape: Shape, count: int, *, rich: bool) -> None:
    """Vectors into a temporary table, in PostgreSQL's binary format: a third of the size of text, and no parsing."""
    cursor.execute("DROP TABLE IF EXISTS pg_temp.bench_vectors")
    cursor.execute(f"CREATE TEMP TABLE bench_vectors (vector halfvec({DIMENSIONS}), around halfvec({DIMENSIONS}))")
    own = shape.vectors(count)
    fields = [_halfvecs(own), _halfvecs(shape.near(own))] if rich else [_halfvecs(own), np.full((count, 4), 255, np.uint8)]
    heads = np.broadcast_to(np.array([0, 2], np.uint8), (count, 2))
    body = np.concatenate([heads, *fields], axis=1).tobytes()
    with cursor.copy("COPY bench_vectors FROM STDIN (FORMAT BINARY)") as copy:
        copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8) + body + b"\xff\xff")


def _halfvecs(vectors: np.ndarray) -> np.ndarray:
    """Each as the bytes of a field: its length, dimensions, two spare bytes, half-precision numbers, big end first."""
    head = np.frombuffer((4 + 2 * DIMENSIONS).to_bytes(4) + DIMENSIONS.to_bytes(2) + bytes(2), np.uint8)
    body = vectors.astype(">f2").view(np.uint8).reshape(len(vectors), -1)
    return np.concatenate([np.broadcast_to(head, (len(vectors), len(head))), body], axis=1)


def _unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def settle() -> None:
    """What the server does by itself after a while."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE chat_memory")


def live_rows() -> int:
    return Memory.objects.live().count()
