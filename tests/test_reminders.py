"""Reminders are told when their user is there, and expire when they are passed over."""

from datetime import timedelta

import pytest

from chat.memory import fading, notices, reminders, retention
from chat.models import Account, Memory
from tests.factories import make_conversation, make_memory, make_turn
from tests.saying import SHANGHAI, day, say

pytestmark = pytest.mark.django_db


def told(user, at) -> list[str]:
    return [memory.text for memory in reminders.take_due(user, at)]


@pytest.fixture
def reminder(alice):
    """Told on the first, for the third at nine."""
    return make_memory(alice, "吃药", decay="command", due_at=day(9, 3, 9), clock_at=day(9, 1))


@pytest.mark.parametrize(("at", "due"), [(day(9, 3, 8, 59), False), (day(9, 3, 9), True), (day(9, 4, 8, 59), True), (day(9, 4, 9), False)])
def test_it_is_due_from_its_time_for_a_day(alice, bob, reminder, at, due):
    assert told(alice, at) == ["吃药"] * due and told(bob, at) == []


def test_told_three_times_it_expires_unless_it_was_of_use(alice, reminder):
    at = reminder.due_at + timedelta(hours=1)
    assert [told(alice, at) for _answer in range(4)] == [["吃药"]] * 3 + [[]]
    Memory.objects.filter(pk=reminder.pk).update(**retention.useful(Memory.objects.get(pk=reminder.pk), at))
    assert told(alice, at) == ["吃药"]
    assert fading.fade(Account.objects.of(alice), at)["expired"] == 0
    assert [told(alice, at), told(alice, at)] == [["吃药"]] * 2
    assert fading.fade(Account.objects.of(alice), at)["expired"] == 1


def test_what_was_asked_for_is_told_beside_the_next_answer(alice):
    say(alice, "提醒我明天上午九点给师父打电话", at=day(9, 1))
    turn = make_turn(make_conversation(alice), "早上好", at=day(9, 2, 9, 30))
    (notice,) = notices.write_reminders(turn, SHANGHAI)
    assert notice.text.startswith("提醒（9月2日 09:00）：") and "师父打电话" in notice.text
    assert turn.notices.get().kind == "reminder" and not notice.closes_answer
