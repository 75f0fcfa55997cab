"""Values that are words: one of a list, a name, a way to reach someone, a count of something, free text."""

import re
from difflib import SequenceMatcher

from chat.memory import numerals
from chat.memory.text import fold
from chat.memory.values import places
from chat.memory.values.relation import Relation, relate

_EDGES = " ,.。、!?;:~'\"“”「」『』()[]<>《》·…"
_PARTICLES = re.compile("(?:[了啊呀哦喔哈啦呢吧嘛的呗哟咯噢]|lol|haha|please|pls)+$")
_EMAIL = re.compile(r"[a-z0-9][a-z0-9._%+-]{0,63}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}")
_PHONE = re.compile(r"(?:\+?\d{1,3}[- ]?)?(?:\(\d{2,4}\)[- ]?)?\d[\d -]{5,16}\d")
_SAME_ENOUGH = 0.85
_BY_VERB = (
    (re.compile("^teach(?:ing|es)? (.+)$"), r"\1 teacher"),
    (re.compile("^play(?:ing|s)? (?:the )?(.+)$"), r"musician \1"),
    (re.compile("^driv(?:e|ing|es) (?:an? |the )?(.+?)s?$"), r"\1 driver"),
    (re.compile("^教([\u4e00-\u9fff]{1,6})(?:的)?$"), r"\1老师"),
)


def tidy(words: str) -> str:
    """Without spaces and marks at its ends; the spelling of the writer. A title keeps its marks: 读《清静经》."""
    kept = words.strip(_EDGES)
    start = words.find(kept) if kept else 0
    before, after = words[:start].rstrip(" "), words[start + len(kept) :].lstrip(" ")
    kept = "《" + kept if before.endswith("《") and "》" in kept + after[:1] else kept
    return kept + "》" if after.startswith("》") and kept.count("《") > kept.count("》") else kept


def fold_text(words: str) -> str:
    """What free text is compared by: folded, without marks at the ends, closing particles and repeated spaces."""
    folded = fold(words).strip(_EDGES)
    trimmed = _PARTICLES.sub("", folded).strip(_EDGES)
    return re.sub(r"\s+", " ", trimmed or folded)


def parse_text(words: str, _setting=None) -> dict | None:
    text = fold_text(words)
    return {"type": "text", "text": text} if text else None


def parse_name(words: str, _setting=None) -> dict | None:
    name = fold_text(words)
    return {"type": "name", "name": name} if name else None


def parse_contact(words: str, setting=None) -> dict | None:
    """Telephone numbers by their digits, mail by its address; anything else (a postal address) by its words."""
    folded = fold(words)
    if match := _EMAIL.search(folded):
        return {"type": "contact", "contact": match[0]}
    if match := _PHONE.search(folded):
        return {"type": "contact", "contact": re.sub(r"[^\d+]", "", match[0])}
    return None


def parse_count(words: str, setting=None) -> dict | None:
    """A number; an age is kept with the year it was true in, since it grows by itself."""
    folded = fold(words).replace("十有", "十")
    match = re.search(f"{numerals.ZH}|{numerals.EN}", folded)
    decade = _DECADE.search(folded)
    number = _decade(decade) if decade else numerals.parse(match[0]) if match else None
    if number is None:
        return None
    normalized = {"type": "count", "count": int(number) if number == int(number) else number}
    if decade or _NEARLY.search(folded):
        normalized["approx"] = True
    if setting and setting.grows:
        normalized["on"] = setting.today.isoformat()
    return normalized


# late thirties, mid-40s; pushing 60.
_DECADES = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80}
_DECADE = re.compile(r"(early|mid|late)[a-z -]*?(twenties|thirties|forties|fifties|sixties|seventies|eighties|[2-8]0)")
_NEARLY = re.compile(
    r"pushing|nearly|almost|approach|near|coming up|getting on|far off|shy of|over|under|past|side of"
    r"|closing in|knocking on|奔|快"
)


def _decade(match: re.Match) -> int:
    decade = _DECADES.get(match[2]) or int(match[2])
    return decade + {"early": 2, "mid": 5, "late": 8}[match[1]]


def parse_choice(words: str, setting) -> dict | None:
    """The listed value that the words name; where the list is open, the words themselves."""
    attribute = setting.attribute
    choice = attribute.choose(words)
    if choice:
        return {"type": "enum", "key": choice.key}
    return parse_text(words) if attribute.open else None


def compare_names(old: dict, new: dict) -> Relation:
    return _compare_words(old["name"], new["name"])


def compare_contacts(old: dict, new: dict) -> Relation:
    before, after = old["contact"], new["contact"]
    if before == after or (min(len(before), len(after)) >= 7 and (before.endswith(after) or after.endswith(before))):
        return Relation.SAME
    return Relation.CONTRADICTS


def compare_counts(old: dict, new: dict) -> Relation:
    """Equal, or an age that has grown by the years between (give or take one: nobody says their birthday with it)."""
    if old.get("on") and new.get("on"):
        years = int(new["on"][:4]) - int(old["on"][:4])
        grown = new["count"] - old["count"]
        if years > 0:
            return Relation.SAME if years - 1 <= grown <= years else Relation.CONTRADICTS
        if years == 0 and grown == 1 and old["on"] < new["on"]:
            return Relation.REFINES  # there was a birthday between
    approximate = old.get("approx") or new.get("approx")
    slack = 0.1 * max(old["count"], new["count"]) if approximate else 0
    return relate((old["count"],) * 2, (new["count"],) * 2, slack)


def compare_texts(old: dict, new: dict) -> Relation:
    before, after = _as_trade(old["text"]), _as_trade(new["text"])
    relation = _compare_words(before, after)
    if relation is Relation.CONTRADICTS and (places.same(before, after) or places.lies_in(before, after)):
        return Relation.SAME
    if relation is Relation.CONTRADICTS and places.lies_in(after, before):
        return Relation.REFINES
    if relation is Relation.CONTRADICTS and SequenceMatcher(None, before[:200], after[:200]).ratio() >= _SAME_ENOUGH:
        return Relation.SAME
    return relation


def _as_trade(text: str) -> str:
    """One word for what someone does: teach maths is maths teacher, 教数学 is 数学老师."""
    for verb, trade in _BY_VERB:
        text = verb.sub(trade, text)
    return text


def _compare_words(before: str, after: str) -> Relation:
    """One that contains the other says more: 小雨 and 林小雨, 杭州 and 杭州余杭."""
    if before == after or re.sub(r"\W", "", before) == re.sub(r"\W", "", after):
        return Relation.SAME
    if before in after:
        return Relation.REFINES
    return Relation.SAME if after in before else Relation.CONTRADICTS


def compare_choices(attribute, old: dict, new: dict) -> Relation:
    """By the list: the same, a narrower kind, or another. Of values with facets only those of one facet exclude each other."""
    if old["type"] != new["type"] or old["type"] == "text":
        before, after = _words_of(attribute, old), _words_of(attribute, new)
        return compare_texts({"text": before}, {"text": after})
    before, after = attribute.choice(old["key"]), attribute.choice(new["key"])
    if old["key"] == new["key"] or before is None or after is None:
        return Relation.SAME if old["key"] == new["key"] else Relation.CONTRADICTS
    if before.key in attribute.ancestors(after):
        return Relation.REFINES
    if after.key in attribute.ancestors(before):
        return Relation.SAME
    return Relation.ADDS if before.facet != after.facet else Relation.CONTRADICTS


def _words_of(attribute, normalized: dict) -> str:
    if normalized["type"] == "enum":
        choice = attribute.choice(normalized["key"])
        return fold(choice.zh) if choice else normalized["key"]
    return normalized.get("text", "")
