"""The sample history: loaded, it is remembered like any other; removed, nothing of it is left and it may come again."""

import pytest

from chat import remember, sample
from chat.memory.retention import weight
from chat.models import Account, Conversation, Entity, EntityVersion, Memory, Tombstone, Turn
from tests.factories import believe

pytestmark = pytest.mark.django_db


def take_in(user, language="zh") -> None:
    sample.load(user, language)
    account = Account.objects.of(user)
    for turn in Turn.objects.owned_by(user).order_by("at"):
        remember.read_closely(turn, account)


@pytest.mark.parametrize(("language", "sound"), [("zh", "静"), ("en", "silen")])
def test_it_shows_what_the_memory_is_for_and_leaves_nothing_behind(alice, language, sound):
    own = believe(alice, "profile.name", "林静").pk
    take_in(alice, language)
    heard = EntityVersion.objects.owned_by(alice).current().get(entity__attribute="meditation_sound")
    assert sound in f"{heard.value} {heard.quote}".lower()
    assert heard.supersedes_id
    assert Entity.objects.owned_by(alice).count() >= 5 and Memory.objects.owned_by(alice).live().count() >= 8
    assert all(weight(memory, heard.recorded_at) > 0.05 for memory in Memory.objects.owned_by(alice).live())
    sample.remove(alice)
    assert not Conversation.objects.owned_by(alice).exists() and not Turn.objects.exists()
    assert [entity.pk for entity in Entity.objects.all()] == [own]
    assert not Memory.objects.exists() and not Tombstone.objects.exists() and not alice.conflicts.exists()


def test_loading_twice_is_once_and_after_removing_it_comes_again(alice):
    for _time in range(2):
        assert len(sample.load(alice, "zh")) == 2
        assert Turn.objects.count() == 9
    sample.remove(alice)
    sample.load(alice, "zh")
    assert Turn.objects.count() == 9
