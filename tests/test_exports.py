"""Our own export: whole, of one user alone, and the way back into an account, with what was done by hand."""

import json
import tracemalloc
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User

from chat import remember
from chat.memory import curation, entities, erase
from chat.memory.actors import Actor
from chat.models import Conflict, Conversation, Entity, EntityVersion, Job, Memory, Tombstone, Turn
from chat.transfer.exports import as_json, as_markdown
from chat.transfer.imports import import_file
from tests.factories import (
    make_conflict,
    make_conversation,
    make_entity,
    make_memory,
    make_turn,
    make_version,
)
from tests.saying import say

pytestmark = pytest.mark.django_db
HISTORY = {
    "林小雨": {
        "name": "林小雨",
        "history": {
            "2023-04-27": [{"query": "我喜欢弹琴", "response": "真好"}, {"query": "腿麻怎么办", "response": "放松"}],
            "2023-04-28": [{"query": "今天没坐", "response": "明天再来"}, {"query": "早上跑步", "response": "好"}],
        },
    }
}


def export(user: User) -> dict:
    return json.loads("".join(as_json(user)))


def test_an_export_read_into_a_new_account_has_every_conversation(write, alice, bob):
    talk = make_conversation(alice, title="早课")
    for number in range(3):
        make_turn(talk, f"第{number}问", f"第{number}答")
    make_turn(make_conversation(alice, title="不记", memory="off"), "别记这个")
    report = import_file(write(export(alice)), bob)
    assert (report.conversations, report.turns) == (2, 4)
    copy = Conversation.objects.get(user=bob, title="早课")
    assert list(Turn.objects.of(copy).values_list("text", "answer")) == [(f"第{n}问", f"第{n}答") for n in range(3)]
    for original, copied in zip(Turn.objects.of(talk), Turn.objects.of(copy), strict=True):
        assert abs(original.at - copied.at) <= timedelta(milliseconds=1)
    assert Conversation.objects.get(user=bob, title="不记").memory == "off"
    assert Job.objects.filter(kind="remember", user=bob).count() == 3
    assert import_file(write(export(alice), "again.json"), bob).turns == 0


def test_an_export_read_into_its_own_account_doubles_nothing(write, alice):
    make_turn(make_conversation(alice), "一")
    import_file(write(HISTORY), alice)
    report = import_file(write(export(alice), "own.json"), alice)
    assert (report.turns, report.known) == (0, 5)
    assert Turn.objects.count() == 5


def test_an_imported_history_keeps_its_keys_through_an_export(write, alice, bob):
    import_file(write(HISTORY), alice)
    import_file(write(export(alice), "own.json"), bob)
    assert import_file(write(HISTORY), bob).turns == 0


def test_what_was_erased_is_in_no_export_and_does_not_return(write, alice):
    talk = make_conversation(alice)
    make_turn(talk, "我的电话是13800000000")
    before = export(alice)
    erase.erase_conversation(talk, Actor.person(alice), with_memories=True)
    assert "13800000000" not in "".join(as_json(alice)) + "".join(as_markdown(alice))
    report = import_file(write(before), alice)
    assert (report.turns, report.erased) == (0, 1)


def test_an_export_of_nothing_is_a_document(alice):
    document = export(alice)
    assert document["turns"] == document["memories"] == []
    assert "".join(as_markdown(alice)).startswith("# ")


def test_hostile_text_survives_the_export(alice):
    words = '"},{"x":1}\n</script>\u2028# 标题\n\\'
    make_turn(make_conversation(alice, title=words[:50]), words, words)
    document = export(alice)
    assert (document["turns"][0]["text"], document["turns"][0]["answer"]) == (words, words)


def test_the_markdown_reads_well(alice):
    turn = make_turn(make_conversation(alice, title="早课"), "腿麻\n怎么办", "放松。")
    make_memory(alice, "常常腿麻", (turn,))
    make_conflict(alice)
    text = "".join(as_markdown(alice))
    assert "### 早课" in text
    assert "> 腿麻\n> 怎么办" in text
    assert "静音" in text and "流水声" not in text
    assert "常常腿麻" in text


def test_an_export_of_many_turns_takes_the_memory_of_few(alice):
    talk = make_conversation(alice)
    rows = [
        Turn(conversation=talk, user=alice, text="问" * 2000, answer="答" * 2000, status="done") for _ in range(2000)
    ]
    Turn.objects.bulk_create(rows)
    del rows
    tracemalloc.start()
    length = sum(len(piece) for piece in as_json(alice))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert length > 8_000_000
    assert peak < 12_000_000, peak


# What was done by hand.


def hand_work(user) -> None:
    """An edited and pinned value over what was said, a memory that was typed, a fragment that was pinned."""
    turn = make_turn(make_conversation(user), "我喜欢冥想时播放流水声", at=datetime(2026, 8, 20, tzinfo=UTC))
    entity = make_entity(user)
    make_version(entity, "流水声", turn=turn)
    entities.edit_value(entity, "雨声", Actor.person(user))
    entities.set_pinned(entity, True, Actor.person(user))
    curation.add(user, "2019 年在山里学过站桩", actor=Actor.person(user), importance=0.9)
    curation.pin(make_memory(user, "膝盖疼", turns=(turn,)), Actor.person(user))


def test_values_pins_and_typed_memories_come_back_and_older_words_do_not_undo_them(write, alice, bob):
    hand_work(alice)
    path = write(export(alice))
    report = import_file(path, bob)
    assert report.by_hand == 3
    remember.remember(Turn.objects.get(user=bob).pk)
    entity = Entity.objects.get(user=bob, attribute="meditation_sound")
    assert (entity.versions.current().get().value, entity.pinned) == ("雨声", True)
    assert not Conflict.objects.owned_by(bob).open().exists()
    typed = Memory.objects.get(user=bob, text="2019 年在山里学过站桩")
    assert typed.importance == 0.9
    assert Memory.objects.get(user=bob, text="膝盖疼").pinned
    assert import_file(path, bob).by_hand == 0


def test_what_is_newer_or_erased_here_does_not_give_way(write, alice, bob):
    hand_work(alice)
    path = write(export(alice))
    entities.edit_value(make_entity(bob), "静音", Actor.person(bob))
    erase.erase_memory(make_memory(bob, "膝盖疼"), Actor.person(bob))
    assert import_file(path, bob).by_hand == 1  # the memory that was typed
    entity = Entity.objects.get(user=bob, attribute="meditation_sound")
    assert (entity.versions.current().get().value, entity.pinned) == ("静音", False)
    assert not Memory.objects.owned_by(bob).filter(text="膝盖疼").exists()


def test_what_was_forgotten_is_not_learned_again_from_an_export(write, alice, bob):
    """A belief and a fragment that went into the bin, a belief that was erased; what is still believed is learned."""
    said = ["我养了一只猫", "我昨天打坐时膝盖疼得厉害", "我住在杭州", "我是素食者"]
    turns = [say(alice, text, at=datetime(2026, 8, 20, tzinfo=UTC)) for text in said]
    pet, home = (Memory.objects.get(user=alice, kind="entity", version__turn=turn) for turn in (turns[0], turns[2]))
    pain = make_memory(alice, "我昨天打坐时膝盖疼得厉害", turns=(turns[1],))
    for memory in (pet, pain):
        curation.forget(memory, Actor.person(alice))
    erase.erase_memory(home, Actor.person(alice))
    document = export(alice)
    assert all(set(row) == {"kind", "fingerprint"} for row in document["tombstones"])
    import_file(write(document), bob)
    for turn in Turn.objects.filter(user=bob):
        remember.remember(turn.pk)
    believed = set(EntityVersion.objects.owned_by(bob).exclude(entity__category="last_query").values_list("value", flat=True))
    assert pet.version.value not in believed and home.version.value not in believed and believed
    assert not Memory.objects.owned_by(bob).filter(text=pain.text).exists()


def test_what_an_account_knows_is_not_forgotten_by_an_import(write, alice, bob):
    curation.forget(make_memory(alice, "膝盖疼"), Actor.person(alice))
    make_memory(bob, "膝盖疼")
    import_file(write(export(alice) | {"tombstones": [None, {"kind": "memory"}, *export(alice)["tombstones"]]}), bob)
    assert not Tombstone.objects.filter(user=bob).exists()


@pytest.mark.parametrize("odd", [None, 1, "x", [], {}, {"id": {}}, {"id": 1, "entity_id": [], "status": "current"},
                                 {"id": 1, "entity_id": 1, "status": "current", "source": "user_edit", "value": "好" * 999, "recorded_at": 1e300}])  # fmt: skip
def test_odd_rows_of_an_export_are_left_out(write, alice, odd):
    entity = {"id": 1, "category": "preference", "attribute": "meditation_sound", "item": 3, "pinned": True, "conversation_id": None}
    data = {"format": "xinji-export", "entities": [odd, entity], "versions": [odd], "memories": [odd, {"kind": "fragment", "state": "live", "turn_ids": [], "text": "\x00"}]}
    assert import_file(write(data), alice).by_hand == 0
