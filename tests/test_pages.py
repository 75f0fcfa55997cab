"""The pages without a browser: what they show, to whom, in how many queries, and that they work without scripts."""

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat.models import Account, ApiToken, Conversation, Entity, Memory, SignInLink, Turn
from tests.factories import (
    make_conflict,
    make_conversation,
    make_entity,
    make_memory,
    make_notice,
    make_recall,
    make_turn,
    make_user,
    make_version,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client, alice):
    """Alice's browser, with scripts off."""
    client.force_login(alice)
    Account.objects.of(alice)
    return client


def believe(user, slot="preference.meditation_sound", value="静音", **fields):
    entity = make_entity(user, slot, **{name: fields.pop(name) for name in ("item", "pinned") if name in fields})
    make_version(entity, value, **fields)
    return entity


# Coming in


def test_signing_up_opens_the_chat(client):
    answer = client.post(
        reverse("sign-up"), {"username": "mu", "password1": "still-water-7", "password2": "still-water-7"}
    )
    assert answer.url == reverse("chat")
    assert client.get("/").status_code == 200


def test_nobody_signs_up_where_it_is_closed(client, settings):
    settings.SIGN_UP_OPEN = False
    assert client.get(reverse("sign-up")).status_code == 404


def test_a_wrong_password_is_told_and_the_name_stays(client, alice):
    answer = client.post(reverse("sign-in"), {"username": "alice", "password": "wrong"})
    assert answer.status_code == 422
    assert 'value="alice"' in answer.text


def test_guessing_passwords_is_slowed_down(client, alice):
    for _attempt in range(10):
        client.post(reverse("sign-in"), {"username": "alice", "password": "wrong"})
    answer = client.post(reverse("sign-in"), {"username": "alice", "password": "secret"})
    assert answer.status_code == 422
    assert "五分钟" in answer.text


def test_a_cache_that_is_down_keeps_nobody_out(client, alice, settings, monkeypatch):
    from redis.exceptions import ConnectionError as RedisDown

    def down(*_args, **_kwargs):
        raise RedisDown

    monkeypatch.setattr(cache, "add", down)
    assert client.post(reverse("sign-in"), {"username": "alice", "password": "secret"}).status_code == 302


def test_a_preview_of_a_sign_in_link_does_not_use_it_up(client, alice):
    link = reverse("sign-in-link", args=[SignInLink.objects.issue(alice)])
    assert client.get(link).status_code == client.get(link).status_code == 200
    assert "_auth_user_id" not in client.session
    assert client.post(link).url == reverse("chat")
    assert Client().post(link).status_code == 410


def test_signing_in_leads_only_to_our_own_pages(client, alice):
    for target, expected in [
        ("/memory/", "/memory/"),
        ("https://elsewhere.example/", "/"),
        ("//elsewhere.example", "/"),
    ]:
        answer = client.post(reverse("sign-in"), {"username": "alice", "password": "secret", "next": target})
        assert answer.url == expected


# Languages


@pytest.mark.parametrize(("header", "words"), [("zh-TW,zh;q=0.9", "登录"), ("en-GB", "Sign in"), ("fr", "登录")])
def test_the_browser_says_the_language(client, header, words):
    assert words in client.get(reverse("sign-in"), headers={"accept-language": header}).text


def test_a_chosen_language_stays_in_cookie_and_account(page, alice):
    answer = page.post(reverse("set_language"), {"language": "en", "next": "/settings/"})
    assert (answer.url, answer.cookies[settings.LANGUAGE_COOKIE_NAME].value) == ("/settings/", "en")
    assert Account.objects.get(user=alice).language == "en"
    assert 'lang="en"' in page.get("/").text


def test_a_theme_that_does_not_exist_changes_nothing(page, alice):
    page.post(reverse("set-theme"), {"theme": "neon"})
    assert Account.objects.get(user=alice).theme == "system"


# Chat


def test_the_first_message_begins_the_conversation(page, alice):
    answer = page.post(reverse("start"), {"text": "我昨天冥想时总走神", "key": "k1"})
    turn = Turn.objects.get(user=alice)
    assert answer.url == reverse("conversation", args=[turn.conversation_id])
    assert page.post(reverse("start"), {"text": "我昨天冥想时总走神", "key": "k1"}).url == answer.url
    assert Turn.objects.count() == Conversation.objects.count() == 1


def test_a_temporary_conversation_writes_no_memory_and_is_not_listed(page, alice):
    page.post(reverse("start"), {"text": "只是说说", "temporary": "1", "memory": "read_write"})
    talk = Conversation.objects.get()
    assert (talk.temporary, talk.memory) == (True, "off")
    assert reverse("conversation", args=[talk.pk]) not in page.get("/memory/").text


@pytest.mark.parametrize("text", ["", "  \n ", "啊" * 20_001, "坏\x00字"])
def test_a_message_that_cannot_be_taken_is_given_back(page, alice, text):
    talk = make_conversation(alice)
    answer = page.post(reverse("send", args=[talk.pk]), {"text": text})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    if text.strip():
        assert text[:2000].replace("\x00", "") in answer.text.replace("\x00", "")
    assert not Turn.objects.exists()


def test_the_reason_comes_alone_to_a_page_with_scripts(page, alice):
    talk = make_conversation(alice)
    answer = page.post(reverse("send", args=[talk.pk]), {"text": ""}, headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Retarget"]) == (422, "#alert")
    assert "<html" not in answer.text


def test_sending_twice_with_one_key_is_one_turn(page, alice):
    talk = make_conversation(alice)
    for _time in range(2):
        answer = page.post(reverse("send", args=[talk.pk]), {"text": "你好", "key": "same"})
    assert answer.url.startswith(reverse("conversation", args=[talk.pk]))
    assert Turn.objects.count() == 1


def test_an_answer_on_its_way_reloads_the_page_without_scripts(page, alice):
    talk = make_conversation(alice)
    make_turn(talk, answer="", status="running")
    assert 'http-equiv="refresh"' in page.get(reverse("conversation", args=[talk.pk])).text


def test_thirty_turns_a_page_and_the_rest_on_demand(page, alice):
    talk = make_conversation(alice)
    turns = [make_turn(talk, f"第{number}句") for number in range(45)]
    first = page.get(reverse("conversation", args=[talk.pk])).text
    assert "第44句" in first and "第15句" in first and "第14句" not in first
    earlier = page.get(
        reverse("conversation", args=[talk.pk]) + f"?before={turns[15].pk}", headers={"HX-Request": "true"}
    )
    assert "第14句" in earlier.text and "第0句" in earlier.text and "第15句" not in earlier.text
    assert "?before=" not in earlier.text and "<html" not in earlier.text


def test_a_link_to_an_old_turn_shows_it_with_its_neighbours(page, alice):
    talk = make_conversation(alice)
    turns = [make_turn(talk, f"第{number}句") for number in range(80)]
    text = page.get(page.get(reverse("turn", args=[turns[30].pk])).url.partition("#")[0]).text
    assert "第30句" in text and "第40句" in text and "第41句" not in text


def test_deleting_a_conversation_says_what_stays(page, alice):
    talk = make_conversation(alice)
    make_memory(alice, turns=(make_turn(talk),))
    asked = page.get(reverse("delete", args=[talk.pk])).text
    assert "不会删除从中记住的内容" in asked and "1 条记忆" in asked
    page.post(reverse("delete", args=[talk.pk]))
    assert not Conversation.objects.exists()
    assert Memory.objects.count() == 1


def test_renaming_and_the_memory_switch(page, alice):
    talk = make_conversation(alice)
    page.post(reverse("rename", args=[talk.pk]), {"title": "  早课  "})
    page.post(reverse("set-mode", args=[talk.pk]), {"memory": "off"})
    talk.refresh_from_db()
    assert (talk.title, talk.memory) == ("早课", "off")
    assert page.post(reverse("set-mode", args=[talk.pk]), {"memory": "everything"}).status_code == 422


def test_a_thumb_clicked_twice_is_taken_back(page, alice):
    turn = make_turn(make_conversation(alice))
    for expected in (1, 0):
        page.post(reverse("feedback", args=[turn.pk]), {"value": "up"})
        turn.refresh_from_db()
        assert turn.feedback == expected


def test_conversations_are_found_by_their_titles(page, alice):
    make_conversation(alice, title="数息的次第")
    make_conversation(alice, title="睡前放松")
    text = page.get("/?find=数息").text
    assert "数息的次第" in text and "睡前放松" not in text


# Why this answer


def test_the_recall_adds_up_and_says_what_was_cut(page, alice):
    turn = make_turn(make_conversation(alice))
    used, cut = make_memory(alice, "数息有用"), make_memory(alice, "膝盖疼")
    found = make_recall(turn, (used, cut), degraded=["vector"], sections={"memories": {"tokens": 12, "ceiling": 1500}})
    found.items.filter(memory=used).update(parts={"semantic": 0.414, "entity": 0.184, "recency": 0.066}, score=0.664)
    found.items.filter(memory=cut).update(decision="below_floor")
    text = page.get(reverse("recall", args=[turn.pk])).text
    assert "0.41 + 0.18 + 0.07 = 0.66" in text
    assert "低于阈值" in text and "vector" in text and "1500" in text
    assert (
        '为什么这样答 <span class="count">1</span>'
        in page.get(reverse("conversation", args=[turn.conversation_id])).text
    )


# Conflicts


def test_a_notice_offers_its_decisions_and_then_undo(page, alice):
    turn = make_turn(make_conversation(alice))
    entity = make_entity(alice)
    old = make_version(entity, "流水声", status="superseded")
    new = make_version(entity, "静音", supersedes=old)
    conflict = make_conflict(alice, entity=entity, old_version=old, new_version=new, turn=turn)
    notice = make_notice(turn, conflict=conflict)
    shown = page.get(reverse("conversation", args=[turn.conversation_id])).text
    assert all(words in shown for words in ("用新的", "用旧的", "都保留"))
    form = {"decision": "keep_old", "notice": notice.pk}
    decided = page.post(reverse("resolve", args=[conflict.pk]), form, headers={"HX-Request": "true"}).text
    assert "撤销" in decided and "用新的" not in decided and "<html" not in decided
    assert entity.versions.current().get().value == "流水声"
    again = page.post(
        reverse("resolve", args=[conflict.pk]), form | {"decision": "keep_new"}, headers={"HX-Request": "true"}
    )
    assert again.status_code == 409 and "用旧的" in again.text
    assert "用新的" in page.post(reverse("undo", args=[conflict.pk]), form, headers={"HX-Request": "true"}).text
    assert entity.versions.current().get().value == "静音"


# Inspector


def test_the_state_shows_value_label_and_conflict(page, alice):
    believe(alice)
    text = page.get(reverse("state")).text
    assert "静音" in text and "偏好" in text


def test_correcting_a_value_another_tab_changed_shows_the_difference(page, alice):
    entity = believe(alice)
    seen = entity.versions.current().get().pk
    page.post(reverse("entity-edit", args=[entity.pk]), {"value": "雨声", "version": seen})
    assert entity.versions.current().get().value == "雨声"
    answer = page.post(reverse("entity-edit", args=[entity.pk]), {"value": "海浪声", "version": seen})
    assert answer.status_code == 409
    assert "雨声" in answer.text and "海浪声" in answer.text


def test_an_earlier_version_can_count_again(page, alice):
    entity = believe(alice)
    first = entity.versions.current().get()
    page.post(reverse("entity-edit", args=[entity.pk]), {"value": "雨声", "version": first.pk})
    page.post(reverse("rollback", args=[entity.pk, first.pk]))
    assert entity.versions.current().get().value == "静音"
    assert entity.versions.count() == 3


def test_filters_are_all_in_the_address(page, alice):
    make_memory(alice, "周末去爬山", pinned=True)
    make_memory(alice, "膝盖疼", kind="summary")
    make_memory(alice, "旧事", state="forgotten")
    text = page.get(reverse("memories") + "?q=爬山&pinned=on").text
    assert "周末去爬山" in text and "膝盖疼" not in text
    assert "膝盖疼" in page.get(reverse("memories") + "?kind=summary").text
    assert "旧事" in page.get(reverse("memories") + "?state=forgotten").text
    assert page.get(reverse("memories") + "?kind=nonsense&page=x&order=%00").status_code == 200
    assert "没有符合筛选的记忆" in page.get(reverse("memories") + "?q=没有这个").text


def test_forget_restore_and_edit_work_without_scripts(page, alice):
    memory = make_memory(alice, "周末去爬山")
    page.post(reverse("memory-act", args=[memory.pk, "forget"]))
    assert "周末去爬山" not in page.get(reverse("memories")).text
    assert "周末去爬山" in page.get(reverse("forgotten")).text
    page.post(reverse("memory-act", args=[memory.pk, "restore"]))
    page.post(reverse("memory-edit", args=[memory.pk]), {"text": "周末去登山", "number": memory.number})
    text = page.get(reverse("memories")).text
    assert "周末去登山" in text and "周末去爬山" not in text
    late = page.post(reverse("memory-edit", args=[memory.pk]), {"text": "迟到的改动", "number": memory.number})
    assert late.status_code == 409 and "周末去登山" in late.text and "迟到的改动" in late.text


def test_two_memories_become_one_and_two_again(page, alice):
    first, second = make_memory(alice, "腿麻"), make_memory(alice, "坐久了腿麻")
    asked = page.get(reverse("merge") + f"?ids={first.pk},{second.pk}").text
    assert "腿麻" in asked
    page.post(reverse("merge"), {"ids": [first.pk, second.pk], "into": first.pk, "text": "坐二十分钟以上腿会麻"})
    second.refresh_from_db()
    assert (second.state, second.merged_into_id) == ("merged", first.pk)
    page.post(reverse("memory-act", args=[first.pk, "unmerge"]))
    assert set(Memory.objects.live().values_list("text", flat=True)) == {"腿麻", "坐久了腿麻"}
    assert page.get(reverse("merge") + f"?ids={first.pk}").status_code == 422


def test_erasing_one_memory_takes_it_from_the_bin(page, alice):
    memory = make_memory(alice, "不想留的", state="forgotten")
    assert "不想留的" in page.get(reverse("memory-erase", args=[memory.pk])).text
    page.post(reverse("memory-erase", args=[memory.pk]))
    assert not Memory.objects.exists()


def test_a_memory_of_ones_own(page, alice):
    page.post(reverse("add"), {"text": "2019 年在山里学过站桩", "importance": "0.7"})
    assert Memory.objects.get().text == "2019 年在山里学过站桩"
    assert page.post(reverse("add"), {"text": "", "importance": "0.7"}).status_code == 422


# Settings


def test_a_token_is_shown_once(page, alice):
    page.post(reverse("create-token"), {"name": "脚本"})
    shown = page.get(reverse("settings")).text
    secret = shown[shown.index("xj_") :].split("<")[0]
    assert ApiToken.objects.matching(secret).user == alice
    assert secret not in page.get(reverse("settings")).text
    page.post(reverse("revoke-token", args=[ApiToken.objects.get().pk]))
    assert not ApiToken.objects.exists()


def test_settings_are_kept_and_a_strange_zone_is_refused(page, alice):
    given = {
        "theme": "dark",
        "send_key": "ctrl_enter",
        "confirm_new": "never",
        "time_zone": "Asia/Tokyo",
        "auto_memory": "on",
    }
    assert page.post(reverse("settings"), given).status_code == 302
    account = Account.objects.get(user=alice)
    assert (account.theme, account.time_zone, account.use_memory, account.auto_memory) == (
        "dark",
        "Asia/Tokyo",
        False,
        True,
    )
    assert page.post(reverse("settings"), given | {"time_zone": "Moon/Base"}).status_code == 422


def test_signing_out_elsewhere_leaves_this_device_and_other_people(page, alice, bob):
    other, his = Client(), Client()
    other.force_login(alice)
    his.force_login(bob)
    page.post(reverse("sign-out-others"))
    assert (page.get("/").status_code, his.get("/").status_code, other.get("/").status_code) == (200, 200, 302)


def test_erasing_everything_wants_the_name(page, alice):
    make_turn(make_conversation(alice))
    assert page.post(reverse("erase-all"), {"confirm": "bob"}).status_code == 422
    assert Turn.objects.exists()
    page.post(reverse("erase-all"), {"confirm": "alice"})
    assert not Turn.objects.exists()


# Whose it is, and how much it costs


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
    places = [("conversation", "talk"), ("rename", "talk"), ("delete", "talk"), ("turn", "turn"), ("recall", "turn"),
              ("entity", "entity"), ("entity-erase", "entity"), ("memory", "memory"), ("memory-edit", "memory"),
              ("memory-erase", "memory")]  # fmt: skip
    acts = [("send", "talk"), ("set-mode", "talk"), ("rename", "talk"), ("delete", "talk"), ("stop", "turn"), ("retry", "turn"),
            ("feedback", "turn"), ("entity-edit", "entity"), ("entity-pin", "entity"), ("entity-erase", "entity"),
            ("memory-edit", "memory"), ("memory-erase", "memory"), ("resolve", "conflict"), ("undo", "conflict")]  # fmt: skip
    form = {"text": "x", "decision": "keep_new", "number": "1", "memory": "off", "title": "x"}
    assert {client.get(reverse(name, args=[hers[what]])).status_code for name, what in places} == {404}
    assert {client.post(reverse(name, args=[hers[what]]), form).status_code for name, what in acts} == {404}
    for name in ("rollback", "decide"):
        assert client.post(reverse(name, args=[hers["entity"], hers["version"]]), form).status_code == 404
    assert client.post(reverse("memory-act", args=[hers["memory"], "forget"])).status_code == 404
    assert client.post(reverse("bulk"), {"verb": "forget", "ids": [hers["memory"]]}).status_code == 422
    assert Memory.objects.live().filter(pk=hers["memory"]).exists()


def test_signed_out_every_page_asks_to_sign_in(client, alice):
    for name in ("chat", "state", "memories", "conflicts", "forgotten", "probe", "settings", "add", "erase-all"):
        assert client.get(reverse(name)).url.startswith(reverse("sign-in"))


@pytest.mark.parametrize(("name", "most"), [("chat", 7), ("conversation", 10), ("state", 9), ("memories", 9), ("conflicts", 8),
                                            ("forgotten", 8)])  # fmt: skip
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


# Errors


def test_error_pages_speak_the_readers_language(page):
    assert "这里什么也没有" in page.get("/nowhere/").text
    assert "Nothing here" in page.get("/nowhere/", headers={"accept-language": "en"}).text
    strict = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    assert "Please try once more" in strict.post(reverse("sign-in"), {"username": "alice"}).text


def test_our_own_mistake_is_told_politely(page, monkeypatch):
    def broken(*_args, **_kwargs):
        raise RuntimeError

    monkeypatch.setattr("chat.views.memory.Paginator", broken)
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
        for name in ("chat", "state", "memories", "conflicts", "forgotten", "probe", "settings", "add", "erase-all")
    ]
    urls += [reverse("conversation", args=[things["talk"].pk]), reverse("recall", args=[things["turn"].pk]),
             reverse("entity", args=[things["entity"].pk]), reverse("memory", args=[things["memory"].pk])]  # fmt: skip
    for url in urls:
        text = page.get(url).text
        assert " style=" not in text and "<style" not in text and "hx-on" not in text, url
        assert all("src=" in tag for tag in text.split("<script")[1:] for tag in [tag.split(">")[0]]), url


def test_times_are_the_readers_own(page, alice):
    Account.objects.filter(user=alice).update(time_zone="Asia/Shanghai")
    moment = timezone.datetime(2026, 8, 19, 17, 30, tzinfo=timezone.get_fixed_timezone(0))
    memory = make_memory(alice, occurred_at=moment)
    assert "2026-08-20 01:30 (CST)" in page.get(reverse("memory", args=[memory.pk])).text


def test_a_pin_blocks_and_unblocks(page, alice):
    entity = believe(alice)
    page.post(reverse("entity-pin", args=[entity.pk]), {"on": "1"})
    assert Entity.objects.get(pk=entity.pk).pinned
    page.post(reverse("entity-pin", args=[entity.pk]), {"on": "0"})
    assert not Entity.objects.get(pk=entity.pk).pinned


def test_bulk_acts_on_what_was_chosen(page, alice, bob):
    mine, kept, his = make_memory(alice, "一"), make_memory(alice, "二"), make_memory(bob, "三")
    page.post(reverse("bulk"), {"verb": "forget", "ids": [mine.pk, his.pk]})
    states = dict(Memory.objects.values_list("pk", "state"))
    assert states == {mine.pk: "forgotten", kept.pk: "live", his.pk: "live"}
    assert page.post(reverse("bulk"), {"verb": "forget"}).status_code == 422


def test_users_with_quotes_in_their_names_can_erase_all(client):
    user = make_user("o'brien@x")
    client.force_login(user)
    assert "o&#x27;brien@x" in client.get(reverse("erase-all")).text
