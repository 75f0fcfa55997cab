"""Whether two memories say the same thing, by words alone: what likeness of vectors can never decide."""

import pytest

from chat.llm.embeddings import near
from chat.memory import facts
from chat.memory.differences import differences
from chat.memory.polarity import agree, clash
from chat.memory.sameness import DIFFERENT, SAME, combine, judge
from chat.memory.wording import told, units, unsaid


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("会议取消了", "会议推迟了", "opposite"), ("我喜欢雨声", "我不喜欢雨声", "denial"), ("左手麻", "右手麻", "opposite"),
        ("打坐15分钟", "打坐50分钟", "numbers"), ("妈妈住院了", "爸爸住院了", "person"), ("周一去看医生", "周五去看医生", "day"),
        ("在读《坛经》", "在读《心经》", "name"), ("I moved to Berlin", "I moved to Lisbon", "name"),
        ("I can sit for long", "I can't sit for long", "denial"), ("因为工作失眠", "因为孩子哭闹失眠", "cause"),
        ("我劝妈妈去看医生", "妈妈劝我去看医生", "direction"), ("我哥打了我", "我打了我哥", "direction"), ("经常头晕", "偶尔头晕", "opposite"),
        ("想辞职", "辞职了", "plan"), ("I adopted a cat", "I'm thinking of adopting a cat", "plan"), ("下周三复查", "下下周三复查", "day"),
        ("He apologised", "He refused to apologise", "denial"), ("先念经再打坐", "先打坐再念经", "order"), ("以前吃素", "一直吃素", "past"),
        ("正在办离婚", "离婚办完了", "stage"), ("心情越来越好", "心情越来越差", "opposite"),
        ("I apologised to my brother", "My brother apologised to me", "direction"),
    ],
)  # fmt: skip
def test_what_forbids_a_merge_does_so_however_alike_the_texts_are(one, other, why):
    assert why in differences(one, other) and why in differences(other, one)
    assert judge(one, other, 0.99, near) == DIFFERENT


@pytest.mark.parametrize(("one", "other"), [("担心被裁员", "公司说我被裁员"), ("梦见自己辞职了", "昨天我真的辞职了")])
def test_what_turns_the_words_beside_it_is_weighed_and_keeps_them_apart(one, other):
    assert "turning" in differences(one, other)
    assert judge(one, other, 0.99, near) != SAME


@pytest.mark.parametrize(("one", "other"), [("对花生过敏", "对牛奶过敏"), ("昨天买了苹果", "昨天买了香蕉")])
def test_one_thing_exchanged_is_never_merged_without_a_reader(one, other):
    assert judge(one, other, 0.95, near) != SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [("我養了一隻橘貓", "我养了一只橘猫"), ("打坐时腿麻", "打坐时腿麻，左腿从脚踝麻到膝盖"), ("每天坐 15 分钟", "每天坐十五分钟"),
     ("老板批评我，心里难受", "我被老板批评了，心里不好受"), ("我和弟弟吵架了", "弟弟和我吵架了"), ("我晚上散步", "我晚饭后散步"), ("坐久了膝盖会酸", "坐久了膝盖发酸")],
)
def test_spelling_and_refinement_are_the_same(one, other):
    assert judge(one, other, 0.9, near) == SAME


@pytest.mark.parametrize(("one", "other"), [("坐了半个小时", "坐了30分钟"), ("站桩一刻钟", "站桩十五分钟"), ("I sat for half an hour", "I sat for 30 minutes")])
def test_a_part_of_an_hour_is_so_many_minutes(one, other):
    assert "numbers" not in differences(one, other)
    assert judge(one, other, 0.9, near) == SAME


@pytest.mark.parametrize(("one", "other"), [("老板当众骂了我", "老板当众夸了我"), ("我教邻居打太极", "我学邻居打太极"), ("昨晚睡着了", "昨晚失眠了"), ("菜做得太咸", "菜做得太淡")])
def test_the_opposite_of_a_word_keeps_them_apart(one, other):
    assert "opposite" in differences(one, other)


def test_who_does_not_want_to_do_it_plans_nothing():
    assert "plan" not in differences("累得不想动", "累得动不了")
    assert "plan" in differences("想辞职", "辞职了")


def test_two_sides_of_one_word_become_one_text():
    assert combine("我晚上打坐效果好", "我睡前打坐效果好") in {"我晚上/睡前打坐效果好", "我睡前打坐效果好"}
    assert combine("我晚上散步", "我晚饭后散步") == "我晚上/晚饭后散步"


def test_the_fuller_text_wins_and_nothing_of_either_is_lost():
    full = "打坐时腿麻，左腿从脚踝麻到膝盖"
    assert combine("打坐时腿麻", full) == combine(full, "打坐时腿麻") == full
    both = combine("昨天体检血压偏高，医生让我少熬夜", "体检说血压高，要少吃盐，多走路")
    assert "熬夜" in both and "少吃盐" in both


@pytest.mark.parametrize(
    ("one", "other"),
    [("头一回去共修", "第一次参加共修"), ("蒲团换了新的", "坐垫换成新的"), ("闺女考上大学", "女儿考取了大学"), ("My kid was ill", "My child has been sick"),
     ("睡前泡脚", "晚上泡了脚"), ("站桩站了一会儿腰疼", "站桩时腰痛"), ("这周加了四天班", "这周加班四天"), ("我把烟戒了", "我戒烟了"), ("吃了三年素", "吃素三年了"),
     ("坐了半个钟头", "坐了三十分钟"), ("吃完晚饭就想抽烟", "晚饭后就想抽烟"), ("婆婆嫌我懒", "婆婆抱怨我懒")],
)  # fmt: skip
def test_other_words_for_the_same_leave_nothing_unsaid(one, other):
    assert unsaid(told(one), told(other)) == [] or unsaid(told(other), told(one)) == []


def test_what_is_said_in_one_word_is_taken_apart():
    assert units("腰疼") == ("腰", "疼") and units("闭上眼睛") == ("闭", "眼睛")


def test_reworded_texts_may_be_less_alike_than_such_as_differ_in_one_thing():
    assert judge("我在医院做护士，经常上夜班", "我是医院的护士，夜班很多", 0.85, near) == SAME
    assert judge("打坐时手心出汗", "打坐时手心发凉", 0.85, near) != SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [("因为堵车错过了飞机", "路上堵车，没赶上飞机"), ("I've been sleeping badly", "I haven't been sleeping well"), ("戒了三次都没成功", "戒了三回都失败了")],
)
def test_who_denies_the_opposite_says_the_same(one, other):
    assert agree(one, other) and agree(other, one)
    assert not {"denial", "clash", "opposite"} & differences(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("师父同意我去闭关", "师父没同意我去闭关"), ("站桩十分钟大腿就抖", "站桩大腿不抖了"), ("My son loves going to school", "My son won't go to school")],
)
def test_what_one_denies_and_the_other_affirms_keeps_them_apart(one, other):
    assert clash(one, other) and clash(other, one)


def test_two_who_deny_may_each_say_it_in_their_way():
    assert not clash("师父让我先别练双盘", "师父叫我暂时不要练双盘")
    assert "denial" not in differences("晚上十点以后绝不碰手机", "十点过后我就不看手机了")


def test_a_son_is_the_child_of_whom_the_other_text_speaks():
    assert "person" not in differences("孩子沉迷手机，说两句就摔门", "儿子天天玩手机，一说他就摔门进屋")
    assert "person" in differences("儿子生病了", "女儿生病了")


@pytest.mark.parametrize(
    ("one", "other"),
    [("体检查出来有脂肪肝", "体检报告说我有脂肪肝"), ("领导当着全组的面批评了我的方案", "我的方案被领导当众批了一顿"), ("I got laid off on Friday and haven't told my wife yet", "I lost my job on Friday and my wife doesn't know yet")],
)
def test_told_in_other_words_it_is_one_thing(one, other):
    assert judge(one, other, 0.8, near) == SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [("打坐时膝盖疼", "打坐时后背疼"), ("血压偏高，医生让少吃盐", "血糖偏高，医生让少吃糖"), ("I broke my wrist skiing", "I broke my ankle skiing"),
     ("跟老公为了钱吵起来了", "今天因为孩子作业和爱人拌了嘴"), ("Our dog Rufus died on Sunday", "Our dog Rufus had surgery on Sunday")],
)  # fmt: skip
def test_two_things_of_one_topic_stay_apart(one, other):
    assert judge(one, other, 0.85, near) != SAME


@pytest.mark.parametrize(("one", "other"), [("我一般六点起床打坐", "我一般七点半起床打坐"), ("我吃素三年了", "我什么都吃，不忌口"), ("I wake up at 6", "I wake up at 8")])
def test_what_contradicts_in_a_slot_is_never_one_memory(one, other):
    assert not {"fact", "numbers"}.isdisjoint(differences(one, other))
    assert judge(one, other, 0.99, near) == DIFFERENT


def test_the_same_value_in_other_words_agrees():
    assert facts.relation("每天早上六点起床", "我天天清早六点就起") == facts.AGREE
    assert facts.relation("我开了家小面馆", "自己开面馆的") == ""
