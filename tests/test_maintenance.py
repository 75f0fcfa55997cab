"""The night's care: what it does, when it is due, and that killing it anywhere changes nothing in the end."""

import os
import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from chat import maintenance
from chat.evaluation import bench_maintain
from chat.llm.embeddings import embed_passages
from chat.memory import compression, curation, fading, measures, merging, pyramid, routes, themes
from chat.memory.actors import SYSTEM, Actor
from chat.memory.erase import erase_turn
from chat.memory.recall import recall
from chat.models import Account, EntityVersion, Job, Measure, Memory, Turn
from tests.factories import make_conversation, make_entity, make_memory, make_turn, make_user, make_version

pytestmark = pytest.mark.django_db

SHANGHAI = ZoneInfo("Asia/Shanghai")
START = datetime(2026, 8, 20, 8, tzinfo=SHANGHAI)
NOW = START + timedelta(days=2)


def fill(user) -> None:
    Account.objects.of(user)
    conversation = make_conversation(user)
    for number, text in enumerate(["我昨天打坐腿麻了", "我养了一只猫叫豆豆", "公司要裁员，我压力很大"]):
        make_turn(conversation, text, "慢慢来，先做三次深呼吸。", at=START + timedelta(minutes=number), observed_at=START)
    for text in ("打坐时腿麻", "打坐時腿麻", "膝盖换季就疼", "膝盖换季就疼。", "膝蓋換季就疼"):
        make_memory(user, text, occurred_at=START, recorded_at=START, clock_at=START)
    old = START - timedelta(days=200)
    make_memory(user, "路上堵车", importance=0.1, occurred_at=old, recorded_at=old, clock_at=old)
    make_memory(user, "丢掉的", state="forgotten", purge_at=START, occurred_at=old, clock_at=old)
    make_memory(user, "也丢掉的", state="forgotten", purge_at=START, occurred_at=old, clock_at=old)


def fill_for_every_step(user) -> None:
    fill(user)
    old = START - timedelta(days=200)
    told = make_turn(make_conversation(user), "我上个月开始吃素", "好。", at=START - timedelta(hours=3), observed_at=START, summarised_at=START)
    make_memory(user, "主题：吃肉", (told,), kind="summary", stale=True, occurred_at=told.at, recorded_at=told.at, clock_at=told.at)
    make_memory(user, "没有留下什么的一天", kind="summary", level=2, stale=True, occurred_at=old, recorded_at=old, clock_at=old)
    make_version(make_entity(user, "habit.wake_time"), "六点", status="pending", confidence=0.5, recorded_at=old, last_observed_at=old)


def state(user) -> dict:
    rows = Memory.objects.filter(user=user)
    return {
        "memories": sorted((m.kind, m.level, m.text, m.state, m.tier, m.stale) for m in rows),
        "children": sorted((m.text, sorted(m.children.values_list("text", flat=True))) for m in rows),
        "merged": sorted((m.text, m.merged_into.text, m.number) for m in rows if m.merged_into),
        "vectors": sorted((m.text, m.compared) for m in rows if m.embedding is not None),
        "sources": sorted((m.text, m.turns.count()) for m in rows),
        "places": sorted(Turn.objects.filter(user=user).placed(5).values_list("text", "place")),
        "beliefs": sorted(EntityVersion.objects.filter(entity__user=user).values_list("value", "status")),
        "measures": sorted(Measure.objects.filter(user=user).values_list("day", "name")),
    }


STEPS = [
    (maintenance, "compress_idle"), (compression, "summarise"), (pyramid, "rewrite_stale"), (pyramid, "rewrite"), (pyramid, "build"),
    (pyramid, "_put_together"), (pyramid, "_refill"), (themes, "renew"), (maintenance.indexing, "embed"), (maintenance.dedupe, "merge_repeats"),
    (merging, "merge"), (maintenance.dedupe, "mark_compared"), (themes, "link"), (themes, "mark_renewed"), (fading, "settle"), (fading, "fade"),
    (fading, "drop_unconfirmed"), (fading, "withdraw"), (fading, "purge"), (fading, "erase_memory"), (measures, "record_day"),
]  # fmt: skip


@pytest.fixture
def quick_vectors(monkeypatch):
    """The same texts are embedded for user after user: each once."""
    known: dict[str, object] = {}

    def embed(texts):
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, embed_passages(new), strict=True))
        return [known[text] for text in texts]

    monkeypatch.setattr(maintenance.indexing, "embed_passages", embed)


def killed_in(user, module, name: str, *, after: bool) -> int:
    """Care for the user in a process of its own that gets a kill -9 when it comes to the step, or right after the first thing
    that the step did. Returns the signal that ended it."""
    whole = getattr(module, name)

    def kill(*arguments, **options):
        if after:
            whole(*arguments, **options)
        os.kill(os.getpid(), signal.SIGKILL)

    connection.close()
    connection.close_pool()  # the child makes connections of its own
    child = os.fork()
    if child == 0:
        try:
            setattr(module, name, kill)
            maintenance.maintain(user.pk, NOW)
        finally:
            os._exit(0)
    return os.WTERMSIG(os.waitpid(child, 0)[1])


@pytest.mark.django_db(transaction=True)
def test_killed_at_any_step_and_run_again_gives_the_same_as_one_clean_run(bob, quick_vectors):
    fill_for_every_step(bob)
    done = maintenance.maintain(bob.pk, NOW)
    assert all(done[name] for name in ("summaries", "rewritten", "digests", "merged", "forgotten", "unconfirmed", "purged", "measured")), done
    clean = state(bob)
    for module, name in STEPS:
        user = make_user(name)
        fill_for_every_step(user)
        for after in (False, True):
            assert killed_in(user, module, name, after=after) == signal.SIGKILL, f"{name} never ran"
            Job.objects.filter(user=user).update(heartbeat_at=timezone.now() - timedelta(hours=1))
        maintenance.maintain(user.pk, NOW)
        assert state(user) == clean, name


def test_a_night_with_nothing_to_do_asks_little_and_does_nothing(alice, account, quick_vectors, django_assert_max_num_queries):
    fill(alice)
    maintenance.maintain(alice.pk, NOW)
    later = NOW + timedelta(days=3)
    maintenance.maintain(alice.pk, later)
    with django_assert_max_num_queries(12):
        assert not any(maintenance.maintain(alice.pk, later).values())


def test_a_second_run_finds_nothing_to_do(alice, account):
    fill(alice)
    done = maintenance.maintain(alice.pk, NOW)
    assert done["summaries"] == 1 and done["digests"] >= 1 and done["merged"] == 3 and done["forgotten"] == 1 and done["purged"] == 2
    before = state(alice)
    again = maintenance.maintain(alice.pk, NOW)
    assert state(alice) == before
    assert not any(again.get(name, 0) for name in ("summaries", "digests", "merged", "forgotten", "purged"))


def test_two_workers_do_not_maintain_one_user_at_once(alice, account):
    fill(alice)
    job = maintenance._claim(account)
    assert maintenance.maintain(alice.pk, NOW) == {}
    assert maintenance.jobs.beat(job)


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"])
def test_a_users_night_is_at_three_of_their_own_clock(alice, account, zone):
    Account.objects.filter(pk=account.pk).update(time_zone=zone)
    make_turn(make_conversation(alice))
    night = datetime(2027, 3, 14, 3, tzinfo=ZoneInfo(zone))
    Job.objects.create(kind="maintain", key=f"user:{alice.pk}", user=alice, status="done", finished_at=night.astimezone(UTC) - timedelta(hours=20))
    assert list(maintenance.due_users(night.astimezone(UTC) - timedelta(minutes=5))) == []
    assert list(maintenance.due_users(night.astimezone(UTC) + timedelta(minutes=5))) == [alice.pk]
    Job.objects.update(finished_at=night + timedelta(minutes=10))
    assert list(maintenance.due_users(night + timedelta(hours=5))) == []


def test_nights_give_way_and_one_that_fails_holds_up_nobody(alice, bob, charlie, monkeypatch):
    seen = []

    def care(user_id):
        seen.append(user_id)
        if user_id == alice.pk:
            raise ValueError
        Job.objects.create(kind="maintain", key=f"user:{user_id}", user_id=user_id, status="done", finished_at=timezone.now())

    monkeypatch.setattr(maintenance, "maintain", care)
    for user in (alice, bob, charlie):
        Account.objects.of(user)
        make_turn(make_conversation(user))
    last = maintenance.maintain_due(seconds=0)
    while last is not None:
        last = maintenance.maintain_due(last, seconds=0)
    assert seen == [alice.pk, bob.pk, charlie.pk]
    assert maintenance.maintain_due(seconds=60) is None
    assert seen[3:] == [alice.pk]


def test_a_talk_that_goes_on_during_maintenance_loses_nothing(alice, account, monkeypatch):
    fill(alice)
    conversation = make_conversation(alice)
    written = compression._written

    def meanwhile(turns, account):
        make_turn(conversation, "我刚买了新蒲团", "好。", at=NOW, observed_at=NOW)
        return written(turns, account)

    monkeypatch.setattr(compression, "_written", meanwhile)
    maintenance.maintain(alice.pk, NOW)
    assert Turn.objects.get(text="我刚买了新蒲团").summarised_at is None
    assert "lost" not in set(Turn.objects.filter(user=alice).placed(5).values_list("place", flat=True))


def test_a_turn_erased_while_its_summary_is_written_is_in_none(alice, account, monkeypatch):
    fill(alice)
    written = compression._written

    def meanwhile(turns, account):
        sheet = written(turns, account)
        erase_turn(Turn.objects.get(text__contains="豆豆"), SYSTEM)
        return sheet

    monkeypatch.setattr(compression, "_written", meanwhile)
    maintenance.maintain(alice.pk, NOW)
    monkeypatch.undo()
    maintenance.maintain(alice.pk, NOW)
    assert not Memory.objects.filter(user=alice, text__contains="豆豆").exists()
    assert set(Turn.objects.filter(user=alice).placed(5).values_list("place", flat=True)) == {"summary"}


def test_themes_grow_with_evidence_and_fade(alice, account):
    for day in range(5):
        at = START + timedelta(days=day)
        make_memory(alice, f"第{day + 1}次打坐又走神了", recorded_at=at, occurred_at=at, clock_at=at)
    themes.renew(account, START + timedelta(days=5))
    theme = Memory.objects.get(user=alice, kind="theme", data__key="走神")
    assert theme.data["days"] == 5 and 0 < theme.data["strength"] < 1 and "走神" in theme.text
    themes.renew(account, START + timedelta(days=40))
    later = Memory.objects.get(pk=theme.pk)
    assert later.data["strength"] < theme.data["strength"]
    themes.renew(account, START + timedelta(days=170))
    assert Memory.objects.get(pk=theme.pk).state == "forgotten"


def test_a_theme_is_a_word_and_never_what_the_cut_has_glued_together(alice, account):
    said = ["我要去打坐了", "我养的猫叫团子", "这是我的第一次闭关", "还有我妈也失眠", "I want to meditate"]
    for day in range(4):
        at = START + timedelta(days=day)
        for text in said:
            make_memory(alice, f"{text}{day}", recorded_at=at, occurred_at=at, clock_at=at)
    themes.renew(account, START + timedelta(days=5))
    assert set(Memory.objects.filter(user=alice, kind="theme").values_list("data__key", flat=True)) == {"打坐", "团子", "闭关", "我妈", "失眠", "meditate"}


def test_what_speaks_of_the_same_is_linked_comes_along_in_recall_and_is_shown(alice, account, client):
    """Has a cat ↔ buys this cat food: the question names neither the food nor where it was bought."""
    pet = make_memory(alice, "宠物：橘猫豆豆", kind="entity", version=make_version(make_entity(alice, "profile.pet"), "橘猫豆豆"), labels=["宠物"])
    food = make_memory(alice, "豆豆的口粮换成了鸡肉味的")
    other = make_memory(alice, "公司楼下在修路")
    maintenance.indexing.index_words([pet.pk, food.pk, other.pk])
    assert themes.link(account) == 1 and themes.link(account) == 0
    assert routes.neighbours([pet.pk]) == {pet.pk: [food.pk]} and routes.neighbours([food.pk]) == {food.pk: [pet.pk]}
    found = recall(alice, "我养了什么宠物？", at=timezone.now(), without={"vector", "hop"})
    assert food.pk in {item.memory_id for item in (*found.items, *found.cut)} and other.pk not in {i.memory_id for i in found.items}
    client.force_login(alice)
    assert "鸡肉味" in client.get(reverse("memory", args=[pet.pk])).content.decode()


def test_a_theme_that_the_user_forgot_does_not_come_back(alice, account):
    for day in range(4):
        at = START + timedelta(days=day)
        make_memory(alice, f"第{day + 1}次打坐又走神了", recorded_at=at, occurred_at=at, clock_at=at)
    themes.renew(account, NOW)
    curation.forget(Memory.objects.get(kind="theme", data__key="走神"), Actor.person(alice))
    themes.renew(account, NOW + timedelta(days=7))
    assert not Memory.objects.live().filter(kind="theme", data__key="走神").exists()


def test_the_command_maintains_one_user_or_all_and_names_what_it_did(alice, bob, capsys):
    fill(alice)
    call_command("maintain", user="alice")
    assert "alice" in capsys.readouterr().out and Memory.objects.filter(user=alice, kind="summary").exists()
    call_command("maintain")
    assert "bob" in capsys.readouterr().out


def test_measures_hold_numbers_only_and_can_be_summed(alice, account):
    fill(alice)
    day = timezone.now().astimezone(SHANGHAI).date()
    measures.record_day(account, day)
    measures.record_day(account, day)
    found = measures.by_day(alice, 7)
    assert set(found["days"]) == {day.isoformat()}
    assert all(isinstance(value, float) for value in found["total"].values())
    assert measures.by_day(alice, 7)["total"]["conflicts_found"] == 0


@pytest.mark.parametrize(
    ("zone", "last", "first", "month"),
    [
        ("Asia/Kathmandu", (2028, 2, 29, 23, 50), (2028, 3, 1, 0, 10), (2028, 2)),  # a leap day, five and three quarter hours
        ("Australia/Lord_Howe", (2026, 10, 3, 23, 50), (2026, 10, 4, 3, 0), (2026, 10)),  # half an hour is skipped in that night
        ("America/New_York", (2026, 11, 1, 1, 30), (2026, 11, 2, 0, 10), (2026, 11)),  # an hour comes twice
    ],
)  # fmt: skip
def test_days_and_months_are_those_of_the_users_own_calendar(alice, account, quick_vectors, zone, last, first, month):
    Account.objects.filter(pk=account.pk).update(time_zone=zone)
    here = ZoneInfo(zone)
    evening, morning = datetime(*last, tzinfo=here), datetime(*first, tzinfo=here)
    for at, text in ((evening, "打坐腿麻，坐了二十分钟"), (morning, "早起念佛，念了三百声")):
        make_turn(make_conversation(alice), text, "好。", at=at, observed_at=at)
    maintenance.maintain(alice.pk, morning + timedelta(days=70))
    days = Memory.objects.filter(user=alice, level=2).order_by("occurred_at")
    assert [memory.occurred_at.astimezone(here).date() for memory in days] == [evening.date(), morning.date()]
    for memory in days:
        start, end = (moment.astimezone(here) for moment in (memory.occurred_at, memory.occurred_to))
        assert (start.hour, end.hour, end.date() - start.date()) == (0, 0, timedelta(days=1))
    months = [memory.occurred_at.astimezone(here) for memory in Memory.objects.filter(user=alice, level=3).order_by("occurred_at")]
    assert [(months[0].year, months[0].month), len(months)] == [month, len({evening.month, morning.month})]


def test_a_clock_that_was_set_back_loses_nothing(alice, account, quick_vectors):
    fill(alice)
    maintenance.maintain(alice.pk, START - timedelta(days=400))
    assert "lost" not in set(Turn.objects.filter(user=alice).placed(5).values_list("place", flat=True))
    assert Memory.objects.filter(user=alice, text="打坐时腿麻").exists()
    maintenance.maintain(alice.pk, NOW)
    assert set(Turn.objects.filter(user=alice).placed(5).values_list("place", flat=True)) == {"summary"}
    assert Memory.objects.filter(user=alice, level=2).count() == 1


def test_the_bench_tells_how_far_it_is_and_leaves_no_row(monkeypatch, capsys):
    monkeypatch.setattr(bench_maintain, "MEMORIES", 12)
    monkeypatch.setattr(bench_maintain, "REPEATS", 2)
    before = User.objects.count(), Memory.objects.count()
    result = bench_maintain.run(Path(), {"users": 2})
    assert (User.objects.count(), Memory.objects.count()) == before
    assert result.cases == 2 and result.metrics["seconds_first"] > 0
    assert "2 of 2 users" in capsys.readouterr().err
