"""What a message asks, what it takes for granted, and what it is about."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.memory.rules import read_question
from chat.memory.topics import topic

ZONE = "Asia/Shanghai"
AT = datetime(2026, 8, 20, 9, 0, tzinfo=ZoneInfo(ZONE))


def ask(text):
    return read_question(text, AT, ZONE)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("我一般几点打坐？", "habit.meditation_time"),
        ("我每次打坐多久来着", "habit.meditation_duration"),
        ("你还记得我叫什么不", "profile.name"),
        ("我住在哪", "profile.location"),
        ("我的生日是哪天", "profile.birthday"),
        ("我女儿叫什么名字", "profile.family"),
        ("我戒烟多久了", "status.smoking_status"),
        ("我連續打坐多少天了", "status.meditation_streak"),
        ("When do I usually meditate?", "habit.meditation_time"),
        ("what's my name?", "profile.name"),
        ("How old am I?", "profile.age"),
        ("where do I live", "profile.location"),
    ],
)
def test_a_question_about_the_user_names_its_slot(text, slot):
    question = ask(text)
    assert question.is_question
    assert question.about_self
    assert slot in question.slots


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("我一般什么时候打坐？一次多久？", {"habit.meditation_time", "habit.meditation_duration"}),
        ("我几点起床，几点睡觉？", {"habit.wake_time", "habit.sleep_time"}),
        ("When do I sit? And for how long?", {"habit.meditation_time", "habit.meditation_duration"}),
        ("我一般什么时候打坐？腿麻怎么办？", {"habit.meditation_time"}),
    ],
)
def test_a_short_question_leans_on_the_one_before(text, slots):
    assert set(ask(text).slots) == slots


@pytest.mark.parametrize("text", ["什么是数息", "双盘好还是散盘好", "What is zazen?", "讲讲四念处", "我每天打坐", "好的谢谢"])
def test_other_messages_ask_of_no_slot(text):
    assert ask(text).slots == ()


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("怎么减少抽烟？", "status.smoking_status", "抽烟"),
        ("咋能把烟瘾压一压", "status.smoking_status", "抽烟"),
        ("how do I cut down on cigarettes?", "status.smoking_status", "smoking"),
        ("我怎么才能少喝点酒", "status.drinking_status", "喝酒"),
        ("红烧肉怎么炖我自己吃着才不腻", "preference.diet", "荤素都吃"),
        ("给我推荐几首打坐时放的背景音乐呗", "preference.meditation_sound", "音乐"),
        ("有没有好的引导语音", "preference.meditation_guidance", "有引导"),
    ],
)
def test_what_a_question_takes_for_granted(text, slot, value):
    (implied,) = ask(text).implies
    assert (implied.slot, implied.value, implied.source) == (slot, value, "implied")
    assert implied.quote in text


@pytest.mark.parametrize(
    "text",
    [
        "怎么劝我老公少喝点酒",
        "怎么防止自己复饮",
        "戒烟之后老咳嗽正常吗",
        "抽烟为什么有害",
        "how can I help my sister quit smoking?",
        "怎么打坐",
    ],
)
def test_a_question_for_another_or_about_the_reason_takes_nothing_for_granted(text):
    assert ask(text).implies == ()


@pytest.mark.parametrize(
    ("text", "back"),
    [("上次那个方法再说说", True), ("what did you say last time?", True), ("那个方法管用吗", True), ("怎么打坐", False)],
)
def test_what_leans_on_what_was_said_before(text, back):
    assert ask(text).refers_back is back


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我昨天冥想时总走神", "冥想走神"),
        ("打坐腿麻怎么办", "打坐腿麻"),
        ("讲讲四念处", "四念处"),
        ("好的谢谢", ""),
        ("哈哈哈", ""),
    ],
)
def test_the_topic_in_a_few_of_its_words(text, expected):
    assert topic(text) == expected


@given(st.text(max_size=80))
def test_any_text_can_be_read(text):
    question = ask(text)
    assert all(implied.quote in text for implied in question.implies)
    assert len(topic(text)) <= 200


@pytest.mark.parametrize("text", ["你还记得我的什么？", "还记得我吗", "你還記得我哪些事"])
def test_what_is_remembered_of_me_is_not_about_the_last_time(text):
    assert not read_question(text, AT, ZONE).refers_back
