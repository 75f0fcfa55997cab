"""Slips corrected in the same message, and earlier statements taken back."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from chat.memory.rules import propose

ZONE = "Asia/Shanghai"
AT = datetime(2026, 8, 20, 9, 0, tzinfo=ZoneInfo(ZONE))


def told(text):
    return propose(text, AT, ZONE)


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("我每天坐20分钟，不对，30分钟", "habit.meditation_duration", "30分钟"),
        ("我住苏州 哦不，无锡，刚搬来老写错", "profile.location", "无锡"),
        ("我今年36，哎打错了37岁", "profile.age", "37"),
        ("电话 13712340000，等等最后一位错了，是13712340001", "profile.phone", "13712340001"),
        ("我养了两只狗，不是，是两只猫", "profile.pet", "猫"),
        ("我叫陈静，打错字了，陈婧", "profile.name", "陈婧"),
        ("wake up at 5:30... I mean 6:30, typo", "habit.wake_time", "6:30"),
        ("I live in Porto -- sorry, Lisbon", "profile.location", "Lisbon"),
        ("My name's Kat, scratch that, use Katherine please", "profile.name", "Katherine"),
        ("我不是老师，我是做会计的", "profile.occupation", "会计"),
        ("我每天坐2小时 不不打错了 是20分钟", "habit.meditation_duration", "20分钟"),
        ("我住昆明，啊不对，现在是曲靖，老忘自己搬家了", "profile.location", "曲靖"),
    ],
)
def test_only_the_corrected_value_is_told(text, slot, value):
    found = [p.value for p in told(text) if p.slot == slot and p.operation == "assert"]
    assert len(found) == 1
    assert value in found[0]
    assert not [p for p in told(text) if p.operation == "retract"]


def test_a_slip_without_the_right_value_leaves_nothing():
    assert told("我喜欢打坐听流水声，哦不对") == []


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("忘掉我说的邮箱", "profile.email"),
        ("忘掉我说的饮食偏好", "preference.diet"),
        ("上一条发错了，别记我住南京", "profile.location"),
        ("手机号那条麻烦帮我删了", "profile.phone"),
        ("之前让你简短的要求作废哈", "preference.answer_style"),
        ("I'm not vegan, ignore that", "preference.diet"),
        ("你把我名字抹了吧", "profile.name"),
        ("我的信箱請幫我刪除，不要留著", "profile.email"),
        ("please forget where I live", "profile.location"),
    ],
)
def test_a_named_slot_is_taken_back(text, slot):
    (retraction,) = told(text)
    assert (retraction.operation, retraction.slot) == ("retract", slot)
    assert retraction.quote in text


@pytest.mark.parametrize("text", ["I always forget where I put my cushion", "I forget how long I sat", "老忘了自己坐了多久"])
def test_who_forgets_takes_nothing_back(text):
    assert not [p for p in told(text) if p.operation in ("retract", "unsay")]


def test_what_two_slots_are_called_is_taken_back_from_both():
    assert {p.slot for p in told("忘掉我说的住址吧")} == {"profile.address", "profile.location"}


def test_of_several_items_only_the_named_one_is_taken_back():
    (retraction,) = told("猫那条删掉，记错了")
    assert (retraction.slot, retraction.item) == ("profile.pet", "猫")


@pytest.mark.parametrize("text", ["那只乌龟别算进去", "那只乌龟是邻居的，说错了"])
def test_the_item_may_be_named_anywhere_in_the_sentence(text):
    assert {(p.slot, p.item) for p in told(text) if p.operation == "retract"} == {("profile.pet", "乌龟")}


@pytest.mark.parametrize(
    ("text", "measure"), [("上回说坐一小时那个你忘了吧", "一小时"), ("I made up the 40 minutes thing", "40 minutes"), ("每周三次那句不算", "每周三次")]
)
def test_a_measure_that_is_taken_back_says_which_statement_is_meant(text, measure):
    (retraction,) = [p for p in told(text) if p.operation == "retract"]
    assert (retraction.category, retraction.value, retraction.item) == ("", "", measure)


def test_what_is_called_off_is_not_put_right_by_the_reason_for_it():
    assert {(p.operation, p.value) for p in told("闭关的计划作废了 单位不批假") if p.slot == "goal.retreat_plan"} == {("retract", "")}


def test_a_value_that_several_slots_may_have_is_taken_back_where_it_stands():
    found = {(p.slot, p.key) for p in told("scrap what I said about not liking body scans")}
    assert {("preference.practice_method", "enum:身体扫描"), ("preference.disliked_practice", "enum:身体扫描")} <= found


@pytest.mark.parametrize("text", ["我不是不喝酒，是很少喝", "我不是没戒烟，是又抽上了"])
def test_a_denial_that_is_denied_states_neither(text):
    assert not [p for p in told(text) if p.key in ("enum:不喝酒", "enum:抽烟")]


@pytest.mark.parametrize("text", ["刚才说错了", "别记了，瞎写的", "scratch that"])
def test_what_names_no_slot_means_the_newest_statement(text):
    (retraction,) = told(text)
    assert (retraction.operation, retraction.category, retraction.attribute, retraction.value) == ("retract", "", "", "")


@pytest.mark.parametrize(
    "text",
    ["前面那句打错了不算", "逗你玩的，刚才那句不算", "上面那段是替我妈问的，别记", "刚那条不作数，发错窗口了", "那是我同事发的，跟我没关系", "oops wrong chat, ignore that last message"],
)
def test_what_points_at_the_message_before_takes_all_of_it_back(text):
    (retraction,) = told(text)
    assert (retraction.operation, retraction.slot) == ("unsay", ".")


def test_the_right_value_comes_with_the_retraction():
    (retraction,) = told("刚才说错了，是半小时")
    assert (retraction.attribute, retraction.value) == ("", "半小时")


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("刚刚名字打错了，是王蕾", "profile.name", "王蕾"),
        ("刚剛說錯，我是鍋邊素", "preference.diet", "锅边素"),
        ("双盘那句说错了，是散盘", "preference.posture", "散盘"),
    ],
)
def test_a_named_slot_is_taken_back_first_and_stated_anew(text, slot, value):
    first, second = told(text)
    assert (first.operation, first.slot) == ("retract", slot)
    assert (second.operation, second.slot, second.value) == ("assert", slot, value)


@pytest.mark.parametrize("text", ["怕自己说错话", "过一会儿就忘记读到哪儿了", "可以清除掉杂念", "打坐不算太难", "他说错了"])
def test_what_only_sounds_like_a_retraction(text):
    assert not [p for p in told(text) if p.operation == "retract"]


@pytest.mark.parametrize("text", ["思远，对，你没记错，就是这个名字", "你没说错", "没打错字吧"])
def test_what_was_no_mistake_takes_nothing_back(text):
    assert told(text) == []
