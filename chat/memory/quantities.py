"""Numbers and named days in a folded text, in one spelling: what two tellings of one thing can't differ in."""

import re

from chat.memory import numerals

_DAY = re.compile(
    "周[一二三四五六日天]|星期[一二三四五六日天]|[一二三四五六七八九十]+月|\\d+月|\\d+[日号]|今天"
    "|昨[天晚]|昨天晚上|大?前天|明天|大?后天|上上?周|下下?周"
    "|前年|去年|今年|明年|后年|上个?月|下个?月|这个月"
    "|\\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may"
    "|june|july|august|september|october|november"
    "|december|yesterday|today|tomorrow|last \\w+|next \\w+)\\b"
)
_BARE_MONTH = re.compile("[一二三四五六七八九十]月|\\d+月|may")
_NUMBER = re.compile(
    "(?:\\d+(?:\\.\\d+)?|[零〇一二两三四五六七八九十百千]{2,}"
    "|[二两三四五六七八九十](?=[分小天周月年岁次遍个只点元块公斤日号杯根页章品])"
    f"|(?<=[到满够第])[一二三四五六七八九十百千])|\\b(?:{numerals._TENS}|{numerals._ONES}|{numerals._TEENS})\\b(?! of)"
)
_PARTS_OF_AN_HOUR = (
    (re.compile("一个半(?:小时|钟头)"), "90分钟"),
    (re.compile("半个?(?:多)?(?:小时|钟头)|\\bhalf an hour\\b"), "30分钟"),
    (re.compile("一刻钟|\\ba quarter of an hour\\b"), "15分钟"),
)


def numbers(text: str) -> set[str]:
    """The numbers of a folded text that are no dates, in one spelling."""
    found = (numerals.parse(match[0]) for match in _NUMBER.finditer(_DAY.sub(" ", _one_week(text))))
    return {numerals.show(number) for number in found if number is not None}


def days(text: str) -> set[str]:
    found = {re.sub("十月", "10月", match[0]) for match in _DAY.finditer(_one_week(text))}
    return {day for day in found if not _BARE_MONTH.fullmatch(day) or "月" in day or day == "may"}


def without(text: str) -> str:
    """The text with a gap for each day and number."""
    return _NUMBER.sub(" ", _DAY.sub(" ", _one_week(text)))


def _one_week(text: str) -> str:
    for spelt, minutes in _PARTS_OF_AN_HOUR:
        text = spelt.sub(minutes, text)
    text = re.sub("星期|礼拜", "周", text).replace("周天", "周日").replace("这个周末", "周末").replace("个月", "月")
    return re.sub("昨晚|昨夜|昨天(?:晚上|夜里)", "昨天", text)
