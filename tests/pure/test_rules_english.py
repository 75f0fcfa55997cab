"""English, and English among Chinese, as people type it: what goes without saying, what is over, whose trouble it is."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from chat.memory import ontology, values
from chat.memory.rules import propose, read_question
from tests.pure.reading_rules import assert_stated, stated

ZONE = "Asia/Shanghai"
AT = datetime(2026, 8, 20, 9, 0, tzinfo=ZoneInfo(ZONE))

STATED = [
    ("work has been mad so I've trimmed it down to twelve minutes", {"habit.meditation_duration": "12 minutes"}),
    ("I've bumped them up to 35 minutes", {"habit.meditation_duration": "35 minutes"}),
    ("since the move I do it after dinner instead", {"habit.meditation_time": "dinner"}),
    ("changed to evenings", {"habit.meditation_time": "evening"}),
    ("I drive a coach these days", {"profile.occupation": "drive a coach"}),
    ("I teach Italian at an evening school", {"profile.occupation": "teach Italian"}),
    ("I've recently taken up badminton", {"habit.exercise": "球类"}),
    ("I have two sons and a baby daughter", {"profile.family": "女儿"}),
    ("I've got three kids and a spaniel", {"profile.pet": "狗"}),
    ("my hips are dodgy", {"status.health_condition": "hips"}),
    ("We relocated ourselves to Bordeaux last year", {"profile.location": "Bordeaux"}),
    ("my birthday is 25/12/1984", {"profile.birthday": "25 December 1984"}),
    ("being guided just distracts me", {"preference.meditation_guidance": "unguided"}),
    ("I'd prefer the long version with examples from now on", {"preference.answer_style": "detailed"}),
    ("我不 drink 的", {"status.drinking_status": "不喝酒"}),
    ("smoking 早就 quit 了", {"status.smoking_status": "已戒烟"}),
    ("我一般 7 点起", {"habit.wake_time": "7:00"}),
    ("sadly I'm back on the smokes", {"status.smoking_status": "抽烟"}),
    ("我一直不碰 alcohol", {"status.drinking_status": "不喝酒"}),
    ("no guidance for me please", {"preference.meditation_guidance": "unguided"}),
    ("最近太忙 cut 到 12 分钟了", {"habit.meditation_duration": "12分钟"}),
    ("I wake at 6:10", {"habit.wake_time": "6:10"}),
    ("打坐打卡Day66", {"status.meditation_streak": "66"}),
    ("嗨，我是Lydia", {"profile.name": "Lydia"}),
]


@pytest.mark.parametrize(("text", "expected"), STATED)
def test_what_is_stated(text, expected):
    assert_stated(text, expected)


@pytest.mark.parametrize(
    "text",
    [
        "I've cut my commute to 15 minutes",
        "I moved the call to 3pm",
        "Hello!",
        "a woman at our centre sits an hour every evening",
        "我是designer",
        "one of my students can't kneel because of arthritis",
        "我 flatmate 在 Dublin 养了两只 hamster",
    ],
)
def test_what_is_not_said_of_the_writers_practice(text):
    slots = {"habit.meditation_duration", "habit.meditation_time", "profile.name", "status.health_condition", "profile.pet"}
    assert not [p for p in stated(text) if p.slot in slots]


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("I don't do yoga any more", {("habit.exercise", "瑜伽"), ("preference.practice_method", "瑜伽")}),
        ("I no longer go to the gym, because of my shoulder", {("habit.exercise", "健身")}),
        ("we've given up tennis", {("habit.exercise", "球类")}),
        ("现在不去 gym 了", {("habit.exercise", "健身")}),
        ("I don't mind yoga anymore", set()),
        ("I don't only do yoga anymore", set()),
        ("I don't do yoga every day anymore", set()),
        ("if I stopped running would I sleep better", set()),
    ],
)
def test_what_is_done_no_longer_ends_in_every_slot_that_lists_it(text, over):
    assert {(p.slot, p.item) for p in propose(text, AT, ZONE) if p.operation == "end"} == over


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("双盘的时候脚踝硌得疼怎么办", "preference.posture"),
        ("每次抽完烟再去打坐心跳很快，正常吗", "status.smoking_status"),
        ("喝完酒打坐头晕怎么办", "status.drinking_status"),
        ("喝完 wine 睡不好怎么办", "status.drinking_status"),
        ("my shins burn in half lotus, any tips?", "preference.posture"),
        ("戒烟之后打坐头晕怎么办", ""),
        ("抽烟对打坐有什么影响", ""),
        ("双盘会伤膝盖吗", ""),
        ("不抽烟之后睡不好怎么办", ""),
    ],
)
def test_who_asks_what_to_do_about_a_trouble_has_it(text, slot):
    assert {p.slot for p in read_question(text, AT, ZONE).implies} == ({slot} if slot else set())


@pytest.mark.parametrize(
    ("first", "second"), [("I'm a teacher", "I teach high school biology"), ("I teach maths at a school", "I'm a maths teacher")]
)
def test_a_trade_told_by_its_verb_is_the_same_trade(first, second):
    trade = ontology.load().attribute("profile.occupation")
    one, other = (next(p.normalized for p in stated(text) if p.slot == trade.slot) for text in (first, second))
    assert values.compare(trade, one, other) is not values.Relation.CONTRADICTS
