"""The inspector: the list of memories, its filters, what a row says."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from chat.llm import tokens
from chat.memory import usage
from chat.memory.indexing import index_words
from chat.models import Account, Memory
from tests.factories import (
    believe,
    make_conversation,
    make_memory,
    make_recall,
    make_turn,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("asked", "texts"), [
    ("about=走神", {"数息时走神"}), ("about=冥想时的声音", {"静音", "喜欢水声"}), ("sure=70", {"静音"}), ("sure=unsure", {"早上"}),
    ("sure=90", set()), ("sure=nonsense&about=", {"数息时走神", "静音", "喜欢水声", "早上"}),
])  # fmt: skip
def test_the_list_is_filtered_by_what_it_is_about_and_how_sure_it_is(page, alice, asked, texts):
    sound, time = believe(alice, confidence=0.8), believe(alice, "habit.meditation_time", "早上", confidence=0.6)
    make_memory(alice, "静音", kind="entity", version=sound.versions.get(), labels=["冥想时的声音", "meditation sound"])
    make_memory(alice, "早上", kind="entity", version=time.versions.get(), labels=["打坐时间"])
    make_memory(alice, "喜欢水声", labels=["冥想时的声音"])
    make_memory(alice, "数息时走神", labels=["走神"])
    shown = page.get(reverse("memories") + f"?{asked}").text
    assert set(re.findall(r'<p class="row-text">(.*?)</p>', shown)) == texts
    assert "<option>打坐时间</option>" in shown


def test_a_row_leads_to_where_it_was_said_and_to_others_about_the_same(page, alice):
    turn = make_turn(make_conversation(alice))
    make_memory(alice, "走神", turns=(turn,), labels=["走神"])
    shown = page.get(reverse("memories")).text
    assert reverse("turn", args=[turn.pk]) in shown and "?about=%E8%B5%B0%E7%A5%9E" in shown


def test_the_tabs_say_how_many_there_are(page, alice, bob):
    for state in ("live", "live", "forgotten", "superseded"):
        make_memory(alice, "数息", state=state)
    make_memory(bob, "别人的")
    for name in ("memories", "forgotten", "probe"):
        shown = re.sub(r"\s+", " ", page.get(reverse(name)).text)
        assert re.search(r'记忆 <span class="count">2</span></a>', shown) and '已忘记 <span class="count">1</span></a>' in shown


def test_filters_are_all_in_the_address(page, alice):
    make_memory(alice, "周末去爬山", pinned=True)
    make_memory(alice, "膝盖疼", kind="summary")
    make_memory(alice, "旧事", state="forgotten")
    index_words(Memory.objects.values_list("pk", flat=True))
    text = page.get(reverse("memories") + "?q=爬山&pinned=on").text
    assert "周末去爬山" in text and "膝盖疼" not in text
    assert "膝盖疼" in page.get(reverse("memories") + "?kind=summary").text
    assert "旧事" in page.get(reverse("memories") + "?state=forgotten").text
    assert page.get(reverse("memories") + "?kind=nonsense&page=x&order=%00").status_code == 200
    assert "没有符合筛选的记忆" in page.get(reverse("memories") + "?q=没有这个").text


@pytest.mark.parametrize(
    ("asked", "text"),
    [("爬", "周末去爬山"), ("去爬山", "周末去爬山"), ("去登山", "周末去登山看日出"), ("爬山", "週末去爬山"), ("Medit", "I meditate at dawn"),
     ("meditati", "evening meditation"), ("run", "I was running"), ("2026", "2026年春天"), ("dawn 6", "at dawn, 6 o'clock"),
     ("CAFÉ", "在 café 坐着"), ("我们", "我们一起打坐"), ("、", "数息、观呼吸"), ("百分之50%", "走神百分之50%的时间")],
)  # fmt: skip
def test_a_part_of_what_is_said_finds_it(alice, asked, text):
    """The index of words chooses the rows; it must never lose one that has the words in it."""
    found, other = make_memory(alice, text), make_memory(alice, "别的事")
    index_words([found.pk, other.pk])
    assert list(Memory.objects.matching(alice, {"q": asked})) == [found]


@pytest.mark.parametrize(("at", "day"), [("2026-08-19T15:30Z", "2026-08-19"), ("2026-08-19T16:30Z", "2026-08-20")])
@pytest.mark.parametrize(("dated", "field"), [("happened", "occurred_at"), ("learned", "recorded_at"), ("used", "last_used_at")])
def test_days_end_at_the_readers_midnight(page, alice, at, day, dated, field):
    Account.objects.filter(user=alice).update(time_zone="Asia/Shanghai")
    make_memory(alice, "周末去爬山", **{field: at})
    for asked in ("2026-08-19", "2026-08-20"):
        text = page.get(reverse("memories"), {"dated": dated, "since": asked, "until": asked}).text
        assert ("周末去爬山" in text) == (asked == day)
    for nonsense in ("9999-12-31", "0001-01-01", "yesterday"):
        assert page.get(reverse("memories"), {"since": nonsense, "until": nonsense}).status_code == 200


def test_a_sentence_scores_the_memories_as_recall_would(page, alice):
    knee, other = make_memory(alice, "膝盖疼，不能双盘"), make_memory(alice, "周末去爬山")
    index_words([knee.pk, other.pk])
    text = page.get(reverse("memories"), {"ask": "膝盖疼怎么办"}).text
    assert "膝盖疼，不能双盘" in text and "周末去爬山" not in text
    total = re.search(r"([0-9. +−]+) = ([0-9.]+)</span>", text)
    parts = total[1].replace("−", "+ -").split("+")
    assert sum(round(100 * float(part.replace(" ", ""))) for part in parts) == round(100 * float(total[2]))


def test_a_row_says_what_it_costs_and_when_it_was_used(page, alice):
    Account.objects.filter(user=alice).update(time_zone="Asia/Shanghai")
    memory, now = make_memory(alice, "静坐半小时"), timezone.now()
    for days, decision in ((0, "used"), (0, "used"), (3, "used"), (3, "below_floor"), (40, "used")):
        turn = make_turn(make_conversation(alice), at=now - timedelta(days=days))
        make_recall(turn, (memory,)).items.update(decision=decision)
    text = page.get(reverse("memories")).text
    assert f"{tokens.count('静坐半小时')} token" in text
    assert 'aria-label="最近 30 天有 3 次回答用到"' in text
    assert 'd="M26.5 10v-5.0M29.5 10v-10.0"' in text  # three days ago half as often as today


@pytest.mark.parametrize(("at", "day"), [("2026-08-19T15:30Z", 0), ("2026-08-19T16:30Z", 1)])
def test_the_days_of_use_are_the_readers_own(alice, monkeypatch, at, day):
    memory = make_memory(alice)
    make_recall(make_turn(make_conversation(alice), at=at), (memory,))
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2026, 8, 20, 3, tzinfo=UTC))
    assert usage.uses_by_day([memory.pk], 2, ZoneInfo("Asia/Shanghai"))[memory.pk] == [1 - day, day]


def test_time_is_told_in_the_right_tense(page, alice):
    make_memory(alice, "共修", occurred_at=timezone.now() + timedelta(days=3))
    make_memory(alice, "爬山", occurred_at=timezone.now() - timedelta(days=3, minutes=1))
    text = re.sub(r"<.*?>", "", page.get(reverse("memories")).text)
    assert "定于 20" in text and "发生于 3 天前" in text
    Memory.objects.update(occurred_at=timezone.now())
    assert "发生于刚刚" in re.sub(r"<.*?>", "", page.get(reverse("memories")).text)


def test_the_most_certain_come_first(page, alice):
    for slot, value, sure in (("habit.wake_time", "六点", 0.7), ("profile.name", "林静", 1.0)):
        make_memory(alice, value, kind="entity", version=believe(alice, slot, value, confidence=sure).versions.get())
    make_memory(alice, "走神")  # nothing says how certain it is
    text = page.get(reverse("memories") + "?order=sure").text
    assert re.findall(r'<p class="row-text">(.*?)</p>', text) == ["林静", "六点", "走神"]
