"""What fades, what is offered again, and when the bin is emptied."""

import itertools
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from chat import maintenance
from chat.memory import curation, fading, merging, offers, retention
from chat.memory.actors import Actor
from chat.memory.erase import erase_all
from chat.models import Memory
from tests.factories import make_conversation, make_entity, make_memory, make_turn, make_version

pytestmark = pytest.mark.django_db

SHANGHAI = ZoneInfo("Asia/Shanghai")
START = datetime(2026, 8, 20, 8, tzinfo=SHANGHAI)
NOW = START + timedelta(days=2)


def test_what_fades_is_forgotten_and_nothing_else_changes(alice, account):
    old = NOW - timedelta(days=200)
    life = {"recorded_at": old, "clock_at": old, "occurred_at": old}
    small = make_memory(alice, "路上堵车", importance=0.1, **life)
    pinned = make_memory(alice, "路上捡到钱", importance=0.1, pinned=True, **life)
    matters = make_memory(alice, "外婆去世", importance=0.8, **life)
    used = make_memory(alice, "午饭吃面", importance=0.1, use_count=3, **life)
    before = {m.pk: m.start_weight for m in Memory.objects.all()}
    fading.fade(account, NOW)
    assert set(Memory.objects.forgotten()) == {small}
    assert set(Memory.objects.live()) == {pinned, matters, used}
    assert {m.pk: m.start_weight for m in Memory.objects.all()} == before


def test_all_that_may_be_forgotten_is_looked_at(alice):
    """The rows that the database picks hold every one that the weight says is gone."""
    grid = itertools.product(("normal", "identity", "command"), (0.1, 0.3, 0.31, 0.5), (0, 1), (1.0, 0.8, 0.06), (0.0, -90.0, 15.0), (1, 88, 91, 400, 4000))
    lives = [
        Memory(user=alice, kind="fragment", text="路上", decay=decay, importance=importance, use_count=uses, start_weight=start,
               extra_days=extra, clock_at=NOW - timedelta(days=age), due_at=NOW - timedelta(days=2) if decay == "command" else None)
        for decay, importance, uses, start, extra, age in grid
    ]  # fmt: skip
    Memory.objects.bulk_create(lives)
    gone = {memory.pk for memory in lives if retention.is_forgotten(memory, NOW)}
    looked_at = set(Memory.objects.perhaps_faded(NOW).values_list("pk", flat=True))
    assert gone and gone <= looked_at and len(looked_at) < len(lives)


def test_what_is_fetched_back_after_being_called_useless_stays(alice, account):
    memory = make_memory(alice, "路上堵车", importance=0.1)
    for _again in range(7):
        curation.mark_useless(memory, Actor.person(alice))
    curation.forget(memory, Actor.person(alice))
    curation.restore(memory, Actor.person(alice))
    assert fading.fade(account, timezone.now())["forgotten"] == 0
    assert curation.mark_useful(memory, Actor.person(alice)).start_weight == pytest.approx(0.8, abs=0.01)


def test_an_account_with_merged_memories_can_be_erased(alice, account):
    one, other = make_memory(alice, "打坐时腿麻"), make_memory(alice, "打坐時腿麻")
    merging.merge(alice, merging.Merging([one.pk], other.pk, "打坐时腿麻"), Actor.person(alice))
    erase_all(alice, Actor.person(alice))
    assert not Memory.objects.exists()


def test_the_bin_is_emptied_in_time_and_not_before(alice, account):
    gone = make_memory(alice, "一", state="forgotten", purge_at=NOW - timedelta(minutes=1))
    kept = make_memory(alice, "二", state="forgotten", purge_at=NOW + timedelta(days=1))
    ignored = make_memory(alice, "三", state="forgotten", forgotten_by="decay", offered_at=NOW - timedelta(hours=73))
    offered = make_memory(alice, "四", state="forgotten", forgotten_by="decay", offered_at=NOW - timedelta(hours=71))
    assert fading.purge(account, NOW) == 2
    assert set(Memory.objects.all()) == {kept, offered}
    assert not {gone.pk, ignored.pk} & set(Memory.objects.values_list("pk", flat=True))


def test_a_faded_memory_is_offered_once_and_vaguely(alice):
    faded = make_memory(alice, "去年在青城山住过一个月，每天练站桩", state="forgotten", forgotten_by="decay", labels=["站桩"])
    by_hand = make_memory(alice, "青城山站桩时和人吵架", state="forgotten", forgotten_by="user")
    maintenance.indexing.index_words([faded.pk, by_hand.pk])
    assert offers.offer(alice, "今天中午吃什么好？", NOW) is None
    assert offers.offer(alice, "在青城山站桩是怎么练的？", NOW) == faded
    assert offers.offer(alice, "在青城山站桩是怎么练的？", NOW) is None
    said = offers.in_words(faded, "在哪里站桩？", "zh")
    assert "站桩" in said and "青城山" not in said


def test_common_words_are_no_reason_for_an_offer(alice):
    faded = make_memory(alice, "每天早上打坐20分钟，楼上在装修", state="forgotten", forgotten_by="decay")
    maintenance.indexing.index_words([faded.pk])
    assert offers.offer(alice, "早上打坐20分钟和晚上打坐有什么区别？", NOW) is None
    assert offers.offer(alice, "楼上装修的时候怎么打坐？", NOW) == faded
    faded.refresh_from_db()
    assert "装修" in offers.in_words(faded, "楼上装修的时候怎么打坐？", "zh")


def test_a_belief_that_nobody_confirmed_is_dropped(alice, account):
    entity = make_entity(alice, "habit.wake_time")
    old = NOW - timedelta(days=31)
    late = make_version(entity, "六点", status="pending", confidence=0.5, recorded_at=old, last_observed_at=old)
    fresh = make_version(entity, "七点", status="pending", confidence=0.5, recorded_at=NOW, last_observed_at=NOW)
    assert fading.drop_unconfirmed(account, NOW) == 1
    late.refresh_from_db()
    fresh.refresh_from_db()
    assert (late.status, fresh.status) == ("rejected", "pending")


def test_after_a_month_a_day_holds_its_small_things_and_what_matters_keeps_its_row(alice, account):
    conversation = make_conversation(alice)
    turns = [make_turn(conversation, f"今天打坐{n}0分钟，外面下雨", "好。", at=START + timedelta(minutes=n), observed_at=START) for n in (1, 2)]
    small = make_memory(alice, "外面下雨", (turns[0],), importance=0.4, recorded_at=START, clock_at=START)
    matters = make_memory(alice, "奶奶去世了", (turns[1],), importance=0.8, recorded_at=START, clock_at=START)
    maintenance.maintain(alice.pk, START + timedelta(days=1))
    assert Memory.objects.get(pk=small.pk).state == "live"
    maintenance.maintain(alice.pk, START + timedelta(days=32))
    small.refresh_from_db()
    matters.refresh_from_db()
    assert (small.state, matters.state, matters.tier) == ("superseded", "live", "long_term")
    assert small in Memory.objects.get(user=alice, level=2).children.all()
