"""English, and English among Chinese, as people type it: what goes without saying, what is over, whose trouble it is."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from chat.memory import ontology, values
from chat.memory.rules import propose, read_question
from chat.memory.rules.plausible import place_name
from chat.memory.values.places import lies_in
from tests.pure.reading_rules import assert_stated, stated

ZONE = "Asia/Shanghai"
AT = datetime(2026, 8, 20, 9, 0, tzinfo=ZoneInfo(ZONE))

STATED = [
    ("work has been mad so I've trimmed it down to twelve minutes", {"habit.meditation_duration": "12 minutes"}),
    ("I've bumped them up to 35 minutes", {"habit.meditation_duration": "35 minutes"}),
    ("since the move I do it after dinner instead", {"habit.meditation_time": "dinner"}),
    ("changed to evenings", {"habit.meditation_time": "evening"}),
    ("I drive a coach these days", {"profile.occupation": "drive a coach"}),
    ("I teach Italian at an evening school", {"profile.occupation": "teach Italian"}),
    ("I've recently taken up badminton", {"habit.exercise": "球类"}),
    ("I have two sons and a baby daughter", {"profile.family": "女儿"}),
    ("I've got three kids and a spaniel", {"profile.pet": "狗"}),
    ("my hips are dodgy", {"status.health_condition": "hips"}),
    ("We relocated ourselves to Bordeaux last year", {"profile.location": "Bordeaux"}),
    ("my birthday is 25/12/1984", {"profile.birthday": "25 December 1984"}),
    ("being guided just distracts me", {"preference.meditation_guidance": "unguided"}),
    ("I'd prefer the long version with examples from now on", {"preference.answer_style": "detailed"}),
    ("我不 drink 的", {"status.drinking_status": "不喝酒"}),
    ("smoking 早就 quit 了", {"status.smoking_status": "已戒烟"}),
    ("我一般 7 点起", {"habit.wake_time": "7:00"}),
    ("sadly I'm back on the smokes", {"status.smoking_status": "抽烟"}),
    ("我一直不碰 alcohol", {"status.drinking_status": "不喝酒"}),
    ("no guidance for me please", {"preference.meditation_guidance": "unguided"}),
    ("最近太忙 cut 到 12 分钟了", {"habit.meditation_duration": "12分钟"}),
    ("I wake at 6:10", {"habit.wake_time": "6:10"}),
    ("打坐打卡Day66", {"status.meditation_streak": "66"}),
    ("嗨，我是Lydia", {"profile.name": "Lydia"}),
    ("myself Arvind, from Pune, doing sadhana since 15 years", {"profile.name": "Arvind", "profile.location": "Pune"}),
    ("hiya, late thirties, paramedic, live just outside Swansea", {"profile.age": "38", "profile.occupation": "paramedic"}),
    ("pushing 60 now and the knees know it", {"profile.age": "60"}),
    ("as a night nurse I only get to sit when the kids are at school", {"profile.occupation": "night nurse"}),
    ("run a wool shop in Ennis", {"profile.occupation": "wool shop", "profile.location": "Ennis"}),
    ("nurse in melbourne, 22 years old", {"profile.location": "melbourne", "profile.age": "22"}),
    ("Dry since 2019", {"status.drinking_status": "已戒酒"}),
    ("your answers go on forever, can't you get to the point", {"preference.answer_style": "concise"}),
    ("why is every answer a bulleted list??", {"preference.answer_style": "without lists"}),
    ("stop wrapping everything in cotton wool", {"preference.answer_style": "direct"}),
    ("nowadays it's always right before bed", {"habit.meditation_time": "before bed"}),
    ("I've crept up to 25", {"habit.meditation_duration": "25 minutes"}),
    ("since the new job I don't get up till 7", {"habit.wake_time": "7:00"}),
    ("singing bowls it is, going forward", {"preference.meditation_sound": "钵声"}),
    ("I've dropped the mantra and gone back to counting breaths", {"preference.practice_method": "数息"}),
    ("visualisation never did anything for me", {"preference.disliked_practice": "观想"}),
    ("on statins for my cholesterol", {"status.health_condition": "高血脂"}),
]


@pytest.mark.parametrize(("text", "expected"), STATED)
def test_what_is_stated(text, expected):
    assert_stated(text, expected)


@pytest.mark.parametrize(
    "text",
    [
        "I've cut my commute to 15 minutes",
        "I moved the call to 3pm",
        "Hello!",
        "a woman at our centre sits an hour every evening",
        "我是designer",
        "one of my students can't kneel because of arthritis",
        "我 flatmate 在 Dublin 养了两只 hamster",
        "we moved the piano to the study",
        "my commute is 40 minutes now",
        "the temple is noisy now",
        "read somewhere that monks get up at 3",
        "I met a nurse in Leeds",
        "mum has high blood pressure, would breathing exercises hurt her?",
        "A woman in my sangha quit smoking after 30 years",
    ],
)
def test_what_is_not_said_of_the_writers_practice(text):
    slots = {"habit.meditation_duration", "habit.meditation_time", "profile.name", "status.health_condition", "profile.pet"}
    assert not [p for p in stated(text) if p.slot in slots]


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("I don't do yoga any more", {("habit.exercise", "瑜伽"), ("preference.practice_method", "瑜伽")}),
        ("I no longer go to the gym, because of my shoulder", {("habit.exercise", "健身")}),
        ("we've given up tennis", {("habit.exercise", "球类")}),
        ("现在不去 gym 了", {("habit.exercise", "健身")}),
        ("I don't mind yoga anymore", set()),
        ("I don't only do yoga anymore", set()),
        ("I don't do yoga every day anymore", set()),
        ("if I stopped running would I sleep better", set()),
    ],
)
def test_what_is_done_no_longer_ends_in_every_slot_that_lists_it(text, over):
    assert {(p.slot, p.item) for p in propose(text, AT, ZONE) if p.operation == "end"} == over


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("双盘的时候脚踝硌得疼怎么办", "preference.posture"),
        ("每次抽完烟再去打坐心跳很快，正常吗", "status.smoking_status"),
        ("喝完酒打坐头晕怎么办", "status.drinking_status"),
        ("喝完 wine 睡不好怎么办", "status.drinking_status"),
        ("my shins burn in half lotus, any tips?", "preference.posture"),
        ("戒烟之后打坐头晕怎么办", ""),
        ("抽烟对打坐有什么影响", ""),
        ("双盘会伤膝盖吗", ""),
        ("不抽烟之后睡不好怎么办", ""),
    ],
)
def test_who_asks_what_to_do_about_a_trouble_has_it(text, slot):
    assert {p.slot for p in read_question(text, AT, ZONE).implies} == ({slot} if slot else set())


@pytest.mark.parametrize(
    ("first", "second"), [("I'm a teacher", "I teach high school biology"), ("I teach maths at a school", "I'm a maths teacher")]
)
def test_a_trade_told_by_its_verb_is_the_same_trade(first, second):
    trade = ontology.load().attribute("profile.occupation")
    one, other = (next(p.normalized for p in stated(text) if p.slot == trade.slot) for text in (first, second))
    assert values.compare(trade, one, other) is not values.Relation.CONTRADICTS


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("Which cut of beef is best for a slow stew I'm making tonight?", "preference.diet"),
        ("what's the least smelly brand of rolling tobacco?", "status.smoking_status"),
        ("which red goes with the lamb I'm having on Friday?", "status.drinking_status"),
        ("why do my ankles hurt in full lotus?", "preference.posture"),
    ],
)
def test_what_a_question_takes_for_granted(text, slot):
    assert slot in {p.slot for p in read_question(text, AT, ZONE).implies}


@pytest.mark.parametrize(
    ("words", "place"),
    [("Hull", "Hull"), ("melbourne with my dog", "melbourne"), ("Hackney, London", "Hackney, London"), ("peace", ""), ("March", ""), ("God", "")],
)
def test_a_place_is_told_by_its_capital_or_known(words, place):
    assert place_name(words) == place


def test_a_city_lies_in_its_country():
    assert lies_in("galway", "ireland") and lies_in("leeds", "uk") and not lies_in("galway", "scotland")
