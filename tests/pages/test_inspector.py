"""The inspector: state, memories, the bin, merging, adding."""

import csv
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from chat import reply
from chat.memory import curation
from chat.memory.actors import Actor
from chat.memory.indexing import index_words
from chat.models import Account, Entity, Memory, MemoryRevision, MemorySource
from chat.transfer import exports
from tests.factories import believe, make_conflict, make_conversation, make_memory, make_recall, make_turn

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
        assert seen() == {"everything"}  # the whole of what is kept, the bin too, as forgotten
        page.post(reverse("memory-act", args=[memory.pk, "restore"]))
        page.post(reverse("memory-act", args=[memory.pk, "pin"]))
        assert seen() == everywhere and Memory.objects.get(text=secret).pk == memory.pk
    else:
        page.post(reverse("memory-erase", args=[memory.pk]))
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


# What the list finds


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


# Many at once


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
    answer = page.post(reverse("bulk"), {"verb": "export", "ids": [memory.pk for memory in theirs], **form})
    head, *rows = csv.reader(answer.text.lstrip("\ufeff").splitlines(keepends=True))
    assert head[0] == "内容" and [row[0] for row in rows] == ["周末去爬山，\n看日出", "'=SUM(A1)"]


# One memory over time


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


# Conflicts


def test_the_queue_says_why_it_suggests_what_and_undoes(page, alice):
    conflict = make_conflict(alice, "每天早上六点打坐", "每天早上七点打坐", suggested="keep_new")
    text = page.get(reverse("conflicts")).text
    assert "<del>六</del>" in text and "<ins>七</ins>" in text and "因为它是最近说的" in text and "1 / 1" in text
    page.post(reverse("resolve", args=[conflict.pk]), {"decision": "keep_old"})
    shown = page.get(reverse("conflicts")).text
    assert "已决定" in shown and reverse("undo", args=[conflict.pk]) in shown
