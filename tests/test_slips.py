"""A slip put right a turn later: the belief is corrected, and nothing is asked."""

import pytest

from chat.models import Conflict
from tests.factories import make_conversation
from tests.saying import current, day, say


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("said", "then", "slot", "right"),
    [
        ("我早上六点打坐", "不是六点 是六点半", "habit.meditation_time", "6:30"),
        ("我晚上八点打坐", "不是八点，是八点半", "habit.meditation_time", "20:30"),
        ("我每次打坐半小时", "不对 是四十分钟", "habit.meditation_duration", "40分钟"),
        ("我住苏州", "不是苏州，是常州", "profile.location", "常州"),
        ("我戒烟三年了", "说错了 是三个月", "status.smoking_status", "已戒烟"),
        ("我早上六点打坐", "不是我不想坐，是腿不行", "habit.meditation_time", "6:00"),
        ("我早上六点打坐", "不是七点，是八点的飞机", "habit.meditation_time", "6:00"),
        ("我每次打坐半小时", "不对，我心里很乱", "habit.meditation_duration", "30分钟"),
    ],
)
def test_a_slip_is_put_right_a_turn_later(alice, said, then, slot, right):
    talk = make_conversation(alice)
    say(alice, said, day(8, 1, 8, 0), talk)
    say(alice, then, day(8, 1, 8, 2), talk)
    assert current(alice, slot).startswith(right)
    assert not Conflict.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("said", "then", "slot"),
    [
        ("我每次打坐四十五分钟", "昨天说坐四十五分钟那个别当真", "habit.meditation_duration"),
        ("我的邮箱是 mei@example.com", "请把 mei@example.com 删掉", "profile.email"),
        ("我住苏州", "你把我住苏州那句抹掉吧", "profile.location"),
    ],
)
def test_what_is_taken_back_in_another_conversation_is_what_its_words_name(alice, said, then, slot):
    say(alice, said, day(8, 1))
    say(alice, "我每天早上六点打坐", day(8, 2))
    say(alice, then, day(8, 3))
    assert current(alice, slot) is None
    assert current(alice, "habit.meditation_time").startswith("6:00")
