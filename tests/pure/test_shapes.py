"""Shapes of messages that any slot can take: cards, bare lists, dictation, corrections of a part, changes without a name."""

import pytest

from chat.memory.rules import narrowed, propose
from tests.pure.reading_rules import AT, ZONE, assert_stated, stated


def told(text: str):
    return propose(text, AT, ZONE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("姓名：何苗 / 年龄 44 / 城市 贵阳 / 职业 小学老师", {"profile.name": "何苗", "profile.age": "44", "profile.location": "贵阳", "profile.occupation": "小学老师"}),
        ("坐标:烟台\n信仰:无\n抽烟：否\n起床：6:20", {"profile.location": "烟台", "profile.belief": "无", "status.smoking_status": "不抽烟", "habit.wake_time": "6:20"}),
        ("Name - Efua; City - Accra; Job - midwife", {"profile.name": "Efua", "profile.location": "Accra", "profile.occupation": "midwife"}),
        ("Quick profile: name Theo | age 58 | lives in Bergen", {"profile.name": "Theo", "profile.age": "58", "profile.location": "Bergen"}),
        ("睡眠：凌晨1点睡 6点醒\n声音：不要", {"habit.sleep_time": "1:00", "habit.wake_time": "6:00", "preference.meditation_sound": "静音"}),
        ("何苗 44 贵阳 小学老师", {"profile.name": "何苗", "profile.age": "44", "profile.location": "贵阳", "profile.occupation": "小学老师"}),
        ("老周，63，退休钳工，鞍山人", {"profile.name": "老周", "profile.age": "63", "profile.occupation": "钳工"}),
        ("New here. Dani, 33, Melbourne, baker.", {"profile.name": "Dani", "profile.age": "33", "profile.location": "Melbourne"}),
    ],
)
def test_cards_and_lists_tell_by_their_form(text, expected):
    assert_stated(text, expected)


@pytest.mark.parametrize(
    "text",
    [
        "姓名：____ 年龄：____ 这个表怎么填", "例：姓名 李雷 年龄 30 城市 北京", "张伟 28 广州 程序员，这是我室友填的表", "求职：会计，三年经验，深圳",
        "我们店招人：年龄30以下", "Passenger: Mr Lee, 45, Seoul, seat 14C", "Name: Age: City: is that all you need?", "睡觉：失败",
        "以下是测试数据：name=test; age=99",
    ],
)  # fmt: skip
def test_forms_that_are_not_the_writers_own_tell_nothing(text):
    assert stated(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我叫刘海燕今年四十六岁在厦门开了个小茶馆每天早上五点半起床然后打坐半个小时一般是单盘数息晚上十点就睡了",
         {"profile.age": "46", "profile.location": "厦门", "habit.wake_time": "5:30", "habit.meditation_duration": "30", "preference.posture": "单盘", "preference.practice_method": "数息", "habit.sleep_time": "22:00"}),
        ("so basically i get up at 6 sit for half an hour on a kneeling bench no music then i run three times a week and im asleep by 11",
         {"habit.wake_time": "6:00", "habit.meditation_duration": "30", "preference.posture": "bench", "preference.meditation_sound": "silence", "habit.exercise": "跑步", "habit.sleep_time": "23:00"}),
        ("念佛、拜佛、抄经都做", {"preference.practice_method": "念佛"}),
        ("五点起六点坐到六点半", {"habit.wake_time": "5:00", "habit.meditation_time": "6:00", "habit.meditation_duration": "30"}),
        ("up at 5, on the cushion 5:30 to 6:15", {"habit.wake_time": "5:00", "habit.meditation_time": "5:30", "habit.meditation_duration": "45"}),
    ],
)  # fmt: skip
def test_what_runs_on_without_marks_is_read_piece_by_piece(text, expected):
    assert_stated(text, expected)


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("邮箱 lixin@gmial.com 打错了 是gmail", "profile.email", "lixin@gmail.com"),
        ("手机13566778890 啊最后一位是8不是0", "profile.phone", "13566778898"),
        ("手机13812345678，尾号打错，是5679", "profile.phone", "13812345679"),
        ("我叫沈括，是阔不是括", "profile.name", "沈阔"),
        ("每天坐20分钟，哦不是，是25", "habit.meditation_duration", "25分钟"),
        ("I meditate four times a week. no, five", "habit.meditation_frequency", "5 times a week"),
        ("my email is ana@outlok.com, typo: outlook.com", "profile.email", "ana@outlook.com"),
        ("我叫陈默29岁在成都，年龄写错了，是28", "profile.age", "28"),
    ],
)
def test_only_the_part_that_was_mistaken_is_put_right(text, slot, value):
    assert [p.value for p in told(text) if p.slot == slot and p.operation == "assert"] == [value]


@pytest.mark.parametrize(
    ("text", "among", "by"),
    [
        ("再加十分钟了现在", {"habit.meditation_duration"}, 600),
        ("added another 10 this month", {"habit.meditation_duration"}, 600),
        ("打坐时间缩短了五分钟", {"habit.meditation_duration"}, -300),
        ("现在早起半小时了", {"habit.wake_time"}, -1800),
        ("half an hour later these days", {"habit.wake_time", "habit.sleep_time", "habit.meditation_time"}, 1800),
    ],
)
def test_a_change_by_so_much_is_one_of_what_is_believed(text, among, by):
    assert [(set(p.among), p.by) for p in told(text)] == [(among, by)]


@pytest.mark.parametrize("text", ["今天多坐了十分钟", "跑步再加十分钟", "the bus was 10 minutes later than usual", "如果减五分钟会不会好点"])
def test_more_or_less_of_something_else_says_nothing(text):
    assert stated(text) == []


@pytest.mark.parametrize("text", ["闭关计划取消了", "牙医那个推掉了", "the retreat fell through"])
def test_what_is_off_is_no_plan(text):
    assert [p.operation for p in told(text)] == ["cancel"]


@pytest.mark.parametrize("text", ["刚才那些都是瞎说的，全忘了吧", "please delete all of that", "ignore all of that"])
def test_all_of_a_message_is_taken_back(text):
    assert [p.operation for p in told(text)] == ["unsay"]


@pytest.mark.parametrize(
    ("before", "text", "value"),
    [
        ("我在广东这边", "佛山顺德，天天吃双皮奶那个地方", "佛山顺德"),
        ("冥想我喜欢放点自然的声音", "最好是下雨的声音，别的鸟啊风啊一般", "雨声"),
        ("我在打坐的時候跪著坐", "有墊一個跪凳，不然腳踝受不了", "跪凳"),
        ("I live in Scotland", "up in Aberdeen, by the sea", "Aberdeen"),
        ("我吃素", "我妈吃全素", None),
        ("我住四川", "成都的火锅真辣", None),
        ("我在浙江", "昨天去杭州玩了", None),
        ("我打坐听大自然的声音", "今天下雨了", None),
        ("我打坐听大自然的声音", "不是雨声", None),
        ("我住四川", "北京的冬天冷吗", None),
    ],
)
def test_what_is_believed_is_said_more_exactly(before, text, value):
    believed = [(p.slot, p.normalized) for p in propose(before, AT, ZONE)]
    assert believed
    assert [p.value for p in narrowed(text, AT, ZONE, lambda: believed)] == ([value] if value else [])


def test_beliefs_are_not_fetched_for_a_question():
    assert narrowed("成都冬天冷吗", AT, ZONE, lambda: pytest.fail("fetched")) == []
