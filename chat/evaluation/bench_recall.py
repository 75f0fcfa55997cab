"""Speed of recall and of the vector route: users of several sizes among many others' rows, vectors shaped like e5's.

Synthetic vectors are mixtures of shared topics with noise, centred and of length 1 like stored ones; texts are drawn from a
word list by Zipf's law. Everything belongs to users made for the measurement, who are removed at its end.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import numpy as np
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import override_settings
from django.utils import timezone

from chat.llm.embeddings import registered_space, warm
from chat.llm.spaces import code
from chat.memory import lexemes, routes
from chat.memory.recall import recall
from chat.memory.text import words
from chat.models import DIMENSIONS, Memory

SEED = 20_260
TOPICS, NOISE = 400, 0.6
BATCH = 5_000
OTHERS = 50_000  # rows of each of the other users
VOCABULARY = ["打坐", "走神", "数息", "腿麻", "双盘", "呼吸", "清晨", "睡前", "公园", "站桩", "心经", "抄经", "戒烟", "失眠", "焦虑", "同事", "上司", "孩子", "父母", "旅行", "海边", "下雨", "流水声", "膝盖", "医生", "体检", "加班", "会议", "搬家", "读书", "坛经", "素食", "早起", "跑步", "瑜伽", "音乐", "电影", "生日", "礼物", "猫", "狗", "咖啡", "茶", "火车", "飞机", "山路", "寺院", "师父"]


def run(data_dir: Path, options: dict) -> dict:
    """Fill, measure every size, clean up. Times are milliseconds."""
    random = np.random.default_rng(SEED)
    topics = unit(random.standard_normal((TOPICS, DIMENSIONS)))
    sizes = [int(size) for size in options["sizes"].split(",")]
    warm()
    with users_of(sizes, options["rows"]) as users:
        for user, size in users:
            fill(user, size, random, topics)
        settle()
        measured = {str(n): _measure(user, n, random, topics, options["questions"]) for user, n in users if n in sizes}
        return {"name": "recall", "rows": Memory.objects.count(), "sizes": measured, "indexes_mb": _index_sizes()}


@contextmanager
def users_of(sizes: list[int], rows: int) -> Iterator[list[tuple[User, int]]]:
    rest = max(0, rows - sum(sizes))
    shares = [*sizes, *[OTHERS] * (rest // OTHERS), *([rest % OTHERS] if rest % OTHERS else [])]
    users = [(User.objects.create_user(f"bench-{uuid4().hex}"), share) for share in shares]
    try:
        yield users
    finally:
        for user, _share in users:
            with connection.cursor() as cursor:
                cursor.execute("DELETE FROM chat_memory WHERE user_id = %s", [user.pk])
            user.delete()


def fill(user: User, size: int, random: np.random.Generator, topics: np.ndarray) -> None:
    space, now = registered_space(), timezone.now()
    columns = ["user_id", "tier", "kind", "level", "text", "data", "number", "context", "context_terms", "labels", "intents", "emotion", "fingerprint_entity", "fingerprint_intent", "fingerprint_hour", "occurred_at", "recorded_at", "state", "decay", "importance", "pinned", "authoritative", "marked_wrong", "clock_at", "start_weight", "extra_days", "use_count", "skips", "stale", "compared", "forgotten_by", "space_id", "embedding", "code", "content_hash", "terms", "search"]
    with connection.cursor() as cursor:
        for start in range(0, size, BATCH):
            vectors = _vectors(min(BATCH, size - start), random, topics)
            with cursor.copy(f"COPY chat_memory ({', '.join(columns)}) FROM STDIN") as copy:
                for vector in vectors:
                    text = _text(random)
                    tokens = words(text, index=True)
                    at = now - timedelta(minutes=int(random.integers(1, 900_000)))
                    found = " ".join(f"'{lexeme}'" for lexeme in lexemes.lexemes(user.pk, tokens))
                    copy.write_row(
                        (user.pk, "short_term", "fragment", 0, text, "{}", 1, "", "", "[]", "{}", "", "", "", "", at, at,
                         "live", "normal", 0.5, False, False, False, at, 1.0, 0.0, 0, 0, False, True, "", space.row,
                         routes.literal(vector), code(vector), "", lexemes.joined(tokens), found)
                    )  # fmt: skip


def _measure(user: User, size: int, random: np.random.Generator, topics: np.ndarray, questions: int) -> dict:
    space, asked = registered_space(), _vectors(questions, random, topics)
    exact = [_ranked(user, vector, space.row) for vector in asked]
    near = [routes.nearest(user.pk, [vector], space, size)[:20] for vector in asked]
    agreement = [len(set(a) & set(b)) / len(a) for a, b in zip(exact, near, strict=True)]
    texts = [_text(random) + "是怎么回事？" for _question in range(questions)]
    with override_settings(RECALL_DEADLINE_SECONDS=30):
        whole = _times(lambda text: recall(user, text, at=timezone.now()), texts)
    slot = ["habit.meditation_time"]
    return {
        "recall": whole,
        "codes": _times(lambda vector: routes.nearest(user.pk, [vector], space, size), asked),
        "exact": _times(lambda vector: _ranked(user, vector, space.row), asked[: max(5, questions // 5)]),
        "entity": _times(lambda _vector: routes.of_slots(user.pk, slot), asked),
        "agreement": round(sum(agreement) / len(agreement), 4),
    }


def _ranked(user: User, vector: np.ndarray, space_row: int) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT id FROM chat_memory WHERE user_id = %s AND state = 'live' AND space_id = %s
               ORDER BY embedding <=> %s::halfvec LIMIT 20""",
            [user.pk, space_row, routes.literal(vector)],
        )
        return [pk for (pk,) in cursor.fetchall()]


def _times(act: Callable, arguments) -> dict[str, float]:
    act(arguments[0])
    taken = []
    for argument in arguments:
        start = time.perf_counter()
        act(argument)
        taken.append((time.perf_counter() - start) * 1000)
    return {f"p{p}": round(float(np.percentile(taken, p)), 2) for p in (50, 95, 99)}


def _vectors(count: int, random: np.random.Generator, topics: np.ndarray) -> np.ndarray:
    """Each leans on two of the topics, with noise of its own."""
    first, second = random.integers(0, TOPICS, (2, count))
    noise = unit(random.standard_normal((count, DIMENSIONS)))
    return unit(topics[first] + 0.5 * topics[second] + NOISE * noise).astype(np.float32)


def _text(random: np.random.Generator) -> str:
    picks = np.minimum(random.zipf(1.3, 8) - 1, len(VOCABULARY) - 1)
    return "".join(VOCABULARY[pick] for pick in picks)


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def settle() -> None:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE chat_memory")


def _index_sizes() -> dict[str, float]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexrelname, pg_relation_size(indexrelid) FROM pg_stat_user_indexes WHERE relname = 'chat_memory'")
        return {name: round(size / 2**20, 1) for name, size in cursor.fetchall() if size > 2**20}
