"""Time expressions against a moment and a zone: half-open spans, with how exactly they were named."""

import time
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.memory.times import find_times

ZONE = "Asia/Shanghai"
AT = datetime(2024, 8, 22, 15, 0, tzinfo=ZoneInfo(ZONE))  # a Thursday

DAYS = [
    ("昨天", "2024-08-21", "2024-08-22", "day"),
    ("前天", "2024-08-20", "2024-08-21", "day"),
    ("大后天", "2024-08-25", "2024-08-26", "day"),
    ("上周三", "2024-08-14", "2024-08-15", "day"),
    ("上上周五", "2024-08-09", "2024-08-10", "day"),
    ("下周日", "2024-09-01", "2024-09-02", "day"),
    ("周末", "2024-08-24", "2024-08-26", "day"),
    ("上週末", "2024-08-17", "2024-08-19", "day"),
    ("上周", "2024-08-12", "2024-08-19", "week"),
    ("上个月", "2024-07-01", "2024-08-01", "month"),
    ("上个月20号", "2024-07-20", "2024-07-21", "day"),
    ("五月初", "2024-05-01", "2024-05-11", "month"),
    ("去年", "2023-01-01", "2024-01-01", "year"),
    ("去年夏天", "2023-06-01", "2023-09-01", "season"),
    ("前年冬天", "2022-12-01", "2023-03-01", "season"),
    ("去年国庆", "2023-10-01", "2023-10-08", "day"),
    ("三天前", "2024-08-19", "2024-08-20", "day"),
    ("半个月前", "2024-07-31", "2024-08-15", "month"),
    ("8月20日", "2024-08-20", "2024-08-21", "day"),
    ("八月二十号", "2024-08-20", "2024-08-21", "day"),
    ("二零二三年五月", "2023-05-01", "2023-06-01", "month"),
    ("2024-04-12", "2024-04-12", "2024-04-13", "day"),
    ("第12天", "2024-08-11", "2024-08-12", "day"),
    ("8月10日到8月20日", "2024-08-10", "2024-08-21", "day"),
    ("最近三天", "2024-08-19", "2024-08-23", "vague"),
    ("yesterday", "2024-08-21", "2024-08-22", "day"),
    ("the day before yesterday", "2024-08-20", "2024-08-21", "day"),
    ("last Wednesday", "2024-08-21", "2024-08-22", "day"),
    ("three weeks ago", "2024-07-30", "2024-08-04", "week"),
    ("in May 2023", "2023-05-01", "2023-06-01", "month"),
    ("5 May 2023", "2023-05-05", "2023-05-06", "day"),
    ("between May 1 and May 10", "2024-05-01", "2024-05-11", "day"),
    ("last summer", "2023-06-01", "2023-09-01", "season"),
    ("last month", "2024-07-01", "2024-08-01", "month"),
    ("next week", "2024-08-26", "2024-09-02", "week"),
    ("in 2022", "2022-01-01", "2023-01-01", "year"),
    ("over the past two weeks", "2024-08-08", "2024-08-23", "vague"),
]


@pytest.mark.parametrize(("words", "start", "end", "precision"), DAYS)
def test_days_by_name(words, start, end, precision):
    (span,) = find_times(words, AT, ZONE)
    assert (span.start.date().isoformat(), span.end.date().isoformat(), span.precision) == (start, end, precision)


@pytest.mark.parametrize(
    ("words", "start", "end"),
    [
        ("昨晚十点半", "2024-08-21 22:30", "2024-08-21 22:31"),
        ("今早", "2024-08-22 04:00", "2024-08-22 12:00"),
        ("下下周三晚上七点", "2024-09-04 19:00", "2024-09-04 19:01"),
        ("明天三点", "2024-08-23 15:00", "2024-08-23 15:01"),
        ("2024-04-12 9:00", "2024-04-12 09:00", "2024-04-12 09:01"),
        ("at 7pm yesterday", "2024-08-21 19:00", "2024-08-21 19:01"),
        ("tomorrow at 9am", "2024-08-23 09:00", "2024-08-23 09:01"),
        ("last night", "2024-08-21 17:30", "2024-08-22 02:00"),
    ],
)
def test_moments_of_a_day(words, start, end):
    (span,) = find_times(words, AT, ZONE)
    assert (f"{span.start:%Y-%m-%d %H:%M}", f"{span.end:%Y-%m-%d %H:%M}") == (start, end)


def test_where_an_undated_day_lies_depends_on_the_lean():
    assert find_times("周一", AT, ZONE, lean="past")[0].start.day == 19
    assert find_times("周一", AT, ZONE, lean="future")[0].start.day == 26
    assert find_times("on Friday", AT, ZONE, lean="past")[0].start.day == 16
    assert find_times("10月1日", AT, ZONE, lean="past")[0].start.year == 2023


def test_the_writers_zone_decides_which_day_it_is():
    at = datetime(2024, 8, 22, 20, 0, tzinfo=UTC)
    assert find_times("今天", at, "Asia/Shanghai")[0].start.day == 23
    assert find_times("今天", at, "America/New_York")[0].start.day == 22
    assert find_times("今天", at, "no/such zone")[0].start.day == 22


def test_a_day_of_an_hour_that_the_clocks_skip_still_has_its_ends():
    at = datetime(2024, 4, 1, 12, 0, tzinfo=ZoneInfo("Europe/Berlin"))
    (span,) = find_times("昨天", at, "Europe/Berlin")
    assert span.end.timestamp() - span.start.timestamp() == 23 * 3600


@pytest.mark.parametrize("words", ["2月30日", "我上午打坐", "I may try", "march on", "i sat in the sun", "静坐三年", "双盘", "他第一次来"])
def test_what_names_no_time(words):
    assert find_times(words, AT, ZONE) == []


def test_the_words_are_those_of_the_writer():
    (span,) = find_times("我從２０２３年５月開始打坐", AT, ZONE)
    assert span.words == "２０２３年５月"


@given(st.text(max_size=60))
def test_any_text_has_ordered_spans_with_literal_words(text):
    for span in find_times(text, AT, ZONE):
        assert span.start < span.end
        assert span.words in text


def test_a_long_text_takes_no_long_time():
    started = time.perf_counter()
    for text in ("昨" * 100_000, "in the last " * 9_000, "1年2月3日 " * 12_000):
        find_times(text, AT, ZONE)
    assert time.perf_counter() - started < 3
