"""Said twice, remembered once; and taken apart again."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from chat.memory import dedupe, fragments, indexing, merging, sameness
from chat.memory.actors import Actor
from chat.memory.erase import erase_memory, erase_turn
from chat.models import Account, Memory
from tests.factories import make_conversation, make_memory, make_turn

pytestmark = pytest.mark.django_db

START = datetime(2026, 8, 20, 1, tzinfo=UTC)


@pytest.fixture
def account(alice):
    return Account.objects.of(alice)


def told(user, *texts: str, hours: int = 30) -> list[Memory]:
    """Fragments with their turn, fingerprints and vectors, so many hours apart."""
    rows = []
    for place, text in enumerate(texts):
        at = START + timedelta(hours=hours * place)
        turn = make_turn(make_conversation(user), text, at=at)
        memory = make_memory(user, text, (turn,), occurred_at=at, recorded_at=at, clock_at=at)
        fragments.stamp(memory, "complain")
        memory.save()
        rows.append(memory)
    indexing.index_words([row.pk for row in rows])
    indexing.embed([row.pk for row in rows])
    return rows


def live(user) -> list[str]:
    return sorted(Memory.objects.owned_by(user).live().values_list("text", flat=True))


@pytest.mark.parametrize(
    ("one", "other"),
    [("打坐坐到一半腿就麻", "打坐到一半，腿就麻了"), ("My legs go numb when I meditate", "When I meditate my legs go numb")],
)
def test_the_same_thing_is_one_memory_with_both_sources(alice, account, one, other):
    old, new = told(alice, one, other)
    assert dedupe.merge_repeats(account) == 1
    (survivor,) = Memory.objects.owned_by(alice).live()
    assert survivor.pk == new.pk and survivor.turns.count() == 2
    assert Memory.objects.get(pk=old.pk).merged_into_id == survivor.pk


@pytest.mark.parametrize(
    ("one", "other"),
    [("明天的会议取消了", "明天的会议推迟了"), ("我喜欢打坐时放音乐", "我不喜欢打坐时放音乐"), ("左膝疼，盘腿更厉害", "右膝疼，盘腿更厉害")],
)
def test_opposites_stay_apart(alice, account, one, other):
    told(alice, one, other)
    assert dedupe.merge_repeats(account) == 0
    assert live(alice) == sorted([one, other])


def test_equal_fingerprints_need_no_vector(alice, account):
    one, other = told(alice, "打坐时走神，腿也麻", "打坐时走神了，腿也麻了", hours=0)
    Memory.objects.update(space=None, embedding=None, code=None)
    assert (one.fingerprint_entity, one.fingerprint_hour) == (other.fingerprint_entity, other.fingerprint_hour)
    assert dedupe.merge_repeats(account) == 1


def test_the_same_words_about_two_days_are_two_events(alice, account):
    rows = told(alice, "昨天打坐时腿麻了", "昨天打坐时腿麻了")
    for row in rows:
        day = row.recorded_at.replace(hour=0) - timedelta(days=1)
        Memory.objects.filter(pk=row.pk).update(occurred_at=day, occurred_to=day + timedelta(days=1))
    assert dedupe.merge_repeats(account) == 0


def test_a_merge_that_says_what_one_of_them_said_keeps_that_ones_vector(alice, account, monkeypatch):
    """Nothing is embedded for it, and it is what embedding it would give."""
    old, new = told(alice, "打坐坐到一半腿就麻", "打坐坐到一半腿就麻。")
    Memory.objects.filter(pk=new.pk).update(context="", labels=[])
    Memory.objects.filter(pk=old.pk).update(context="", labels=[])
    indexing.embed([old.pk, new.pk])
    with monkeypatch.context() as patched:
        patched.setattr(indexing, "embed_passages", lambda texts: pytest.fail("embedded") if texts else np.empty((0, 384)))
        assert dedupe.merge_repeats(account) == 1
    survivor = Memory.objects.owned_by(alice).live().get()
    kept = np.array(survivor.embedding)
    Memory.objects.filter(pk=survivor.pk).update(content_hash="")
    indexing.embed([survivor.pk])
    fresh = Memory.objects.get(pk=survivor.pk)
    assert np.allclose(kept, np.array(fresh.embedding), atol=1e-3) and fresh.code == survivor.code


def test_an_undone_merge_stays_undone(alice, account):
    told(alice, "打坐坐到一半腿就麻", "打坐到一半，腿就麻了")
    before = live(alice)
    dedupe.merge_repeats(account)
    merging.unmerge(Memory.objects.owned_by(alice).live().get(), Actor.person(alice))
    assert live(alice) == before
    assert dedupe.merge_repeats(account) == 0


def test_merges_of_merges_are_undone_one_by_one(alice, account):
    texts = ["打坐坐到一半腿就麻", "打坐到一半，腿就麻了", "打坐到一半腿就麻了"]
    told(alice, *texts)
    while dedupe.merge_repeats(account):
        indexing.embed(Memory.objects.owned_by(alice).live().values_list("pk", flat=True))
    assert len(live(alice)) == 1
    for left in (2, 3):
        survivor = next(m for m in Memory.objects.owned_by(alice).live() if m.revisions.exists())
        merging.unmerge(survivor, Actor.person(alice))
        assert len(live(alice)) == left
    assert live(alice) == sorted(texts)


def test_a_merge_whose_source_is_erased_still_stands(alice, account):
    old, new = told(alice, "打坐坐到一半腿就麻", "打坐到一半，腿就麻了")
    dedupe.merge_repeats(account)
    erase_memory(Memory.objects.get(pk=old.pk), Actor.person(alice))
    assert Memory.objects.owned_by(alice).get().pk == new.pk


@pytest.mark.parametrize(
    ("old", "new", "gone"),
    [("昨天体检血压偏高，医生让我少熬夜", "昨天体检说血压高，医生要我多走路", "熬夜"), ("我晚饭后散步一小时", "我晚上散步一小时", "晚饭")],
)
@pytest.mark.parametrize("whole_turn", [False, True])
def test_what_an_erased_source_said_alone_is_out_of_the_merge(alice, account, old, new, gone, whole_turn):
    """Both angles went into one text; one of them is erased, and the merge can't be undone into it either."""
    first, second = told(alice, old, new)
    merging.merge(alice, merging.Merging([first.pk], second.pk, sameness.combine(old, new)), Actor.person(alice))
    assert gone in Memory.objects.get(pk=second.pk).text
    if whole_turn:
        erase_turn(first.turns.get(), Actor.person(alice))
    else:
        erase_memory(Memory.objects.get(pk=first.pk), Actor.person(alice))
    survivor = Memory.objects.owned_by(alice).get()
    assert survivor.pk == second.pk and (gone == "熬夜" or "散步" in survivor.text)
    assert gone not in survivor.text and not survivor.revisions.filter(text__contains=gone).exists()


def test_the_erased_turn_of_a_survivor_leaves_the_other_source_as_it_was(alice, account):
    first, second = told(alice, "昨天体检血压偏高，医生让我少熬夜", "昨天体检说血压高，医生要我多走路")
    merging.merge(alice, merging.Merging([first.pk], second.pk, sameness.combine(first.text, second.text)), Actor.person(alice))
    erase_turn(second.turns.get(text=second.text), Actor.person(alice))
    assert live(alice) == [first.text] and not Memory.objects.filter(text__contains="走路").exists()


def test_other_peoples_memories_are_never_touched(alice, bob, account):
    told(alice, "打坐坐到一半腿就麻")
    told(bob, "打坐到一半，腿就麻了")
    assert dedupe.merge_repeats(account) == 0


def test_an_unclear_pair_is_asked_of_the_model(alice, account, llm):
    pair = ("喝咖啡以后心慌", "喝茶以后心慌")
    for answer, merged in ((False, 0), (True, 1)):
        Memory.objects.all().delete()
        told(alice, *pair)
        llm.enqueue_structured({"same": answer})
        assert dedupe.merge_repeats(account) == merged
