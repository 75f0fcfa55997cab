"""What is told as a card or a bare list: 姓名：陈默 / 年龄 29, "Name - Priya; City - Pune", 陈默 29 成都 前端.

On a card every value stands behind the name of its slot (`names` and `labels` of the ontology). In a list nothing but
the values tells what they are, so it counts only where an age is among them and every part of it is understood.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from chat.memory import voices
from chat.memory.ontology import Attribute
from chat.memory.rules.plausible import known_place, plausible
from chat.memory.rules.reading import ACTIVITIES, Found, Reading
from chat.memory.rules.sayings import item_of
from chat.memory.values import places

LONGEST_VALUE = 60
LONGEST_WORDS = 3  # of a value that only a space parts from its label
_MEASURES = ("duration", "time_of_day", "frequency")
LONGEST_TRADE = 8  # Chinese characters
FEWEST = 3  # values of a list
_CELL = re.compile(r"(?:(?! / |\.(?:\s|$))[^\n;|,。!])+")
_BLANK = re.compile(r"[\W_x×某]*|保密|不详|略|待定|没填|不填|暂无|n/?a|tbd|unknown|none|无|没有|以后再填")
_NOT_ONES_OWN = re.compile(
    "模板|格式|测试|写入|输出|录入|执行|表格|填表|怎么填|例如|比如|示例|样例|招聘|招人|招工|求职|征婚|相亲"
    "|(?<![a-z])(?:template|format|example|sample|form|fill in|e\\.g)(?![a-z])"
)
_POINTED_AT = re.compile(
    "^(?:这|那|以上|上面|下面|前面)(?:些|个|位)?(?:都|就)?(?:是|为|说的是|写的是)"
    "|^(?:this|that|these|those)(?: is| are|'s) "
)
_SEX = re.compile(
    "[男女][生士性]?|[mf]|male|female|man|woman|nb|non-?binary|(?:he|she|they)/\\w+|单身|已婚|未婚|离异|性别"
    "|single|married|divorced|\\d0后|汉族|本科|大专|硕士|大家好|你好|新人报到|报到|hi|hello"
    "|[\u4e00-\u9fff]{0,4}(?:情况|资料|信息|介绍|档案|简介|卡片?)|profile"
)
_AGE = re.compile("(?P<x>[1-9]\\d|[二三四五六七八九]?十有?[一二三四五六七八九]?)(?:岁| ?yo| ?y/o| years old)?")
_PART = re.compile(r"[^\s,、/|·.:]+")
_PART_EN = re.compile(r"[^\s,/|·.:][^,/|·.:]*")
_LINE = re.compile("(?:[^\n。!?;.]|\\.(?=\\S))*")
_NAME_ZH = re.compile(
    f"(?:{voices.SURNAME}"
    "|[俞施骆倪梅柯凌翁殷安翟樊葛鲁韦苗尚甄褚柳宁邢齐米毕庄涂祝葉卞冉岳车霍管耿关莫游盛裴席麦冼温柏舒包诸左吉焦向辛古]"
    "|欧阳|诸葛|司马|上官|司徒|慕容|东方|皇甫|尉迟|公孙|令狐)[\u4e00-\u9fff]{1,2}"
    "|[小阿老大][\u4e00-\u9fff]|([\u4e00-\u9fff])\\1"
)
_NAME_EN = re.compile("[^\\W\\d_]{2,20}(?: [^\\W\\d_]{2,20})?")
_TRADE_EN = re.compile("(?!(?:from|in|at|near|living|based|with|and|but|so) )[a-z][a-z' -]{1,30}")
_CJK = re.compile("[\u4e00-\u9fff]")


def find(reading: Reading) -> list[Found]:
    """The values of the message's card or list, in order."""
    if _NOT_ONES_OWN.search(reading.folded.text) or _of_another(reading):
        return []
    return _card(reading) or _listed(reading)


def _of_another(reading: Reading) -> bool:
    """Does the message begin with someone else, or say that this is someone else's?"""
    return any(
        voices.OTHER.match(_POINTED_AT.sub("", clause.text)) and not reading.ontology.label.match(clause.text)
        for place, clause in enumerate(reading.clauses)
        if (place == 0 and not _NAME_ZH.fullmatch(clause.text)) or _POINTED_AT.match(clause.text)
    )


# Cards.


@dataclass(frozen=True)
class _Field:
    """A value at start..end of the folded text behind the name of a slot. strong: a mark stands between them."""

    label: str
    start: int
    end: int
    strong: bool


def _card(reading: Reading) -> list[Found]:
    fields = list(_fields(reading))
    alone = len(fields) == 1
    if not fields or (alone and not fields[0].strong):
        return []
    return [found for field in fields for found in _of_field(reading, field, alone=alone)]


def _fields(reading: Reading) -> Iterator[_Field]:
    text = reading.folded.text
    for cell in _CELL.finditer(text):
        marks = list(reading.ontology.label.finditer(text, *cell.span()))
        opens = bool(marks) and not text[cell.start() : marks[0].start()].rpartition(":")[2].strip(" /、·-(")
        for mark, after in zip(marks, [*marks[1:], None], strict=False):
            end = after.start() if after else cell.end()
            while end > mark.end() and text[end - 1] in " /、-·(":
                end -= 1
            strong, value = mark["mark"].strip() != "", text[mark.end() : end]
            most = 1 if value.isascii() and "," in text else LONGEST_WORDS
            brief = len(value) <= LONGEST_VALUE and (strong or (opens and len(value.split()) <= most))
            if value and brief and _place(reading, mark.end(), end) is not None:
                yield _Field(mark["label"], mark.end(), end, strong)


def _of_field(reading: Reading, field: _Field, *, alone: bool) -> list[Found]:
    words = reading.folded.text[field.start : field.end]
    asks = voices.is_question(words) or voices.HYPOTHETICAL.search(words)
    if asks or voices.RETRACTION.search(words) or voices.CORRECTION.match(words):
        return []
    for slot in reading.ontology.labels[field.label]:
        if slot == "profile.age" and not _AGE.fullmatch(words.rstrip("了 周岁").removesuffix("岁")):
            continue
        attribute = reading.ontology.attribute(slot)
        sure = field.strong and not alone and attribute.name in ("name", "occupation")
        if (sure or plausible(attribute, words)) and (found := _valued(reading, attribute, field.start, field.end)):
            return found
    return []


def _valued(reading: Reading, attribute: Attribute, start: int, end: int) -> list[Found]:
    """The values of start..end for the attribute: all that are listed, or else the words where it takes any."""
    words = reading.folded.text[start:end]
    denied = attribute.denied(words)
    keys = [denied] if denied else [attribute.choice_of(match[0]).key for match in attribute.spelling.finditer(words)]
    if not keys and attribute.slot == "preference.answer_style":
        return []
    if keys:
        values = [reading.valued(attribute, {"type": "enum", "key": key}) for key in dict.fromkeys(keys)]
    elif _BLANK.fullmatch(words) or (attribute.choices and not attribute.open):
        return []
    elif attribute.types[0] in _MEASURES and any(reading.ontology.topics[topic].search(words) for topic in ACTIVITIES):
        return []  # 睡眠：1点睡 6点醒: told as elsewhere
    else:
        values = [value] if (value := reading.value(attribute, reading.original(start, end))) else []
    return [_found(reading, attribute, value, start, end) for value in values[: None if attribute.multi or attribute.addressed else 1]]


def _found(reading: Reading, attribute: Attribute, value, start: int, end: int) -> Found:
    place = _place(reading, start, end)
    own = {"subject": "self", "past": False, "event": False, "hedged": False, "planned": False, "intended": False}
    clause = replace(reading.clauses[place], start=start, end=end, text=reading.folded.text[start:end], **own)
    return Found(attribute, clause, place, value, item_of(attribute, value.normalized))


def _place(reading: Reading, start: int, end: int) -> int | None:
    """The last clause that a stretch of the message lies in; None where it is no words of the writer's own."""
    places = [place for place, clause in enumerate(reading.clauses) if clause.start < end and start < clause.end]
    return places[-1] if places else None


# Lists.


def _listed(reading: Reading) -> list[Found]:
    """陈默 29 成都 前端: each sentence read from its start as far as every part is understood."""
    lines = (_LINE.match(reading.folded.text, start) for start in dict.fromkeys(_sentence_starts(reading)))
    return next((found for line in lines if (found := _listed_in(reading, line))), [])


def _sentence_starts(reading: Reading) -> Iterator[int]:
    sentence = -1
    for clause in reading.clauses:
        if clause.sentence != sentence:
            sentence = clause.sentence
            yield clause.start


def _listed_in(reading: Reading, line: re.Match) -> list[Found]:
    text = reading.folded.text
    part = _PART if _CJK.search(line[0]) else _PART_EN
    found: dict[str, Found] = {}
    count = 0
    for match in part.finditer(text, *line.span()):
        start, end = match.start(), match.start() + len(match[0].rstrip())
        slot = _slot_of(reading, start, end, found)
        if slot is None or _place(reading, start, end) is None:
            break
        count += 1
        if slot:
            attribute = reading.ontology.attribute(slot)
            words = _AGE.fullmatch(text[start:end])
            end -= 5 * (slot == "profile.name" and text[start:end].endswith(" here"))
            value = reading.value(attribute, words["x"] if slot == "profile.age" else reading.original(start, end))
            found[slot] = _found(reading, attribute, value, start, end)
    return list(found.values()) if count >= FEWEST and "profile.age" in found and len(found) > 1 else []


def _slot_of(reading: Reading, start: int, end: int, told: dict[str, Found]) -> str | None:
    """Which slot a part of a list belongs to; "" where it is understood and says nothing here, None where it is not."""
    words, original = reading.folded.text[start:end], reading.original(start, end)
    if "profile.age" not in told and _AGE.fullmatch(words):
        return "profile.age"
    if _SEX.fullmatch(words) or any(a.spelling.fullmatch(words) for a in reading.ontology.spoken_of(words) if a.choices):
        return ""
    kinds = _kinds_zh(reading, words) if _CJK.search(words) else _kinds_en(reading, words, original, told)
    return next((slot for slot in kinds if slot not in told), None)


def _kinds_zh(reading: Reading, words: str) -> Iterator[str]:
    trade = reading.ontology.attribute("profile.occupation")
    if _NAME_ZH.fullmatch(words) and words not in places.NAMES and not plausible(trade, words) and plausible(reading.ontology.attribute("profile.name"), words):
        yield "profile.name"
    elif known_place(words):
        yield "profile.location"
    elif len(words) <= LONGEST_TRADE and plausible(trade, words):
        yield trade.slot


def _kinds_en(reading: Reading, words: str, original: str, told: dict[str, Found]) -> Iterator[str]:
    words, capital = words.removesuffix(" here"), original[:1].isupper()
    if not told and _NAME_EN.fullmatch(words) and plausible(reading.ontology.attribute("profile.name"), words):
        yield "profile.name"
    elif capital and "profile.age" in told and _NAME_EN.fullmatch(words):
        yield "profile.location"
    if "profile.age" in told and _TRADE_EN.fullmatch(words) and plausible(reading.ontology.attribute("profile.occupation"), words):
        yield "profile.occupation"
