"""The inspector: the state, slot by slot, and the page of one slot."""


import pytest
from django.urls import reverse
from django.utils import timezone

from chat.memory import ontology, values
from chat.models import Entity, EntityVersion
from tests.factories import believe, make_conflict, make_conversation, make_entity, make_turn, make_version

pytestmark = pytest.mark.django_db


def test_the_state_shows_value_label_and_conflict(page, alice):
    believe(alice)
    text = page.get(reverse("state")).text
    assert "静音" in text and "偏好" in text


def test_correcting_a_value_another_tab_changed_shows_the_difference(page, alice):
    entity = believe(alice)
    seen = entity.versions.current().get().pk
    page.post(reverse("entity-edit", args=[entity.pk]), {"value": "雨声", "version": seen})
    assert entity.versions.current().get().value == "雨声"
    answer = page.post(reverse("entity-edit", args=[entity.pk]), {"value": "海浪声", "version": seen})
    assert answer.status_code == 409
    assert "雨声" in answer.text and "海浪声" in answer.text


def test_an_earlier_version_can_count_again(page, alice):
    entity = believe(alice)
    first = entity.versions.current().get()
    page.post(reverse("entity-edit", args=[entity.pk]), {"value": "雨声", "version": first.pk})
    page.post(reverse("rollback", args=[entity.pk, first.pk]))
    assert entity.versions.current().get().value == "静音"
    assert entity.versions.count() == 3


def test_a_pin_blocks_and_unblocks(page, alice):
    entity = believe(alice)
    page.post(reverse("entity-pin", args=[entity.pk]), {"on": "1"})
    assert Entity.objects.get(pk=entity.pk).pinned
    page.post(reverse("entity-pin", args=[entity.pk]), {"on": "0"})
    assert not Entity.objects.get(pk=entity.pk).pinned


def test_what_waits_is_told_first_and_decided_there(page, alice):
    turn = make_turn(make_conversation(alice), "我好像对花生过敏")
    entity = make_entity(alice, "status.health_condition", item="花生过敏")
    waiting = make_version(entity, "花生过敏", status="pending", turn=turn)
    asked = make_conflict(alice, new_version=make_version(believe(alice, "habit.wake_time", "6:00"), "7:00", status="pending"))
    text = page.get(reverse("state")).text
    assert "等你确认" in text and "「我好像对花生过敏」" in text and text.count('class="slot waiting"') == 1  # the other is asked in the queue
    page.post(reverse("decide", args=[entity.pk, waiting.pk]), {"decision": "confirm", "next": reverse("state")})
    assert "等你确认" not in page.get(reverse("state")).text
    assert set(EntityVersion.objects.pending()) == {asked.new}


def test_a_slot_shows_how_its_conflicts_were_decided_and_by_whom(page, alice):
    entity = make_entity(alice)
    conflict = make_conflict(alice, entity=entity, status="resolved", decider="staff", reason="按本人最近的话")
    make_conflict(alice, "六点", "七点", entity=make_entity(alice, "habit.wake_time"))
    text = page.get(reverse("entity", args=[entity.pk])).text
    assert "流水声 → 静音" in text and "按本人最近的话" in text and reverse("undo", args=[conflict.pk]) in text
    assert "六点" not in text


def test_erasing_a_slot_wants_the_name(page, alice):
    entity = believe(alice)
    assert page.post(reverse("entity-erase", args=[entity.pk]), {"confirm": "bob"}).status_code == 422
    assert Entity.objects.exists()
    page.post(reverse("entity-erase", args=[entity.pk]), {"confirm": "alice"})
    assert not Entity.objects.exists()


def test_free_words_are_shown_as_they_were_written(page, alice):
    for slot, words in (("profile.name", "Anna"), ("goal.reading_plan", "每天读《清静经》")):
        value = values.normalise(ontology.load().attribute(slot), words, timezone.now(), "Asia/Shanghai")
        make_version(make_entity(alice, slot), value.shown, normalized=value.normalized, key=value.key)
    text = page.get(reverse("state")).text
    assert "Anna" in text and "《清静经》" in text
