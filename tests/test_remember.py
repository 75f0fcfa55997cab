"""What goes on after an answer: everything is remembered once, whoever runs it, however often and wherever it was killed."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from chat import remember
from chat.conversations import Exchange, add_history
from chat.llm.errors import LLMError
from chat.memory import compression, extraction, fragments, indexing, model_extraction, reading
from chat.models import Account, EntityVersion, Job, Memory, Tombstone, Turn
from tests.factories import make_conversation, make_turn
from tests.llm_server import Reply

pytestmark = pytest.mark.django_db

START = datetime(2026, 8, 20, 8, tzinfo=ZoneInfo("Asia/Shanghai"))
SAID = [
    ("你好，我昨天打坐坐到一半腿麻了，只好提前下座", "可以先垫高坐垫，让膝盖低于髋部。"),
    ("我每天早上六点打坐", "很好，固定时间容易养成习惯。"),
    ("上周三去医院检查了膝盖，医生说没有大碍", "那就放心，慢慢加时间。"),
    ("我养了一只橘猫叫豆豆，它总在我打坐时跳上来", "可以先让它在旁边睡着。"),
    ("昨晚失眠到两点，今天上班很累", "睡前可以做十分钟身体扫描。"),
    ("明天公司要开会，我有点紧张", "先做三次深呼吸。"),
    ("谢谢", "不客气。"),
]


@pytest.fixture
def talk(alice):
    """Seven imported turns that wait to be remembered."""
    conversation = make_conversation(alice)
    exchanges = [Exchange(text, answer, START + timedelta(minutes=place)) for place, (text, answer) in enumerate(SAID)]
    return add_history(conversation, exchanges).turns


def state(user) -> dict:
    """Everything that remembering made of a user, without ids and moments of writing."""
    memories = Memory.objects.filter(user=user).exclude(kind="entity")
    return {
        "memories": sorted((m.kind, m.level, m.text, m.state, m.importance, m.emotion) for m in memories),
        "sources": sorted((m.text, list(m.turns.order_by("at").values_list("text", flat=True))) for m in memories),
        "asserts": sorted((m.text, sorted(m.asserts.values_list("value", flat=True))) for m in memories),
        "beliefs": sorted(EntityVersion.objects.filter(entity__user=user).values_list("value", "status", "observations")),
        "turns": list(Turn.objects.filter(user=user).order_by("at").values_list("text", "emotion", "topic")),
        "places": sorted(Turn.objects.filter(user=user).placed(5).values_list("text", "place")),
        "vectors": Memory.objects.filter(user=user, state="live", space=None).count(),
    }


def remember_all(turns) -> None:
    for turn in turns:
        remember.remember(turn.pk)


def test_a_turn_leaves_fragments_with_their_sources_time_and_fingerprints(talk, alice):
    remember_all(talk)
    fragment = Memory.objects.get(user=alice, kind="fragment", text__contains="医院")
    assert list(fragment.turns.all()) == [talk[2]]
    assert fragment.occurred_at == datetime(2026, 8, 12, tzinfo=ZoneInfo("Asia/Shanghai"))
    assert fragment.fingerprint_entity and fragment.fingerprint_intent and fragment.fingerprint_hour
    assert 0 < fragment.importance < 1 and sum(fragment.intents.values()) == pytest.approx(1, abs=0.01)
    assert "腿麻" in fragment.context and fragment.embedding is not None and fragment.context_embedding is not None
    assert not Memory.objects.filter(user=alice, kind="fragment", text__contains="谢谢").exists()


def test_every_turn_is_in_a_summary_or_waiting(talk, alice):
    remember_all(talk)
    places = dict(Turn.objects.filter(user=alice).placed(5).values_list("text", "place"))
    assert set(places.values()) <= {"summary", "working", "waiting"}
    assert places[SAID[0][0]] == "summary"
    summary = Memory.objects.filter(user=alice, kind="summary", level=1).earliest("occurred_at")
    assert summary.turns.count() == 5 and "豆豆" in summary.text
    assert all(v.value in summary.text for v in EntityVersion.objects.filter(turn__in=summary.turns.all()).exclude(entity__category="last_query"))


def test_running_it_twice_changes_nothing(talk, alice):
    remember_all(talk)
    before = state(alice)
    Job.objects.update(status="waiting")
    remember_all(talk)
    assert state(alice) == before


def test_any_order_of_workers_gives_the_same(talk, alice, bob):
    remember_all(talk)
    conversation = make_conversation(bob)
    other = add_history(conversation, [Exchange(t, a, START + timedelta(minutes=n)) for n, (t, a) in enumerate(SAID)]).turns
    remember_all(reversed(other))
    mine, theirs = state(alice), state(bob)
    assert mine["memories"] == theirs["memories"] and mine["sources"] == theirs["sources"]


class Killed(BaseException):
    """As a kill: no handler of ours sees it."""


STEPS = [
    (extraction, "observe_turn"), (reading, "read"), (fragments, "keep"), (compression, "compress"), (indexing, "embed"),
]  # fmt: skip


@pytest.mark.parametrize(("module", "name"), STEPS, ids=[name for _module, name in STEPS])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_killed_at_any_step_and_run_again_gives_the_same_as_one_clean_run(talk, alice, bob, monkeypatch, module, name, after):
    clean = add_history(make_conversation(bob), [Exchange(t, a, START + timedelta(minutes=n)) for n, (t, a) in enumerate(SAID)]).turns
    remember_all(clean)
    whole = getattr(module, name)

    def killed(*arguments, **options):
        if after:
            whole(*arguments, **options)
        raise Killed

    for turn in talk:
        with monkeypatch.context() as patch:
            patch.setattr(module, name, killed)
            with pytest.raises(Killed):
                remember.remember(turn.pk)
        Job.objects.filter(turn=turn).update(heartbeat_at=timezone.now() - timedelta(hours=1))
        remember.remember(turn.pk)
    assert state(alice) == state(bob)


def test_the_models_failure_costs_no_other_step_and_the_job_comes_again(talk, alice, llm, monkeypatch):
    def fails(turn, account):
        raise LLMError("unreachable")

    monkeypatch.setattr(model_extraction, "extract", fails)
    with pytest.raises(LLMError):
        remember.remember(talk[0].pk)
    assert Memory.objects.filter(user=alice, kind="fragment", turns=talk[0], space__isnull=False).exists()
    assert Job.objects.get(turn=talk[0]).status == "waiting"


def test_what_was_erased_is_not_written_again(talk, alice):
    from chat.memory.actors import SYSTEM
    from chat.memory.erase import erase_memory

    remember_all(talk)
    erase_memory(Memory.objects.get(user=alice, kind="fragment", text__contains="医院"), SYSTEM)
    assert Tombstone.objects.filter(user=alice).exists()
    Job.objects.update(status="waiting")
    remember_all(talk)
    assert not Memory.objects.filter(user=alice, kind="fragment", text__contains="医院").exists()


def test_where_memory_is_off_nothing_is_remembered(alice):
    turn = make_turn(make_conversation(alice, memory="off"), "昨天打坐腿麻得不行")
    Job.objects.create(kind="remember", key=f"turn:{turn.pk}", user=alice, turn=turn)
    remember.remember(turn.pk)
    Account.objects.filter(user=alice).update(auto_memory=False)
    other = make_turn(make_conversation(alice), "昨天打坐腿麻得不行")
    Job.objects.create(kind="remember", key=f"turn:{other.pk}", user=alice, turn=other)
    remember.remember(other.pk)
    assert not Memory.objects.filter(user=alice).exists()


@pytest.mark.django_db(transaction=True)  # the look at what waits has a connection of its own
def test_the_models_reading_gives_way_to_an_answer_that_is_waited_for(alice, llm):
    conversation = make_conversation(alice)
    turn = make_turn(conversation, "我喜欢冥想时播放流水声")
    Job.objects.create(kind="remember", key=f"turn:{turn.pk}", user=alice, turn=turn)
    waiting = make_turn(conversation, "怎么数息？", answer="", status="queued")
    remember.remember(turn.pk)
    job = Job.objects.get(kind="remember")
    assert (job.status, job.attempts) == ("waiting", 0)
    assert not llm.requests or all(request.body.get("response_format") for request in llm.requests)
    waiting.status = "done"
    waiting.save()
    remember.remember(turn.pk)
    assert Job.objects.get(kind="remember").status == "done"


@pytest.mark.django_db(transaction=True)
def test_a_model_too_slow_to_read_is_left_to_staff(alice, llm, monkeypatch):
    monkeypatch.setattr(model_extraction, "SECONDS", 0.3)
    turn = make_turn(make_conversation(alice), "我喜欢冥想时播放流水声")
    Job.objects.create(kind="remember", key=f"turn:{turn.pk}", user=alice, turn=turn)
    llm.enqueue_structured(Reply(hang_after=0))
    remember.remember(turn.pk)
    job = Job.objects.get(kind="remember")
    assert (job.status, job.error) == ("dead", "timeout")
