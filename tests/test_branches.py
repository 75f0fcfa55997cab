"""A conversation forks: a message changed and sent again, answers given again. Nothing is lost, and only what is on screen counts."""

import pytest

from chat import branches, reply
from chat.errors import BadInput, Clash
from chat.memory.actors import SYSTEM
from chat.memory.erase import erase_turn
from chat.memory.gathering import working_turns
from chat.models import Account, Conversation, EarlierAnswer, Entity, Memory, Turn
from tests.factories import believe, make_conversation, make_memory, make_turn, make_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk(alice) -> Conversation:
    """一 → 二 → 三."""
    conversation = make_conversation(alice)
    for words in ("一", "二", "三"):
        make_turn(conversation, words)
    return conversation


def line(conversation: Conversation) -> list[str]:
    conversation.refresh_from_db()
    tree = branches.Tree(conversation)
    texts = dict(conversation.turns.values_list("pk", "text"))
    return [texts[pk] for pk in tree.line(tree.leaf_id)]


def resent(conversation: Conversation, old: str, new: str, **fields) -> Turn:
    fresh = branches.resend(conversation.turns.get(text=old), new, **fields)
    Turn.objects.filter(pk=fresh.pk).update(status="done", answer="好。")
    return fresh


def test_a_changed_message_begins_a_branch_and_the_old_one_stays(talk):
    fresh = resent(talk, "二", "二改")
    assert line(talk) == ["一", "二改"]
    assert talk.turns.count() == 4
    branches.show(talk.turns.get(text="二"))
    assert line(talk) == ["一", "二", "三"]
    tree = branches.Tree(talk)
    [marked] = tree.mark([fresh])
    assert (len(marked.beside), marked.elsewhere) == (2, 2)


def test_the_first_message_can_be_changed_too(talk):
    resent(talk, "一", "一改")
    assert line(talk) == ["一改"]
    resent(talk, "一改", "一再改")
    assert line(talk) == ["一再改"]
    assert len(branches.Tree(talk).beside(talk.turns.get(text="一").pk)) == 3


def test_an_answer_sees_its_own_branch_only(talk, alice):
    resent(talk, "二", "二改")
    asked = reply.post(alice, talk, "四")
    assert [turn.text for turn in working_turns(asked)] == ["一", "二改"]


def test_what_the_old_words_taught_is_taken_back_and_what_they_replaced_counts_again(talk, alice):
    first, said = talk.turns.get(text="一"), talk.turns.get(text="二")
    entity = believe(alice, value="流水声", turn=first)
    old = entity.versions.get()
    old.status = "superseded"
    old.save()
    make_version(entity, "静音", supersedes=old, turn=said)
    elsewhere = believe(alice, "habit.meditation_time", "晚上", turn=said, observations=2)
    told, both = make_memory(alice, "二", turns=(said,)), make_memory(alice, "一和二", turns=(first, said))
    resent(talk, "二", "二改")
    assert entity.versions.current().get().value == "流水声"
    assert elsewhere.versions.current().get().value == "晚上"  # said at another time as well
    assert Memory.objects.get(pk=told.pk).state == "forgotten"
    assert Memory.objects.get(pk=both.pk).state == "live"


def test_a_slip_corrected_by_editing_is_no_contradiction(alice):
    talk = make_conversation(alice)
    Account.objects.of(alice)
    slip = reply.post(alice, talk, "我每天打坐二十分钟")
    reply.answer(slip.pk)
    reply.answer(branches.resend(slip, "我每天打坐三十分钟").pk)
    assert not alice.conflicts.exists()
    assert Entity.objects.get(attribute="meditation_duration").versions.current().get().value.startswith("30")


def test_sending_the_change_twice_is_one_branch(talk):
    first, second = resent(talk, "二", "二改", key="k"), resent(talk, "二", "二改", key="k")
    assert first == second


def test_what_cannot_be_sent_changes_nothing(talk):
    with pytest.raises(BadInput):
        resent(talk, "二", "  ")
    Turn.objects.filter(text="三").update(status="running")
    with pytest.raises(Clash):
        resent(talk, "三", "三改")
    assert line(talk) == ["一", "二", "三"]


def test_one_steps_between_answers_and_the_shown_one_counts(talk):
    turn = talk.turns.get(text="三")
    for number in (2, 3):
        branches.answer_again(turn)
        Turn.objects.filter(pk=turn.pk).update(status="done", answer=f"答{number}", feedback=number - 2)
    turn = branches.choose_answer(turn, 2)
    assert (turn.answer, turn.feedback, turn.variants) == ("答2", 0, [1, 2, 3])
    turn = branches.choose_answer(turn, 3)
    assert (turn.answer, turn.feedback, turn.variants) == ("答3", 1, [1, 2, 3])
    branches.choose_answer(turn, 1)
    assert branches.answer_again(turn).attempt == 4
    assert EarlierAnswer.objects.count() == 3


def test_an_attempt_that_said_nothing_is_no_variant(talk):
    turn = talk.turns.get(text="三")
    Turn.objects.filter(pk=turn.pk).update(status="failed", answer="", error="timeout")
    turn = branches.answer_again(turn)
    assert (turn.attempt, turn.variants) == (2, [2])


def test_erasing_a_turn_keeps_the_rest_of_its_branch(talk):
    erase_turn(talk.turns.get(text="二"), SYSTEM)
    assert line(talk) == ["一", "三"]
    erase_turn(talk.turns.get(text="三"), SYSTEM)
    assert line(talk) == ["一"]
