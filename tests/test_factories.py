"""The factories make rows that every constraint of the database accepts."""

import pytest

from tests.factories import (
    make_conflict,
    make_conversation,
    make_document,
    make_entity,
    make_memory,
    make_notice,
    make_recall,
    make_token,
    make_turn,
    make_version,
)


def test_one_of_each_can_be_made(alice):
    conversation = make_conversation(alice)
    turn = make_turn(conversation)
    memory = make_memory(alice, turns=(turn,))
    version = make_version(make_entity(alice, "habit.meditation_time"), "早上五点", turn=turn)
    make_memory(alice, kind="entity", version=version)
    make_memory(alice, kind="summary")
    make_memory(alice, state="forgotten")
    conflict = make_conflict(alice, turn=turn)
    make_notice(turn, conflict=conflict)
    make_conversation(alice, temporary=True)
    make_document()
    assert make_recall(turn, (memory,)).items.get().score == pytest.approx(0.6)
    assert make_token(alice).startswith("xj_")
    assert conversation.leaf == turn


@pytest.mark.parametrize("status", ["resolved", "dismissed"])
def test_a_closed_conflict_has_its_decision(alice, status):
    assert make_conflict(alice, status=status).decision
