"""Lengths of time, in seconds: 十五分钟 = 15分钟 = 一刻钟 = 15 min = a quarter of an hour."""

import re

from chat.memory import numerals
from chat.memory.values.relation import Relation, relate

_SECONDS = {"second": 1, "minute": 60, "quarter": 900, "hour": 3600, "double hour": 7200, "incense": 1800}
_SECONDS |= {"day": 86400, "week": 604800, "month": 2629800, "year": 31557600}
_UNIT_NAMES = {
    "second": "秒钟|秒|seconds?|secs?",
    "quarter": "刻钟",
    "minute": "分钟|分(?![之开心享别手散析类成])|minutes?|mins?|min",
    "hour": "小时|钟头|钟(?!声)|hours?|hrs?|hr|h",
    "double hour": "时辰",
    "incense": "炷香|柱香",
    "week": "星期|礼拜|周(?![一二三四五六日末])|weeks?|wks?",
    "day": "天|日(?!本|常)|days?",
    "month": "个月|月(?!\\d|[一二三四五六七八九十])|months?",
    "year": "年(?![初末底级代\\d])|years?|yrs?",
}
_UNIT = "(?:" + "|".join(_UNIT_NAMES.values()) + ")"
_N = f"(?:{numerals.ZH}|{numerals.EN})"
_BEFORE = r"(?:(?P<about>大概|大约|约莫|约|差不多|将近|接近|快|about|around|roughly|approximately|nearly|almost)\ *)?"
_AFTER = r"(?P<more>(?:左右|上下|(?:的)?样子|or so|ish))?"


def _part(i: int) -> str:
    return (
        rf"(?P<n{i}>{_N})(?P<some{i}>来|多"
        rf"|几)?[ -]?(?:odd |solid |good |full |whole |straight |extra )?(?P<halved{i}>个半|and a half )?(?:个"
        rf"|拉个?)?(?P<unit{i}>{_UNIT})"
        rf"(?![a-z])(?P<half{i}>半(?!个|小)|多| and a half)?"
    )


_RANGE = r"\ ?(?:到|至|-|~|或者?|to|or)\ ?"
_DURATION = re.compile(
    f"{_BEFORE}(?:"
    r"(?P<pair>(?P<tens>十?)(?P<low>[一二两三四五六七八九])、?(?P<high>[二三四五六七八九])(?P<ten>十)?)(?P<paircount>来"
    rf"|多)?个?(?P<pairunit>{_UNIT})(?![a-z])"
    rf"|(?!{numerals.TENS_AND_ONES})(?P<from>{_N})(?:个?(?P<fromunit>{_UNIT}))?{_RANGE}(?P<to>{_N})[ -]?个?(?P<tounit>{_UNIT})(?![a-z])"
    rf"|{_part(1)}(?:[零又]|\ and\ |,?\ )?(?:{_part(2)})?"
    r"|(?P<word>half\ an?\ hour|an?\ quarter\ (?:of\ an\ )?hour|three\ quarters\ of\ an\ hour"
    r"|quarter\ of\ an\ hour|an\ hour\ and\ a\ half)"
    f"){_AFTER}".replace("\\ ", " ")
)
_WORDS = {"half": 1800, "three": 2700, "an hour and a half": 5400}


def find(text: str) -> list[tuple[int, int, dict]]:
    """Every length of time in folded text: (start, end, normalized)."""
    found = []
    for match in _DURATION.finditer(text):
        bounds = _bounds(match)
        if bounds and bounds[0] > 0:
            found.append((match.start(), match.end(), _normalized(bounds, match)))
    return found


def parse(words: str, _setting=None) -> dict | None:
    return next((normalized for _, _, normalized in find(words)), None)


def _bounds(match: re.Match) -> tuple[float, float] | None:
    if match["word"]:
        seconds = next((s for words, s in _WORDS.items() if match["word"] == words or match["word"].split()[0] == words), 900)
        return seconds, seconds
    if match["pair"]:
        return _pair_bounds(match)
    if match["from"]:
        unit = _seconds(match["tounit"])
        low, high = numerals.parse(match["from"]), numerals.parse(match["to"])
        if low is None or high is None:
            return None
        low *= _seconds(match["fromunit"]) if match["fromunit"] else unit
        return (low, high * unit) if low < high * unit else None
    low = _amount(match, 1)
    if low is None:
        return None
    if match["n2"]:
        smaller = _amount(match, 2)
        if smaller is None or _seconds(match["unit2"]) >= _seconds(match["unit1"]):
            return low, low
        low += smaller
    unit = _seconds(match["unit1"])
    if match["some1"] in ("多", "几"):
        return low, low + (9 * unit if low >= 10 * unit else 0.5 * unit)
    return low, low


def _pair_bounds(match: re.Match) -> tuple[float, float] | None:
    low, high = numerals.parse(match["low"]), numerals.parse(match["high"])
    if high - low not in (1, 2):
        return None
    unit = _seconds(match["pairunit"]) * (10 if match["ten"] else 1)
    base = 10 * _seconds(match["pairunit"]) if match["tens"] else 0
    return base + low * unit, base + high * unit


def _amount(match: re.Match, i: int) -> float | None:
    number = numerals.parse(match[f"n{i}"])
    if number is None:
        return None
    if match[f"halved{i}"] or (match[f"half{i}"] or "").strip() in ("半", "and a half"):
        number += 0.5
    return number * _seconds(match[f"unit{i}"])


def _seconds(unit: str) -> int:
    for name, pattern in _UNIT_NAMES.items():
        if re.fullmatch(pattern, unit):
            return _SECONDS[name]
    raise ValueError(f"not a unit of time: {unit}")


def _normalized(bounds: tuple[float, float], match: re.Match) -> dict:
    normalized = {"type": "duration", "seconds": round(bounds[0])}
    if bounds[1] > bounds[0]:
        normalized["to"] = round(bounds[1])
    if match["about"] or match["more"] or match["some1"] or match["paircount"] or match["unit1"] in ("炷香", "柱香"):
        normalized["approx"] = True
    return normalized


def compare(old: dict, new: dict) -> Relation:
    """Exact lengths must be equal; where either is approximate, a fifth more or less is the same."""
    low, high = (old["seconds"], old.get("to", old["seconds"])), (new["seconds"], new.get("to", new["seconds"]))
    approximate = old.get("approx") or new.get("approx")
    return relate(low, high, 0.2 * max(low[1], high[1]) if approximate else 0.5)


def key(normalized: dict) -> str:
    return f"duration:{normalized['seconds']}" + (f"-{normalized['to']}" if "to" in normalized else "")


def show(normalized: dict, language: str) -> str:
    low = _show_seconds(normalized["seconds"], language)
    shown = low
    if "to" in normalized:
        high = _show_seconds(normalized["to"], language)
        shown = f"{low}到{high}" if language == "zh" else f"{low} to {high}"
    if normalized.get("approx"):
        return f"{shown}左右" if language == "zh" else f"about {shown}"
    return shown


def _show_seconds(seconds: int, language: str) -> str:
    names = {"year": ("年", "year"), "month": ("个月", "month"), "week": ("周", "week"), "day": ("天", "day")}
    names |= {"hour": ("小时", "hour"), "minute": ("分钟", "minute"), "second": ("秒", "second")}
    parts = []
    for unit, (zh, en) in names.items():
        size = _SECONDS[unit]
        exact = seconds % size == 0
        if seconds < size or (unit in ("year", "month", "week") and not exact):
            continue
        count, seconds = divmod(seconds, size)
        parts.append(f"{count}{zh}" if language == "zh" else f"{count} {en}{'s' if count > 1 else ''}")
    return "".join(parts) if language == "zh" else " ".join(parts)
