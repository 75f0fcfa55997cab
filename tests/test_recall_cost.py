"""What a recall costs: as many statements for any store, none for what was learned a moment ago."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from chat.memory.recall import recall
from chat.models import Memory
from tests.test_recall import NOW, TEXTS, _patient, store, texts  # noqa: F401 (a fixture)


def test_the_number_of_queries_is_fixed(alice):
    store(alice)
    recall(alice, "打坐腿麻怎么办？", at=NOW)
    counts = set()
    for _round in range(2):
        with CaptureQueriesContext(connection) as queries:
            recall(alice, "打坐腿麻怎么办？", at=NOW)
        counts.add(len(queries))
        store(alice, tuple(f"第{n}次站桩，站了很久，风很大" for n in range(30)))
    assert len(counts) == 1 and counts.pop() <= 40


def test_many_memories_take_no_more_queries(alice, django_assert_max_num_queries):
    """Twenty thousand copies, by the server itself; the words of the question are in most of them."""
    (row,) = store(alice, ("早上在公园站桩，站了很久，风很大",))
    store(alice, ("第七次去灵隐寺抄经，遇到了周师兄",))
    names = [field.column for field in Memory._meta.concrete_fields if field.column not in ("id", "occurred_at")]
    columns = ", ".join(names)
    with connection.cursor() as cursor:
        cursor.execute(
            f"""INSERT INTO chat_memory ({columns}, occurred_at) SELECT {columns}, occurred_at - n * interval '1 minute'
                FROM chat_memory, generate_series(1, 20000) AS n WHERE id = %s""",  # noqa: S608 (column names)
            [row.pk],
        )
        cursor.execute("ANALYZE chat_memory")
    for question, first in (("在公园站桩站了多久？", "早上在公园"), ("在灵隐寺抄经遇到了谁？", "第七次去")) * 2:
        with django_assert_max_num_queries(36):  # savepoints of the test's own transaction are half of them
            found = recall(alice, question, at=NOW)
        assert (found.store_size, found.degraded) == (20_002, ()) and texts(found)[0].startswith(first)


def test_a_large_store_is_counted_once_in_a_while(alice, monkeypatch, django_assert_num_queries):
    from chat.memory import common, routes

    monkeypatch.setattr(common, "LARGE", 2)
    (one, *_others) = store(alice, TEXTS[:2])
    assert routes.store_size(alice.pk) == 2
    with django_assert_num_queries(0):
        assert routes.store_size(alice.pk) == 2
    monkeypatch.setattr(common, "monotonic", lambda: float("inf"))
    one.delete()
    assert [routes.store_size(alice.pk) for _again in range(2)] == [1, 1]
    store(alice, TEXTS[2:3])
    assert routes.store_size(alice.pk) == 2
