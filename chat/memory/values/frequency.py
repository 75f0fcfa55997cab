"""How often: 每天, 一周三次, 隔天, twice a day, on weekdays. Stored as so many times per so many days."""

import re

from chat.memory import numerals
from chat.memory.values.relation import Relation, relate

_DAYS = {"天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7, "个星期": 7, "个礼拜": 7, "个月": 30, "月": 30, "年": 365}
_DAYS |= {"day": 1, "week": 7, "month": 30, "year": 365}
_VAGUE = {
    "often": ("经常", "often", (
        "经常|常常|时常|often|frequently|regularly|(?:most|nearly every|almost every) (?:days?|mornings?"
        "|nights?|evenings?)"
    )),
    "sometimes": ("偶尔", "sometimes", "偶尔|有时候?|时不时|不定期|想起来才|sometimes|occasionally|once in a while|now and then"),
    "rarely": ("很少", "rarely", "很少|极少|难得|几乎不|rarely|seldom|hardly ever"),
}
_WEEKDAYS = {char: day for day, char in enumerate("一二三四五六")} | {"日": 6, "天": 6, "末": 5}
_WEEKDAYS |= {char: day for day, char in enumerate("123456")} | {"7": 6}
_N, _EN = numerals.ZH, numerals.EN
_TIMES = "(?:次|回|遍|趟|座|场|坐(?=$|[,。 ]))"
_PER = (
    "(?:天|日(?!常)|周(?!末)|个?星期(?!天|日|[一二三四五六](?!次|回|遍|天|[二三四五六七八]))"
    "|个?礼拜(?!天|日)|个?月|年)"
)
_FREQUENCY = re.compile(
    r"(?P<thrice>早中晚[各都]?(?:打坐|坐|练|冥想)?一?(?:次|回|座|坐|遍))"
    r"|(?P<bothends>早晚[各都](?:打坐|坐|练|冥想|静坐)?一?(?:次|回|座|坐|遍|炷香|场|趟)?"
    r"|早一?(?:座|次|坐)晚一?(?:座|次|坐)|早晚两?(?:座|次|坐)|(?:早上?|上午|中午)(?:打坐|坐|练)?[一1](?:次|回|座"
    r"|坐|遍)[, 、]?(?:晚上?|睡前|下午)(?:再|又|也)?(?:打坐|坐|练)?[一1](?:次|回|座|坐|遍))"
    rf"|(?P<everyother>隔[一两]?[天日]|隔三差五|每隔一[天日]|every other day|every second day)"
    r"|(?P<week>(?:(?:每|一)(?:周|星期|个星期|礼拜)"
    r"|(?<![上下本这])周(?=[一二三四五六日][、,和]?[一二三四五六日](?:[一二三四五六日、,和])*(?:打坐|坐|练"
    rf"|冥想|固定|都)))(?P<list>[一二三四五六日1-7](?:[、,和]?(?:周|星期)?[一二三四五六日1-7]){{1,6}})(?!次"
    r"|回|天|遍|到))"
    rf"|(?P<oneday>每(?:周|个?星期|个?礼拜)(?P<day>[一二三四五六日天])(?!次|回|[一二三四五六七八九十]|到))"
    r"|(?P<weekend>(?:每个?|逢)?周末(?:都|才|会)|每个?周末|(?:only )?(?:on|at) (?:the )?weekends"
    r"|every weekend|weekends only)"
    rf"|(?P<weekday>(?:每个?)?工作日|周一(?:到|至)周?五|(?:on )?(?:every )?weekdays?|monday (?:to|through) friday)"
    r"|(?:每|一"
    rf"|平均每?)(?P<each>{_N})?(?P<per>{_PER})(?:[^,。!?\d天周月年次每]{{0,5}}?)(?P<n>{_N})(?:[到至\-~](?P<to>{_N})"
    rf"|(?P<to2>[二三四五六七八九]))?{_TIMES}"
    rf"|(?:一|每)(?:周|个?星期|个?礼拜)[^,。!?\d天次]{{0,4}}?(?P<dn>[一二两三四五六七1-7])(?P<dto>[二三四五六七])?天"
    rf"|每周(?P<dn2>[一二两三四五六七1-7])(?P<dto2>[二三四五六七])?天"
    rf"|每(?P<bareeach>[二两三四五六七八九十\d]{{1,2}})(?P<bareunit>天|周|个?星期|个?月)"
    r"|(?P<daily>每天|每日|天天|日日|每早|每晚|每个?(?:早上|早晨|清晨|晚上|下午|中午)|一天不落|没有?[一哪]天不|daily"
    r"|every ?day|each (?:day|morning|evening|night)|every (?:single )?(?:day|morning|night|evening|afternoon)|nightly)"
    rf"|(?P<enonce>once|twice|thrice|(?P<en>{_EN})(?: ?(?:-|to|or) ?(?P<ento>{_EN}))?(?: ?x| (?:times|days|nights"
    r"|mornings|evenings|sits|sittings|sessions|workouts|runs|swims|classes|rounds)))"
    r"(?: (?:a|per|every|each|in a) | ?/ ?)(?P<enper>day|week|month|year)"
    rf"|(?P<perweek>{_N}){_TIMES} ?(?:/|每|一) ?(?P<perunit>周|天|日|月|星期)"
    r"|(?P<weekly>每周|每星期|每个星期|每礼拜|weekly|every week)|(?P<monthly>每个?月|monthly|every month)"
    r"|(?P<fortnightly>(?:once |every )(?:a )?(?:fortnight|two weeks|other week|second week)|fortnightly)"
    r"|(?P<yearly>每年|yearly|every year)"
    + "|(?P<vague>" + "|".join(words for *_, words in _VAGUE.values()) + ")"
)
_TIMES_AFTER = re.compile(
    rf"(?P<twice>[^,。!?]{{0,3}}早晚[各都]?(?:打坐|坐|练|冥想)?一?{_TIMES}?)"
    rf"|[^,。!?]{{0,8}}?(?P<n>{_N}){_TIMES}"
)
_ONCE = {"once": 1, "twice": 2, "thrice": 3}


def find(text: str) -> list[tuple[int, int, dict]]:
    """Every frequency in folded text: (start, end, normalized)."""
    found = []
    for match in _FREQUENCY.finditer(text):
        normalized = _read(match)
        if normalized:
            end = match.end()
            if match["daily"] or match["weekly"] or match["monthly"]:
                normalized, end = _with_times_after(text, end, normalized)
            found.append((match.start(), end, {"type": "frequency", **normalized}))
    return found


def _with_times_after(text: str, end: int, normalized: dict) -> tuple[dict, int]:
    """每天早上打坐两次: the number of times may come after what is done."""
    after = _TIMES_AFTER.match(text, end)
    if not after:
        return normalized, end
    low, high = (2, None) if after["twice"] else _count(after["n"])
    return ({**normalized, **_times(low, high)}, after.end()) if low else (normalized, end)


def _read(match: re.Match) -> dict | None:
    if match["thrice"]:
        return {"times": 3, "per_days": 1}
    if match["bothends"]:
        return {"times": 2, "per_days": 1}
    if match["everyother"]:
        return {"times": 1, "per_days": 2} if "三" not in match["everyother"] else {"vague": "often"}
    if match["list"]:
        days = sorted({_WEEKDAYS[char] for char in match["list"] if char in _WEEKDAYS})
        return {"times": len(days), "per_days": 7, "days": days}
    if match["oneday"]:
        return {"times": 1, "per_days": 7, "days": [_WEEKDAYS[match["day"]]]}
    if match["weekend"]:
        return {"times": 2, "per_days": 7, "days": [5, 6]}
    if match["weekday"]:
        return {"times": 5, "per_days": 7, "days": [0, 1, 2, 3, 4]}
    for name, days in (("daily", 1), ("weekly", 7), ("fortnightly", 14), ("monthly", 30), ("yearly", 365)):
        if match[name]:
            return {"times": 1, "per_days": days}
    if match["vague"]:
        return {"vague": next(name for name, (*_, words) in _VAGUE.items() if re.fullmatch(words, match["vague"]))}
    if match["bareeach"]:
        each = numerals.parse(match["bareeach"])
        return {"times": 1, "per_days": round(each * _DAYS[match["bareunit"]])} if each else None
    return _read_count(match)


def _read_count(match: re.Match) -> dict | None:
    if match["perweek"]:
        low, high, per = *_count(match["perweek"]), _DAYS[match["perunit"]]
    elif match["enonce"]:
        low, high = (_ONCE.get(match["enonce"]), None) if match["enonce"] in _ONCE else _count(match["en"], match["ento"])
        per = _DAYS[match["enper"]]
    elif match["dn"] or match["dn2"]:
        (low, high), per = _count(match["dn"] or match["dn2"], match["dto"] or match["dto2"]), 7
    else:
        per = round((numerals.parse(match["each"] or "一") or 1) * _DAYS[match["per"]])
        low, high = _count(match["n"], match["to"] or match["to2"])
        low = 2 if low == 1 and "早晚" in match[0] else low
    return {**_times(low, high), "per_days": per} if low and per else None


def _count(low: str, high: str | None = None) -> tuple[float | None, float | None]:
    """三 → (3, None); 三 to 四 → (3, 4); 三四, said without a word between, → (3, 4)."""
    if not high and re.fullmatch("[一二两三四五六七八九]{2}", low):
        low, high = low
    return numerals.parse(low), numerals.parse(high or "")


def _times(low: float, high: float | None) -> dict:
    return {"times": low, **({"to": high} if high and high > low else {})}


def parse(words: str, _setting=None) -> dict | None:
    found = [normalized for _, _, normalized in find(words)]
    return next((n for n in found if "vague" not in n), found[0] if found else None)


def compare(old: dict, new: dict) -> Relation:
    """每周三次 and 每天 contradict; the named days of the same count refine it; vague words only equal themselves."""
    if "vague" in old or "vague" in new:
        if old.get("vague") == new.get("vague"):
            return Relation.SAME
        fits = "vague" in old and _fits(old["vague"], new)
        return Relation.REFINES if fits else Relation.SAME if "vague" in new and _fits(new["vague"], old) else Relation.CONTRADICTS
    relation = relate(_rate(old), _rate(new), 0.01)
    if relation is Relation.SAME and old.get("days") != new.get("days"):
        if old.get("days") and new.get("days"):
            return Relation.CONTRADICTS
        return Relation.REFINES if new.get("days") else Relation.SAME
    return relation


def _rate(normalized: dict) -> tuple[float, float]:
    return normalized["times"] / normalized["per_days"], normalized.get("to", normalized["times"]) / normalized["per_days"]


def _fits(vague: str, normalized: dict) -> bool:
    if "vague" in normalized:
        return False
    low, high = {"often": (0.4, 9), "sometimes": (0.03, 0.2), "rarely": (0, 0.07)}[vague]
    return low <= _rate(normalized)[0] <= high


def key(normalized: dict) -> str:
    if "vague" in normalized:
        return f"frequency:{normalized['vague']}"
    days = "@" + "".join(map(str, normalized["days"])) if normalized.get("days") else ""
    high = f"-{normalized['to']:g}" if "to" in normalized else ""
    return f"frequency:{normalized['times']:g}{high}/{normalized['per_days']}{days}"


def show(normalized: dict, language: str) -> str:
    zh = language == "zh"
    if "vague" in normalized:
        return _VAGUE[normalized["vague"]][0 if zh else 1]
    times, per, days = normalized["times"], normalized["per_days"], normalized.get("days")
    if days:
        return _show_days(days, zh)
    if times == 1 and per in (1, 2, 7, 30, 365):
        names = {1: ("每天", "every day"), 2: ("隔天", "every other day"), 7: ("每周一次", "once a week")}
        names |= {30: ("每月一次", "once a month"), 365: ("每年一次", "once a year")}
        return names[per][0 if zh else 1]
    count = numerals.show(times) + (f"-{numerals.show(normalized['to'])}" if "to" in normalized else "")
    unit = {1: ("天", "day"), 7: ("周", "week"), 30: ("月", "month"), 365: ("年", "year")}.get(per)
    if unit:
        return f"每{unit[0]}{count}次" if zh else f"{count} times a {unit[1]}"
    if per % 7 == 0:
        return f"每{per // 7}周{count}次" if zh else f"{count} times every {per // 7} weeks"
    return f"每{per}天{count}次" if zh else f"{count} times every {per} days"


def _show_days(days: list[int], zh: bool) -> str:
    if days == [0, 1, 2, 3, 4]:
        return "工作日" if zh else "on weekdays"
    if days == [5, 6]:
        return "每个周末" if zh else "on weekends"
    if zh:
        return "每周" + "、".join("一二三四五六日"[day] for day in days)
    return "every " + ", ".join(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")[day] for day in days)
