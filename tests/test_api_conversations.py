"""Conversations over the API: their life, their turns, histories brought in."""

from datetime import UTC, datetime, timedelta

import pytest

from chat.models import Conversation, Job, Memory, Turn
from tests.api_client import Caller, problem
from tests.factories import make_conversation, make_memory, make_turn

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 8, 20, 12, tzinfo=UTC)


def said(text: str, answer: str = "好。", minutes: int = 0) -> dict:
    return {"user": text, "assistant": answer, "at": (NOON + timedelta(minutes=minutes)).isoformat()}


@pytest.fixture
def caller(alice):
    caller = Caller(alice)
    caller.get("/settings")  # the account is made, the token's use is noted: what follows counts its own queries only
    return caller


def test_a_conversation_from_beginning_to_end(alice, caller):
    begun = caller.post("/conversations", {"title": "  早课\n安排 "})
    assert begun.status_code == 201
    talk = begun.json()
    assert (talk["title"], talk["memory"], talk["temporary"]) == ("早课 安排", "read_write", False)

    path = f"/conversations/{talk['id']}"
    changed = caller.patch(path, {"memory": "read_only"}).json()
    assert (changed["title"], changed["memory"]) == ("早课 安排", "read_only")
    assert caller.get(path).json()["turn_count"] == 0

    assert caller.delete(path).status_code == 204
    problem(caller.get(path), 404)


def test_a_temporary_chat_has_no_memory_and_is_not_listed(alice, caller):
    talk = caller.post("/conversations", {"temporary": True}).json()
    assert talk["memory"] == "off"
    assert caller.get("/conversations").json()["count"] == 0
    problem(caller.patch(f"/conversations/{talk['id']}", {"memory": "read_write"}), 422, "temporary_never_writes")


def test_the_list_is_newest_first_in_pages_and_found_by_title(alice, caller, django_assert_num_queries):
    for number in range(5):
        make_conversation(alice, title=f"第{number}次", last_turn_at=NOON + timedelta(days=number))
    first = caller.get("/conversations", size=2).json()
    assert [row["title"] for row in first["items"]] == ["第4次", "第3次"]
    assert first["count"] == 5
    assert [row["title"] for row in caller.get("/conversations", size=2, page=3).json()["items"]] == ["第0次"]
    assert [row["title"] for row in caller.get("/conversations", q="3次").json()["items"]] == ["第3次"]


def test_the_list_costs_the_same_however_long(alice, caller, django_assert_max_num_queries):
    for number in range(30):
        make_turn(make_conversation(alice, title=str(number)))
    with django_assert_max_num_queries(5):
        assert len(caller.get("/conversations").json()["items"]) == 30


def test_deleting_keeps_the_memories_unless_told_otherwise(alice, caller):
    kept, gone = (make_turn(make_conversation(alice)) for _ in range(2))
    first, second = make_memory(alice, "腿麻", (kept,)), make_memory(alice, "头晕", (gone,))
    assert caller.delete(f"/conversations/{kept.conversation_id}").status_code == 204
    assert caller.delete(f"/conversations/{gone.conversation_id}?with_memories=true").status_code == 204
    assert Memory.objects.filter(pk=first.pk).exists()
    assert not Memory.objects.filter(pk=second.pk).exists()
    assert not Turn.objects.exists()


def test_turns_come_oldest_first_with_a_constant_number_of_queries(alice, caller, django_assert_max_num_queries):
    talk = make_conversation(alice)
    for number in range(30):
        make_turn(talk, f"第{number}问", at=NOON + timedelta(minutes=number))
    with django_assert_max_num_queries(7):
        page = caller.get(f"/conversations/{talk.pk}/turns", size=30).json()
    assert [turn["text"] for turn in page["items"]] == [f"第{number}问" for number in range(30)]


# Histories.


def test_a_history_keeps_its_own_times_and_waits_to_be_remembered(alice, caller):
    talk = make_conversation(alice)
    body = {"turns": [said("我喜欢流水声", minutes=5), said("我想每天打坐", minutes=1)]}
    response = caller.post(f"/conversations/{talk.pk}/import", body)
    assert response.status_code == 201
    assert (response.json()["added"], response.json()["known"]) == (2, 0)

    turns = list(Turn.objects.of(talk))
    assert [turn.text for turn in turns] == ["我想每天打坐", "我喜欢流水声"]
    assert {turn.status for turn in turns} == {"imported"}
    assert [turn.at for turn in turns] == [NOON + timedelta(minutes=1), NOON + timedelta(minutes=5)]
    assert turns[1].parent_id == turns[0].pk
    talk.refresh_from_db()
    assert talk.leaf_id == turns[1].pk
    assert talk.last_turn_at == turns[1].at
    assert Job.objects.filter(kind="remember", status="waiting").count() == 2
    assert not Job.objects.filter(kind="reply").exists()


def test_the_same_history_twice_adds_nothing(alice, caller):
    talk = make_conversation(alice)
    body = {"turns": [said("好"), said("好"), said("腿麻", minutes=1)]}
    assert caller.post(f"/conversations/{talk.pk}/import", body).json()["added"] == 3
    again = caller.post(f"/conversations/{talk.pk}/import", {"turns": [*body["turns"], said("新的", minutes=2)]}).json()
    assert (again["added"], again["known"]) == (1, 3)
    assert Turn.objects.of(talk).count() == 4


def test_an_older_history_goes_before_what_is_there(alice, caller):
    talk = make_conversation(alice)
    live = make_turn(talk, "现在", at=NOON + timedelta(days=1))
    caller.post(f"/conversations/{talk.pk}/import", {"turns": [said("从前"), said("后来", minutes=1)]})
    live.refresh_from_db()
    talk.refresh_from_db()
    assert live.parent.text == "后来"
    assert live.parent.parent.text == "从前"
    assert talk.leaf_id == live.pk
    assert talk.last_turn_at == live.at


@pytest.mark.parametrize("mode", [{"memory": "off"}, {"memory": "read_only"}, {"temporary": True}])
def test_where_memory_is_not_written_a_history_is_not_remembered(alice, caller, mode):
    talk = caller.post("/conversations", mode).json()
    caller.post(f"/conversations/{talk['id']}/import", {"turns": [said("我喜欢流水声")]})
    assert Turn.objects.count() == 1
    assert not Job.objects.exists()


def test_a_history_with_one_bad_turn_is_refused_whole(alice, caller):
    talk = make_conversation(alice)
    problem(caller.post(f"/conversations/{talk.pk}/import", {"turns": [said("好"), said("   ")]}), 422, "invalid")
    problem(caller.post(f"/conversations/{talk.pk}/import", {"turns": []}), 422, "invalid")
    assert not Turn.objects.exists()


def test_erased_words_do_not_come_back_with_a_second_import(alice, caller):
    talk = make_conversation(alice)
    body = {"turns": [said("我的电话是13800000000"), said("腿麻", minutes=1)]}
    caller.post(f"/conversations/{talk.pk}/import", body)
    caller.delete(f"/conversations/{talk.pk}?with_memories=true")
    other = make_conversation(alice)
    again = caller.post(f"/conversations/{other.pk}/import", body).json()
    assert (again["added"], again["erased"]) == (0, 2)


def test_a_conversation_can_be_made_only_once_from_a_race(alice):
    """The named constraint, not the code, keeps one import from becoming two conversations."""
    make_conversation(alice, imported_from="x")
    with pytest.raises(Exception, match="conversation_imported_once"):
        Conversation.objects.create(user=alice, imported_from="x")
