"""The inspector: state, memories, the bin, merging, adding."""

import pytest
from django.urls import reverse
from django.utils import timezone

from chat.models import Account, Entity, Memory
from tests.factories import believe, make_memory

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


def test_filters_are_all_in_the_address(page, alice):
    make_memory(alice, "周末去爬山", pinned=True)
    make_memory(alice, "膝盖疼", kind="summary")
    make_memory(alice, "旧事", state="forgotten")
    text = page.get(reverse("memories") + "?q=爬山&pinned=on").text
    assert "周末去爬山" in text and "膝盖疼" not in text
    assert "膝盖疼" in page.get(reverse("memories") + "?kind=summary").text
    assert "旧事" in page.get(reverse("memories") + "?state=forgotten").text
    assert page.get(reverse("memories") + "?kind=nonsense&page=x&order=%00").status_code == 200
    assert "没有符合筛选的记忆" in page.get(reverse("memories") + "?q=没有这个").text


def test_forget_restore_and_edit_work_without_scripts(page, alice):
    memory = make_memory(alice, "周末去爬山")
    page.post(reverse("memory-act", args=[memory.pk, "forget"]))
    assert "周末去爬山" not in page.get(reverse("memories")).text
    assert "周末去爬山" in page.get(reverse("forgotten")).text
    page.post(reverse("memory-act", args=[memory.pk, "restore"]))
    page.post(reverse("memory-edit", args=[memory.pk]), {"text": "周末去登山", "number": memory.number})
    text = page.get(reverse("memories")).text
    assert "周末去登山" in text and "周末去爬山" not in text
    late = page.post(reverse("memory-edit", args=[memory.pk]), {"text": "迟到的改动", "number": memory.number})
    assert late.status_code == 409 and "周末去登山" in late.text and "迟到的改动" in late.text


def test_bulk_acts_on_what_was_chosen(page, alice, bob):
    mine, kept, his = make_memory(alice, "一"), make_memory(alice, "二"), make_memory(bob, "三")
    page.post(reverse("bulk"), {"verb": "forget", "ids": [mine.pk, his.pk]})
    states = dict(Memory.objects.values_list("pk", "state"))
    assert states == {mine.pk: "forgotten", kept.pk: "live", his.pk: "live"}
    assert page.post(reverse("bulk"), {"verb": "forget"}).status_code == 422


def test_two_memories_become_one_and_two_again(page, alice):
    first, second = make_memory(alice, "腿麻"), make_memory(alice, "坐久了腿麻")
    asked = page.get(reverse("merge") + f"?ids={first.pk},{second.pk}").text
    assert "腿麻" in asked
    page.post(reverse("merge"), {"ids": [first.pk, second.pk], "into": first.pk, "text": "坐二十分钟以上腿会麻"})
    second.refresh_from_db()
    assert (second.state, second.merged_into_id) == ("merged", first.pk)
    page.post(reverse("memory-act", args=[first.pk, "unmerge"]))
    assert set(Memory.objects.live().values_list("text", flat=True)) == {"腿麻", "坐久了腿麻"}
    assert page.get(reverse("merge") + f"?ids={first.pk}").status_code == 422


def test_erasing_one_memory_takes_it_from_the_bin(page, alice):
    memory = make_memory(alice, "不想留的", state="forgotten")
    assert "不想留的" in page.get(reverse("memory-erase", args=[memory.pk])).text
    page.post(reverse("memory-erase", args=[memory.pk]))
    assert not Memory.objects.exists()


def test_a_memory_of_ones_own(page, alice):
    page.post(reverse("add"), {"text": "2019 年在山里学过站桩", "importance": "0.7"})
    assert Memory.objects.get().text == "2019 年在山里学过站桩"
    assert page.post(reverse("add"), {"text": "", "importance": "0.7"}).status_code == 422


def test_times_are_the_readers_own(page, alice):
    Account.objects.filter(user=alice).update(time_zone="Asia/Shanghai")
    moment = timezone.datetime(2026, 8, 19, 17, 30, tzinfo=timezone.get_fixed_timezone(0))
    memory = make_memory(alice, occurred_at=moment)
    assert "2026-08-20 01:30 (CST)" in page.get(reverse("memory", args=[memory.pk])).text
