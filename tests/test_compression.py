"""Level-1 summaries: what is in them, who writes them, and what happens to them later."""

import json
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from chat.maintenance import compress_idle
from chat.memory import compression, extraction, fragments, model_digest, pyramid, reading
from chat.memory.actors import SYSTEM
from chat.memory.erase import erase_entity, erase_memory, erase_turn
from chat.memory.text import language
from chat.models import Entity, Memory, Turn
from tests.factories import make_conversation, make_turn
from tests.llm_server import Reply

pytestmark = pytest.mark.django_db

SHANGHAI = ZoneInfo("Asia/Shanghai")
START = datetime(2026, 8, 20, 8, tzinfo=SHANGHAI)
NIGHT = START + timedelta(days=1)
SAID = [
    ("我昨天打坐坐到一半腿麻了", "可以先垫高坐垫，让膝盖低于髋部。"),
    ("我喜欢冥想时播放流水声", "好的，流水声有助于放松。"),
    ("我每天早上六点打坐30分钟，读的是《坛经》", "很好，固定时间容易养成习惯。"),
]


def say(conversation, account, said, at=START) -> list[Turn]:
    """Turns that have been read, as `remember` leaves them before it compresses."""
    turns = []
    for place, (text, answer) in enumerate(said):
        turn = make_turn(conversation, text, answer, at=at + timedelta(minutes=place), language=language(text))
        extraction.observe_turn(turn, account)
        reading.read(turn)
        fragments.keep(turn, account)
        turns.append(turn)
    return turns


@pytest.fixture
def summary(alice, account):
    say(make_conversation(alice), account, SAID)
    assert compress_idle(account, NIGHT) == 1
    return Memory.objects.get(user=alice, kind="summary", level=1)


def test_a_summary_has_its_parts_values_and_details(summary, alice):
    assert summary.text.startswith("主题：") and "8月20日" in summary.text and "关键事实：" in summary.text
    for kept in ("流水声", "30分钟", "坛经", "腿麻"):
        assert kept in summary.text
    assert {version.value for version in summary.asserts.all()} >= {"流水声"}
    assert set(Turn.objects.filter(user=alice).placed(0).values_list("place", flat=True)) == {"summary"}
    assert "昨天" in summary.text or "8月19日" in summary.text


def test_english_talk_gets_an_english_summary(alice, account):
    say(make_conversation(alice), account, [("Yesterday my legs went numb after 20 minutes", "Try a higher cushion."), ("I moved to Berlin in May", "Nice.")])
    compress_idle(account, NIGHT)
    text = Memory.objects.get(user=alice, kind="summary", level=1).text
    assert text.startswith("Topic:") and "20 minutes" in text and "Berlin" in text


def test_compressing_twice_makes_one_summary(summary, alice, account):
    assert compress_idle(account, NIGHT) == 0
    turns = list(summary.turns.all())
    assert compression.summarise(turns, account) is None
    assert Memory.objects.filter(kind="summary").count() == 1


def test_a_changed_belief_makes_the_summary_stale_and_the_rewriting_says_what_holds_now(summary, alice, account):
    say(make_conversation(alice), account, [("以后冥想请保持静音", "好的。")], at=START + timedelta(days=6))
    summary.refresh_from_db()
    assert summary.stale
    assert pyramid.rewrite_stale(account) == 1
    summary.refresh_from_db()
    assert not summary.stale and "后来：静音" in summary.text
    assert not summary.asserts.exclude(status="current").exists()


def test_a_summary_whose_turn_is_erased_is_rewritten_without_it(summary, alice, account):
    erase_turn(Turn.objects.get(text__contains="坛经"), SYSTEM)
    pyramid.rewrite_stale(account)
    texts = "\n".join(Memory.objects.filter(user=alice).values_list("text", flat=True))
    assert "坛经" not in texts and "腿麻" in texts


def test_a_summary_with_no_turn_left_goes(summary, alice, account):
    for turn in Turn.objects.filter(user=alice):
        erase_turn(turn, SYSTEM)
    pyramid.rewrite_stale(account)
    assert not Memory.objects.filter(user=alice, kind="summary").exists()


def test_days_and_months_are_made_once_and_hold_every_value(summary, alice, account):
    later = START + timedelta(days=40)
    assert pyramid.build(account, later) == 2
    assert pyramid.build(account, later) == 0
    day, month = Memory.objects.get(level=2), Memory.objects.get(level=3)
    assert list(day.children.all()) == [summary] and list(month.children.all()) == [day]
    for digest in (day, month):
        assert "流水声" in digest.text and digest.asserts.filter(value="流水声").exists()
    assert day.text.startswith("8月20日") and month.text.startswith("2026年8月")
    assert (day.occurred_at, day.occurred_to) == (datetime(2026, 8, 20, tzinfo=SHANGHAI), datetime(2026, 8, 21, tzinfo=SHANGHAI))


def test_a_day_that_gets_another_window_is_made_anew(summary, alice, account):
    pyramid.build(account, NIGHT)
    say(make_conversation(alice), account, [("我的猫豆豆今天病了，花了300元", "希望它快好。")], at=START + timedelta(hours=5))
    compress_idle(account, NIGHT)
    pyramid.build(account, NIGHT)
    pyramid.rewrite_stale(account)
    day = Memory.objects.get(level=2)
    assert day.children.count() == 2 and day.turns.count() == 4 and not day.stale


@pytest.mark.parametrize("level", [1, 2, 3])
def test_no_detail_or_word_of_what_was_erased_comes_back_with_the_rewriting(alice, account, level):
    """Nor from the answer, nor from beneath: the turns stay, and still say it."""
    said = [("我女儿叫小满，今年12岁", "小满真可爱。12岁正是好动的时候。"), ("我前天在青城山摔了一跤，花了380元看医生", "好好休息。"), *SAID]
    say(make_conversation(alice), account, said)
    compress_idle(account, NIGHT)
    pyramid.build(account, START + timedelta(days=40))
    erase_entity(Entity.objects.get(user=alice, attribute="family"), SYSTEM)
    erase_memory(Memory.objects.get(user=alice, kind="fragment", text__contains="青城山"), SYSTEM)
    for _night in range(2):
        pyramid.rewrite_stale(account)
        pyramid.build(account, START + timedelta(days=40))
    pyramid.rewrite_stale(account)
    text = Memory.objects.get(user=alice, kind="summary", level=level).text
    assert not [word for word in ("小满", "12岁", "女儿", "青城山", "摔", "380") if word in text]
    assert "流水声" in text and ("腿麻" in text or level > 1)


# With a model.


def sheet(**parts) -> str:
    return json.dumps({"topic": "打坐", "question": [], "advice": [], "feedback": [], "facts": [], **parts}, ensure_ascii=False)


def test_the_models_summary_is_used_and_completed_where_it_forgot(alice, account, llm):
    llm.enqueue_structured(sheet(question=["打坐到一半腿麻"], advice=["垫高坐垫"]))
    say(make_conversation(alice), account, SAID)
    compress_idle(account, NIGHT)
    text = Memory.objects.get(user=alice, kind="summary", level=1).text
    assert "打坐到一半腿麻" in text
    for forgotten in ("流水声", "30分钟", "坛经"):
        assert forgotten in text


@pytest.mark.parametrize(
    "reply",
    [sheet(facts=["每天打坐45分钟"]), sheet(facts=["他在读《金刚经》"]), sheet(facts=["3月5日去了北京"]), "抱歉，我不会", "{}", '{"topic": 3}', sheet(facts=["腿麻" * 800])],
    ids=["number", "name", "date", "prose", "empty", "type", "long"],
)  # fmt: skip
def test_what_the_model_invents_or_breaks_is_thrown_away(alice, account, llm, reply):
    llm.enqueue_structured(reply)
    say(make_conversation(alice), account, SAID)
    compress_idle(account, NIGHT)
    text = Memory.objects.get(user=alice, kind="summary", level=1).text
    assert "45" not in text and "金刚经" not in text and "北京" not in text
    for kept in ("流水声", "30分钟", "坛经"):
        assert kept in text


def test_no_transaction_is_held_while_the_model_writes(alice, account, monkeypatch):
    from django.db import connection

    from chat.memory import model_summary

    depth = len(connection.savepoint_ids)
    seen = []
    monkeypatch.setattr(model_summary, "write", lambda *_: seen.append(len(connection.savepoint_ids)))
    say(make_conversation(alice), account, SAID)
    compress_idle(account, NIGHT)
    assert seen == [depth]


@pytest.fixture
def digests(alice, account, llm):
    """The day and the month of the summary, made before the model is asked for anything but them."""
    llm.structured_default = Reply("[]")
    say(make_conversation(alice), account, SAID)
    compress_idle(account, NIGHT)
    pyramid.build(account, START + timedelta(days=40))
    return Memory.objects.get(level=2), Memory.objects.get(level=3)


def told(*lines: str, topics: tuple[str, ...] = ("打坐",)) -> str:
    return json.dumps({"topics": list(topics), "lines": list(lines)}, ensure_ascii=False)


def test_days_and_months_are_retold_by_the_model_and_completed(digests, account, llm):
    llm.enqueue_structured(told("打坐到一半腿麻，得到垫高坐垫的建议"), told("这个月打坐时腿麻"))
    assert pyramid.retell(account) == 1  # the month waits for its day
    pyramid.rewrite_stale(account)
    assert pyramid.retell(account) == 1
    day, month = (Memory.objects.get(pk=memory.pk) for memory in digests)
    assert "得到垫高坐垫的建议" in day.text and "这个月打坐时腿麻" in month.text
    for memory in (day, month):
        assert "流水声" in memory.text and memory.data["by"] == "model" and not memory.stale and memory.embedding is None
    assert pyramid.retell(account) == 0


@pytest.mark.parametrize(
    "line", ["每天打坐45分钟", "在读《金刚经》", "9月5日去了北京", "冥想时听雨声", "改练双盘", "打坐" * 700], ids=["number", "name", "date", "value", "posture", "long"]
)  # fmt: skip
def test_a_retelling_that_invents_is_thrown_away_and_not_asked_for_again(digests, account, llm, line):
    before = [memory.text for memory in digests]
    llm.structured_default = Reply(told("打坐到一半腿麻", line))
    assert pyramid.retell(account) == 0
    assert [Memory.objects.get(pk=memory.pk).text for memory in digests] == before
    asked = len(llm.requests)
    assert pyramid.retell(account) == 0 and len(llm.requests) == asked


def test_a_model_that_is_away_leaves_the_digests_for_the_next_night(digests, account, llm):
    llm.structured_default = Reply(status=400)
    llm.enqueue_structured(Reply(status=400))
    llm.default = Reply(status=400)
    assert pyramid.retell(account) == 0
    assert pyramid.untold(account.user_id).count() == 2


def test_a_day_that_changed_while_it_was_retold_keeps_the_newer_text(digests, account, llm, monkeypatch):
    retell = model_digest.retell

    def meanwhile(material):
        made = retell(material)
        erase_turn(Turn.objects.get(text__contains="坛经"), SYSTEM)
        return made

    monkeypatch.setattr(model_digest, "retell", meanwhile)
    llm.enqueue_structured(told("每天早上六点打坐30分钟，读《坛经》"))
    pyramid.retell(account)
    monkeypatch.undo()
    assert not Memory.objects.filter(text__contains="坛经").exists()
