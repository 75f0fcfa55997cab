"""What sets two texts apart however alike they are: numbers, days, names, people, plans, denials, causes, order, opposites."""

import re
from difflib import SequenceMatcher
from functools import lru_cache

from chat.memory import numerals
from chat.memory.details import names
from chat.memory.text import language, words
from chat.memory.wording import TEXTS, root, told, units, wording

_NAMED = {**wording("zh").people, **wording("en").people}
_BY_LENGTH = sorted(_NAMED, key=len, reverse=True)
_PEOPLE = re.compile(
    "|".join(name for name in _BY_LENGTH if not name.isascii())
    + "|\\b(?:" + "|".join(name for name in _BY_LENGTH if name.isascii()) + ")s?\\b"
)  # fmt: skip
_DENIAL = re.compile(
    "不(?!过|仅|但|管|同(?!意)|错|断|久|少|好意思|得了|由|停|安|舒服|动)|没(?!事)|未|无法"
    "|(?<![特区分个差类级性])别(?!人|的)|莫|拒绝"
    "|\\b(?:refus|declin|fail)(?:e|es|ed|s)? to\\b|\\b(?:not|never|no|without|cannot|unable|impossible)\\b|n't\\b"
)
_MILD_DENIAL = re.compile(
    "得不行|得不得了|没多久|不久|不好受|不是滋味|不得劲|不对劲|不由得|忍住(?:了)?没有?|睡不着|睡不好"
    "|静不下|坐不住|想不起|读不懂|看不懂|没通过|没过|没知觉"
    "|一夜没睡|没睡好|抬不起|(?:can't|cannot|can not|couldn't|could not) (?:fall a)?sleep|too strict|no longer"
)
_PLANNED = re.compile(
    "打算|备考|准备(?!好)|计划|考虑|想(?!到|起|不|念|法|通|象|得|着|了|过|东|西|家|哭|睡|抽|喝|吐|工作)"
    "|正(?:在)?考虑|快要|差点"
    "|我会(?:去|试|尝试|考虑)"
    "|\\b(?:plan(?:ning)? to|thinking (?:of|about)|going to|about to|want(?:s|ed)? to|would like to"
    "|hop(?:e|ing) to|might|almost|consider(?:ing)?)\\b|'d like to\\b"
)
_GOING_ON, _DONE = re.compile("正在|还在|在(?=办|学|做|写|修)"), re.compile("完(?:了|成)|办完|结束|拿到|办好|修好|学完")
_PAST = re.compile("(?<![比底末天年月周点之])以前|曾|从前|小时候|年轻时|\\bused to (?!it)|\\bwhen i was\\b")
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
_NAME = re.compile("《[^》]{1,30}》|(?<=叫)[\u4e00-\u9fff]{2,3}(?=[,，。]|$)")
_CAUSE = re.compile("(?:是因为|因为|由于|为了|because(?: of)?|due to)(.{2,30})")
_ORDER = re.compile("先.{1,12}[再后才]|比(?!较)|\\b(?:than|then|rather)\\b")

_GIVES = re.compile("给(?!我|自己)|\\bto (?:him|her|them|my)\\b")
_TAKES = re.compile("(?:向|从|跟).{1,6}(?:借|要|拿|收|买|学)|给我|\\bfrom (?:him|her|them|my)\\b")
_OWN = re.compile(f"(?:我|my )(?:的|家)?(?={_PEOPLE.pattern})")  # 我妈妈, my boss: one side, not two
_TOGETHER = re.compile("(?:和|跟|与|同|\\band\\b|\\bwith\\b)")
_SIDES = re.compile(
    f"(?P<me>我(?!的)|\\b(?:i|me)\\b)|(?P<them>他们?|她们?|\\b(?:he|she|they|him|her|them)\\b|{_PEOPLE.pattern})"
)
_PASSIVE = re.compile("被|\\b(?:was|were|got|been) \\w+(?:ed|en) by\\b")
# More than stands between two who deal with each other.
_FAR = re.compile("[,，。;；]|[^\x00-\x7f].{12}|.{31}|\\b(?:and|but|since|when|because|so)\\b")


def forbids(first: str, second: str) -> str:
    """Why two texts can't be the same thing, or ""."""
    one, other = told(first), told(second)
    apart = {
        "numbers": (numbers(one), numbers(other)),
        "day": (_days(one), _days(other)),
        "person": (_people(one), _people(other)),
    }
    for reason, (mine, theirs) in apart.items():
        if mine and theirs and not (mine <= theirs or theirs <= mine):
            return reason
    checks = {
        "name": _other_names(_names(first), _names(second)),
        "cause": bool(_causes(one)) and bool(_causes(other)) and not _causes(one) & _causes(other),
        "person": _subject(one) != _subject(other) and _people(one) != _people(other),
        "plan": bool(_PLANNED.search(one)) != bool(_PLANNED.search(other)),
        "stage": any(_GOING_ON.search(a) and _DONE.search(b) for a, b in ((one, other), (other, one))),
        "denial": _denials(one) != _denials(other),
        "direction": _against(_direction(one), _direction(other)),
        "order": _turned_round(one, other),
        "past": bool(_PAST.search(one)) != bool(_PAST.search(other)),
        "opposite": _opposed(one, other),
        "turning": _turning(one) != _turning(other),
    }
    return next((reason for reason, found in checks.items() if found), "")


def numbers(text: str) -> set[str]:
    """The numbers of a folded text that are no dates, in one spelling."""
    found = (numerals.parse(match[0]) for match in _NUMBER.finditer(_DAY.sub(" ", text)))
    return {numerals.show(number) for number in found if number is not None}


def _days(text: str) -> set[str]:
    text = re.sub("星期|礼拜", "周", text).replace("周天", "周日").replace("这个周末", "周末").replace("个月", "月")
    text = re.sub("昨晚|昨夜|昨天(?:晚上|夜里)", "昨天", text)
    found = {re.sub("十月", "10月", match[0]) for match in _DAY.finditer(text)}
    return {day for day in found if not _BARE_MONTH.fullmatch(day) or "月" in day or day == "may"}


@lru_cache(TEXTS)
def _names(text: str) -> frozenset[str]:
    """Titles, people and places; a word that we know as something else is no name."""
    known = wording("zh").known
    return frozenset({match[0].strip("《》") for match in _NAME.finditer(text)} | {name for name in names(text) if name not in known})


def _other_names(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Each has a name that the other has not, not even as a part of one."""
    left, right = (
        {name for name in some if not any(name in other or other in name for other in others)}
        for some, others in ((mine, theirs), (theirs, mine))
    )
    return bool(left and right)


def _causes(text: str) -> set[str]:
    match = _CAUSE.search(text)
    said = match[1] if match else ""
    if language(said) == "en":
        return set(words(said)[:2])
    return set([char for char in said if char not in "的了我是在和,。 这那个"][:3])


def _people(text: str) -> set[str]:
    return {_NAMED.get(name, _NAMED.get(name.removesuffix("s"), name)) for name in _PEOPLE.findall(text)}


def _subject(text: str) -> str:
    """Who the text is about: the person it opens with, or "" for the speaker."""
    match = _PEOPLE.search(text[:8])
    return _NAMED.get(match[0], match[0]) if match else ""


def _direction(text: str) -> tuple:
    """Who does it to whom: does the speaker come before the other one (我原谅了他) or after; and giving against taking."""
    text = _OWN.sub("", text)
    found = [(match.lastgroup or "them", match.start(), match.end()) for match in _SIDES.finditer(text)]
    order = list(dict.fromkeys(name for name, _start, _end in found))
    acts = order if len(order) == 2 and not _joined(text, found) else []
    if acts and _PASSIVE.search(text):
        acts = acts[::-1]
    return tuple(acts), bool(_GIVES.search(text)) and not _TAKES.search(text), bool(_TAKES.search(text))


def _against(one: tuple, other: tuple) -> bool:
    """The same two people the other way round; or giving on one side, taking on the other."""
    return one[1:] != other[1:] or bool(one[0] and other[0] and one[0] != other[0])


def _joined(text: str, found: list[tuple]) -> bool:
    """我和弟弟 do the same; and who stand in two clauses do nothing to each other."""
    (_one, _start, end), (_other, start, _end) = found[0], next(each for each in found if each[0] != found[0][0])
    between = text[end:start]
    return bool(_FAR.search(between)) or (bool(_TOGETHER.search(between)) and start - end <= 6)


def _turned_round(one: str, other: str) -> bool:
    """先念经再打坐, 先打坐再念经: the same words the other way round, where their order says something."""
    if not (_ORDER.search(one) and _ORDER.search(other)):
        return False
    mine, theirs = units(one), units(other)
    common = [unit for unit in mine if unit in theirs]
    return common != [unit for unit in theirs if unit in mine]


def _denials(text: str) -> int:
    return len(_DENIAL.findall(_MILD_DENIAL.sub(" ", text))) % 2


def _turning(text: str) -> set[str]:
    return wording(language(text)).turning & set(units(text))


def _opposed(one: str, other: str) -> bool:
    """One text has a word where the other has its opposite, each without the other's."""
    table = wording(language(one)).opposed
    mine, theirs = _only(one, other), _only(other, one)
    return any(theirs & table[word] for word in mine & table.keys())


def _only(text: str, other: str) -> set[str]:
    """Words that this text has and the other has not; of a Chinese one also single characters, where the two differ by
    little more than them: 左手, 右手."""
    if language(text) == "en":
        return _roots(text) - _roots(other)
    blocks = SequenceMatcher(None, text, other, autojunk=False).get_opcodes()
    changed = [text[i:i2] for tag, i, i2, j, j2 in blocks if tag == "replace" and i2 - i <= 3 and j2 - j <= 3]
    return {*units(text), *"".join(changed)} - {*units(other)} - {char for char in other if char in text}


def _roots(text: str) -> set[str]:
    return {*units(text), *(root(word) for word in re.findall("[a-z']+", text))}
