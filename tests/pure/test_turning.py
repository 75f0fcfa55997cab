"""What changes of something listed or measured, in whatever words: left off, taken up, put in another's place, said more exactly."""

import pytest

from chat.memory.rules import propose, read_question
from tests.pure.reading_rules import AT, ZONE, assert_stated, stated


def told(text: str):
    return propose(text, AT, ZONE)


@pytest.mark.parametrize(
    ("text", "item"),
    [("太极拳早不打了", "太极拳"), ("游泳停了", "游泳"), ("瑜伽课上个月就不上了", "瑜伽"), ("羽毛球没再打了", "球类"), ("站桩搁下了", "站桩")],
)
def test_what_is_left_off_ends(text, item):
    assert item in {p.item for p in told(text) if p.operation == "end"}


@pytest.mark.parametrize(("text", "slot", "part"), [("最近又添了个攀岩", "habit.exercise", "爬山"), ("近来还捡起了站桩", "preference.practice_method", "站桩")])
def test_what_is_taken_up_stands_beside_the_rest(text, slot, part):
    assert_stated(text, {slot: part})


@pytest.mark.parametrize(
    ("text", "among", "value"),
    [
        ("又改回一刻钟", {"habit.meditation_duration"}, "15分钟"),
        ("减回半小时了", {"habit.meditation_duration"}, "30分钟"),
        ("应酬一多，又开始喝了", {"status.drinking_status"}, "喝酒"),
        ("一般是箫曲", {"preference.meditation_sound"}, "笛箫"),
        ("现在改成一周四次了", {"habit.meditation_frequency"}, "每周4次"),
        ("现在挪到晚上八点了", {"habit.meditation_time", "habit.wake_time", "habit.sleep_time"}, "20:00"),
        ("客厅太闹，挪到阳台了", {"preference.environment"}, "阳台"),
        ("膝盖不行了，如今只能搬个凳子坐", {"preference.posture"}, "椅子坐"),
        ("太啰嗦了，往后两三句就够", {"preference.answer_style"}, "简洁"),
    ],
)
def test_a_change_that_does_not_say_of_what_is_one_of_what_is_believed(text, among, value):
    changes = {p.value: set(p.among) for p in told(text) if p.among}
    assert changes == {value: among}


@pytest.mark.parametrize("text", ["例会改到晚上八点了", "周报改成三十分钟讲完", "今天临时换成椅子", "他改成四十分钟了", "想改成一周五次", "要不要改成二十分钟"])
def test_a_change_in_something_else_says_nothing(text):
    assert not [p for p in stated(text) if p.among]


def test_what_is_said_more_exactly_is_marked_so():
    assert [p.finer for p in told("具体是单盘")] == [True]


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("我从上周二开始戒烟的", "status.smoking_status", "第10天"),
        ("戒酒D30", "status.drinking_status", "第30天"),
        ("戒烟第 12 天", "status.smoking_status", "第12天"),
        ("戒烟两个月了，不对，仔细算应该是三个月了", "status.smoking_status", "第93天"),
        ("连着坐了三十天了", "status.meditation_streak", "第30天"),
        ("我沒在抽菸，別誤會", "status.smoking_status", "不抽烟"),
        ("我姓顾，叫顾小北", "profile.name", "顾小北"),
        ("打坐放雨声，呸，说成雨声了，是风声", "preference.meditation_sound", "风声"),
        ("我属牛的今年五十三不对五十四", "profile.age", "54"),
        ("没信什么教", "profile.belief", "无"),
        ("跳槽了，眼下干的是物业管理", "profile.occupation", "物业管理"),
        ("跟着女儿住在厦门帮她带孩子", "profile.location", "厦门"),
        ("通常是五点半那会儿坐", "habit.meditation_time", "5:30"),
        ("体检又说我有胆结石", "status.health_condition", "胆结石"),
    ],
)
def test_everyday_ways_of_saying(text, slot, value):
    assert_stated(text, {slot: value})


@pytest.mark.parametrize(
    "text",
    ["我们车间主任天天两包烟", "同组的小李改吃素了", "抖音上那个医生说他自己吃素二十年", "我徒弟都是半夜打坐", "刷到一个大哥说自己戒酒八年", "楼下张叔四点起床"],
)
def test_others_are_not_the_writer(text):
    assert stated(text) == []


@pytest.mark.parametrize("text", ["老李，对，你没记错，就是这个名字", "别误会，我挺好的"])
def test_a_confirmation_takes_nothing_back(text):
    assert not [p for p in told(text) if p.operation == "retract" or p.slot == "profile.name"]


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("单盘的时候脚踝硌得疼怎么办", "preference.posture", "单盘"),
        ("喝完酒打坐头晕怎么办", "status.drinking_status", "喝酒"),
        ("每次抽完烟再去打坐，总觉得气短，怎么回事", "status.smoking_status", "抽烟"),
    ],
)
def test_a_question_about_a_trouble_takes_for_granted_what_brings_it(text, slot, value):
    assert (slot, value) in {(p.slot, p.value) for p in read_question(text, AT, ZONE).implies}
