"""The user's state: what statements do to it, in whatever order and from however many places they arrive."""


import pytest

from chat import conversations
from chat.errors import Clash
from chat.memory import arbitration, entities, erase, extraction
from chat.memory.actors import Actor
from chat.memory.observing import observe
from chat.memory.versions import expire_pending
from chat.models import Account, Conflict, Entity, EntityVersion, Memory, Turn
from tests.factories import make_conversation, make_entity, make_turn, make_version
from tests.saying import current, day, proposal, say, states, versions

SOUND, SITS, WAKES = "preference.meditation_sound", "habit.meditation_duration", "habit.wake_time"


@pytest.fixture
def person(alice):
    return Actor.person(alice)


# Writing rules.


@pytest.mark.django_db
@pytest.mark.parametrize("again", ["每次打坐一刻钟", "我每次打坐15分钟", "每次打坐十五分鐘", "I meditate for a quarter of an hour"])
def test_the_same_value_in_another_form_is_an_observation_more(alice, again):
    say(alice, "我每次打坐十五分钟", day(8, 1))
    before = versions(alice, SITS).get()
    say(alice, again, day(8, 3))
    after = versions(alice, SITS).get()
    assert after.observations == before.observations + 1 and after.confidence > before.confidence
    assert not Conflict.objects.exists()


@pytest.mark.django_db
def test_a_refinement_replaces_without_a_conflict(alice):
    say(alice, "我晚上打坐", day(8, 1))
    say(alice, "我睡前打坐", day(8, 3))
    assert [status for _value, status in states(alice, "habit.meditation_time")] == ["superseded", "current"]
    assert not Conflict.objects.exists()


@pytest.mark.django_db
def test_items_stand_beside_each_other(alice):
    say(alice, "我修数息", day(8, 1))
    say(alice, "我也念佛", day(8, 3))
    held = versions(alice, "preference.practice_method").current()
    assert sorted(version.entity.item for version in held) == ["念佛", "数息"]
    assert not Conflict.objects.exists()


@pytest.mark.django_db
def test_a_contradiction_supersedes_keeps_the_old_one_and_opens_a_conflict(alice):
    say(alice, "打坐我喜欢流水声", day(8, 1))
    turn = say(alice, "以后打坐都静音", day(8, 3))
    assert states(alice, SOUND) == [("流水声", "superseded"), ("静音", "current")]
    conflict = Conflict.objects.get()
    assert (conflict.kind, conflict.status, conflict.turn, conflict.told_at) == ("entity", "open", turn, turn.at)
    old, new = versions(alice, SOUND)
    assert new.supersedes == old and old.valid_to == turn.at and new.quote in turn.text
    assert Memory.objects.get(version=old).state == "superseded"


@pytest.mark.django_db
def test_what_used_to_be_never_replaces_what_is(alice):
    say(alice, "打坐要静音", day(8, 1))
    say(alice, "去年我打坐喜欢听音乐", day(8, 3))
    assert current(alice, SOUND) == "静音"
    assert not Conflict.objects.exists()


@pytest.mark.django_db
def test_an_older_message_that_arrives_late_is_history(alice):
    say(alice, "我每天早上六点起床", day(8, 20))
    say(alice, "我每天早上七点起床", day(7, 1))
    assert states(alice, WAKES) == [("6:00", "current"), ("7:00", "superseded")]
    assert not Conflict.objects.exists()


@pytest.mark.django_db
def test_a_repeat_protects_against_messages_from_before_it(alice):
    say(alice, "我每天早上六点起床", day(6, 1))
    say(alice, "我还是每天早上六点起床", day(8, 20))
    say(alice, "我每天早上七点起床", day(7, 1))
    assert current(alice, WAKES) == "6:00"


@pytest.mark.django_db
def test_doubt_waits_and_a_clear_repeat_settles_it(alice):
    say(alice, "打坐要静音", day(8, 1))
    conversation = make_conversation(alice)
    turn = make_turn(conversation, "也许放流水声更好", at=day(8, 3))
    seen = observe(turn, [proposal(SOUND, "流水声", turn, confidence=0.5)])[0]
    assert (seen.outcome, current(alice, SOUND)) == ("pending", "静音")
    say(alice, "以后打坐放流水声", day(8, 6))
    assert current(alice, SOUND) == "流水声"
    assert not versions(alice, SOUND).pending().exists()
    assert not Conflict.objects.open().filter(new__status="pending").exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("record", "doubt", "slot", "waits"),
    [
        ("I get up at 6", "lately it might be closer to 7, I'm really not sure", WAKES, "7:00"),
        ("I go to bed at ten", "not sure but it may be more like midnight", "habit.sleep_time", "0:00"),
    ],
)
def test_doubt_that_names_no_habit_is_of_the_one_on_record(alice, record, doubt, slot, waits):
    say(alice, record, day(8, 1))
    holds = current(alice, slot)
    say(alice, doubt, day(8, 5))
    assert current(alice, slot) == holds
    assert versions(alice, slot).pending().get().value == waits


@pytest.mark.django_db
def test_of_two_habits_that_it_could_be_none_is_meant(alice):
    say(alice, "I get up at 6 and I meditate at 6:30 every morning", day(8, 1))
    say(alice, "lately it might be closer to 7", day(8, 5))
    assert not EntityVersion.objects.pending().exists()


@pytest.mark.django_db
def test_what_is_said_for_this_conversation_leaves_the_lasting_value_and_opens_nothing(alice):
    say(alice, "以后回答详细一点", day(8, 1))
    talk = make_conversation(alice)
    say(alice, "这次回答简洁一点", day(8, 3), talk)
    lasting = Entity.objects.lasting().slot("preference.answer_style").get()
    assert lasting.versions.current().get().value.startswith("详细")
    here = Entity.objects.slot("preference.answer_style").get(conversation=talk)
    assert not Memory.objects.filter(version__entity=here).exists()
    talk.delete()
    assert Entity.objects.slot("preference.answer_style").get() == lasting
    assert not Conflict.objects.exists()


@pytest.mark.django_db
def test_the_end_of_one_item_leaves_the_others(alice):
    say(alice, "我修数息", day(8, 1))
    say(alice, "我也念佛", day(8, 3))
    say(alice, "我不再数息了", day(8, 9))
    held = versions(alice, "preference.practice_method").current()
    assert [version.entity.item for version in held] == ["念佛"]
    ended = EntityVersion.objects.get(entity__item="数息")
    assert (ended.status, ended.valid_to) == ("superseded", day(8, 9))


@pytest.mark.django_db
def test_practised_and_disliked_exclude_each_other(alice, person):
    say(alice, "我喜欢站桩", day(8, 1))
    turn = say(alice, "站桩我不喜欢了", day(8, 9))
    held = EntityVersion.objects.current().get(entity__user=alice, entity__item="站桩")
    assert held.entity.attribute == "disliked_practice"
    conflict = Conflict.objects.get()
    assert conflict.told_at == turn.at
    arbitration.resolve(conflict, "keep_old", person)
    held = EntityVersion.objects.current().get(entity__user=alice, entity__item="站桩")
    assert held.entity.attribute == "practice_method"
    arbitration.undo(conflict, person)
    held = EntityVersion.objects.current().get(entity__user=alice, entity__item="站桩")
    assert held.entity.attribute == "disliked_practice"


@pytest.mark.django_db
def test_what_was_said_days_ago_is_said_more_exactly(alice):
    say(alice, "我在广东这边", day(8, 1))
    say(alice, "佛山顺德，天天吃双皮奶那个地方", day(8, 3))
    assert current(alice, "profile.location") == "佛山顺德"
    say(alice, "成都的火锅真辣", day(8, 5))
    assert current(alice, "profile.location") == "佛山顺德"
    assert not Conflict.objects.exists()


FREE = ["preference.note", "goal.wish", "habit.routine", "status.detail", "profile.nickname", "schedule.plan"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "words",
    ["计划取消了", "我不去了", "不再这样了", "刚才说错了", "再加十分钟", "改成晚上", "别提醒我了", "the plan is off", "scrap that", "now in the evening"],
)
def test_slots_of_the_users_own_making_are_in_nobodys_way(alice, words):
    for place, slot in enumerate(FREE):
        make_version(make_entity(alice, slot, item=f"第{place}样"), f"某样东西{place}", last_observed_at=day(8, 1), recorded_at=day(8, 1))
    say(alice, words, day(8, 9))
    assert EntityVersion.objects.current().filter(value__startswith="某样东西").count() == len(FREE)


@pytest.mark.django_db
def test_a_plan_in_a_slot_of_the_users_own_making_is_cancelled_by_its_name(alice):
    make_version(make_entity(alice, "goal.wish"), "去冈仁波齐转山", last_observed_at=day(8, 1), recorded_at=day(8, 1))
    say(alice, "去冈仁波齐转山的计划取消了", day(8, 9))
    assert not EntityVersion.objects.current().filter(value="去冈仁波齐转山").exists()


# Taking back.


@pytest.mark.django_db
def test_a_statement_taken_back_gives_way_to_what_it_replaced(alice):
    say(alice, "打坐我喜欢流水声", day(8, 1))
    talk = make_conversation(alice)
    say(alice, "以后打坐都静音", day(8, 3), talk)
    say(alice, "刚才那句说错了，不算", day(8, 3, 8, 2), talk)
    assert current(alice, SOUND) == "流水声"
    assert not Conflict.objects.open().exists()


@pytest.mark.django_db
def test_a_slip_is_corrected_without_a_question(alice):
    talk = make_conversation(alice)
    say(alice, "我每天打坐一小时", day(8, 1), talk)
    say(alice, "刚才说错了，是半小时", day(8, 1, 8, 4), talk)
    assert states(alice, SITS) == [("1小时", "retracted"), ("30分钟", "current")]
    assert not Conflict.objects.exists()


@pytest.mark.django_db
def test_an_opposite_statement_never_deletes_both(alice):
    talk = make_conversation(alice)
    for number, words in enumerate(["我戒烟了", "我又抽上烟了", "我戒烟了", "我又抽上烟了"]):
        say(alice, words, day(8, 1 + number), talk)
        assert versions(alice, "status.smoking_status").current().count() == 1
    assert versions(alice, "status.smoking_status").exclude(status="retracted").count() >= 3


# By hand.


@pytest.mark.django_db
def test_a_rollback_of_a_rollback_is_a_version_like_any_other(alice, person):
    say(alice, "打坐我喜欢流水声", day(8, 1))
    say(alice, "以后打坐都静音", day(8, 3))
    water, silence = versions(alice, SOUND)
    entity = water.entity
    entities.rollback(entity, water.pk, person)
    assert current(alice, SOUND) == "流水声"
    entities.rollback(entity, silence.pk, person)
    assert current(alice, SOUND) == "静音"
    assert versions(alice, SOUND).count() == 4 and versions(alice, SOUND).current().count() == 1


@pytest.mark.django_db
def test_an_edit_over_a_newer_version_clashes_and_loses_nothing(alice, person):
    say(alice, "打坐我喜欢流水声", day(8, 1))
    seen = versions(alice, SOUND).get()
    say(alice, "以后打坐都静音", day(8, 3))
    with pytest.raises(Clash) as clash:
        entities.edit_value(seen.entity, "雨声", person, expected_version=seen.pk)
    assert clash.value.details == {"now": "静音", "yours": "雨声"}
    assert current(alice, SOUND) == "静音"


@pytest.mark.django_db
def test_what_nobody_confirms_expires(alice):
    turn = make_turn(make_conversation(alice), "也许放流水声更好", at=day(8, 3))
    observe(turn, [proposal(SOUND, "流水声", turn, confidence=0.5)])[0]
    assert expire_pending(day(8, 3)) == 0
    assert expire_pending(day(8, 4)) == 1 == versions(alice, SOUND).filter(status="rejected").count()
    assert expire_pending(day(8, 4)) == 0


# Erased.


@pytest.mark.django_db(transaction=True)
def test_erased_stays_erased_in_an_import_and_may_be_said_again(alice, person):
    say(alice, "打坐我喜欢流水声", day(8, 1))
    erase.erase_entity(Entity.objects.slot(SOUND).get(), person)
    talk = make_conversation(alice)
    item = conversations.Exchange("打坐的时候我喜欢流水声", "好的。", day(7, 1))
    history = conversations.add_history(talk, [item])
    account = Account.objects.of(alice)
    for turn in Turn.objects.filter(pk__in=[t.pk for t in history.turns]).select_related("conversation", "user"):
        assert [seen.outcome for seen in extraction.observe_turn(turn, account)] == ["buried"]
    assert not versions(alice, SOUND).exists()
    say(alice, "打坐我喜欢流水声", day(8, 9))
    assert current(alice, SOUND) == "流水声"


@pytest.mark.django_db(transaction=True)
def test_a_second_reading_of_the_turn_does_not_revive_what_was_erased_after_it(alice, person):
    turn = say(alice, "打坐我喜欢流水声", day(8, 1))
    erase.erase_entity(Entity.objects.slot(SOUND).get(), person)
    turn.refresh_from_db()
    assert observe(turn, [proposal(SOUND, "流水声", turn)])[0].outcome == "buried"
    assert not versions(alice, SOUND).exists()
