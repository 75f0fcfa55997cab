"""What holds for every page: whose it is, how many queries it costs, its errors, no inline script or style."""

import pytest
from django.test import Client
from django.urls import reverse

from chat.models import Memory, MemoryLink, MemoryRevision
from tests.factories import (
    believe,
    make_conflict,
    make_conversation,
    make_entity,
    make_memory,
    make_notice,
    make_recall,
    make_turn,
    make_version,
)

pytestmark = pytest.mark.django_db

def everything_of(user) -> dict:
    talk = make_conversation(user)
    turn = make_turn(talk)
    entity = believe(user)
    version = entity.versions.get()
    memory = make_memory(user, turns=(turn,))
    make_recall(turn, (memory,))
    conflict = make_conflict(user, entity=make_entity(user, "habit.meditation_time"))
    return {"talk": talk, "turn": turn, "entity": entity, "version": version, "memory": memory, "conflict": conflict}


def test_a_stranger_finds_nothing(client, alice, charlie):
    hers = {name: each.pk for name, each in everything_of(alice).items()}
    client.force_login(charlie)
    places = [("conversation", "talk"), ("rename", "talk"), ("delete", "talk"), ("export", "talk"), ("turn", "turn"), ("recall", "turn"),
              ("entity", "entity"), ("entity-erase", "entity"), ("memory", "memory"), ("memory-edit", "memory"),
              ("memory-erase", "memory")]  # fmt: skip
    acts = [("send", "talk"), ("set-mode", "talk"), ("rename", "talk"), ("delete", "talk"), ("stop", "turn"), ("retry", "turn"),
            ("feedback", "turn"), ("entity-edit", "entity"), ("entity-pin", "entity"), ("entity-erase", "entity"),
            ("memory-edit", "memory"), ("memory-erase", "memory"), ("resolve", "conflict"), ("undo", "conflict")]  # fmt: skip
    form = {"text": "x", "decision": "keep_new", "number": "1", "memory": "off", "title": "x"}
    assert {client.get(reverse(name, args=[hers[what]])).status_code for name, what in places} == {404}
    assert {client.post(reverse(name, args=[hers[what]]), form).status_code for name, what in acts} == {404}
    assert "打坐时腿麻" not in client.get(reverse("memories"), {"conversation": hers["talk"]}).text
    for name in ("rollback", "decide"):
        assert client.post(reverse(name, args=[hers["entity"], hers["version"]]), form).status_code == 404
    assert client.post(reverse("memory-act", args=[hers["memory"], "forget"])).status_code == 404
    assert client.post(reverse("bulk"), {"verb": "forget", "ids": [hers["memory"]]}).status_code == 422
    assert Memory.objects.live().filter(pk=hers["memory"]).exists()


@pytest.mark.parametrize(("name", "most"), [("chat", 7), ("conversation", 10), ("state", 11), ("memories", 12), ("conflicts", 10),
                                            ("forgotten", 11), ("usage", 16)])  # fmt: skip
def test_queries_do_not_grow_with_the_rows(page, alice, django_assert_max_num_queries, name, most):
    talk = make_conversation(alice)
    for number in range(12):
        turn = make_turn(talk, f"第{number}句")
        memory = make_memory(alice, f"记忆{number}", turns=(turn,))
        make_memory(alice, f"忘记{number}", state="forgotten")
        make_recall(turn, (memory,))
        entity = make_entity(alice, "profile.pet", item=f"宠物{number}")
        old = make_version(entity, "猫", status="superseded", turn=turn)
        new = make_version(entity, "狗", turn=turn)
        conflict = make_conflict(alice, entity=entity, old_version=old, new_version=new, turn=turn)
        make_notice(turn, conflict=conflict)
        make_conflict(alice, entity=make_entity(alice, f"goal.other{number}"), status="resolved",
                      old_version=old, new_version=old, kind="query_vs_history")  # fmt: skip
        make_conversation(alice, title=f"对话{number}")
    with django_assert_max_num_queries(most):
        assert page.get(reverse(name, args=[talk.pk] if name == "conversation" else [])).status_code == 200


def test_error_pages_speak_the_readers_language(page):
    assert "这里什么也没有" in page.get("/nowhere/").text
    assert "Nothing here" in page.get("/nowhere/", headers={"accept-language": "en"}).text
    strict = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    assert "Please try once more" in strict.post(reverse("sign-in"), {"username": "alice"}).text


def test_our_own_mistake_is_told_politely(page, monkeypatch):
    def broken(*_args, **_kwargs):
        raise RuntimeError

    monkeypatch.setattr("chat.views.memories.Paginator", broken)
    page.raise_request_exception = False
    answer = page.get(reverse("memories"))
    assert answer.status_code == 500 and "出了点问题" in answer.text


def test_numbers_that_are_none_do_not_break_a_page(page, alice):
    talk = make_conversation(alice)
    make_turn(talk)
    for query in ("before=abc", "before=9999999999999999999999", "turn=-1", "turn=%00"):
        assert page.get(reverse("conversation", args=[talk.pk]) + "?" + query).status_code in {200, 404}


def test_every_page_is_free_of_inline_script_and_style(page, alice):
    things = everything_of(alice)
    make_notice(things["turn"], conflict=things["conflict"])
    urls = [
        reverse(name)
        for name in ("chat", "state", "memories", "conflicts", "forgotten", "probe", "usage", "settings", "add", "erase-all")
    ]
    urls += [reverse("conversation", args=[things["talk"].pk]), reverse("recall", args=[things["turn"].pk]),
             reverse("entity", args=[things["entity"].pk]), reverse("memory", args=[things["memory"].pk])]  # fmt: skip
    for url in urls:
        text = page.get(url).text
        assert " style=" not in text and "<style" not in text and "hx-on" not in text, url
        assert all("src=" in tag for tag in text.split("<script")[1:] for tag in [tag.split(">")[0]]), url


@pytest.mark.parametrize(("name", "most"), [("memory", 17), ("entity", 17)])
def test_the_page_of_one_thing_costs_the_same_however_much_is_around_it(page, alice, django_assert_max_num_queries, name, most):
    entity = believe(alice)
    memory = make_memory(alice, "静音", kind="entity", version=entity.versions.get())
    for number in range(12):
        turn = make_turn(make_conversation(alice))
        make_recall(turn, (memory,))
        MemoryLink.objects.create(first=make_memory(alice, f"相关{number}"), second=memory, kind="about")
        MemoryRevision.objects.create(memory=memory, number=number, text=f"旧{number}", actor="user")
        make_conflict(alice, entity=entity, old_version=make_version(entity, f"旧{number}", status="superseded", turn=turn),
                      new_version=entity.versions.current().get(), status="resolved", decider="rule" if number % 2 else "user")  # fmt: skip
    with django_assert_max_num_queries(most):
        assert page.get(reverse(name, args=[memory.pk if name == "memory" else entity.pk])).text.count("相关") >= 12
