"""The chat page: beginning, sending, reading on, changing and deleting a conversation."""

from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.urls import reverse
from django.utils import timezone

from chat import remember, reply
from chat.conversations import end_temporary
from chat.models import Conversation, EarlierAnswer, Entity, Memory, Recall, RecallItem, Turn
from chat.transfer.exports import as_json
from tests.factories import (
    believe,
    make_conflict,
    make_conversation,
    make_entity,
    make_memory,
    make_notice,
    make_turn,
    make_version,
)

pytestmark = pytest.mark.django_db

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


def test_a_conversation_is_taken_along_as_a_file(page, alice):
    talk = make_conversation(alice, title="早课")
    make_turn(talk, "我昨天打坐时\n总走神", "可以试试**数息**。")
    make_turn(make_conversation(alice, title="别的"), "不在里面")
    answer = page.get(reverse("export", args=[talk.pk]))
    text = async_to_sync(_whole)(answer)
    assert answer["Content-Disposition"] == f'attachment; filename="xinji-{talk.pk}.md"'
    assert text.startswith("# 早课\n") and "> 我昨天打坐时\n> 总走神" in text and "**数息**" in text and "不在里面" not in text


async def _whole(answer) -> str:
    return b"".join([chunk async for chunk in answer]).decode()


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


# Branches and variants


def test_a_message_is_changed_on_a_page_of_its_own_and_the_branches_are_one_click_apart(page, alice):
    talk = make_conversation(alice)
    first, second = make_turn(talk, "我晚上打坐"), make_turn(talk, "然后呢")
    assert "我晚上打坐" in page.get(reverse("turn-edit", args=[first.pk])).text
    answer = page.post(reverse("turn-edit", args=[first.pk]), {"text": "我早上打坐", "key": "k1"})
    shown = page.get(answer.url.partition("#")[0]).text
    assert "我早上打坐" in shown and "然后呢" not in shown
    assert "2/2" in shown and "2 轮在另一分支" in shown
    back = page.post(reverse("branch", args=[first.pk])).url.partition("#")[0]
    shown = page.get(back).text
    assert "我晚上打坐" in shown and "然后呢" in shown and "1/2" in shown
    other = Turn.objects.get(text="我早上打坐")
    assert "这里是对话的另一分支" in page.get(reverse("conversation", args=[talk.pk]) + f"?turn={other.pk}").text
    assert second.pk  # nothing was deleted


def test_the_answers_of_a_turn_are_one_click_apart(page, alice):
    turn = make_turn(make_conversation(alice), answer="新的回答", attempt=2)
    EarlierAnswer.objects.create(turn=turn, attempt=1, answer="旧的回答", status="done")
    place = reverse("conversation", args=[turn.conversation_id])
    assert "2/2" in page.get(place).text
    stepped = page.post(reverse("choose-answer", args=[turn.pk]), {"attempt": "1"}, headers={"HX-Request": "true"}).text
    assert "旧的回答" in stepped and "新的回答" not in stepped and "1/2" in stepped
    assert "旧的回答" in page.get(place).text


# What was remembered, beside the answer


def test_what_was_remembered_is_pointed_at_once_and_can_be_taken_back_in_place(page, alice):
    talk = make_conversation(alice)
    turns = [make_turn(talk), make_turn(talk)]
    versions = [believe(alice, f"habit.{name}", turn=turn).versions.get()
                for name, turn in zip(("meditation_time", "wake_time"), turns, strict=True)]  # fmt: skip
    for turn, version in zip(turns, versions, strict=True):
        make_notice(turn, "记住了：打坐时间：早上", kind="remembered", prominence="light", version=version)
    hint = "这是我记住的第一件事"
    shown = page.get(reverse("conversation", args=[talk.pk])).text
    assert shown.count(hint) == 1
    page.post(reverse("welcomed"))
    assert hint not in page.get(reverse("conversation", args=[talk.pk])).text
    undone = {"decision": "withdraw", "next": reverse("turn", args=[turns[0].pk])}
    answer = page.post(reverse("decide", args=[versions[0].entity_id, versions[0].pk]), undone, follow=True)
    assert "已收回" in answer.text
    assert not versions[0].entity.versions.current().exists()


# The first five minutes


def test_an_empty_account_is_welcomed_with_openers_that_need_no_script(page, alice):
    shown = page.get("/").text
    assert "欢迎" in shown and shown.count('class="opener"') == 3 and "示例" in shown
    opener = shown.partition('name="text" value="')[2].partition('"')[0]
    page.post(reverse("start"), {"text": opener, "key": "k1"})
    assert Turn.objects.get().text == opener
    shown = page.get("/").text
    assert "欢迎" not in shown and shown.count('class="opener"') == 3 and "示例" not in shown


def test_the_sample_is_loaded_and_removed_with_one_click_each(page, alice):
    place = page.post(reverse("load-sample")).url
    assert "移除示例" in page.get(place).text and "移除示例" in page.get("/").text
    page.post(reverse("remove-sample"))
    assert not Conversation.objects.exists()
    assert "欢迎" in page.get("/").text


def test_conversations_are_found_by_what_was_said_in_them(page, alice, bob):
    talk = make_conversation(alice, title="早课")
    turn = make_turn(talk, "今天坐了一会儿\n膝盖有点紧，<b>换了坐垫</b>", "垫高一些。")
    make_turn(make_conversation(alice, title="别的"), "随便聊聊")
    make_turn(make_conversation(bob, title="他的"), "膝盖")
    shown = page.get("/?find=膝盖 坐垫").text
    assert f"/c/{talk.pk}/?turn={turn.pk}#turn-{turn.pk}" in shown
    assert "<mark>膝盖</mark>有点紧，&lt;b&gt;换了坐垫" in shown
    assert "别的" not in shown and "他的" not in shown
    assert "<mark>高一</mark>" in page.get("/?find=高一").text
    assert "没有找到" in page.get("/?find=没人说过").text


# Temporary


def test_a_temporary_conversation_leaves_no_trace(page, alice):
    known = make_memory(alice, "冥想时喜欢流水声", pinned=True)
    page.post(reverse("start"), {"text": "我喜欢打坐时听雨声，我叫小雨", "temporary": "1"})
    turn = Turn.objects.get()
    reply.answer(turn.pk)
    remember.remember(turn.pk)
    assert list(Memory.objects.all()) == [known] and not Entity.objects.exists()
    assert not RecallItem.objects.exists()
    assert "雨" not in page.get("/?find=雨").text.partition('id="conversations"')[2].partition("</div>")[0]
    assert "小雨" not in "".join(as_json(alice))
    end_temporary(timezone.now() + timedelta(hours=23))
    assert Turn.objects.exists()
    assert end_temporary(timezone.now() + timedelta(hours=25)) == 1
    assert not Turn.objects.exists() and not Conversation.objects.exists() and not Recall.objects.exists()


def test_a_temporary_conversation_that_reads_still_writes_nothing(page, alice):
    make_memory(alice, "冥想时喜欢流水声", pinned=True)
    page.post(reverse("start"), {"text": "我喜欢打坐时听雨声", "temporary": "1", "memory": "read_only"})
    turn = Turn.objects.get()
    reply.answer(turn.pk)
    remember.remember(turn.pk)
    assert RecallItem.objects.filter(decision="used").exists()
    assert Memory.objects.count() == 1 and not Entity.objects.exists()
    known = Memory.objects.get()
    places = ["chat", "state", "memories", "conflicts", "forgotten", "usage", "weights", "settings"]
    for place in [*map(reverse, places), reverse("memory", args=[known.pk])]:
        assert "雨声" not in page.get(place).text, place
