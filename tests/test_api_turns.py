"""Saying something over the API: waiting for the answer, streaming it, stopping it, looking into it."""

import time

import httpx
import pytest
from django.conf import settings

from chat import jobs, reply, streams
from chat.models import Job, Turn
from tests.api_client import Caller, events, problem, streamed
from tests.factories import (
    make_conflict,
    make_conversation,
    make_memory,
    make_notice,
    make_recall,
    make_token,
    make_turn,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def caller(alice):
    return Caller(alice)


def test_a_waiting_call_brings_the_whole_answer(alice, caller, worker_thread):
    talk = make_conversation(alice)
    caller.post(
        f"/conversations/{talk.pk}/turns", {"text": "我喜欢冥想时播放流水声", "at": "2026-08-20T08:00:00+08:00"}
    )
    caller.post(f"/conversations/{talk.pk}/turns", {"text": "以后冥想请保持静音", "at": "2026-08-26T08:00:00+08:00"})
    response = caller.post(
        f"/conversations/{talk.pk}/turns", {"text": "推荐一段适合冥想的背景音乐。", "at": "2026-08-26T08:05:00+08:00"}
    )
    assert response.status_code == 201, response.content
    turn = response.json()
    assert turn["status"] == "done"
    assert "静音" in turn["answer"]
    told = "".join(notice["text"] for notice in turn["notices"])
    assert "流水声" in told and "静音" in told
    assert ("流水声", "静音") in {(each["old"]["value"], each["new"]["value"]) for each in turn["conflicts"]}
    assert turn["recall"]["items"]
    assert all(
        sum(item["parts"].values()) == pytest.approx(item["score"], abs=1e-6) for item in turn["recall"]["items"]
    )
    assert turn["recall"]["sections"]
    assert turn["timings_ms"]


def test_waiting_for_the_memory_means_that_it_is_there(alice, caller, worker_thread):
    talk = make_conversation(alice)
    response = caller.post(f"/conversations/{talk.pk}/turns?wait=remember", {"text": "昨天打坐时膝盖疼得厉害"})
    turn = response.json()
    assert (response.status_code, turn["remembered"]) == (201, True)
    assert Job.objects.get(kind="remember", turn=turn["id"]).status == "done"


def test_an_answer_that_takes_too_long_goes_on_without_the_caller(alice, caller):
    talk = make_conversation(alice)
    started = time.monotonic()
    response = caller.post(f"/conversations/{talk.pk}/turns?timeout=0.3", {"text": "你好"})
    assert response.status_code == 202
    assert response.json()["status"] == "queued"
    assert time.monotonic() - started < 5
    assert Job.objects.get(kind="reply").status == "waiting"


def test_a_failed_answer_says_why_and_can_be_tried_again(alice, caller, llm, worker_thread):
    talk = make_conversation(alice)
    turn = make_turn(talk, "腿麻怎么办", "", status="failed", error="timeout")
    shown = caller.get(f"/turns/{turn.pk}").json()
    assert shown["error"]["code"] == "timeout"
    assert shown["error"]["message"]

    llm.enqueue("先放松。")
    again = caller.post(f"/turns/{turn.pk}/retry")
    assert again.status_code == 201
    assert (again.json()["attempt"], again.json()["error"]) == (2, None)


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "empty_text"), (" \n", "empty_text"), ("好" * 100_000, "too_long"), ("a\x00", "bad_characters")],
)
def test_what_cannot_be_a_message_is_refused(alice, caller, text, code):
    problem(caller.post(f"/conversations/{make_conversation(alice).pk}/turns", {"text": text}), 422, code)
    assert not Turn.objects.exists()


@pytest.mark.parametrize(
    "body",
    [{}, {"text": 5}, {"text": None}, {"text": ["a"]}, {"text": "a", "at": "2026-08-20"}, {"text": "a", "at": "2026-08-20T08:00:00"},
     {"text": "a", "at": "0001-01-01T00:00:00Z"}, {"text": "a", "at": 1e300}, {"text": "a", "stream": "maybe"}, {"text": "a", "txt": "b"}],
)  # fmt: skip
def test_a_body_of_the_wrong_shape_is_refused(alice, caller, body):
    problem(caller.post(f"/conversations/{make_conversation(alice).pk}/turns", body), 422, "invalid")
    assert not Turn.objects.exists()


@pytest.mark.parametrize(
    "query", ["timeout=0", "timeout=-1", "timeout=601", "timeout=nan", "timeout=x", "wait=forever"]
)
def test_a_wait_without_sense_is_refused(alice, caller, query):
    problem(caller.post(f"/conversations/{make_conversation(alice).pk}/turns?{query}", {"text": "好"}), 422, "invalid")


def test_the_same_key_twice_is_one_turn(alice, caller):
    path = f"/conversations/{make_conversation(alice).pk}/turns?wait=none"
    first = caller.post(path, {"text": "你好"}, **{"Idempotency-Key": "k1"}).json()
    second = caller.post(path, {"text": "你好"}, **{"Idempotency-Key": "k1"}).json()
    assert first["id"] == second["id"]
    assert Turn.objects.count() == 1


def test_the_moment_given_is_the_moment_kept(alice, caller):
    path = f"/conversations/{make_conversation(alice).pk}/turns?wait=none"
    turn = caller.post(path, {"text": "你好", "at": "2024-02-29T23:30:00+08:00"}).json()
    assert Turn.objects.get(pk=turn["id"]).at.isoformat() == "2024-02-29T15:30:00+00:00"


# Streams.


def publish_answer(turn: Turn) -> None:
    streams.publish(turn, "recall", {"used": 0, "considered": 0, "took_ms": 1})
    for piece in ("先", "放松", "。\n\ndata: x"):
        streams.publish(turn, "token", {"text": piece})
    Turn.objects.filter(pk=turn.pk).update(status="done", answer="先放松。\n\ndata: x")
    streams.publish(turn, "final", {"turn_id": turn.pk, "answer": "先放松。\n\ndata: x"})
    streams.publish(turn, "done", {"status": "done"})


def test_the_stream_replays_and_resumes(alice, caller):
    turn = make_turn(make_conversation(alice), "腿麻", "", status="running")
    publish_answer(turn)
    response = caller.get(f"/turns/{turn.pk}/stream")
    assert response["Content-Type"] == "text/event-stream; charset=utf-8"
    assert response["X-Accel-Buffering"] == "no"
    assert "no-cache" in response["Cache-Control"]
    found = events(streamed(response))
    assert [name for _id, name, _data in found] == ["recall", "token", "token", "token", "final", "done"]
    assert found[3][2] == {"text": "。\n\ndata: x"}

    resumed = Caller(alice, last_event_id=found[2][0]).get(f"/turns/{turn.pk}/stream")
    assert events(streamed(resumed)) == found[3:]


@pytest.mark.parametrize("last", ["nonsense", "0-0'; --", "9" * 400, "-", "💧"])
def test_a_wrong_resume_mark_replays_everything(alice, last):
    turn = make_turn(make_conversation(alice), "腿麻", "", status="running")
    publish_answer(turn)
    response = Caller(alice, last_event_id=last).get(f"/turns/{turn.pk}/stream")
    assert len(events(streamed(response))) == 6


def test_a_stream_that_redis_lost_ends_with_the_stored_answer(alice, caller):
    turn = make_turn(make_conversation(alice), "腿麻", "放松。")
    found = events(streamed(caller.get(f"/turns/{turn.pk}/stream")))
    assert [name for _id, name, _data in found] == ["final", "done"]
    assert found[0][2]["answer"] == "放松。"


def test_a_quiet_stream_is_kept_open_by_a_comment(alice, caller, monkeypatch):
    monkeypatch.setattr("chat.api.sse.HEARTBEAT_SECONDS", 0.1)
    turn = make_turn(make_conversation(alice), "腿麻", "", status="running")
    quiet = []

    def answer_after_the_second_comment(part: str) -> None:
        quiet.append(": still here" in part)
        if sum(quiet) == 2 and quiet[-1]:
            publish_answer(turn)

    text = streamed(caller.get(f"/turns/{turn.pk}/stream"), answer_after_the_second_comment)
    assert [name for _id, name, _data in events(text)][-1] == "done"


def test_posting_with_stream_answers_with_the_events(alice, caller, worker_thread):
    response = caller.post(
        f"/conversations/{make_conversation(alice).pk}/turns", {"text": "腿麻怎么办", "stream": True}
    )
    assert response["Content-Type"].startswith("text/event-stream")
    found = events(streamed(response))
    names = [name for _id, name, _data in found]
    assert names[0] == "recall"
    assert names[-2:] == ["final", "done"]
    assert all(event_id for event_id, _name, _data in found)
    tokens = "".join(data["text"] for _id, name, data in found if name == "token")
    assert found[-2][2]["answer"].startswith(tokens)


def test_open_streams_hold_no_database_connection(alice, live_site):
    """More readers than the pool has connections, all waiting for answers that nobody gives, and the site still answers."""
    token = make_token(alice)
    turn = make_turn(make_conversation(alice), "腿麻", "", status="running")
    pool = settings.DATABASES["default"]["OPTIONS"]["pool"]["max_size"]
    limits = httpx.Limits(max_connections=100)
    with httpx.Client(
        base_url=live_site.url, headers={"authorization": f"Bearer {token}"}, limits=limits, timeout=20
    ) as client:
        requests = [client.build_request("GET", f"/api/turns/{turn.pk}/stream") for _ in range(pool + 8)]
        readers = [client.send(request, stream=True) for request in requests]
        assert {reader.status_code for reader in readers} == {200}
        firsts = [next(reader.iter_raw()) for reader in readers]
        assert all(first.startswith(b"retry") for first in firsts)
        assert client.get("/api/settings").status_code == 200
        for reader in readers:
            reader.close()


# Looking into a turn.


def test_the_recall_of_an_answer_as_it_was(alice, caller):
    turn = make_turn(make_conversation(alice))
    source = make_turn(turn.conversation, "膝盖疼")
    memory = make_memory(alice, "膝盖疼", (source,))
    recall = make_recall(turn, (memory,), sections={"memories": {"tokens": 12, "ceiling": 1500, "dropped": 0}})
    recall.items.create(
        rank=2, text="别的", kind="fragment", decision="below_floor", score=0.1, parts={"semantic": 0.1}
    )
    shown = caller.get(f"/turns/{turn.pk}/recall").json()
    assert [(item["id"], item["turn_ids"]) for item in shown["items"]] == [(memory.pk, [source.pk])]
    assert [item["decision"] for item in shown["cut"]] == ["below_floor"]
    assert shown["sections"]["memories"]["tokens"] == 12
    problem(caller.get(f"/turns/{source.pk}/recall"), 404, "no_recall")


def test_a_turn_with_much_behind_it_takes_a_fixed_number_of_queries(alice, caller, django_assert_max_num_queries):
    turn = make_turn(make_conversation(alice))
    memories = tuple(make_memory(alice, f"片段{number}", (turn,)) for number in range(20))
    make_recall(turn, memories)
    make_notice(turn, conflict=make_conflict(alice, turn=turn))
    caller.get("/settings")
    with django_assert_max_num_queries(12):
        shown = caller.get(f"/turns/{turn.pk}").json()
    assert len(shown["recall"]["items"]) == 20
    assert len(shown["conflicts"]) == 1
    assert "keep_new" in shown["notices"][0]["decisions"]


def test_stopping_keeps_what_was_said(alice, caller):
    turn = make_turn(make_conversation(alice), "腿麻", "", status="running")
    assert caller.post(f"/turns/{turn.pk}/stop").status_code == 200
    turn.refresh_from_db()
    assert turn.stop_requested
    assert streams.stop_requested(turn)


def test_the_jobs_of_a_turn_are_named_after_it(alice):
    turn = reply.post(alice, make_conversation(alice), "你好")
    assert Job.objects.get().key == jobs.key_of(turn.pk)
