"""Where a run of turns is cut for summaries."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from chat.memory.windows import Limits, closed, closes

START = datetime(2026, 8, 20, 8, tzinfo=UTC)
LIMITS = Limits(turns=5, window=5, tokens=1000, message=300)


@dataclass(frozen=True)
class Spoken:
    text: str
    answer: str = "好。"
    at: datetime = START


def talk(*texts: str, minutes: int = 2) -> list[Spoken]:
    return [Spoken(text, at=START + timedelta(minutes=minutes * place)) for place, text in enumerate(texts)]


def sizes(turns, now=None) -> list[int]:
    last = turns[-1].at if turns else START
    return [len(window) for window in closed(turns, LIMITS, len, now or last)]


def test_working_memory_holds_five_turns_and_the_sixth_closes_a_window():
    assert sizes(talk(*["打坐"] * 5)) == []
    assert sizes(talk(*["打坐"] * 6)) == [5]
    assert sizes(talk(*["打坐"] * 11)) == [5, 5]


def test_more_tokens_than_working_memory_takes_close_a_window():
    assert sizes(talk("打" * 250, "坐" * 250, "禅" * 250)) == []
    assert sizes(talk("打" * 250, "坐" * 250, "禅" * 250, "修" * 250)) == [4]


def test_one_long_message_closes_its_window():
    assert sizes(talk("打坐", "静" * 301)) == [2]


@pytest.mark.parametrize("words", ["就这样吧", "好，那总结一下", "确定了，每天早上坐", "OK, that's settled.", "Let's wrap up"])
def test_words_that_close_a_matter_close_the_window(words):
    assert closes(words)
    assert sizes(talk("打坐走神", words)) == [2]


@pytest.mark.parametrize("words", ["就这样坐可以吗", "我确定了解你的意思", "怎么总结经文"])
def test_words_that_only_look_like_it_close_nothing(words):
    assert not closes(words)


def test_another_topic_closes_the_window_when_there_is_something_to_summarise():
    about_sitting = "我打坐的时候总是走神，脑子里全是工作上的项目和会议，数息数到三就忘记了" * 2
    trip = "下个月想去云南旅游，大理和丽江的古城住哪里方便？"
    assert sizes(talk(about_sitting, about_sitting, trip)) == [2]
    assert sizes(talk("打坐走神", trip)) == []


def test_a_question_that_leans_on_the_talk_goes_on_with_it():
    about_sitting = "我打坐的时候总是走神，脑子里全是工作上的项目和会议，数息数到三就忘记了" * 2
    assert sizes(talk(about_sitting, about_sitting, "那数息的时候眼睛要不要睁开呢？")) == []


def test_six_hours_of_silence_end_the_sitting():
    turns = [Spoken("打坐走神"), Spoken("早上好", at=START + timedelta(hours=7))]
    assert sizes(turns) == [1]
    assert sizes(turns, now=START + timedelta(hours=14)) == [1, 1]
    assert sizes(turns[:1], now=START + timedelta(hours=6)) == []


def test_no_turn_is_in_two_windows_or_lost():
    turns = talk(*[f"第{n}次打坐" + "静" * (n * 37 % 320) for n in range(40)])
    windows = closed(turns, LIMITS, len, turns[-1].at + timedelta(days=1))
    assert [turn for window in windows for turn in window] == turns
