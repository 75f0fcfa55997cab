"""Nothing acknowledged is lost: processes are killed at the worst moment, and afterwards everything is there, once."""

import json
import os
import signal
import urllib.request
from datetime import timedelta

import pytest
import redis
from django.utils import timezone

from chat import jobs, remember, reply
from chat.models import EntityVersion, Job, Memory, Recall, Turn
from memoryapp import embedded, processes
from memoryapp.children import Child
from tests.factories import make_conversation, make_token, make_turn
from tests.llm_server import Reply
from tests.running import Site, Workers, environment, wait_until

SAID = "我喜欢冥想时播放流水声。上周六下着雨，我带女儿去灵隐寺，在殿外听了一下午的诵经。"
ANSWER = "雨天听诵经，心容易静下来；回家静坐时放流水声也合适。"

pytestmark = [pytest.mark.workers, pytest.mark.django_db(transaction=True)]


def let_time_pass() -> None:
    """As if an hour went by: workers that were killed count as dead, messages that got lost as overdue."""
    hour = timedelta(hours=1)
    Job.objects.filter(status=Job.Status.RUNNING).update(heartbeat_at=timezone.now() - hour)
    Job.objects.filter(status=Job.Status.WAITING).update(due_at=timezone.now() - hour)


def sweep_until_done(kind: str) -> None:
    let_time_pass()
    jobs.hand_out_lost()
    wait_until(lambda: not Job.objects.filter(kind=kind).exclude(status=Job.Status.DONE).exists(), 60, f"{kind} done")


def assert_answered_once(turn: Turn, answer: str) -> None:
    turn.refresh_from_db()
    assert (turn.status, turn.text, turn.error) == (Turn.Status.DONE, SAID, "")
    assert turn.answer == answer
    assert Turn.objects.count() == 1
    assert Recall.objects.filter(turn=turn).count() == 1
    sounds = EntityVersion.objects.filter(entity__attribute="meditation_sound")
    assert [(version.status, version.observations) for version in sounds] == [("current", 1)]
    assert len({(notice.kind, notice.text) for notice in turn.notices.all()}) == turn.notices.count()


def assert_remembered_once(turn: Turn) -> None:
    texts = list(Memory.objects.filter(user=turn.user).values_list("kind", "text"))
    assert len(texts) == len(set(texts)), texts
    assert Memory.objects.live().filter(turns=turn, kind=Memory.Kind.FRAGMENT).exists()
    assert not Memory.objects.live().filter(embedding=None).exists()


def test_a_queue_that_is_emptied_and_a_reply_worker_killed_in_mid_answer(llm, workers, alice, settings):
    llm.enqueue(Reply(ANSWER, hang_after=3), ANSWER)
    turn = reply.post(alice, make_conversation(alice), SAID)
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        assert client.llen("reply") == 1
        client.flushdb()
    let_time_pass()
    jobs.hand_out_lost()

    workers.start("reply")
    llm.wait_for_requests(1)
    wait_until(lambda: Turn.objects.filter(pk=turn.pk, status=Turn.Status.RUNNING).exists(), what="the answer begins")
    workers.kill("reply")
    turn.refresh_from_db()
    assert turn.status == Turn.Status.RUNNING

    workers.start("reply")
    sweep_until_done(Job.Kind.REPLY)
    assert_answered_once(turn, ANSWER)


def test_a_memory_worker_killed_while_its_child_remembers(llm, workers, alice):
    """Its pool's process outlives it for a while and goes on with the job, beside the one that takes it over."""
    llm.structured_default = Reply('{"facts": []}', hang_after=0)
    turn = make_turn(make_conversation(alice), SAID, ANSWER)
    remember.enqueue([turn])
    workers.start("memory")
    llm.wait_for_requests(1)
    workers.kill_parent("memory")

    llm.release()
    workers.start("memory")
    sweep_until_done(Job.Kind.REMEMBER)
    assert_remembered_once(turn)


@pytest.fixture
def own_valkey(tmp_path, settings):
    """A Valkey of this test alone, since it is to be killed. What it held is gone then."""
    (tmp_path / "logs").mkdir()
    server = embedded.valkey(tmp_path, lasting=False)
    server.child.start()
    wait_until(lambda: answers(server), 20, "valkey")
    settings.REDIS_URL = server.url
    yield server
    server.child.stop()


def answers(server) -> bool:
    try:
        return bool(server.ping())
    except redis.RedisError:
        return False


def test_valkey_and_the_site_killed_in_mid_answer(llm, own_valkey, transactional_db, alice, tmp_path):
    llm.enqueue(Reply(ANSWER, hang_after=3))
    site, workers = Site(tmp_path), Workers(tmp_path)
    beat = Child("beat", processes.beat(str(tmp_path / "schedule")), tmp_path / "beat.log", environment())
    try:
        site.start()
        workers.start()
        turn = post_over_http(site, make_token(alice), make_conversation(alice).pk)
        llm.wait_for_requests(1)
        os.kill(own_valkey.child.process.pid, signal.SIGKILL)
        own_valkey.child.process.wait()
        site.kill()
        llm.release()
        wait_until(lambda: Turn.objects.get(pk=turn.pk).status == Turn.Status.DONE, 60, "the answer is finished without it")
        assert_answered_once(turn, ANSWER)

        own_valkey.child.start()
        wait_until(lambda: answers(own_valkey), 20, "valkey again")
        assert Job.objects.filter(kind="remember").exclude(status="done").exists()
        let_time_pass()
        beat.start()
        wait_until(lambda: not Job.objects.exclude(status="done").exists(), 120, "the sweeper finds what got lost")
        assert_remembered_once(turn)
    finally:
        beat.stop()
        workers.stop()
        site.stop()


def post_over_http(site: Site, token: str, conversation_id: int) -> Turn:
    """Post and return as soon as the answer begins to stream."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    body = json.dumps({"text": SAID, "stream": True}).encode()
    request = urllib.request.Request(f"{site.url}/api/conversations/{conversation_id}/turns", body, headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        answer.readline()
    return Turn.objects.get()
