"""Why this answer: what the page of a recall shows, and setting it right on the spot."""

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from chat import reply
from chat.knowledge.ingest import ingest
from chat.memory import indexing
from chat.memory.actors import Actor
from chat.memory.curation import edit, forget
from chat.memory.erase import erase_entity
from chat.memory.scoring import Evidence, Weights, score
from chat.models import RecallItem
from chat.views.drawing import PART_LABELS, draw_parts
from tests.factories import believe, make_conversation, make_memory, make_recall, make_turn

pytestmark = pytest.mark.django_db


def test_the_recall_adds_up_and_says_what_was_cut(page, alice):
    turn = make_turn(make_conversation(alice))
    used, cut = make_memory(alice, "数息有用"), make_memory(alice, "膝盖疼")
    found = make_recall(turn, (used, cut), degraded=["vector"], sections={"memories": {"tokens": 12, "ceiling": 1500}})
    found.items.filter(memory=used).update(parts={"semantic": 0.414, "entity": 0.184, "recency": 0.066}, score=0.664)
    found.items.filter(memory=cut).update(decision="below_floor")
    text = page.get(reverse("recall", args=[turn.pk])).text
    assert "0.41 + 0.18 + 0.07 = 0.66" in text
    assert "低于阈值" in text and "vector" in text and "1500" in text
    shown = page.get(reverse("conversation", args=[turn.conversation_id])).text
    assert '为什么这样答 <span class="count">1</span>' in shown


@pytest.mark.parametrize(("fields", "signals", "told"), [
    ({}, {"days": 14.2, "weight": 0.7218}, "14 天前，不用的话 31 天减半 → 权重 0.72"),
    ({"pinned": True}, {"days": 0.2, "weight": 1.0}, "不到一天前，不会淡去 → 权重 1.00"),
    ({"pinned": True}, {"days": 14, "weight": 0.5}, "14 天前 → 权重 0.50"),
    ({}, {"weight": 0.5}, ""),
])  # fmt: skip
def test_the_weight_is_told_with_the_age_that_made_it(page, alice, fields, signals, told):
    turn = make_turn(make_conversation(alice))
    found = make_recall(turn, (make_memory(alice, "数息有用", **fields),))
    found.items.update(signals=signals)
    shown = page.get(reverse("recall", args=[turn.pk])).text
    assert told in shown and ("→ 权重" in shown) == bool(told)


def test_every_part_of_a_score_has_a_name():
    everything = Evidence(0.5, 0.5, 0.5, 0.5, neighbours=0.5, hop=1.0, entity=1.0, label=1.0, weight=0.5)
    assert set(score(everything, Weights())) <= set(PART_LABELS)


def test_the_ten_best_of_what_was_cut_come_first(page, alice):
    turn = make_turn(make_conversation(alice))
    found = make_recall(turn, tuple(make_memory(alice, f"记忆{number}") for number in range(14)))
    found.items.exclude(rank=1).update(decision="below_floor")
    text = page.get(reverse("recall", args=[turn.pk])).text
    assert '未采用 <span class="count">13</span>' in text and "还有 3 条" in text


def test_not_relevant_counts_against_it_and_is_taken_back_by_a_second_click(page, alice):
    turn = make_turn(make_conversation(alice))
    memory = make_memory(alice, "数息有用")
    item = make_recall(turn, (memory,)).items.get()
    for feedback, days in ((-1, -15), (0, 0)):
        answer = page.post(reverse("not-relevant", args=[item.pk]))
        assert answer.url == reverse("recall", args=[turn.pk])
        item.refresh_from_db()
        memory.refresh_from_db()
        assert (item.feedback, memory.extra_days) == (feedback, days)


def test_an_answer_again_leaves_out_what_was_not_relevant_to_its_question(page, alice):
    talk = make_conversation(alice)
    memory = make_memory(alice, "数息的时候总是数错", pinned=True)
    indexing.index_words([memory.pk])
    for again in (False, True):
        turn = reply.post(alice, talk, "数息总是数错怎么办？")
        reply.answer(turn.pk)
        item = RecallItem.objects.get(recall__turn=turn, memory=memory)
        assert item.decision == ("not_relevant" if again else "used")
        if not again:
            page.post(reverse("not-relevant", args=[item.pk]))
    assert "你说过与此无关" in page.get(reverse("recall", args=[turn.pk])).text


def test_a_memory_is_corrected_where_it_was_used(page, alice):
    turn = make_turn(make_conversation(alice))
    entity = believe(alice, "habit.meditation_time", "早上")
    memory = make_memory(alice, "打坐时间：早上", kind="entity", version=entity.versions.get())
    make_recall(turn, (memory,))
    here = reverse("recall", args=[turn.pk])
    assert ">早上</textarea>" in page.get(here).text
    answer = page.post(reverse("memory-edit", args=[memory.pk]), {"text": "晚上", "number": memory.number, "next": here})
    assert answer.url == here
    assert entity.versions.current().get().value == "晚上"


def test_what_was_believed_and_read_up_stands_beside_and_is_corrected_there(page, alice):
    sound = believe(alice)
    turn = reply.post(alice, make_conversation(alice), "推荐一段适合冥想的背景音乐")
    ingest("# 冥想的背景音乐\n\n推荐没有歌词的音乐，音量放低，安静地听。\n".encode(), "音乐.md")
    reply.answer(turn.pk)
    here = reverse("recall", args=[turn.pk])
    text = page.get(here).text
    assert "冥想时的声音" in text and 'value="静音"' in text and "来自指南" in text and "音量放低" in text
    version = sound.versions.current().get()
    answer = page.post(reverse("entity-edit", args=[sound.pk]), {"value": "雨声", "version": version.pk, "next": here})
    assert answer.url == here and sound.versions.current().get().value == "雨声"
    assert "此后有改动" in page.get(here).text  # what the answer saw stays, and is marked
    erase_entity(sound, Actor.person(alice))
    assert "静音" not in page.get(here).text


def test_todays_memories_beside_those_of_then(page, alice):
    talk = make_conversation(alice)
    old = make_memory(alice, "数息的时候总是数错", pinned=True)
    indexing.index_words([old.pk])
    turn = reply.post(alice, talk, "数息总是数错怎么办？")
    reply.answer(turn.pk)
    here = reverse("recall", args=[turn.pk]) + "?now=1"
    assert "现在想起的也一样" in page.get(here).text
    forget(old, Actor.person(alice))
    shown = page.get(here).text
    assert "不在其中" in shown and "现在想起的也一样" not in shown


def test_the_recall_shown_is_that_of_the_answer_on_screen(page, alice):
    turn = make_turn(make_conversation(alice), attempt=2)
    make_recall(turn, (make_memory(alice, "第一次用的"),), attempt=1)
    make_recall(turn, (make_memory(alice, "第二次用的"),))
    text = page.get(reverse("recall", args=[turn.pk])).text
    assert "第二次用的" in text and "第一次用的" not in text


@given(st.dictionaries(st.sampled_from(sorted(PART_LABELS)), st.floats(-1, 1), max_size=8))
def test_what_is_shown_of_any_score_adds_up_to_the_total_shown(parts):
    drawn = draw_parts(parts)
    assert sum(part.cents for part in drawn) == round(sum(parts.values()) * 100)
    end = 0.0
    for part in drawn:  # each part of the bar begins where the one before it ends
        assert abs((part.x if part.cents > 0 else part.x + part.width) - end) < 0.2
        end = part.x + (part.width if part.cents > 0 else 0)


def test_a_memory_leads_to_where_it_was_said_and_says_what_it_says_now(page, alice):
    said = make_turn(make_conversation(alice), "早上六点打坐")
    turn = make_turn(make_conversation(alice))
    memory = make_memory(alice, "早上六点打坐", turns=(said,))
    typed = make_memory(alice, "在山里学过站桩")
    make_recall(turn, (memory, typed))
    edit(memory, "早上七点打坐", 1, Actor.person(alice))
    text = page.get(reverse("recall", args=[turn.pk])).text
    assert text.count("原话") == 1 and reverse("turn", args=[said.pk]) in text
    assert "现在：早上七点打坐" in text and "现在：在山里" not in text
