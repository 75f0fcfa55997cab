"""What the memory costs, drawn: the numbers in picture, table and file are those of the rows."""

import csv
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from chat.models import Account, Turn
from chat.views.charts import Chart, Series, round_up
from tests.factories import make_conversation, make_memory, make_recall, make_turn

pytestmark = pytest.mark.django_db


def table(answer) -> list[list[str]]:
    return list(csv.reader(answer.text.lstrip("\ufeff").splitlines()))


def test_tokens_by_day_are_means_over_the_answers(page, alice):
    Account.objects.filter(user=alice).update(time_zone="Asia/Shanghai")
    for tokens in (100, 300):
        turn = make_turn(make_conversation(alice))
        memory = make_memory(alice)
        found = make_recall(turn, (memory,), sections={"memories": {"tokens": tokens, "ceiling": 1500}, "system": {"tokens": 50, "ceiling": 500}})
        found.items.update(decision="over_budget")
    old = make_turn(make_conversation(alice), at=timezone.now() - timedelta(days=31))
    make_recall(old, sections={"memories": {"tokens": 9999, "ceiling": 1500}})
    head, *rows = table(page.get(reverse("usage"), {"csv": "tokens"}))
    assert (head[1], head[4]) == ("规则", "记忆")
    assert [(row[1], row[4]) for row in rows] == [("50", "200")]
    assert table(page.get(reverse("usage"), {"csv": "cut"}))[-1][1:] == ["2", "2"]
    text = page.get(reverse("usage")).text
    assert "350 / 2000 token" in text and "18%" in text


def test_moods_are_counted_by_week(page, alice):
    talk = make_conversation(alice)
    for emotion in ("happy", "happy", "angry", "neutral"):
        make_turn(talk, emotion=emotion, observed_at=timezone.now())
    Turn.objects.filter(emotion="neutral").update(at=timezone.now() - timedelta(weeks=3))
    head, row = table(page.get(reverse("usage"), {"csv": "moods"}))
    assert dict(zip(head[1:], row[1:], strict=True)) == {"开心": "2", "平静": "", "难过": "", "焦虑": "", "生气": "1"}


def test_an_empty_account_has_empty_charts_and_no_such_chart_is_none(page):
    assert page.get(reverse("usage")).text.count("还没有可画的内容") == 4
    assert page.get(reverse("usage"), {"csv": "nothing"}).status_code == 404


def test_bars_stand_on_each_other_and_fill_the_scale():
    chart = Chart("c", "C", ["a", "b"], [Series("x", [4, None], "x"), Series("y", [6, 5], "y")], stacked=True)
    heights = {(bar["css"], bar["x"]): float(bar["height"]) for bar in chart.bars}
    assert chart.highest == 10 and sorted(heights.values()) == [40.0, 50.0, 60.0]
    assert chart.rows == [("b", ["", "5"]), ("a", ["4", "6"])]


@pytest.mark.parametrize(("number", "end"), [(0, 1), (0.4, 0.5), (1, 1), (11, 20), (20, 20), (499, 500), (501, 1000), (1000, 1000)])
def test_a_scale_ends_on_a_number_one_can_read(number, end):
    assert round_up(number) == pytest.approx(end)
