"""Times of day, in minutes after midnight: 早上六点 = 6:00 = 清晨6点钟 = 6am. Also parts of the day: 睡前, before work."""

import re

from chat.memory import numerals
from chat.memory.values.day_parts import PART_OF_PART, PART_WORDS, PARTS
from chat.memory.values.relation import Relation, relate

DAY = 1440
_PART = "|".join(f"(?P<{name}>{words})" for name, words in PART_WORDS.items())
_ANY_PART = "|".join(PART_WORDS.values())
_H = r"(?:\d{1,2}|二?十[一二三四五六七八九]?|二十[一二三四]|[零〇一二两三四五六七八九])"
_M = r"(?:\d{1,2}|[二三四五]?十[一二三四五六七八九]?|[零〇][一二三四五六七八九])"
_AFTER = r"(?P<about>左右|上下|多(?!少|练)|的样子|(?: or so|-?ish))?"
_ZH_CLOCK = (
    rf"(?P<h>{_H})(?:(?:点钟|点整|点|时(?![间候常不而差]))(?:(?P<half>半)|(?P<quarters>[一三])刻"
    rf"|过?(?P<m>{_M})分?(?!钟|个))?|(?::|\.(?=[0-5]\d(?:$|[ ,;!?]"
    r"|[ap]m)(?! ?(?:kg|km|k|%|miles|hours?|hrs?|times|percent|litres?|euros?|pounds?|quid))))"
    rf"(?P<cm>[0-5]\d)(?::[0-5]\d)?(?! ?[ap]\.?m))(?:钟|整)?"
)
_EN_CLOCK = (
    r"(?:(?P<pastwhat>half|quarter|ten|twenty|five) (?P<pastto>past|to) (?P<ph>[a-z]+|\d{1,2})"
    r"|(?P<eh>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve)(?:[:.](?P<em>[0-5]\d))? ?(?:(?P<ampm>a\.?m\.?|p\.?m\.?|o'?clock)(?![a-z])"
    r"|(?= in the (?:morning|afternoon|evening)| at night))"
    r"|half (?P<hh>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})(?![a-z]"
    r"| ?(?:an?|hours?|hundred|dozen))"
    r"|(?:before|after|past|from|by) (?P<bh>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve)(?::(?P<bm>[0-5]\d))?(?=$|[.,;!?]"
    r"| (?:usually|normally|as a rule|latest|at the latest|sharp|tbh|if i|every|most|each|on (?:week|work)"
    r"|in the (?:morning|evening)|at night)(?![a-z])"
    r"| (?:to|till|until) \d{1,2}(?::[0-5]\d| ?[ap]m))"
    r"|(?<=:[0-5]\d to )(?P<th>\d{1,2})(?![\d:]| ?(?:min|hour|day|week|times|people))"
    r"|(?P<midnight>midnight)|(?:at|by|around|about|until|till|@|closer to|nearer(?: to)?"
    r"|more like) (?P<ah>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve)(?::(?P<am>[0-5]\d))?(?=-?ish| |$|[.,;!?])(?! ?(?:min|hour|day|week|month|year|times|percent|%|am"
    r"|pm)))"
)
_CLOCK = re.compile(
    rf"(?P<before>大概|大约|约莫|约|差不多|将近|快|around |about |roughly |approximately |at about |at around )?"
    rf"(?P<part>{_ANY_PART})?(?:的|大概|大约|差不多)?(?: at | (?=\d{{1,2}} ?点))?(?:{_ZH_CLOCK}"
    rf"|{_EN_CLOCK}){_AFTER}(?P<inpart> ?(?:in the (?:morning|afternoon|evening)|at night))?"
)
_TWO_HOURS = re.compile(
    rf"(?P<part>{_ANY_PART})?(?P<low>[一二两三四五六七八九])(?P<high>[二三四五六七八九])点(?:钟"
    r"|多)?(?:左右)?"
)
_TO = re.compile(r" ?(?:到|至|-|~|to|and|或者?) ?")
_LONE_PART = re.compile(_PART)
_PART_OF = [(name, re.compile(words)) for name, words in PART_WORDS.items()]
# What may follow a bare 一点, 两点, 三点 that is a time: 一点睡, 两点才上床.
_SURELY = re.compile("(?:才|就|左右|多|之?前|之?后)?(?:睡|上床|醒|起|入睡|躺|开|到|约|去|见|提醒|叫|打坐|坐|,|$|到|的)")
_NOT_A_CLOCK = re.compile(r"^(?:一点|两点|三点)(?!钟|整|半|[一三]刻|多|左右|\d|[二三四五]十)")


def find(text: str, hint: str = "") -> list[tuple[int, int, dict]]:
    """Every time of day in folded text: (start, end, span), a span being {from, to, part?, approx?}.

    `hint` says how a bare hour is meant: "morning" (六点 = 6:00), "night" (十一点 = 23:00, 一点 = 1:00), or "" (as said).
    """
    found = _two_hours(text, hint) + _clocks(text, hint, _two_hours(text, hint))
    for match in _LONE_PART.finditer(text):
        if not any(start <= match.start() < end for start, end, _ in found):
            low, high, *_ = PARTS[match.lastgroup]
            found.append((match.start(), match.end(), {"from": low, "to": high, "part": match.lastgroup}))
    return _join_ranges(text, sorted(found, key=lambda item: item[0]))


def _two_hours(text: str, hint: str) -> list[tuple[int, int, dict]]:
    found = []
    for match in _TWO_HOURS.finditer(text):
        low, high = int(numerals.parse(match["low"])), int(numerals.parse(match["high"]))
        if high - low == 1:
            part = _part_name(match["part"])
            span = {"from": _minute(low, 0, part, hint), "to": _minute(high, 0, part, hint)}
            found.append((match.start(), match.end(), span))
    return found


def _clocks(text: str, hint: str, taken: list) -> list[tuple[int, int, dict]]:
    found = []
    for match in _CLOCK.finditer(text):
        if any(start < match.end() and match.start() < end for start, end, _ in taken):
            continue
        read = _hour_and_minute(match)
        meant = match["part"] or (hint and _SURELY.match(text[match.end() :]))
        if read is None or (not meant and _NOT_A_CLOCK.match(text[match.start() : match.end() + 1])):
            continue
        hour, minute = read
        part = _part_name(match["part"] or (match["inpart"] or "").strip())
        if match["ampm"] and match["ampm"][0] in "ap":
            hour, part = hour % 12 + (12 if match["ampm"][0] == "p" else 0), "am"
        at = _minute(hour, minute, part, hint)
        span = {"from": at, "to": at}
        if match["before"] or match["about"] or match[0].startswith(("around", "about")):
            span["approx"] = True
        found.append((match.start(), match.end(), span))
    return found


def _hour_and_minute(match: re.Match) -> tuple[int, int] | None:
    if match["pastwhat"]:
        hour, away = numerals.parse(match["ph"]), {"half": 30, "quarter": 15}.get(match["pastwhat"]) or numerals.parse(match["pastwhat"])
        minutes = (hour or 99) * 60 + (away if match["pastto"] == "past" else -away)
        hour, minute = divmod(minutes, 60)
    elif match["midnight"]:
        hour, minute = 0, 0
    else:
        hour = numerals.parse(match["h"] or match["eh"] or match["ah"] or match["hh"] or match["bh"] or match["th"])
        said = match["m"] or match["cm"] or match["em"] or match["am"] or match["bm"]
        minute = 30 if match["half"] or match["hh"] else 15 * numerals.parse(match["quarters"]) if match["quarters"] else numerals.parse(said or "0")
    if hour is None or minute is None or hour > 24 or minute > 59:
        return None
    return int(hour), int(minute)


def _part_name(words: str | None) -> str:
    return next((name for name, pattern in _PART_OF if words and pattern.fullmatch(words)), "")


def _minute(hour: int, minute: int, part: str, hint: str) -> int:
    if hour > 12 or part == "am":
        return (hour * 60 + minute) % DAY
    if part in ("afternoon", "dusk", "after_work", "after_dinner", "before_dinner", "children_asleep", "evening", "before_bed", "after_lunch"):
        hour += 12 if 4 < hour < 12 or (hour <= 4 and part in ("afternoon", "after_lunch")) else 0
        hour = 24 if hour == 12 and part in ("evening", "before_bed") else hour
    elif part == "noon":
        hour += 12 if hour < 4 else 0
    elif part == "late_night":
        hour = 24 if hour == 12 else hour + 12 if hour > 8 else hour
    elif part == "before_dawn":
        hour = 0 if hour == 12 else hour
    elif not part and hint == "night":
        hour = hour + 12 if hour > 5 else hour
    return (hour * 60 + minute) % DAY


def _join_ranges(text: str, found: list[tuple[int, int, dict]]) -> list[tuple[int, int, dict]]:
    joined: list[tuple[int, int, dict]] = []
    for start, end, span in found:
        if joined and "part" not in span and "part" not in joined[-1][2] and _TO.fullmatch(text[joined[-1][1] : start]):
            first, _, low = joined[-1]
            high = span["to"] + (720 if span["to"] < low["from"] and span["to"] + 720 > low["from"] else 0)
            if high > low["from"]:
                joined[-1] = (first, end, {**low, "to": high})
                continue
        joined.append((start, end, span))
    return joined


def beside(old: dict, new: dict) -> dict:
    """`new`, read in the half of the day of `old`: after 晚上八点, 八点半 is in the evening too."""
    late = old["spans"][0]["from"] % DAY >= DAY // 2
    spans = [_later(span) if late and "part" not in span and 60 <= span["from"] < DAY // 2 else span for span in new["spans"]]
    return {**new, "spans": spans}


def _later(span: dict) -> dict:
    return {**span, "from": span["from"] + DAY // 2, "to": span["to"] + DAY // 2}


def shifted(normalized: dict, minutes: int) -> dict | None:
    """One exact time of day so much later; None for parts of the day and several times."""
    spans = normalized["spans"]
    if len(spans) != 1 or "part" in spans[0]:
        return None
    moved = {**spans[0], "from": (spans[0]["from"] + minutes) % DAY, "to": (spans[0]["to"] + minutes) % DAY}
    return {**normalized, "spans": [moved]}


def parse(words: str, setting=None) -> dict | None:
    """All times of day in the words as one value: {"type": "time_of_day", "spans": [...]}."""
    return together([span for _, _, span in find(words, setting.hint if setting else "")])


def together(found: list[dict]) -> dict | None:
    """Several times of day as one value."""
    # 晚上睡前 says one time twice; the more exact one is meant.
    spans = [span for span in found if not any(other is not span and _narrower(other, span) for other in found)]
    unique = {(span["from"], span["to"]): span for span in spans}
    return {"type": "time_of_day", "spans": [unique[bounds] for bounds in sorted(unique)]} if unique else None


def _narrower(one: dict, than: dict) -> bool:
    return one != than and _compare_spans(than, one) is Relation.REFINES


def compare(old: dict, new: dict) -> Relation:
    """Clock times are equal within 30 minutes where either is approximate; a time inside the old part of the day refines it."""
    before, after = old["spans"], new["spans"]
    if len(before) == len(after):
        relations = {_compare_spans(a, b) for a, b in zip(before, after, strict=True)}
        return next(r for r in (Relation.CONTRADICTS, Relation.REFINES, Relation.SAME) if r in relations)
    if len(after) > len(before) and all(any(_compare_spans(a, b) is Relation.SAME for b in after) for a in before):
        return Relation.ADDS
    return Relation.CONTRADICTS


def _compare_spans(old: dict, new: dict) -> Relation:
    if _is_kind_of(new.get("part"), old.get("part")):
        return Relation.REFINES
    if _is_kind_of(old.get("part"), new.get("part")):
        return Relation.SAME
    if old.get("part") and new.get("part"):
        return Relation.SAME if old["part"] == new["part"] else Relation.CONTRADICTS
    slack = 30 if old.get("approx") or new.get("approx") else 0
    relations = [relate(_bounds(old, shift), _bounds(new), slack) for shift in (0, DAY, -DAY)]
    return next((r for r in (Relation.SAME, Relation.REFINES) if r in relations), Relation.CONTRADICTS)


def _is_kind_of(narrow: str | None, broad: str | None) -> bool:
    return bool(narrow and broad and PART_OF_PART.get(narrow) == broad)


def _bounds(span: dict, shift: int = 0) -> tuple[int, int]:
    return span["from"] + shift, span["to"] + shift


def key(normalized: dict) -> str:
    return "time:" + ",".join(span.get("part") or f"{span['from']}" + (f"-{span['to']}" if span["to"] != span["from"] else "") for span in normalized["spans"])


def show(normalized: dict, language: str) -> str:
    shown = [_show_span(span, language) for span in normalized["spans"]]
    return "、".join(shown) if language == "zh" else " and ".join(shown)


def _show_span(span: dict, language: str) -> str:
    if "part" in span:
        return PARTS[span["part"]][2 if language == "zh" else 3]
    low, high = (f"{minute // 60 % 24}:{minute % 60:02d}" for minute in (span["from"], span["to"]))
    shown = low if low == high else f"{low}-{high}"
    if span.get("approx"):
        return f"{shown}左右" if language == "zh" else f"around {shown}"
    return shown
