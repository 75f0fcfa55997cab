"""What belongs to the caller as a whole: settings, export, erasure, numbers, health, and what a question would recall."""

import json

import pytest
import redis

from chat.memory import indexing
from chat.models import Account, Conversation, Entity, Memory, Turn
from tests.api_client import Caller, problem, streamed
from tests.factories import make_conflict, make_conversation, make_memory, make_recall, make_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def caller(alice):
    return Caller(alice)


def test_settings_change_field_by_field(alice, caller):
    before = caller.get("/settings").json()
    assert before["use_memory"] is True
    changed = caller.patch("/settings", {"use_memory": False, "time_zone": "Europe/Berlin"}).json()
    assert changed == {**before, "use_memory": False, "time_zone": "Europe/Berlin"}
    weights = caller.patch("/settings", {"weights": {"semantic": 0.5, "entity": 0.3, "time": 0.2}}).json()["weights"]
    assert weights == {"semantic": 0.5, "entity": 0.3, "time": 0.2}
    assert caller.patch("/settings", {"weights": None}).json()["weights"] == {}
    assert caller.patch("/settings", {}).json()["time_zone"] == "Europe/Berlin"


@pytest.mark.parametrize(
    "body",
    [{"language": "xx"}, {"time_zone": "Mars/Olympus"}, {"theme": "pink"}, {"use_memory": "perhaps"}, {"weights": {"semantic": 2}},
     {"weights": {"luck": 1}}, {"is_staff": True}, {"user_id": 1}, {"language": None}, {"use_memory": None}],
)  # fmt: skip
def test_settings_that_make_no_sense_are_refused(alice, caller, body):
    before = caller.get("/settings").json()
    problem(caller.patch("/settings", body), 422, "invalid")
    assert caller.get("/settings").json() == before


def test_health_needs_nobody():
    body = Caller().get("/health").json()
    assert (body["status"], body["checks"], body["model"]) == ("ok", {"database": "ok", "redis": "ok"}, "builtin")


def test_health_says_what_is_missing(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    body = problem(Caller().get("/health"), 503, "unhealthy")
    assert body["checks"]["database"] == "ok"
    assert body["checks"]["redis"] == redis.ConnectionError.__name__


@pytest.mark.django_db(transaction=True)
def test_the_export_is_one_json_document_of_everything_and_nobody_elses(alice, bob, caller):
    turn = make_turn(make_conversation(alice, title="早课"), "我喜欢流水声")
    make_memory(alice, "喜欢流水声", (turn,))
    make_conflict(alice, turn=turn)
    make_turn(make_conversation(alice, temporary=True), "不留痕迹")
    make_turn(make_conversation(bob), "鲍勃的话")
    response = caller.get("/export")
    assert response["Content-Disposition"].startswith("attachment")
    text = streamed(response)
    document = json.loads(text)
    assert document["format"] == "xinji-export"
    assert [row["title"] for row in document["conversations"]] == ["早课"]
    assert [row["text"] for row in document["turns"]] == ["我喜欢流水声"]
    assert document["memories"][0]["turn_ids"] == [turn.pk]
    assert {row["value"] for row in document["versions"]} == {"流水声", "静音"}
    assert len(document["conflicts"]) == len(document["entities"]) == 1
    assert "鲍勃" not in text and "不留痕迹" not in text

    markdown = streamed(caller.get("/export", format="markdown"))
    assert "早课" in markdown and "> 我喜欢流水声" in markdown


@pytest.mark.parametrize("confirm", [False, "", "yes", "bob", "true"])
def test_erasing_everything_wants_to_be_confirmed(alice, caller, confirm):
    make_turn(make_conversation(alice))
    problem(caller.post("/erase-all", {"confirm": confirm}), 422, "confirm_needed")
    problem(caller.post("/erase-all", {}), 422, "invalid")
    assert Turn.objects.count() == 1


@pytest.mark.parametrize("confirm", [True, "alice"])
def test_erasing_everything_leaves_the_account_and_the_others(alice, bob, caller, confirm):
    make_conflict(alice, turn=make_turn(make_conversation(alice)))
    make_memory(alice)
    theirs = make_turn(make_conversation(bob))
    erased = caller.post("/erase-all", {"confirm": confirm}).json()
    assert erased == {"conversations": 1, "turns": 1, "memories": 1, "entities": 1, "conflicts": 1}
    for model in (Conversation, Turn, Memory, Entity):
        assert not model.objects.filter(user=alice).exists()
    assert Account.objects.filter(user=alice).exists()
    assert Turn.objects.get() == theirs


def test_numbers_of_a_memory(alice, bob, caller):
    turn = make_turn(make_conversation(alice))
    memories = (make_memory(alice), make_memory(alice, "早起", tier="long_term"))
    make_recall(turn, memories, sections={"memories": {"tokens": 100}}, timings={"total": 12.5})
    make_memory(alice, "旧事", state="forgotten")
    make_conflict(alice)
    make_memory(bob)
    numbers = caller.get("/metrics/summary").json()
    assert numbers["turns"] == {"done": 1, "total": 1, "last_7_days": 1}
    assert numbers["memories"]["by_kind"] == {"fragment": 2}
    assert numbers["memories"]["by_state"] == {"live": 2, "forgotten": 1}
    assert numbers["entities"] == {"current": 1, "superseded": 1}
    assert numbers["conflicts"]["by_status"] == {"open": 1}
    assert numbers["recall"]["used_per_answer"] == 2
    assert numbers["recall"]["took_ms"] == 12.5
    assert numbers["tokens"] == {"memories": 100.0}


def test_numbers_of_nobody_yet(caller):
    numbers = caller.get("/metrics/summary").json()
    assert numbers["turns"] == {"total": 0, "last_7_days": 0}
    assert numbers["recall"]["took_ms"] is None


# What would be recalled.


def test_a_probe_finds_and_changes_nothing(alice, caller):
    memory = caller.post("/memories", {"text": "打坐时膝盖疼得厉害，垫高坐垫后好多了"}).json()
    indexing.embed([memory["id"]])  # the background's part
    found = caller.post("/recall", {"query": "膝盖疼怎么办", "limit": 5}).json()
    assert found["items"][0]["id"] == memory["id"]
    item = found["items"][0]
    assert sum(item["parts"].values()) == pytest.approx(item["score"], abs=1e-6)
    assert item["reasons"]
    assert found["store_size"] == 1
    row = Memory.objects.get()
    assert (row.use_count, row.last_used_at) == (0, None)


def test_a_probe_of_nothing_is_empty(caller):
    found = caller.post("/recall", {"query": "今天天气如何"}).json()
    assert (found["items"], found["store_size"]) == ([], 0)


@pytest.mark.parametrize("body", [{}, {"query": ""}, {"query": "a\x00"}, {"query": "好" * 100_000}, {"query": "a", "limit": 0},
                                  {"query": "a", "limit": 51}, {"query": "a", "conversation_id": -1}])  # fmt: skip
def test_a_bad_probe_is_refused(caller, body):
    problem(caller.post("/recall", body), 422, "invalid")


def test_a_probe_in_another_users_conversation_is_not_found(bob, caller):
    problem(caller.post("/recall", {"query": "好", "conversation_id": make_conversation(bob).pk}), 404)
