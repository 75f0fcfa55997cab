"""The inspector: one memory, its history, merging, the bin, adding one."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from chat import reply
from chat.memory import curation
from chat.memory.actors import Actor
from chat.memory.indexing import embed, index_words
from chat.models import Account, AuditEvent, Memory, MemoryLink, MemoryRevision, MemorySource
from chat.transfer import exports
from tests.factories import believe, make_conflict, make_conversation, make_memory, make_recall, make_turn

pytestmark = pytest.mark.django_db


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


@pytest.mark.parametrize("how", ["forget", "erase"])
def test_what_is_put_away_is_in_no_prompt_search_or_export_and_what_comes_back_is_itself(page, alice, how):
    secret = "和邻居老周吵过一架，打坐时总想起"
    memory = make_memory(alice, secret, pinned=True)
    index_words([memory.pk])

    def seen() -> set[str]:
        turn = reply.post(alice, make_conversation(alice), "打坐时总想起和老周吵架，怎么办？")
        reply.answer(turn.pk)
        texts = {
            "prompt": str(turn.recalls.get().prompt),
            "why": page.get(reverse("recall", args=[turn.pk])).text,
            "search": page.get(reverse("memories"), {"q": "老周"}).text,
            "scored": page.get(reverse("memories"), {"ask": "老周"}).text,
            "probe": page.get(reverse("probe"), {"question": "老周"}).text,
            "reading": "".join(exports.as_markdown(alice)),
            "everything": "".join(exports.as_json(alice)),
        }
        return {name for name, text in texts.items() if secret in text}

    everywhere = {"prompt", "why", "search", "scored", "probe", "reading", "everything"}
    assert seen() == everywhere
    if how == "forget":
        page.post(reverse("memory-act", args=[memory.pk, "forget"]))
        assert seen() == set()
        page.post(reverse("memory-act", args=[memory.pk, "restore"]))
        page.post(reverse("memory-act", args=[memory.pk, "pin"]))
        assert seen() == everywhere and Memory.objects.get(text=secret).pk == memory.pk
    else:
        page.post(reverse("memory-erase", args=[memory.pk]), {"confirm": "alice"})
        assert seen() == set()


def test_two_memories_become_one_and_two_again(page, alice):
    turn = make_turn(make_conversation(alice))
    first = make_memory(alice, "腿麻", importance=0.3, labels=["腿"])
    second = make_memory(alice, "坐久了腿麻", (turn,), importance=0.8, occurred_at=first.occurred_at - timedelta(days=3))
    changing = ("text", "state", "merged_into_id", "occurred_at", "recorded_at", "importance", "labels")

    def rows():
        return list(Memory.objects.order_by("pk").values(*changing)), sorted(MemorySource.objects.values_list("memory", "turn"))

    before = rows()
    form = {"ids": [first.pk, second.pk], "into": first.pk, "text": "坐二十分钟以上腿会麻", "weight_from": first.pk}
    assert "坐二十分钟以上腿会麻" in page.post(reverse("merge"), form | {"preview": "1"}).text
    assert rows() == before  # only looked at
    page.post(reverse("merge"), form)
    first.refresh_from_db(), second.refresh_from_db()
    assert (first.text, first.importance, first.occurred_at) == ("坐二十分钟以上腿会麻", 0.3, second.occurred_at)
    assert (second.state, second.merged_into_id) == ("merged", first.pk)
    page.post(reverse("memory-act", args=[first.pk, "unmerge"]))
    assert rows() == before
    assert page.get(reverse("merge") + f"?ids={first.pk}").status_code == 422


def test_a_merge_is_proposed_with_what_it_saves_and_takes_each_field_from_one_of_them(page, alice):
    first, second = make_memory(alice, "腿麻", labels=["腿"]), make_memory(alice, "坐久了腿麻", labels=["打坐"])
    proposed = page.get(reverse("merge") + f"?ids={first.pk},{second.pk}").text
    assert "腿麻\n坐久了腿麻</textarea>" in proposed
    form = {"ids": [first.pk, second.pk], "words_from": second.pk, "text": "没有选的话"}
    shown = page.post(reverse("merge"), form | {"preview": "1"}).text.partition('id="preview"')[2]
    assert "坐久了腿麻" in shown and "没有选的话" not in shown
    assert re.search(r"合并前 \d+ token，合并后 \d+", shown) and "腿</span>" in shown and "打坐</span>" in shown
    page.post(reverse("merge"), form)
    assert Memory.objects.live().get().text == "坐久了腿麻"


def test_erasing_one_memory_takes_it_from_the_bin(page, alice):
    memory = make_memory(alice, "不想留的", state="forgotten")
    assert "不想留的" in page.get(reverse("memory-erase", args=[memory.pk])).text
    page.post(reverse("memory-erase", args=[memory.pk]), {"confirm": "alice"})
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


def test_the_history_shows_what_changed_and_leads_back(page, alice):
    memory = make_memory(alice, "每天早上六点打坐")
    curation.edit(memory, "每天早上七点打坐", 1, Actor.person(alice), reason="记错了")
    text = page.get(reverse("memory", args=[memory.pk])).text
    assert "<del>六</del>" in text and "<ins>七</ins>" in text and "记错了" in text
    page.post(reverse("memory-edit", args=[memory.pk]), {"text": MemoryRevision.objects.get().text, "number": 2})
    memory.refresh_from_db()
    assert (memory.text, memory.number) == ("每天早上六点打坐", 3)


def test_the_weight_is_drawn_with_the_numbers_beside_it(page, alice):
    turn = make_turn(make_conversation(alice))
    memory = make_memory(alice, turns=(turn,))
    make_recall(turn, (memory,))
    assert '<path class="line semantic dashed"' in page.get(reverse("memory", args=[memory.pk])).text
    answer = page.get(reverse("memory", args=[memory.pk]), {"csv": "weight"})
    assert answer["Content-Type"].startswith("text/csv")
    rows = answer.text.lstrip("\ufeff").splitlines()
    assert rows[0] == ",到现在,如果不再提起" and rows[1].endswith("1.00,")


def test_a_memory_shows_its_conflicts_and_what_is_related(page, alice, bob):
    entity = believe(alice)
    row = make_memory(alice, "冥想时的声音：静音", kind="entity", version=entity.versions.get())
    make_conflict(alice, "流水声", entity=entity, new_version=entity.versions.get())
    linked, same, other = (make_memory(alice, text) for text in ("打坐时要安静", "静坐时不放音乐", "猫叫团子"))
    his = make_memory(bob, "静坐时不放音乐")
    MemoryLink.objects.create(first=linked, second=row, kind="about")
    embed([row.pk, linked.pk, same.pk, other.pk, his.pk])
    text = page.get(reverse("memory", args=[row.pk])).text
    assert "流水声 → 静音" in text
    related = re.findall(r'href="/memory/(\d+)/">', text.partition("相关的记忆")[2])
    assert related[0] == str(linked.pk) and str(his.pk) not in related and len(related) == len(set(related))
    page.post(reverse("memory-act", args=[linked.pk, "forget"]))
    assert "打坐时要安静" not in page.get(reverse("memory", args=[row.pk])).text


def test_a_reason_for_forgetting_is_kept_in_the_bin_and_goes_with_the_memory(page, alice):
    memory = make_memory(alice, "和老周吵架")
    page.post(reverse("memory-act", args=[memory.pk, "forget"]), {"reason": "  不想再提老周 "})
    text = page.get(reverse("forgotten")).text
    assert "原因：不想再提老周" in text and "30 天后永久删除" in text
    page.post(reverse("memory-erase", args=[memory.pk]), {"confirm": "alice"})
    assert not AuditEvent.objects.filter(reason__contains="老周").exists()


def test_erasing_a_memory_wants_the_name(page, alice):
    memory = make_memory(alice, "不想留的")
    for name in ("", "bob", "Alice"):
        assert page.post(reverse("memory-erase", args=[memory.pk]), {"confirm": name}).status_code == 422
    assert Memory.objects.exists()
