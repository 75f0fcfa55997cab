"""Statements and decisions that arrive in the same moment leave one truth."""

import threading
from datetime import timedelta

import pytest
from django.db import OperationalError, connection

from chat.memory import arbitration, extraction
from chat.memory.actors import Actor
from chat.models import Account, Conflict, Turn
from tests.factories import make_conversation, make_turn
from tests.saying import current, day, say, states, versions

SOUND, SITS, WAKES = "preference.meditation_sound", "habit.meditation_duration", "habit.wake_time"


def together(*works) -> None:
    """Run each in a thread of its own, all let go at the same moment; errors are raised here.

    More threads than the pool has connections: one that gets none in time comes again, as a job does.
    """
    gate, errors = threading.Barrier(len(works)), []

    def run(work):
        try:
            gate.wait(20)
            while True:
                try:
                    return work()
                except OperationalError as error:
                    if "get a connection" not in str(error):
                        raise
        except Exception as error:  # noqa: BLE001
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not errors, errors


def observing(turn: Turn):
    return lambda: extraction.observe_turn(Turn.objects.select_related("conversation", "user").get(pk=turn.pk), Account.objects.of(turn.user))


@pytest.mark.django_db(transaction=True)
def test_two_devices_in_the_same_second_leave_one_current_value_and_one_conflict(alice):
    Account.objects.of(alice)
    at = day(8, 3)
    turns = [make_turn(make_conversation(alice), words, "", at=at) for words in ("以后打坐都静音", "以后打坐放流水声")]
    together(*map(observing, turns))
    assert sorted(status for _value, status in states(alice, SOUND)) == ["current", "superseded"]
    assert Conflict.objects.filter(kind="entity").count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_same_job_twice_at_once_writes_once(alice):
    Account.objects.of(alice)
    turn = make_turn(make_conversation(alice), "我每次打坐十五分钟", "")
    together(*[observing(turn)] * 4)
    assert versions(alice, SITS).get().observations == 1


@pytest.mark.django_db(transaction=True)
def test_fifty_threads_on_one_user_never_leave_two_current_versions(alice):
    Account.objects.of(alice)
    talk = make_conversation(alice)
    turns = [
        make_turn(talk, f"我每次打坐{10 + number}分钟", "", at=day(8, 3) + timedelta(seconds=number)) for number in range(50)
    ]
    together(*map(observing, turns))
    assert current(alice, SITS) == "59分钟"
    assert versions(alice, SITS).count() == 50
    chain = Conflict.objects.filter(kind="entity")
    assert all(conflict.old_id != conflict.new_id for conflict in chain)


@pytest.mark.django_db(transaction=True)
def test_a_decision_and_a_new_statement_at_once_leave_one_current_version(alice):
    say(alice, "打坐我喜欢流水声", day(8, 1))
    say(alice, "以后打坐都静音", day(8, 3))
    conflict = Conflict.objects.get()
    turn = make_turn(make_conversation(alice), "以后打坐放雨声", "", at=day(8, 4))
    together(observing(turn), lambda: arbitration.resolve(conflict, "keep_old", Actor.person(alice)))
    assert versions(alice, SOUND).current().count() == 1
