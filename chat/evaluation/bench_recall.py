"""Speed of recall and of the ways to find the nearest vectors: users of several sizes among many others' rows.

exact: every vector of the user compared. codes: what recall does, Hamming distance first. hnsw: an index over all users'
vectors, scanned until enough rows of the user turned up. `agreement` is with the top 20 of the exact scan.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import override_settings
from django.utils import timezone

from chat.evaluation.synthetic import Shape, live_rows, stores
from chat.llm.embeddings import registered_space, warm
from chat.memory import routes
from chat.memory.recall import recall
from chat.models import DIMENSIONS

OTHERS = 50_000  # rows of each of the other users
TOP = 20
EF_SEARCH = 100
_NEARER = {"exact": "least(embedding <=> %s::halfvec, context_embedding <=> %s::halfvec)", "own": "embedding <=> %s::halfvec"}


def run(data_dir: Path, options: dict) -> dict:
    """Fill, measure every size, report, clean up. Times are milliseconds."""
    measured = [int(size) for size in options["sizes"].split(",")]
    rest = max(0, options["rows"] - sum(measured))
    sizes = [*measured, *[OTHERS] * (rest // OTHERS), *([rest % OTHERS] if rest % OTHERS else [])]
    warm()
    shape, start = Shape(), time.monotonic()
    with stores(shape, sizes, rich=measured) as users:
        filled = time.monotonic() - start
        asked = users[: len(measured)]
        found = {str(size): _measure(user, size, shape, options["questions"]) for user, size in asked}
        if options["hnsw"]:
            with _graph([user.pk for user, _size in users], options["hnsw"]) as graph:
                for user, size in asked:
                    found[str(size)] |= _measure_graph(user, shape.vectors(options["questions"]))
        else:
            graph = {}
        result = {
            "name": "recall",
            "rows": live_rows(),
            "fill_seconds": round(filled, 1),
            "sizes": found,
            "hnsw": graph,
            "indexes_mb": _index_sizes(),
        }
        options.get("report", lambda _result: None)(result)
    return result


def _measure(user: User, size: int, shape: Shape, questions: int) -> dict:
    space, vectors = registered_space(), shape.vectors(questions)
    exact = [_ranked(user, vector, space.row, "exact") for vector in vectors]
    near = [routes.nearest(user.pk, [vector], space, size)[:TOP] for vector in vectors]
    texts = [f"{text}是怎么回事？" for text in shape.texts(questions)]
    with override_settings(RECALL_DEADLINE_SECONDS=30):
        whole, cpu = _times(lambda text: recall(user, text, at=timezone.now()), texts)
    return {
        "recall": whole,
        "recall_cpu": cpu,
        "codes": _times(lambda vector: routes.nearest(user.pk, [vector], space, size), vectors)[0],
        "exact": _times(lambda vector: _ranked(user, vector, space.row, "exact"), vectors[: max(5, questions // 5)])[0],
        "entity": _times(lambda _vector: routes.of_slots(user.pk, ["habit.meditation_time"]), vectors)[0],
        "agreement": _agreement(exact, near),
    }


def _measure_graph(user: User, vectors: np.ndarray) -> dict:
    exact = [_ranked(user, vector, None, "own") for vector in vectors]
    found = [_by_graph(user, vector) for vector in vectors]
    return {
        "hnsw": _times(lambda vector: _by_graph(user, vector), vectors)[0],
        "hnsw_agreement": _agreement(exact, found),
    }


def _ranked(user: User, vector: np.ndarray, space_row: int | None, order: str) -> list[int]:
    """By comparing every vector: the + 0 keeps the planner from the graph."""
    literal, table = routes.literal(vector), "chat_memory" if space_row else "bench_graph"
    live = "AND state = 'live' AND space_id = %s" if space_row else ""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT id FROM {table} WHERE user_id = %s {live} ORDER BY ({_NEARER[order]}) + 0 LIMIT {TOP}",  # noqa: S608 (no values)
            [user.pk, *([space_row] if space_row else []), *[literal] * _NEARER[order].count("%s")],
        )
        return [pk for (pk,) in cursor.fetchall()]


@contextmanager
def _graph(user_ids: Sequence[int], rows: int) -> Iterator[dict]:
    """An HNSW index over a copy of at most so many vectors, those of the measured users first."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMP TABLE bench_graph (id bigint, user_id bigint, embedding halfvec({DIMENSIONS}))")
        cursor.execute(
            """INSERT INTO bench_graph SELECT id, user_id, embedding FROM chat_memory WHERE user_id = ANY(%s)
               ORDER BY array_position(%s, user_id::bigint) LIMIT %s""",
            [list(user_ids), list(user_ids), rows],
        )
        cursor.execute("SET maintenance_work_mem = '1GB'")
        start = time.monotonic()
        cursor.execute("CREATE INDEX bench_graph_hnsw ON bench_graph USING hnsw (embedding halfvec_cosine_ops)")
        seconds = time.monotonic() - start
        cursor.execute("ANALYZE bench_graph")
        cursor.execute(f"SET hnsw.iterative_scan = relaxed_order; SET hnsw.ef_search = {EF_SEARCH}; SET enable_sort = off")
        cursor.execute("SELECT count(*), pg_relation_size('bench_graph_hnsw') FROM bench_graph")
        count, size = cursor.fetchone()
        try:
            yield {"rows": count, "build_seconds": round(seconds, 1), "index_mb": round(size / 2**20, 1)}
        finally:
            cursor.execute("DROP TABLE bench_graph")
            cursor.execute("RESET maintenance_work_mem; RESET hnsw.iterative_scan; RESET hnsw.ef_search; RESET enable_sort")


def _by_graph(user: User, vector: np.ndarray) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT id FROM bench_graph WHERE user_id = %s ORDER BY embedding <=> %s::halfvec LIMIT {TOP}",  # noqa: S608 (a constant)
            [user.pk, routes.literal(vector)],
        )
        return [pk for (pk,) in cursor.fetchall()]


def _agreement(exact: Sequence[Sequence[int]], found: Sequence[Sequence[int]]) -> float:
    return round(sum(len(set(a) & set(b)) / len(a) for a, b in zip(exact, found, strict=True)) / len(exact), 4)


def _times(act: Callable, arguments: Sequence) -> tuple[dict[str, float], dict[str, float]]:
    """Percentiles of wall-clock time, and of this process's own work (the embedder's included, the database's not)."""
    act(arguments[0])
    wall, cpu = [], []
    for argument in arguments:
        start, worked = time.perf_counter(), time.process_time()
        act(argument)
        wall.append((time.perf_counter() - start) * 1000)
        cpu.append((time.process_time() - worked) * 1000)
    return _percentiles(wall), _percentiles(cpu)


def _percentiles(taken: Sequence[float]) -> dict[str, float]:
    return {f"p{p}": round(float(np.percentile(taken, p)), 2) for p in (50, 95, 99)}


def _index_sizes() -> dict[str, float]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexrelname, pg_relation_size(indexrelid) FROM pg_stat_user_indexes WHERE relname = 'chat_memory'")
        return {name: round(size / 2**20, 1) for name, size in cursor.fetchall() if size > 2**20}
