"""Numbers as people write them: 15, 3.5, 十五, 二十来, 两, 半, fifteen, twenty-five, a couple of."""

import re

_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2, "仨": 3, "半": 0.5}
_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10000}
_ENGLISH = {
    name: value
    for value, name in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"]
    )
} | {
    **{"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100},
    **{"a": 1, "an": 1, "half": 0.5, "half a": 0.5, "half an": 0.5, "couple": 2, "a couple of": 2, "a couple": 2, "a few": 3, "dozen": 12},
}
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
TENS_AND_ONES = f"(?:{_TENS})-(?:{_ONES})"  # twenty-five is one number, no range
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"

ZH = r"(?:\d{1,9}(?:\.\d{1,3})?|[零〇一二两三四五六七八九十百千万俩仨半]{1,9})"
EN = (
    rf"(?:\d{{1,9}}(?:\.\d{{1,3}})?|half\ an?|a\ couple(?:\ of)?|a\ few|(?:{_TENS})(?:[- ](?:{_ONES}))?"
    rf"|{_TEENS}|{_ONES}"
    r"|(?:an?|one)\ hundred|half|an?(?=\ ))"
).replace("\\ ", " ")


def parse(words: str) -> float | None:
    """The number that folded words say, or None. 一百二 = 120, 二十 = 20, 三十五 = 35, 半 = 0.5, twenty-five = 25."""
    words = words.strip()
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,3})?", words):
        return float(words)
    if words in _ENGLISH:
        return _ENGLISH[words]
    if re.fullmatch("[a-z -]+", words):
        return _parse_english(words)
    return _parse_chinese(words)


def _parse_english(words: str) -> float | None:
    parts = re.split("[- ]", words)
    if not all(part in _ENGLISH for part in parts):
        return None
    if parts[-1] == "hundred":
        return 100.0
    return float(sum(_ENGLISH[part] for part in parts))


def _parse_chinese(words: str) -> float | None:
    if not words or any(char not in _DIGITS and char not in _UNITS for char in words):
        return None
    if not any(char in _UNITS for char in words):
        return _DIGITS[words] if len(words) == 1 else float("".join(str(_DIGITS[char]) for char in words if char != "半"))
    total, section, digit, last_unit = 0.0, 0.0, None, 1
    for char in words:
        if char not in _UNITS:
            digit = _DIGITS[char]
            continue
        unit = _UNITS[char]
        if unit == 10000:
            total, section, digit = (total + section + (digit or 0)) * unit, 0.0, None
        else:
            section, digit = section + (1 if digit is None else digit) * unit, None
        last_unit = unit
    if digit is not None:
        # 一百二 is 120: a digit right after 百 or 千 counts the next unit down.
        shortened = words[-2] in "百千" and last_unit > 10
        section += digit * (last_unit / 10 if shortened else 1)
    return total + section


def show(number: float) -> str:
    """The number without a needless fraction: 3.0 → "3"."""
    return str(int(number)) if number == int(number) else f"{number:g}"
