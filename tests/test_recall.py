"""Recall: what comes back, why, in which order, and what it does when something is missing."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection

from chat.llm import embeddings
from chat.llm.errors import LLMError
from chat.memory import indexing
from chat.memory.recall import recall
from chat.models import Account, EmbeddingSpace, Memory
from tests.factories import make_conversation, make_entity, make_memory, make_version

NOW = datetime(2026, 8, 20, 21, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
TEXTS = [
    "打坐时腿麻，十分钟就坐不住了",
    "昨天和老婆吵架了，一晚上没睡好",
    "抄经时心里特别安静",
    "The cat is called Luna and sleeps on my desk",
    "我的上司叫赵雅琳",
    "赵雅琳明天要去重庆出差",
    "周末带孩子去海边玩沙子",
]


@pytest.fixture(autouse=True)
def _patient(settings):
    settings.RECALL_DEADLINE_SECONDS = 30  # what comes back is tested here, not how fast this machine is


def store(user, texts=tuple(TEXTS), **fields) -> list[Memory]:
    fields.setdefault("occurred_at", NOW - timedelta(days=20))
    fields.setdefault("clock_at", fields["occurred_at"])
    rows = [make_memory(user, text, **fields) for text in texts]
    indexing.index_words([row.pk for row in rows])
    indexing.embed([row.pk for row in rows])
    return rows


def texts(found) -> list[str]:
    return [item.text for item in found.items]


def test_an_empty_store_gives_nothing(alice):
    found = recall(alice, "我一般几点打坐？", at=NOW)
    assert (found.items, found.cut, found.store_size, found.degraded) == ((), (), 0, ())


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("打坐腿麻怎么办？", TEXTS[0]),
        ("打坐腿麻怎麼辦？", TEXTS[0]),
        ("What is my cat called?", TEXTS[3]),
        ("抄經時心裡安靜嗎", TEXTS[2]),
        ("麻", TEXTS[0]),
    ],
)
def test_the_right_memory_comes_first(alice, question, first):
    store(alice)
    assert texts(recall(alice, question, at=NOW))[:1] == [first]


@pytest.mark.parametrize("question", ["😀😀", "今天的股票行情怎么样", "?", "啊" * 20_000, "\x00\ud800"])
def test_odd_and_unrelated_questions_bring_nothing(alice, question):
    store(alice)
    assert texts(recall(alice, question, at=NOW)) == []


def test_another_users_memories_never_come_back(alice, bob):
    store(bob)
    found = recall(alice, "打坐腿麻怎么办？", at=NOW)
    assert found.considered == 0


def test_parts_add_up_to_the_score(alice):
    store(alice)
    found = recall(alice, "打坐腿麻怎么办？", at=NOW)
    for item in (*found.items, *found.cut):
        assert sum(item.parts.values()) == pytest.approx(item.score, abs=1e-6)


def test_what_is_cut_says_why(alice):
    store(alice, ("打坐时腿麻", "打坐时腿麻！", "打坐时腿麻了该怎么坐"))
    found = recall(alice, "打坐腿麻怎么办", at=NOW, limit=1)
    assert len(found.items) == 1
    assert {item.decision for item in found.cut} <= {"duplicate", "over_limit"}
    duplicates = [item for item in found.cut if item.decision == "duplicate"]
    assert duplicates and duplicates[0].duplicate_of == found.items[0].memory_id


def test_texts_with_other_numbers_are_no_duplicates(alice):
    store(alice, ("每天早上打坐20分钟", "每天早上打坐30分钟"))
    assert len(recall(alice, "早上打坐多少分钟", at=NOW).items) == 2


def test_over_budget(alice):
    store(alice)
    found = recall(alice, "打坐腿麻怎么办？", at=NOW, budget=1)
    assert found.items == ()
    assert "over_budget" in {item.decision for item in found.cut}


def test_pinned_is_always_considered(alice):
    store(alice)
    (pinned,) = store(alice, ("膝盖做过手术，不能双盘",), pinned=True)
    assert pinned.pk in {item.memory_id for item in recall(alice, "今天的股票行情怎么样", at=NOW).items}


def test_the_second_hop_follows_a_name(alice):
    store(alice)
    Memory.objects.filter(text__contains="赵雅琳").update(labels=["赵雅琳"])
    indexing.index_words(Memory.objects.values_list("pk", flat=True))
    assert TEXTS[5] in texts(recall(alice, "我的上司是谁，要去哪里", at=NOW))


def test_a_named_time_brings_what_happened_then(alice):
    Account.objects.update_or_create(user=alice, defaults={"time_zone": "Asia/Shanghai"})
    store(alice)
    (row,) = store(alice, ("早上在公园站桩",), occurred_at=NOW - timedelta(hours=37))
    found = recall(alice, "昨天早上我在公园做了什么？", at=NOW)
    mine = next(item for item in found.items if item.memory_id == row.pk)
    assert "time" in mine.routes and mine.parts["time"] > 0


def test_an_asked_belief_comes_first(alice):
    version = make_version(make_entity(alice, "habit.meditation_time"), "早上六点")
    (row,) = store(alice, ("打坐时间：早上六点",), kind="entity", version=version)
    store(alice)
    found = recall(alice, "我一般几点打坐？", at=NOW)
    assert found.items[0].memory_id == row.pk
    assert found.items[0].version_id == version.pk


def test_wrong_and_forgotten_memories_stay_away(alice):
    store(alice, (TEXTS[0],), state="forgotten", forgotten_at=NOW)
    (wrong,) = store(alice, ("打坐时腿麻，一分钟就坐不住",), marked_wrong=True)
    found = recall(alice, "打坐腿麻怎么办？", at=NOW)
    assert found.items == ()
    assert [item.memory_id for item in found.cut] == [wrong.pk]


def test_the_words_find_it_while_the_embedder_is_down(alice, monkeypatch):
    store(alice)

    def fail(_texts):
        raise LLMError("unreachable")

    monkeypatch.setattr(embeddings, "embed_queries", fail)
    found = recall(alice, "打坐腿麻坐不住", at=NOW)
    assert found.degraded == ("vector",)
    assert texts(found)[:1] == [TEXTS[0]]


def test_a_route_that_is_late_is_left_out(alice, settings, monkeypatch):
    import threading

    store(alice)
    settings.RECALL_DEADLINE_SECONDS = 0.5
    gate = threading.Event()
    monkeypatch.setattr(embeddings, "embed_queries", lambda _texts: gate.wait(20))
    found = recall(alice, "打坐腿麻坐不住", at=NOW)
    gate.set()
    assert "vector" in found.degraded


@pytest.mark.parametrize("signal", ["vector", "lexical", "hop", "neighbours", "recency"])
def test_a_signal_that_is_off_gives_no_part(alice, signal):
    store(alice, conversation=make_conversation(alice))
    found = recall(alice, "我的上司叫什么", at=NOW, without={signal})
    part = "time" if signal == "recency" else signal
    assert all(part not in item.parts for item in (*found.items, *found.cut))


def test_a_statement_that_is_late_is_ended_and_the_rest_goes_on(alice, settings, monkeypatch):
    from chat.memory import routes

    store(alice)
    settings.RECALL_DEADLINE_SECONDS = 5

    def slow(_user_id):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(60)")

    monkeypatch.setattr(routes, "pinned", slow)
    found = recall(alice, "打坐腿麻怎么办？", at=NOW)
    assert "pinned" in found.degraded
    assert found.timings_ms["pinned"] < 20_000
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("0",)


def test_what_was_found_in_time_is_completed_without_the_deadline(alice, monkeypatch):
    from chat.memory import recall as module

    store(alice)
    told = []

    def completing(candidates):
        with connection.cursor() as cursor:
            cursor.execute("SHOW statement_timeout")
            told.append(cursor.fetchone()[0])
        return list(candidates)

    monkeypatch.setattr(module, "with_sources", completing)
    assert recall(alice, "打坐腿麻怎么办？", at=NOW).items
    assert told == ["0"]


@pytest.mark.parametrize("question", ["昨天我说了什么？", "昨天我们聊了些什么来着", "what did we talk about yesterday?"])
def test_a_question_that_names_only_a_time_brings_what_happened_then(alice, question):
    Account.objects.update_or_create(user=alice, defaults={"time_zone": "Asia/Shanghai"})
    store(alice)
    store(alice, ("早上在公园站桩",), occurred_at=NOW - timedelta(hours=37))
    assert texts(recall(alice, question, at=NOW)) == ["早上在公园站桩"]
    assert "早上在公园站桩" not in texts(recall(alice, question, at=NOW, without={"time"}))


@pytest.mark.parametrize("question", ["我平时常聊些什么？", "What do I often talk about?"])
def test_a_question_for_what_repeats_brings_the_themes(alice, question):
    store(alice)
    (theme,) = store(alice, ("常常谈到腿麻（5天，最近8月19日）",), kind="theme")
    found = recall(alice, question, at=NOW)
    assert [item.memory_id for item in found.items] == [theme.pk]
    assert "theme" in found.items[0].routes and "theme" in found.items[0].reasons
    assert texts(recall(alice, question, at=NOW, without={"theme"})) == []


@pytest.mark.parametrize(
    ("told", "question", "wanted"),
    [
        (("高兴是我大学室友，后来搬去了成都", "今天打坐很高兴", "孩子考了第一，全家都高兴", "抄完经心里高兴"), "高兴搬去哪里了？", 0),
        (("Will works at the harbour as a pilot", "I will meditate tomorrow", "It will rain all week"), "Where does Will work?", 0),
        (("小雨是我妹妹，在武汉上学", "下了一天小雨", "小雨天站桩很舒服"), "小雨在哪里上学？", 0),
    ],
)
def test_names_that_are_common_words(alice, told, question, wanted):
    store(alice, told)
    assert texts(recall(alice, question, at=NOW))[:1] == [told[wanted]]


@pytest.mark.parametrize(
    ("question", "first"),
    [("我的cat叫什麼名字？", TEXTS[3]), ("打坐時leg麻怎么办", TEXTS[0]), ("啊" * 19_000 + "。打坐腿麻怎么办？", TEXTS[0])],
)
def test_mixed_and_endless_questions_find_what_they_mean(alice, question, first):
    store(alice)
    assert texts(recall(alice, question, at=NOW))[:1] == [first]


def test_the_words_find_what_another_model_embedded(alice):
    store(alice)
    other = EmbeddingSpace.objects.create(name="other", version="1", dimensions=384)
    Memory.objects.owned_by(alice).update(space=other)
    found = recall(alice, "打坐腿麻坐不住", at=NOW)
    assert texts(found)[:1] == [TEXTS[0]]
    assert found.items[0].signals["cosine"] is None
