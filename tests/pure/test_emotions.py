"""The feeling in a message, and how feelings run over some days."""

import pytest

from chat.memory.emotions import emotion, trend


@pytest.mark.parametrize(
    ("text", "felt"),
    [
        ("今天特别开心，坐得很稳", "happy"), ("我不开心", "sad"), ("奶奶去世了，很难过", "sad"), ("明天要演讲，好紧张", "anxious"),
        ("和老板吵架了，气死我了", "angry"), ("坐完以后心里很平静", "calm"), ("心里静不下来", "anxious"), ("焦虑缓解了很多", "calm"),
        ("怎么数息？", "neutral"), ("如果我生气了怎么办", "neutral"), ("", "neutral"), ("I'm so stressed about work", "anxious"),
        ("I'm not happy today", "sad"), ("felt calm after sitting", "calm"), ("我朋友很生气", "neutral"),
    ],
)  # fmt: skip
def test_the_writers_own_feeling_is_told(text, felt):
    assert emotion(text) == felt


def test_one_bad_day_is_no_trend():
    assert trend([(1, "sad"), (1, "angry"), (1, "anxious")]).direction == "steady"


def test_a_week_that_brightens_gets_better_and_one_that_darkens_worse():
    better = [(1, "sad"), (2, "anxious"), (4, "calm"), (6, "happy")]
    assert trend(better).direction == "better"
    assert trend([(7 - day, felt) for day, felt in better]).direction == "worse"
    assert trend([]).main == ""
