"""What a model's answer owes: the user's own state that it left out, and what it recommends though it no longer holds."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from chat.memory import ontology, values
from chat.memory.material import ConflictNote, Fact, Material
from chat.memory.owed import owed, says
from chat.memory.rules import read_question
from chat.memory.text import language

NOW = datetime(2026, 11, 30, 4, tzinfo=UTC)
ZONE = "Asia/Shanghai"


def fact(slot: str, words: str, **more) -> Fact:
    attribute = ontology.load().attribute(slot)
    value = values.normalise(attribute, words, NOW, ZONE)
    return Fact(slot, attribute.zh, value.shown, normalized=value.normalized, learned_at=NOW, **more)


SIX = fact("habit.meditation_time", "早上六点")
QUIET, WATER = fact("preference.meditation_sound", "静音"), fact("preference.meditation_sound", "流水声")


def line(question: str, answer: str, *facts: Fact, **more) -> str:
    m = Material(question, language(question), NOW, ZoneInfo(ZONE), facts=facts, **more)
    return owed(answer, m, read_question(question, NOW, ZONE))


def test_what_was_asked_and_left_out_is_supplied_with_its_date():
    assert line("我一般几点打坐？", "坐稳，放松，数呼吸。", SIX) == f"我记得：打坐时间 {SIX.value}（11月30日得知）。"
    assert line("When do I usually meditate?", "Sit down and relax.", SIX).startswith("I remember: ")


@pytest.mark.parametrize(
    ("slot", "words", "answers"),
    [
        ("habit.meditation_time", "早上六点", ["你早上6点打坐。", "一般是清晨六点钟", "你每天 06:00 坐。", "6:00 开始"]),
        ("habit.meditation_duration", "十五分钟", ["每次坐15分钟", "一刻钟左右，很好", "you sit 15 min"]),
        ("preference.meditation_sound", "静音", ["你要静音。", "你喜欢安静地坐", "你说过不要声音"]),
        ("profile.occupation", "小学老师", ["你是小学老师，对吧"]),
        ("habit.wake_time", "五点半", ["你5:30起床", "五点半就起了"]),
    ],
)
def test_what_was_said_in_any_words_is_not_said_again(slot, words, answers):
    m = Material("", "zh", NOW, ZoneInfo(ZONE))
    for answer in answers:
        assert says(answer, fact(slot, words), m), answer


@pytest.mark.parametrize(
    ("slot", "words", "answers"),
    [
        ("habit.meditation_time", "早上六点", ["你早上7点打坐。", "早上打坐很好。", "每次坐6分钟", "我不知道。"]),
        ("habit.meditation_duration", "十五分钟", ["每次坐50分钟", "15次呼吸", "坐一会儿"]),
        ("preference.meditation_sound", "静音", ["放一点流水声", "坐稳，数呼吸"]),
    ],
)
def test_another_value_is_not_the_value(slot, words, answers):
    m = Material("", "zh", NOW, ZoneInfo(ZONE))
    for answer in answers:
        assert not says(answer, fact(slot, words), m), answer


@pytest.mark.parametrize("question", ["打坐坐多久合适？", "我几点打坐比较好？", "怎么数息？", "你好", "我早上六点打坐"])
def test_only_a_question_about_oneself_is_owed_an_answer(question):
    assert line(question, "坐稳，放松。", SIX, fact("habit.meditation_duration", "15分钟")) == ""


def test_what_waits_for_confirmation_is_not_told_as_known():
    assert line("我一般几点打坐？", "坐稳。", fact("habit.meditation_time", "早上六点", unconfirmed=True)) == ""


def test_what_held_before_is_marked_as_such():
    asked = "推荐一段适合冥想的背景音乐。"
    told = line(asked, "推荐流水声，很放松。", QUIET, former=(WATER,))
    assert "静音" in told and "流水声" in told and "以前" in told
    assert line(asked, "你要静音，就不放流水声了。", QUIET, former=(WATER,)) == ""
    assert line(asked, "坐着就好。", QUIET, former=(WATER,)) == ""
    note = ConflictNote(1, "entity", "流水声", "静音", slot=QUIET.slot)
    assert line(asked, "推荐流水声。", QUIET, former=(WATER,), conflicts=(note,)) == "", "the notice says it"
