"""Memories, state and conflicts over the API: the same verbs as the pages, with their ids, bounds and clashes."""

from datetime import timedelta

import pytest
from django.utils import timezone

from chat.memory.indexing import index_words
from chat.models import AuditEvent, Conflict, EntityVersion, Memory
from tests.api_client import Caller, problem
from tests.factories import make_conflict, make_conversation, make_entity, make_memory, make_turn, make_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def caller(alice):
    caller = Caller(alice)
    caller.get("/settings")  # the account is made, the token's use is noted: what follows counts its own queries only
    return caller


def test_memories_are_filtered_ordered_and_paged(alice, caller):
    now = timezone.now()
    for number in range(3):
        make_memory(alice, f"片段{number}", recorded_at=now - timedelta(days=number), importance=number / 10)
    make_memory(alice, "摘要", kind="summary", tier="long_term", pinned=True, recorded_at=now - timedelta(days=9))
    make_memory(alice, "忘了", state="forgotten")
    index_words(Memory.objects.values_list("pk", flat=True))

    def texts(**query):
        return [row["text"] for row in caller.get("/memories", **query).json()["items"]]

    assert texts() == ["片段0", "片段1", "片段2", "摘要"]
    assert texts(kind="fragment", order="important") == ["片段2", "片段1", "片段0"]
    assert texts(tier="long_term") == ["摘要"]
    assert texts(pinned="true") == ["摘要"]
    assert texts(state="forgotten") == ["忘了"]
    assert texts(q="段1") == ["片段1"]
    assert texts(size=2, page=2) == ["片段2", "摘要"]


def test_the_list_costs_the_same_however_long(alice, caller, django_assert_max_num_queries):
    entity = make_entity(alice)
    make_memory(alice, "静音", kind="entity", version=make_version(entity, "静音"))
    for number in range(30):
        make_memory(alice, f"片段{number}")
    with django_assert_max_num_queries(5):
        page = caller.get("/memories").json()
    assert page["count"] == 31
    assert {row["entity_id"] for row in page["items"]} == {None, entity.pk}


def test_a_memory_by_hand_is_found_edited_and_erased(alice, caller):
    added = caller.post("/memories", {"text": "打坐前先喝水", "importance": 0.9})
    assert added.status_code == 201
    memory = added.json()
    assert (memory["kind"], memory["importance"], memory["state"]) == ("fragment", 0.9, "live")
    assert 0 <= memory["weight"] <= 1

    path = f"/memories/{memory['id']}"
    edited = caller.patch(path, {"text": "打坐前先喝温水", "number": memory["number"]}).json()
    assert edited["text"] == "打坐前先喝温水"
    assert [row["text"] for row in edited["revisions"]] == ["打坐前先喝水"]

    clash = problem(caller.patch(path, {"text": "晚了一步", "number": memory["number"]}), 409, "changed_meanwhile")
    assert clash["details"]["now"] == "打坐前先喝温水"
    assert clash["details"]["yours"] == "晚了一步"

    assert caller.delete(path).status_code == 204
    problem(caller.get(path), 404)


@pytest.mark.parametrize(
    "body",
    [{}, {"text": ""}, {"text": " "}, {"text": "\u200b"}, {"text": "长" * 100_000}, {"text": "a\x00"}, {"text": "a", "importance": 2},
     {"text": "a", "importance": "NaN"}, {"text": "a", "kind": "entity"}, {"text": "a", "occurred_at": "9999-12-31T23:59:59-23:59"},
     {"text": "a", "occurred_at": "2026-01-01"}],
)  # fmt: skip
def test_what_cannot_be_a_memory_is_refused(caller, body):
    problem(caller.post("/memories", body), 422)
    assert not Memory.objects.exists()


def test_every_act_on_a_memory(alice, caller):
    memory = make_memory(alice)

    def act(name: str, **body) -> dict:
        response = caller.post(f"/memories/{memory.pk}/{name}", body or None)
        assert response.status_code == 200, response.content
        return response.json()

    assert act("pin")["pinned"] is True
    assert act("unpin")["pinned"] is False
    assert act("authoritative")["authoritative"] is True
    assert act("unauthoritative")["authoritative"] is False
    assert act("useful")["id"] == memory.pk
    assert act("useless")["id"] == memory.pk
    assert act("forget", reason="不想再提")["state"] == "forgotten"
    assert act("restore")["state"] == "live"
    assert act("wrong")["marked_wrong"] is True
    acts = set(AuditEvent.objects.filter(object_id=memory.pk, actor="user").values_list("action", flat=True))
    assert {"memory.pinned", "memory.forgotten", "memory.restored", "memory.marked_wrong"} <= acts
    assert AuditEvent.objects.get(action="memory.forgotten").reason == "不想再提"


def test_restoring_what_is_not_in_the_bin_is_a_clash(alice, caller):
    problem(caller.post(f"/memories/{make_memory(alice).pk}/restore"), 409, "not_forgotten")


def test_merging_and_taking_it_back(alice, caller):
    first, second = make_memory(alice, "膝盖疼"), make_memory(alice, "左膝盖疼")
    merged = caller.post(
        "/memories/merge", {"ids": [first.pk, second.pk], "into": second.pk, "text": "左膝盖常疼"}
    ).json()
    assert (merged["id"], merged["text"]) == (second.pk, "左膝盖常疼")
    assert caller.get(f"/memories/{first.pk}").json()["merged_into_id"] == second.pk
    assert caller.post(f"/memories/{second.pk}/unmerge").json()["text"] == "左膝盖疼"
    assert caller.get(f"/memories/{first.pk}").json()["state"] == "live"


def test_merging_without_a_text_keeps_every_wording(alice, caller):
    first = make_memory(alice, "膝盖疼", occurred_at=timezone.now() - timedelta(days=2))
    second = make_memory(alice, "左膝盖疼")
    assert (
        caller.post("/memories/merge", {"ids": [second.pk, first.pk], "into": first.pk}).json()["text"]
        == "膝盖疼\n左膝盖疼"
    )


def test_another_users_memory_cannot_be_merged_in(alice, bob, caller):
    mine, theirs = make_memory(alice), make_memory(bob, "鲍勃的秘密")
    response = caller.post("/memories/merge", {"ids": [mine.pk, theirs.pk], "into": mine.pk})
    problem(response, 404)
    assert "鲍勃的秘密" not in response.content.decode()
    theirs.refresh_from_db()
    assert theirs.state == "live"


# State.


def test_the_state_is_a_list_with_its_conflicts_and_pending_beliefs(alice, caller, django_assert_max_num_queries):
    conflict = make_conflict(alice)
    make_version(make_entity(alice, "goal.daily_meditation"), "每天15分钟", status="pending")
    make_entity(alice, "habit.wake_time")  # nothing is known of it
    with django_assert_max_num_queries(7):
        rows = caller.get("/entities").json()
    assert [(row["category"], row["attribute"], row["value"], row["status"]) for row in rows] == [
        ("goal", "daily_meditation", "每天15分钟", "pending"),
        ("preference", "meditation_sound", "静音", "current"),
    ]
    assert rows[1]["open_conflict_id"] == conflict.pk
    assert rows[0]["pending"][0]["value"] == "每天15分钟"
    assert [row["attribute"] for row in caller.get("/entities", category="goal").json()] == ["daily_meditation"]
    assert caller.get("/entities", attribute="nothing").json() == []
    assert len(caller.get("/entities", all="true").json()) == 3


def test_an_edit_makes_a_version_and_an_old_form_clashes(alice, caller):
    entity = make_entity(alice)
    before = make_version(entity, "流水声")
    after = caller.put(f"/entities/{entity.pk}", {"value": "静音", "expected_version": before.pk}).json()
    assert (after["value"], after["source"], after["status"]) == ("静音", "user_edit", "current")

    clash = problem(caller.put(f"/entities/{entity.pk}", {"value": "鸟鸣", "expected_version": before.pk}), 409)
    assert clash["details"] == {"now": "静音", "yours": "鸟鸣"}

    versions = caller.get(f"/entities/{entity.pk}/versions").json()
    assert [(row["value"], row["status"]) for row in versions] == [("静音", "current"), ("流水声", "superseded")]
    back = caller.post(f"/entities/{entity.pk}/rollback", {"version_id": before.pk}).json()
    assert back["value"] == "流水声"
    assert EntityVersion.objects.filter(entity=entity).count() == 3


def test_a_version_of_another_entity_is_not_found(alice, bob, caller):
    entity, other = make_entity(alice), make_version(make_entity(bob), "鲍勃的")
    make_version(entity)
    for verb in ("rollback", "confirm", "reject"):
        problem(caller.post(f"/entities/{entity.pk}/{verb}", {"version_id": other.pk}), 404)


@pytest.mark.parametrize(("verb", "status"), [("confirm", "current"), ("reject", "rejected")])
def test_a_pending_belief_is_decided_once(alice, caller, verb, status):
    entity = make_entity(alice)
    version = make_version(entity, "静音", status="pending")
    assert caller.post(f"/entities/{entity.pk}/{verb}", {"version_id": version.pk}).status_code == 200
    version.refresh_from_db()
    assert version.status == status
    problem(caller.post(f"/entities/{entity.pk}/{verb}", {"version_id": version.pk}), 409, "not_pending")


def test_pinning_and_erasing_a_slot(alice, caller):
    entity = make_entity(alice)
    make_version(entity)
    assert caller.post(f"/entities/{entity.pk}/pin").json()["pinned"] is True
    assert caller.post(f"/entities/{entity.pk}/unpin").json()["pinned"] is False
    assert caller.delete(f"/entities/{entity.pk}").status_code == 204
    problem(caller.get(f"/entities/{entity.pk}"), 404)


# Conflicts.


def test_conflicts_show_both_sides(alice, caller, django_assert_max_num_queries):
    turn = make_turn(make_conversation(alice), "以后冥想请保持静音")
    for number in range(10):
        entity = make_entity(alice, "preference.practice_method", item=str(number))
        make_conflict(alice, entity=entity, turn=turn)
    make_conflict(alice, entity=make_entity(alice, "habit.wake_time"), status="resolved")
    with django_assert_max_num_queries(5):
        rows = caller.get("/conflicts", status="open").json()
    assert len(rows) == 10
    assert (rows[0]["old"]["value"], rows[0]["new"]["value"]) == ("流水声", "静音")
    assert rows[0]["new"]["quote"] == "以后冥想请保持静音"
    assert "keep_both" in rows[0]["decisions"]
    assert len(caller.get("/conflicts", kind="entity").json()) == 11
    assert caller.get("/conflicts", kind="query_vs_history").json() == []


def test_deciding_deciding_again_and_undoing(alice, caller):
    conflict = make_conflict(alice)
    path = f"/conflicts/{conflict.pk}"
    decided = caller.post(f"{path}/resolve", {"decision": "keep_old", "reason": "口误"}).json()
    assert (decided["status"], decided["decision"], decided["decider"], decided["decisions"]) == (
        "resolved", "keep_old", "user", [],
    )  # fmt: skip
    assert EntityVersion.objects.current().get(entity=conflict.entity).value == "流水声"

    clash = problem(caller.post(f"{path}/resolve", {"decision": "keep_new"}), 409, "already_decided")
    assert clash["details"]["decision"] == "keep_old"
    assert clash["details"]["decided_at"]

    assert caller.post(f"{path}/undo").json()["status"] == "open"
    assert EntityVersion.objects.current().get(entity=conflict.entity).value == "静音"
    problem(caller.post(f"{path}/undo"), 409, "still_open")


@pytest.mark.parametrize(
    "body", [{}, {"decision": "flip_a_coin"}, {"decision": "merge"}, {"decision": "merge", "text": "  "}]
)
def test_a_decision_that_makes_no_sense_changes_nothing(alice, caller, body):
    conflict = make_conflict(alice)
    problem(caller.post(f"/conflicts/{conflict.pk}/resolve", body), 422)
    assert Conflict.objects.get().status == "open"


def test_a_conflict_without_two_sides_can_only_be_dismissed(alice, caller):
    entity = make_entity(alice)
    version = make_version(entity)
    conflict = Conflict.objects.create(user=alice, kind="query_vs_history", entity=entity, old=version)
    body = problem(
        caller.post(f"/conflicts/{conflict.pk}/resolve", {"decision": "keep_new"}), 422, "decision_not_possible"
    )
    assert body["details"]["possible"] == ["dismiss"]
    assert caller.post(f"/conflicts/{conflict.pk}/resolve", {"decision": "dismiss"}).json()["status"] == "dismissed"
