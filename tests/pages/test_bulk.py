"""The inspector: many memories at once, and the way back."""

import csv
import json

import pytest
from django.urls import reverse
from django.utils import timezone

from chat.memory import curation
from chat.memory.actors import Actor
from chat.models import (
    Memory,
)
from tests.factories import (
    believe,
    make_conversation,
    make_memory,
    make_turn,
)

pytestmark = pytest.mark.django_db


def test_bulk_acts_on_what_was_chosen(page, alice, bob):
    mine, kept, his = make_memory(alice, "一"), make_memory(alice, "二"), make_memory(bob, "三")
    page.post(reverse("bulk"), {"verb": "forget", "ids": [mine.pk, his.pk]})
    states = dict(Memory.objects.values_list("pk", "state"))
    assert states == {mine.pk: "forgotten", kept.pk: "live", his.pk: "live"}
    assert page.post(reverse("bulk"), {"verb": "forget"}).status_code == 422


def test_what_was_done_to_many_is_undone_at_once(page, alice, bob):
    kept = make_memory(alice, "已置顶", pinned=True)
    chosen = [make_memory(alice, f"第{number}条") for number in range(3)]
    page.post(reverse("bulk"), {"verb": "pin", "ids": [kept.pk, *(memory.pk for memory in chosen)]})
    assert Memory.objects.filter(pinned=True).count() == 4
    page.post(reverse("bulk-undo"))
    assert Memory.objects.get(pinned=True) == kept  # it was so before
    page.post(reverse("bulk"), {"verb": "forget", "ids": [memory.pk for memory in chosen]})
    curation.restore(chosen[0], Actor.person(alice))
    for _twice in range(2):
        page.post(reverse("bulk-undo"))
        assert Memory.objects.live().count() == 4


def test_all_that_fit_the_filters_on_every_page(page, alice, bob, monkeypatch):
    for number in range(3):
        make_memory(alice, f"旧{number}", kind="theme")
    kept, his = make_memory(alice, "留下"), make_memory(bob, "别人的", kind="theme")
    form = {"verb": "forget", "all": "1", "filters": "kind=theme&page=2"}
    monkeypatch.setattr("chat.views.memories.BULK_MOST", 2)
    assert page.post(reverse("bulk"), form).status_code == 422
    assert Memory.objects.live().count() == 5
    monkeypatch.setattr("chat.views.memories.BULK_MOST", 3)
    page.post(reverse("bulk"), form)
    assert set(Memory.objects.live()) == {kept, his}


@pytest.mark.parametrize("everywhere", [False, True])
@pytest.mark.parametrize(("verb", "ending"), [("json", "json"), ("markdown", "md")])
def test_chosen_memories_come_as_a_file_to_read_or_to_work_with(page, alice, bob, verb, ending, everywhere):
    turn = make_turn(make_conversation(alice))
    mine, other, his = make_memory(alice, "数息\n有用", (turn,), kind="theme"), make_memory(alice, "膝盖疼"), make_memory(bob, "别人的", kind="theme")
    form = {"all": "1", "filters": "kind=theme"} if everywhere else {"ids": [mine.pk, his.pk]}
    answer = page.post(reverse("bulk"), {"verb": verb, **form})
    assert answer["Content-Disposition"] == f'attachment; filename="xinji-memories.{ending}"'
    text = b"".join(answer).decode()
    assert "别人的" not in text and other.text not in text
    if verb == "json":
        (row,) = json.loads(text)["memories"]
        assert (row["id"], row["text"], row["turn_ids"]) == (mine.pk, mine.text, [turn.pk])
    else:
        assert "主题: 数息 有用\n" in text and text.startswith("# 记忆\n")


def test_many_are_confirmed_at_once(page, alice):
    entity, tired = believe(alice, confidence=0.7), make_memory(alice, "腿麻", start_weight=0.4)
    sure = make_memory(alice, "冥想时的声音：静音", kind="entity", version=entity.versions.get())
    page.post(reverse("bulk"), {"verb": "confirm", "ids": [sure.pk, tired.pk]})
    assert entity.versions.current().get().confidence == 1.0
    assert Memory.objects.get(pk=tired.pk).start_weight == 1.0


@pytest.mark.parametrize("form", [{"all": "1", "filters": "kind=fragment"}, {}])
def test_many_are_taken_along_as_a_table(page, alice, bob, form):
    theirs = [make_memory(alice, "=SUM(A1)"), make_memory(alice, "周末去爬山，\n看日出"), make_memory(bob, "别人的")]
    make_memory(alice, "主题", kind="theme")
    answer = page.post(reverse("bulk"), {"verb": "table", "ids": [memory.pk for memory in theirs], **form})
    head, *rows = csv.reader(answer.text.lstrip("\ufeff").splitlines(keepends=True))
    assert head[0] == "内容" and [row[0] for row in rows] == ["周末去爬山，\n看日出", "'=SUM(A1)"]


def test_confirming_many_is_undone_too(page, alice):
    entity, tired, used = believe(alice, confidence=0.7), make_memory(alice, "腿麻", start_weight=0.4), make_memory(alice, "走神", start_weight=0.4)
    sure = make_memory(alice, "冥想时的声音：静音", kind="entity", version=entity.versions.get())
    before = list(Memory.objects.order_by("pk").values("clock_at", "start_weight", "marked_wrong"))
    page.post(reverse("bulk"), {"verb": "confirm", "ids": [sure.pk, tired.pk, used.pk]})
    Memory.objects.filter(pk=used.pk).update(last_used_at=timezone.now())
    for _twice in range(2):
        page.post(reverse("bulk-undo"))
        version = entity.versions.current().get()
        assert (version.confidence, version.explicit_confirmations) == (0.7, 0)
        assert list(Memory.objects.exclude(pk=used.pk).order_by("pk").values("clock_at", "start_weight", "marked_wrong")) == before[:1] + before[2:]
        assert Memory.objects.get(pk=used.pk).start_weight == 1.0  # an answer used it since: it lives on from there
    assert page.post(reverse("memory-act", args=[tired.pk, "unconfirm"])).status_code == 409
