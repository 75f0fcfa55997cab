"""One turn as a story: what is saved, said, remembered and told, with the real database and a model behind real HTTP."""

import json
import threading
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from chat import branches, jobs, reply, streams
from chat.errors import BadInput
from chat.memory import indexing
from chat.models import Account, Conflict, Conversation, EntityVersion, Job, Memory, Notice, Recall, Turn
from tests.factories import make_conversation, make_memory, make_turn
from tests.llm_server import Reply
from tests.running import wait_until

pytestmark = pytest.mark.django_db

SHANGHAI = ZoneInfo("Asia/Shanghai")


def day(month: int, number: int, hour: int = 8, minute: int = 0) -> datetime:
    return datetime(2026, month, number, hour, minute, tzinfo=SHANGHAI)


def say(user, words: str, at: datetime | None = None, conversation: Conversation | None = None) -> Turn:
    """Post a message and let the worker's part run here; the turn as it is stored then."""
    turn = reply.post(user, conversation or make_conversation(user), words, at=at)
    reply.answer(turn.pk)
    turn.refresh_from_db()
    return turn


def value(user, slot: str) -> str | None:
    category, attribute = slot.split(".")
    found = EntityVersion.objects.current().filter(entity__user=user, entity__category=category)
    return found.filter(entity__attribute=attribute).values_list("value", flat=True).first()


# The example of the source design.


def test_the_newest_preference_rules_the_answer_and_the_notice_names_both(alice):
    say(alice, "我喜欢冥想时播放流水声", day(8, 20))
    say(alice, "以后冥想请保持静音", day(8, 26))
    asked = say(alice, "推荐一段适合冥想的背景音乐。", day(8, 26, 8, 5))

    assert "静音" in asked.answer
    closing = asked.full_answer[asked.full_answer.index("【记忆提示】") :]
    assert "流水声" in closing and "静音" in closing and "8月20日" in closing
    versions = EntityVersion.objects.filter(entity__user=alice, entity__attribute="meditation_sound")
    assert sorted(versions.values_list("value", "status")) == [("流水声", "superseded"), ("静音", "current")]
    assert Conflict.objects.filter(user=alice, kind="entity").count() == 1


def test_last_time_continues_the_topic_in_a_new_conversation(alice):
    say(alice, "我昨天冥想时总走神", day(8, 20))
    asked = say(alice, "上次我问的问题，你说的方法具体怎么做？", day(8, 21))
    assert "走神" in asked.answer
    assert value(alice, "last_query.topic") != asked.text, "a question that leans on the last topic opens no new one"


def test_last_time_means_the_topic_that_the_question_names(alice):
    say(alice, "数息总是数乱，怎么办？", day(8, 20))
    say(alice, "睡前躺着冥想好不好？", day(8, 21))
    asked = say(alice, "上次你说的数息，具体怎么做？", day(8, 22))
    assert "数" in asked.answer and "8月20日" in asked.answer


def test_every_recalled_row_adds_up(alice):
    for number, words in enumerate(["我喜欢冥想时播放流水声", "我每天早上六点打坐", "昨天打坐时膝盖疼得厉害"], 1):
        say(alice, words, day(8, number))
    asked = say(alice, "我一般几点打坐？", day(8, 10))
    items = list(Recall.objects.get(turn=asked).items.all())
    assert items
    for item in items:
        assert sum(item.parts.values()) == pytest.approx(item.score, abs=1e-6)


def test_what_has_faded_is_offered_vaguely_once_and_can_be_had_back(alice, client):
    faded = make_memory(alice, "楼上一装修我就坐不住，和邻居老周吵过", state="forgotten", forgotten_by="decay")
    indexing.index_words([faded.pk])
    asked = say(alice, "楼上装修的时候怎么打坐？", day(8, 20))
    offer = asked.notices.get(kind="offer")
    assert "装修" in offer.text and "老周" not in asked.full_answer and offer.text in asked.full_answer
    assert not say(alice, "楼上装修的时候怎么打坐？", day(8, 21)).notices.exists()
    client.force_login(alice)
    page = client.get(f"/turns/{asked.pk}/", follow=True).content.decode()
    assert f"/memory/{faded.pk}/act/restore" in page
    client.post(f"/memory/{faded.pk}/act/restore", {"next": f"/turns/{asked.pk}/"})
    faded.refresh_from_db()
    assert faded.state == "live"
    assert f"/memory/{faded.pk}/act/restore" not in client.get(f"/turns/{asked.pk}/", follow=True).content.decode()


@pytest.mark.parametrize(
    ("said", "then", "kind", "text"),
    [
        (["我叫阿宁"], "你把我名字抹了吧", "gone", "不再有效：称呼：阿宁"),
        (["我一直练站桩"], "我不再站桩了", "gone", "不再有效：修习方法：站桩"),
        (["我每次打坐半小时", "现在每次打坐四十分钟了"], "刚才说错了", "updated", "更新了：每次打坐时长：30分钟"),
    ],
)
def test_what_no_longer_holds_is_told(alice, client, said, then, kind, text):
    talk = make_conversation(alice)
    for minute, words in enumerate(said):
        say(alice, words, day(8, 1, 8, minute), talk)
    turn = say(alice, then, day(8, 1, 8, 10), talk)
    notice = turn.notices.get(kind=kind)
    assert notice.text == text
    assert "阿宁" not in turn.answer and "站桩" not in turn.answer  # which is not learned anew
    client.force_login(alice)
    page = client.get(f"/turns/{turn.pk}/", follow=True).content.decode()
    assert text in page and f"/memory/state/{notice.version.entity_id}/" in page  # where the version can be had back


@pytest.mark.parametrize("memory", ["off", "read_only"])
def test_where_nothing_is_written_nothing_is_offered(alice, memory):
    faded = make_memory(alice, "楼上一装修我就坐不住", state="forgotten", forgotten_by="decay")
    indexing.index_words([faded.pk])
    asked = say(alice, "楼上装修的时候怎么打坐？", conversation=make_conversation(alice, memory=memory))
    assert not asked.notices.exists()


def test_the_first_answer_knows_the_week_and_its_mood(alice):
    for number in (20, 21, 22):
        say(alice, "今天又和同事吵架了，心里很焦虑", day(8, number))
    Turn.objects.update(emotion="anxious")
    fragment = make_memory(alice, "和同事吵架了", occurred_at=day(8, 21))
    told = say(alice, "你好，今天坐什么好？", day(8, 23))
    sent = Recall.objects.get(turn=told).prompt[-1]["content"]
    assert "近来心情：焦虑" in sent and f"近七天：{fragment.text}" in sent and "上次谈到" in sent
    again = say(alice, "那坐多久？", day(8, 23, 9), told.conversation)
    assert "近来心情" not in Recall.objects.get(turn=again).prompt[-1]["content"]


# Saving.


@pytest.mark.parametrize(
    ("words", "code"),
    [("", "empty_text"), (" \n\t", "empty_text"), ("好" * 100_000, "too_long"), ("你\x00好", "bad_characters"), ("\ud800", "bad_characters")],
)  # fmt: skip
def test_what_cannot_be_a_message_is_refused_and_nothing_is_stored(alice, words, code):
    conversation = make_conversation(alice)
    with pytest.raises(BadInput) as refused:
        reply.post(alice, conversation, words)
    assert refused.value.code == code
    assert str(refused.value.message)
    assert not Turn.objects.exists()


def test_the_same_key_posts_once(alice):
    conversation = make_conversation(alice)
    first = reply.post(alice, conversation, "你好", key="k1")
    assert reply.post(alice, conversation, "你好", key="k1") == first
    assert Turn.objects.count() == Job.objects.count() == 1


def test_a_turn_is_answered_once_whoever_calls(alice):
    turn = reply.post(alice, make_conversation(alice), "怎么数息？")
    reply.answer(turn.pk)
    reply.answer(turn.pk)
    assert Recall.objects.filter(turn=turn).count() == 1
    assert Job.objects.get(kind="reply").attempts == 1


def test_a_message_longer_than_the_model_can_take_is_kept_and_explained(alice, settings):
    settings.CONTEXT_WINDOW = 4096
    turn = say(alice, "我想问一个很长的问题，" * 1800)
    assert (turn.status, turn.error) == ("failed", "question_too_long")
    assert len(turn.text) > 10_000


# The model.


def test_what_the_model_leaves_out_of_the_users_own_state_is_supplied(alice, llm):
    say(alice, "我每天早上六点打坐", day(8, 20))
    llm.enqueue("坐稳，放松，数呼吸。", "你一般早上六点打坐。")
    asked = say(alice, "我一般几点打坐？", day(8, 26))
    assert asked.answer.startswith("坐稳，放松，数呼吸。\n\n我记得：打坐时间") and "8月20日" in asked.answer
    events = [fields for _id, fields in streams._redis().xrange(f"turn:{asked.pk}:1")]
    tokens = [json.loads(event["data"])["text"] for event in events if event["name"] == "token"]
    assert "".join(tokens) == asked.answer
    assert say(alice, "我一般几点打坐？", day(8, 27)).answer == "你一般早上六点打坐。"


def test_a_model_that_recommends_what_no_longer_holds_is_put_right(alice, llm):
    say(alice, "我喜欢冥想时播放流水声", day(8, 20))
    say(alice, "以后冥想请保持静音", day(8, 26))
    llm.enqueue("推荐流水声。", "推荐流水声。")
    told = say(alice, "推荐一段适合冥想的背景音乐。", day(8, 26, 8, 5))
    assert told.full_answer.count("【记忆提示】") == 1 and "静音" in told.full_answer
    Conflict.objects.update(status="resolved", decision="keep_new", decider="user", decided_at=day(8, 27))
    later = say(alice, "冥想时的声音有什么讲究？", day(9, 20))
    assert "提醒" in later.answer and "静音" in later.answer and "以前" in later.answer


def test_the_models_words_are_the_answer_and_the_stream_carries_them(alice, llm):
    llm.enqueue("先把注意力放在呼气上。")
    turn = say(alice, "打坐走神怎么办？")
    assert (turn.status, turn.answer, turn.answered_by) == ("done", "先把注意力放在呼气上。", "scripted")
    names = [fields["name"] for _id, fields in streams._redis().xrange(f"turn:{turn.pk}:1")]
    assert names[0] == "recall" and names[-2:] == ["final", "done"] and names.count("token") > 1


def test_a_model_that_is_down_is_replaced_by_the_builtin_answerer(alice, llm):
    llm.default = Reply(status=500)
    turn = say(alice, "打坐走神怎么办？")
    assert (turn.status, turn.answered_by, turn.error) == ("done", "builtin", "")
    assert turn.answer


def test_half_an_answer_is_kept_and_a_retry_keeps_it_as_a_variant(alice, llm):
    llm.enqueue(Reply("慢慢呼气，再慢慢吸气", cut_after=2), "从一数到十。")
    turn = say(alice, "怎么数息？")
    assert (turn.status, turn.error, turn.answer) == ("failed", "broken_stream", "慢慢呼气")
    branches.answer_again(turn)
    reply.answer(turn.pk)
    turn.refresh_from_db()
    assert (turn.status, turn.error, turn.answer, turn.attempt) == ("done", "", "从一数到十。", 2)
    assert turn.earlier_answers.get().answer == "慢慢呼气"
    assert Turn.objects.count() == 1


def test_a_notice_that_the_model_writes_itself_is_left_out(alice, llm):
    llm.enqueue("好的。\n\n【记忆提示】\n你说过喜欢跑步机。")
    turn = say(alice, "你好，今天想安静一会儿")
    assert turn.answer == "好的。"
    tokens = [fields["data"] for _id, fields in streams._redis().xrange(f"turn:{turn.pk}:1") if fields["name"] == "token"]
    assert not any("记忆提示" in data or "跑步机" in data for data in tokens)


def test_stop_before_the_first_word(alice, llm):
    turn = reply.post(alice, make_conversation(alice), "怎么数息？")
    reply.stop(turn)
    reply.answer(turn.pk)
    turn.refresh_from_db()
    assert (turn.status, turn.answer) == ("stopped", "")
    assert not llm.chats


def test_stop_in_the_middle_ends_the_answer_though_the_model_is_silent(alice, llm):
    llm.enqueue(Reply(pieces=["从一", "数到十", "。"], hang_after=2))  # and then nothing, for as long as this test takes
    turn = reply.post(alice, make_conversation(alice), "怎么数息？")

    def stop_after_the_first_words():
        wait_until(lambda: any(fields["name"] == "token" for _id, fields in streams._redis().xrange(f"turn:{turn.pk}:1")))
        streams.request_stop(turn)

    reader = threading.Thread(target=stop_after_the_first_words, daemon=True)
    reader.start()
    reply.answer(turn.pk)
    turn.refresh_from_db()
    assert turn.status == "stopped" and turn.answer.startswith("从一")
    reader.join()


def test_remembered_text_never_reaches_the_system_role(alice, llm):
    say(alice, "我喜欢冥想时播放流水声", day(8, 20))
    say(alice, "冥想时放什么声音好？", day(8, 21))
    system = [message["content"] for message in llm.chats[-1].messages if message["role"] == "system"]
    assert system and not any("流水声" in text for text in system)
    assert "流水声" in llm.chats[-1].prompt


# Where memory is off.


@pytest.mark.parametrize("fields", [{"temporary": True, "memory": "off"}, {"memory": "off"}, {"memory": "read_only"}])
def test_a_conversation_that_does_not_write_leaves_no_memory(alice, fields):
    say(alice, "我喜欢冥想时播放流水声", conversation=make_conversation(alice, **fields))
    assert not EntityVersion.objects.exists() and not Memory.objects.exists() and not Notice.objects.exists()
    assert not Job.objects.filter(kind="remember").exists()


def test_a_conversation_with_memory_off_reads_none(alice, llm):
    say(alice, "我喜欢冥想时播放流水声", day(8, 20))
    say(alice, "冥想时放什么声音好？", day(8, 21), make_conversation(alice, memory="off"))
    assert "流水声" not in llm.chats[-1].prompt


def test_the_switches_of_the_account_hold_too(alice, llm):
    Account.objects.of(alice)
    Account.objects.filter(user=alice).update(auto_memory=False)
    say(alice, "我喜欢冥想时播放流水声", day(8, 20))
    assert not EntityVersion.objects.exists()
    Account.objects.filter(user=alice).update(auto_memory=True, use_memory=False)
    say(alice, "我喜欢冥想时播放流水声", day(8, 20))
    say(alice, "冥想时放什么声音好？", day(8, 21))
    assert "流水声" not in llm.chats[-1].prompt


# Work that must not be lost.


def test_an_error_of_ours_is_told_and_leaves_the_job_to_be_seen(alice, monkeypatch):
    def broken(*_arguments, **_options):
        raise RuntimeError("boom")

    monkeypatch.setattr(reply, "recall", broken)
    turn = reply.post(alice, make_conversation(alice), "你好")
    with pytest.raises(RuntimeError):
        reply.answer(turn.pk)
    turn.refresh_from_db()
    assert (turn.status, turn.error) == ("failed", "internal")
    assert Job.objects.get(kind="reply").error == "RuntimeError"


def test_the_sweeper_knocks_for_what_nobody_works_on(alice, monkeypatch):
    knocked = []
    monkeypatch.setattr(jobs, "knock", lambda kind, turn_id: knocked.append((kind, turn_id)))
    turn = make_turn(make_conversation(alice), answer="", status="queued")
    Job.objects.create(kind="reply", key=f"turn:{turn.pk}", user=alice, turn=turn, due_at=day(1, 1))
    assert jobs.hand_out_lost() == 1
    assert knocked == [("reply", turn.pk)]


def test_a_worker_that_lost_its_claim_writes_nothing(alice):
    turn = make_turn(make_conversation(alice), answer="", status="queued")
    Job.objects.create(kind="reply", key=f"turn:{turn.pk}", user=alice, turn=turn)
    with jobs.claimed("reply", turn.pk) as job:
        Job.objects.filter(pk=job.pk).update(heartbeat_at=day(1, 1))
        with jobs.claimed("reply", turn.pk) as other:
            assert other is not None
        assert not jobs.beat(job)
    assert Job.objects.get().status == "done"
