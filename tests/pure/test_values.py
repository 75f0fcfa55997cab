"""Values: one meaning however it is written, and how a new one stands to the old."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.memory import numerals, ontology, values
from chat.memory.values import Relation, duration, frequency, wording

ZONE = "Asia/Shanghai"
AT = datetime(2026, 8, 20, 9, 0, tzinfo=ZoneInfo(ZONE))


def read(slot, words, at=AT):
    return values.normalise(ontology.load().attribute(slot), words, at, ZONE)


def relation(slot, old, new, new_at=AT):
    attribute = ontology.load().attribute(slot)
    return values.compare(attribute, read(slot, old).normalized, read(slot, new, new_at).normalized)


SAME = [
    ("habit.meditation_duration", ["十五分钟", "15分钟", "15分鐘", "一刻钟", "15min"] + ["15 min", "a quarter of an hour", "fifteen minutes"]),
    ("habit.meditation_duration", ["半小时", "半个小时", "半个钟头", "30分钟", "三十分鐘", "两刻钟"] + ["half an hour", "30 minutes"]),
    ("habit.meditation_duration", ["一个半小时", "90分钟", "1.5小时", "一小时三十分", "an hour and a half", "one and a half hours"]),
    ("habit.wake_time", ["早上六点", "6:00", "清晨6点钟", "六点", "6am", "06:00", "六点整"] + ["six o'clock"]),
    ("habit.sleep_time", ["晚上十一点", "23:00", "十一点", "11pm", "夜里11点"]),
    ("habit.sleep_time", ["十二点", "半夜12点", "0:00", "晚上12点"]),
    ("habit.meditation_frequency", ["每天", "天天", "每日", "daily", "every day"]),
    ("habit.meditation_frequency", ["每周三次", "一周3次", "一个星期三回", "three times a week"]),
    ("habit.meditation_frequency", ["每天两次", "一天两次", "twice a day"]),
    ("preference.meditation_sound", ["静音", "安静", "不放声音", "no music", "silence"]),
    ("preference.posture", ["双盘", "跏趺坐", "full lotus", "雙盤"]),
    ("profile.phone", ["138-0000-1234", "138 0000 1234", "13800001234"]),
    ("profile.email", ["Lin@Example.com", "lin@example.com"]),
    ("profile.birthday", ["5月20日", "五月二十号", "May 20"]),
    ("profile.belief", ["佛教", "信佛", "Buddhist"]),
]


@pytest.mark.parametrize(("slot", "spellings"), SAME)
def test_every_spelling_of_a_value_has_one_key(slot, spellings):
    keys = {spelling: read(slot, spelling).key for spelling in spellings}
    assert len(set(keys.values())) == 1, keys


@pytest.mark.parametrize(
    ("slot", "old", "new", "expected"),
    [
        ("habit.meditation_frequency", "每周三次", "每天", Relation.CONTRADICTS),
        ("habit.meditation_frequency", "每周三次", "每周一三五", Relation.REFINES),
        ("habit.meditation_frequency", "每周一三五", "每周三次", Relation.SAME),
        ("habit.meditation_frequency", "每周三四次", "每周三次", Relation.REFINES),
        ("habit.meditation_duration", "20分钟左右", "二十来分钟", Relation.SAME),
        ("habit.meditation_duration", "大概20分钟", "22分钟", Relation.SAME),
        ("habit.meditation_duration", "20分钟", "30分钟", Relation.CONTRADICTS),
        ("habit.meditation_duration", "大概20分钟", "40分钟", Relation.CONTRADICTS),
        ("habit.meditation_duration", "20到30分钟", "25分钟", Relation.REFINES),
        ("habit.meditation_duration", "25分钟", "20到30分钟", Relation.SAME),
        ("habit.meditation_time", "晚上", "睡前", Relation.REFINES),
        ("habit.meditation_time", "睡前", "晚上", Relation.SAME),
        ("habit.meditation_time", "早上", "早上六点", Relation.REFINES),
        ("habit.meditation_time", "早上", "晚上", Relation.CONTRADICTS),
        ("habit.meditation_time", "早上", "早上和晚上", Relation.ADDS),
        ("habit.wake_time", "六点左右", "6:15", Relation.SAME),
        ("habit.wake_time", "六点", "七点", Relation.CONTRADICTS),
        ("habit.sleep_time", "十二点左右", "23:50", Relation.SAME),
        ("preference.posture", "散盘", "椅子上散坐", Relation.REFINES),
        ("preference.posture", "散盘", "双盘", Relation.CONTRADICTS),
        ("preference.meditation_sound", "音乐", "古琴", Relation.REFINES),
        ("preference.meditation_sound", "流水声", "静音", Relation.CONTRADICTS),
        ("preference.diet", "吃素", "全素", Relation.REFINES),
        ("preference.diet", "吃素", "清淡", Relation.ADDS),
        ("preference.diet", "全素", "吃素", Relation.SAME),
        ("preference.answer_style", "简洁", "详细", Relation.CONTRADICTS),
        ("preference.answer_style", "简洁", "温和", Relation.ADDS),
        ("status.smoking_status", "不抽烟", "已戒烟", Relation.REFINES),
        ("status.smoking_status", "已戒烟", "抽烟", Relation.CONTRADICTS),
        ("profile.location", "杭州", "杭州余杭", Relation.REFINES),
        ("profile.location", "杭州", "北京", Relation.CONTRADICTS),
        ("profile.name", "小雨", "林小雨", Relation.REFINES),
        ("profile.birthday", "5月20日", "1990年5月20日", Relation.REFINES),
        ("profile.birthday", "农历5月20日", "5月20日", Relation.CONTRADICTS),
        ("goal.daily_meditation", "每天", "30分钟", Relation.REFINES),
        ("profile.location", "江苏", "徐州", Relation.REFINES),
        ("profile.location", "浙江", "杭州余杭", Relation.REFINES),
        ("profile.location", "徐州", "江苏", Relation.SAME),
        ("profile.location", "上海", "魔都", Relation.SAME),
        ("profile.location", "江苏", "杭州", Relation.CONTRADICTS),
        ("profile.location", "南京", "徐州", Relation.CONTRADICTS),
    ],
)
def test_how_a_new_value_stands_to_the_old(slot, old, new, expected):
    assert relation(slot, old, new) is expected


def test_an_age_grows_by_itself():
    two_years_later = AT.replace(year=2028)
    assert relation("profile.age", "35岁", "37岁", two_years_later) is Relation.SAME
    assert relation("profile.age", "35岁", "35岁", two_years_later) is Relation.CONTRADICTS
    attribute = ontology.load().attribute("profile.age")
    assert values.show(attribute, read("profile.age", "35岁").normalized, "zh", date(2028, 1, 1)) == "37"


@pytest.mark.parametrize(
    ("words", "start", "shown"),
    [
        ("第12天", "2026-08-09", ("第12天", "day 12")),
        ("day 12", "2026-08-09", ("第12天", "day 12")),
        ("连续30天", "2026-07-22", ("第30天", "day 30")),
        ("8月1号", "2026-08-01", ("第20天", "day 20")),
    ],
)
def test_a_counter_is_kept_as_its_first_day_and_shown_as_todays_number(words, start, shown):
    attribute = ontology.load().attribute("status.meditation_streak")
    normalized = read("status.meditation_streak", words).normalized
    assert normalized["start"] == start
    assert (values.show(attribute, normalized, "zh", AT.date()), values.show(attribute, normalized, "en", AT.date())) == shown
    ten_days_on = date(2026, 8, 30)
    assert values.show(attribute, normalized, "zh", ten_days_on) == f"第{int(shown[0][1:-1]) + 10}天"


def test_two_reports_of_one_streak_agree_and_a_broken_one_does_not():
    slot = "status.meditation_streak"
    assert relation(slot, "第10天", "第11天", AT.replace(day=21)) is Relation.SAME
    assert relation(slot, "第10天", "第1天", AT.replace(day=21)) is Relation.CONTRADICTS


@pytest.mark.parametrize(
    ("slot", "words"),
    [
        ("habit.meditation_duration", "很久"),
        ("habit.wake_time", "早晚会起的啦"),
        ("profile.email", "没有邮箱"),
        ("status.smoking_status", "蓝色"),
    ],
)
def test_words_that_are_no_value_of_the_attribute(slot, words):
    found = read(slot, words)
    assert found is None or found.normalized["type"] == "time_of_day"


def test_a_free_attribute_takes_any_words():
    value = values.normalise(None, " 蓝色。", AT, ZONE)
    assert (value.shown, value.normalized) == ("蓝色", {"type": "text", "text": "蓝色"})


@given(st.integers(1, 59), st.integers(0, 11))
def test_a_shown_duration_reads_as_itself(minutes, hours):
    normalized = {"type": "duration", "seconds": (hours * 60 + minutes) * 60}
    for language in ("zh", "en"):
        assert duration.parse(duration.show(normalized, language)) == normalized


@given(st.sampled_from([1, 7, 30]), st.integers(1, 9))
def test_a_shown_frequency_reads_as_itself(per, times):
    normalized = {"type": "frequency", "times": times, "per_days": per}
    for language in ("zh", "en"):
        assert frequency.compare(normalized, frequency.parse(frequency.show(normalized, language))) is Relation.SAME


@given(st.integers(0, 1439))
def test_a_shown_time_of_day_reads_as_itself(minute):
    shown = f"{minute // 60}:{minute % 60:02d}"
    value = read("habit.meditation_time", shown)
    assert value.shown == shown
    assert read("habit.meditation_time", value.shown).normalized == value.normalized


@given(st.integers(1, 9999))
def test_chinese_numerals_read_back(number):
    digits, units = "零一二三四五六七八九", ["", "十", "百", "千"]
    written, zero = "", False
    for place, digit in enumerate(str(number)):
        power = len(str(number)) - place - 1
        if digit == "0":
            zero = bool(written)
            continue
        written += ("零" if zero else "") + digits[int(digit)] + units[power]
        zero = False
    assert numerals.parse(written) == number


@given(st.text(max_size=40), st.sampled_from(sorted(ontology.load().attributes)))
def test_any_text_is_a_value_or_none(words, slot):
    value = read(slot, words)
    assert value is None or (value.key and value.normalized["type"])


@pytest.mark.parametrize(("words", "shown"), [
    ("读《清静经》", "读《清静经》"), ("《清静经》每天一页。", "《清静经》每天一页"), ("、《清静经》。", "《清静经》"), ("读《清静经", "读《清静经"),
    ("《心经》和《金刚经》", "《心经》和《金刚经》"), ("「早课」", "早课"), ("《》", ""), ("读》", "读"), ("《读", "读"),
])  # fmt: skip
def test_a_pair_of_marks_stays_whole(words, shown):
    assert wording.tidy(words) == shown
