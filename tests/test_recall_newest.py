"""最近 and 上次: of what is about the same, the newest comes first."""

from datetime import timedelta

import pytest

from chat.memory import asked
from chat.memory.recall import recall
from tests.factories import make_entity, make_version
from tests.test_recall import NOW, TEXTS, _patient, store, texts  # noqa: F401 (a fixture)

SEA = ("周末带孩子去海边玩沙子", "和同事在海边放风筝，风特别大", "一个人去海边看了日出")
DOG = ("Walked the dog around the lake", "Took the dog for a walk, he chased a squirrel", "Walking the dog in the rain")


def told(user, lines, days):
    """Each line so many days ago, stored in the order of the lines."""
    return [store(user, (line,), occurred_at=NOW - timedelta(days=ago))[0] for line, ago in zip(lines, days, strict=True)]


@pytest.mark.parametrize("days", [(100, 40, 70), (40, 70, 100), (70, 100, 40)])
@pytest.mark.parametrize(
    ("lines", "question"),
    [
        (SEA, "我上次去海边是什么时候？"),
        (SEA, "最近一次去海边玩了什么"),
        (SEA, "我最後一次去海邊是哪天"),
        (SEA, "上一回在海边做了什么？"),
        (DOG, "When was the last time I walked the dog?"),
        (DOG, "What happened on my most recent walk with the dog?"),
    ],
)
def test_the_last_of_several_times_comes_first(alice, lines, question, days):
    store(alice, TEXTS[:6])
    told(alice, lines, days)
    newest_first = [line for _ago, line in sorted(zip(days, lines, strict=True))]
    found = recall(alice, question, at=NOW)
    assert [text for text in texts(found) if text in lines] == newest_first
    assert texts(found)[0] == newest_first[0]
    for item in (*found.items, *found.cut):
        assert sum(item.parts.values()) == pytest.approx(item.score, abs=1e-6)
    assert any("order" in item.parts for item in found.items) or sorted(days) == list(days)
    assert not any("order" in item.parts for item in recall(alice, question, at=NOW, without={"time"}).items)


def test_recently_orders_what_was_recent(alice):
    told(alice, SEA, (9, 2, 40))
    assert texts(recall(alice, "我最近在海边做了什么？", at=NOW))[:2] == [SEA[1], SEA[0]]


def test_an_asked_belief_stays_before_what_is_newer(alice):
    version = make_version(make_entity(alice, "habit.meditation_time"), "早上六点")
    (row,) = store(alice, ("打坐时间：早上六点",), kind="entity", version=version)
    told(alice, ("今天打坐的时间很短", "昨天打坐的时间很长"), (0, 1))
    assert recall(alice, "我上次说我一般几点打坐？", at=NOW).items[0].memory_id == row.pk


def test_the_last_time_is_found_in_a_large_store_by_what_it_was():
    """上次, 是什么时候 say nothing of the subject: they neither count as words nor as meaning."""
    question = "我上次去海边是什么时候？"
    assert asked.subject(question) == "我去海边？"
    assert asked.read(question, NOW, "Asia/Shanghai").clauses[0].words == asked.read("我去海边？", NOW, "Asia/Shanghai").clauses[0].words


@pytest.mark.parametrize("message", ["我喜欢大老虎！上次我去动物园还看到了呢！", "上次说到哪里了？", "继续上次的话题", "上次数息有用", "最近的一家医院在哪里", "我最近忙疯了"])
def test_what_does_not_ask_for_the_last_of_several_times_is_left_as_it_is(message):
    assert asked.subject(message) == message


@pytest.mark.parametrize("message", ["上次数息有用", "我最近忙疯了。", "昨天上次那个人来了"])
def test_what_tells_is_not_ordered(message):
    assert not asked.read(message, NOW, "Asia/Shanghai").newest


def test_the_last_time_is_no_stretch_of_time():
    assert not asked.read("我最近一次去寺院是哪天？", NOW, "Asia/Shanghai").spans
    assert asked.read("我最近去过寺院吗？", NOW, "Asia/Shanghai").spans
