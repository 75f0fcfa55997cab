"""What sets two texts apart however alike they are: facts, numbers, days, names, people, plans, denials, causes, opposites."""

import re
from difflib import SequenceMatcher
from functools import lru_cache

from chat.memory import facts, polarity
from chat.memory.details import names
from chat.memory.quantities import days, numbers
from chat.memory.text import language, words
from chat.memory.wording import TEXTS, root, told, units, wording

# Differences that nothing outweighs, and such as are weighed against the likeness.
HARD = ("fact", "numbers", "day", "name", "person", "subject", "cause", "stage", "clash", "direction", "order", "opposite")
SOFT = ("plan", "denial", "past", "turning")
_KINDS = {"儿子": "孩子", "女儿": "孩子", "son": "child", "daughter": "child"}
_NAMED = {**wording("zh").people, **wording("en").people}
_BY_LENGTH = sorted(_NAMED, key=len, reverse=True)
_PEOPLE = re.compile(
    "|".join(name for name in _BY_LENGTH if not name.isascii())
    + "|\\b(?:" + "|".join(name for name in _BY_LENGTH if name.isascii()) + ")s?\\b"
)  # fmt: skip
_PLANNED = re.compile(
    "打算|备考|准备(?!好)|计划|考虑|(?<![不没观在去乱回联着])想(?!到|起|不|念|法|通|象|得|着|了|过|东|西|家|哭|睡|抽|喝|吐|工作)"
    "|正(?:在)?考虑|快要|差点"
    "|我会(?:去|试|尝试|考虑)"
    "|\\b(?:plan(?:ning)? to|(?<!stop )thinking (?:of|about)|going to|about to|want(?:s|ed)? to|would like to"
    "|hop(?:e|ing) to|might|almost|consider(?:ing)?)\\b|'d like to\\b"
)
_GOING_ON, _DONE = re.compile("正在|还在|在(?=办|学|做|写|修)"), re.compile("完(?:了|成)|办完|结束|拿到|办好|修好|学完")
_PAST = re.compile("(?<![比底末天年月周点之])以前|曾|从前|小时候|年轻时|\\bused to (?!it)|\\bwhen i was\\b")
_NAME = re.compile("《[^》]{1,30}》|(?<=叫)[\u4e00-\u9fff]{2,3}(?=[,，。]|$)")
_CAUSE = re.compile("(?:是因为|因为|由于|为了|because(?: of)?|due to)(.{2,30})")
_ORDER = re.compile("先.{1,12}[再后才]|比(?!较)|\\b(?:than|then|rather)\\b")

_GIVES = re.compile(f"给了?(?:我的?)?(?:他|她|别人|人家|{_PEOPLE.pattern})|\\bto (?:him|her|them|my)\\b")
_TAKES = re.compile("(?:向|从|跟).{1,6}(?:借|要|拿|收|买|学)|给了?我(?!的?(?:爸|妈|家))|\\bfrom (?:him|her|them|my)\\b")
_OWN = re.compile(f"(?:我|my )(?:的|家)?(?={_PEOPLE.pattern})")  # 我妈妈, my boss: one side, not two
_TOGETHER = re.compile("(?:和|跟|与|同|\\band\\b|\\bwith\\b)")
_SIDES = re.compile(
    f"(?P<me>我(?!的)|\\b(?:i|me)\\b)|(?P<them>他们?|她们?|\\b(?:he|she|they|him|her|them)\\b|{_PEOPLE.pattern})"
)
_PASSIVE = re.compile("被|\\b(?:was|were|got|been) \\w+(?:ed|en) by\\b")
# More than stands between two who deal with each other.
_FAR = re.compile("[,，。;；]|[^\x00-\x7f].{12}|.{31}|\\b(?:and|but|since|when|because|so)\\b")


def differences(first: str, second: str) -> frozenset[str]:
    """By what two texts may tell of two things: names of HARD and SOFT."""
    one, other = told(first), told(second)
    agree = polarity.agree(one, other)
    mine, theirs = _called(one, other)
    checks = {
        "fact": facts.relation(first, second) == facts.APART,
        "numbers": _apart(numbers(one), numbers(other)),
        "day": _apart(days(one), days(other)),
        "person": _apart(mine, theirs),
        "name": _other_names(_names(first), _names(second)),
        "cause": bool(_causes(one)) and bool(_causes(other)) and not _causes(one) & _causes(other),
        "subject": _subject(one, theirs) != _subject(other, mine) and mine != theirs,
        "plan": _planned(one) != _planned(other),
        "stage": any(_GOING_ON.search(a) and _DONE.search(b) for a, b in ((one, other), (other, one))),
        "clash": not agree and polarity.clash(one, other),
        "denial": not agree and polarity.odd(one) != polarity.odd(other),
        "direction": _against(_direction(one), _direction(other)),
        "order": _turned_round(one, other),
        "past": bool(_PAST.search(one)) != bool(_PAST.search(other)),
        "opposite": not agree and _opposed(one, other),
        "turning": not agree and _turning(one) != _turning(other),
    }
    return frozenset(name for name, found in checks.items() if found)


def _apart(mine: set[str], theirs: set[str]) -> bool:
    """Each side has one that the other has not."""
    return bool(mine and theirs) and not (mine <= theirs or theirs <= mine)


def _planned(text: str) -> bool:
    return bool(_PLANNED.search(text))


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


def _called(one: str, other: str) -> tuple[set[str], set[str]]:
    """The people of two texts; who is 孩子 in one and 儿子 in the other is the same."""
    mine, theirs = _people(one), _people(other)
    return {_as_in(person, theirs) for person in mine}, {_as_in(person, mine) for person in theirs}


def _as_in(person: str, others: set[str]) -> str:
    kind = _KINDS.get(person, person)
    return kind if kind in others else person


def _people(text: str) -> set[str]:
    return {_person(name) for name in _PEOPLE.findall(text)}


def _person(name: str) -> str:
    return _NAMED.get(name, _NAMED.get(name.removesuffix("s"), name))


def _subject(text: str, others: set[str]) -> str:
    """Who the text is about, as the other calls them: the person it opens with, or "" for the speaker."""
    match = _PEOPLE.search(text[:8])
    return _as_in(_person(match[0]), others) if match and text[match.end() : match.end() + 1] != "的" else ""


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
    gives_and_takes = any(a[1] and not a[2] and b[2] and not b[1] for a, b in ((one, other), (other, one)))
    return gives_and_takes or bool(one[0] and other[0] and one[0] != other[0])


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
