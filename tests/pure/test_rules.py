"""How a message means what it states: then and now, for good or for today, doubted, ended, many things at once."""

from datetime import UTC

import pytest

from chat.memory.rules import propose
from tests.pure.reading_rules import AT, ZONE, stated


def test_the_first_story():
    sound, silence = stated("我喜欢冥想时播放流水声")[0], stated("以后冥想请保持静音")[0]
    assert (sound.slot, sound.value) == ("preference.meditation_sound", "流水声")
    assert (silence.slot, silence.value) == ("preference.meditation_sound", "静音")
    (difficulty,) = stated("我昨天冥想时总走神")
    assert (difficulty.slot, difficulty.item) == ("habit.common_difficulty", "走神")


@pytest.mark.parametrize(
    "text",
    ["戒烟第三天", "我戒酒三个月了", "我今年34岁", "连续打坐第8天", "day 12 without cigarettes", "昨天开始吃素", "下周三晚上七点提醒我打坐"],
)
@pytest.mark.parametrize("hour", [0, 7, 12, 23])
def test_a_moment_reads_the_same_in_whatever_zone_it_is_written(text, hour):
    here = AT.replace(hour=hour, minute=30)
    assert propose(text, here.astimezone(UTC), ZONE) == propose(text, here, ZONE) != []


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("去年我喜欢听音乐打坐", "preference.meditation_sound"),
        ("我以前住在北京", "profile.location"),
        ("I used to smoke a pack a day", "status.smoking_status"),
        ("年轻时候天天喝酒", "status.drinking_status"),
    ],
)
def test_the_past_is_marked_as_past(text, slot):
    assert [p.past for p in propose(text, AT, ZONE) if p.slot == slot] == [True]
    assert slot not in {p.slot for p in stated(text)}


@pytest.mark.parametrize(
    "text",
    ["这次先简洁一点，我赶时间", "今晚想听海浪声，只有今晚", "just for now keep it short", "今天太累了，就坐十分钟吧", "这两天出差在广州"],
)
def test_what_is_meant_for_now_only_is_not_lasting(text):
    assert stated(text) == []


@pytest.mark.parametrize(
    "text", ["我可能会喜欢双盘吧，说不准", "我可能对坚果过敏 不太确定", "我应该是散盘吧，分不清", "maybe I'm allergic to incense"]
)
def test_what_is_doubted_has_little_confidence(text):
    assert stated(text) == []
    assert all(p.confidence < 0.6 for p in propose(text, AT, ZONE))


@pytest.mark.parametrize(
    ("text", "slot", "begins"),
    [
        ("我从昨天开始戒烟了", "status.smoking_status", "2026-08-19"),
        ("我以前抽烟，2019年戒的", "status.smoking_status", "2019-01-01"),
        ("I quit smoking in January", "status.smoking_status", "2026-01-01"),
        ("上个月搬到昆明了", "profile.location", "2026-07-01"),
    ],
)
def test_a_change_holds_from_its_day(text, slot, begins):
    (proposal,) = [p for p in stated(text) if p.slot == slot]
    assert proposal.valid_from.date().isoformat() == begins
    assert proposal.time_words in text


def test_day_twelve_of_quitting_is_kept_as_the_day_it_began():
    (proposal,) = [p for p in stated("今天是我戒烟第12天") if p.slot == "status.smoking_status"]
    assert proposal.normalized["since"] == "2026-08-09"
    assert "第12天" in proposal.value


@pytest.mark.parametrize(
    ("text", "slot", "item"),
    [
        ("我不再站桩了", "preference.practice_method", "站桩"),
        ("数息不练了", "preference.practice_method", "数息"),
        ("I no longer do body scans", "preference.practice_method", "身体扫描"),
        ("家里的猫送人了", "profile.pet", "猫"),
        ("我没有高血压", "status.health_condition", "高血压"),
    ],
)
def test_what_ended_is_ended(text, slot, item):
    ended = [p for p in propose(text, AT, ZONE) if p.operation == "end"]
    assert [(p.slot, p.item) for p in ended] == [(slot, item)]


def test_many_facts_in_one_message():
    text = "介绍下我自己哈，我叫周敏，今年四十二，在厦门一家医院当护士。打坐断断续续练了快三年，一般睡前坐，每次二十来分钟。腰椎间盘突出，所以坐椅子上。家里有个上初中的女儿，还有一只叫豆包的柯基。"
    found = {p.slot: p.value for p in stated(text)}
    assert found["profile.name"] == "周敏"
    assert found["profile.age"] == "42"
    assert found["profile.location"] == "厦门"
    assert found["profile.occupation"] == "护士"
    assert found["habit.meditation_time"] == "睡前"
    assert found["habit.meditation_duration"] == "20分钟左右"
    assert found["preference.posture"] == "椅子坐"
    assert found["profile.family"] == "女儿"
    assert found["profile.pet"].startswith("柯基")


def test_traditional_writing_is_quoted_as_written():
    (proposal,) = [p for p in stated("我都聽著流水聲打坐") if p.slot == "preference.meditation_sound"]
    assert proposal.value == "流水声"
    assert proposal.quote == "我都聽著流水聲打坐"


# What leans on the message before it.


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("I sit 15 minutes", "half an hour these days", "habit.meditation_duration=30 minutes"),
        ("I get up around 6", "closer to 7 really", "habit.wake_time=7:00"),
        ("where do I live?", "in Hackney, London", "profile.location=Hackney, London"),
        ("I like rain sounds when I sit", "back to rain sounds", "preference.meditation_sound=rain sounds"),
        ("你好\n您平时几点打坐？", "六点半吧", "habit.meditation_time=6:30"),
        ("今天天气不错", "六点半吧", ""),
    ],
)
def test_a_short_message_leans_on_the_one_before(before, text, expected):
    found = propose(text, AT, ZONE, lambda: before)
    assert ([f"{p.slot}={p.value}" for p in found] or [""])[0] == expected
    assert all(p.quote in text for p in found)


# English by what it mentions.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("brown noise is the only thing that keeps me on the cushion", {"preference.meditation_sound": "white noise"}),
        ("I alternate between loving-kindness and breath counting", {"preference.practice_method": {"loving-kindness", "breath counting"}}),
        ("walking meditation bores me", {"preference.disliked_practice": "walking meditation"}),
        ("I read a book about walking meditation", {}),
        ("my neighbour plays white noise while I sit", {}),
        ("I tried full lotus when I sit, never again", {}),
    ],
)
def test_plain_english_says_it_by_what_it_mentions(text, expected):
    found: dict = {}
    for proposal in stated(text):
        known = found.get(proposal.slot)
        found[proposal.slot] = {*(known if isinstance(known, set) else {known}), proposal.value} if known else proposal.value
    assert found == expected
