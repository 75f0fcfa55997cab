"""What a text says, apart from how: its telling words, each in one spelling for all ways of saying it (wording.toml)."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path

from rjieba import Jieba

from chat.memory.keywords import PRACTICE
from chat.memory.text import dictionary, fold, language, stem

TEXTS = 4_000  # texts whose words are remembered for the next comparison
KNOWN = 20_000  # how surely a word of ours is cut as one
# Parts of a day by what one does then: 睡前 is 晚上 told more closely.
_DAY_PARTS = (
    (re.compile("(?:吃[过完])?晚饭(?:以后|之后|过后|后)|吃[过完]了?晚饭|临?睡(?:觉)?(?:之前|以前|前)|入睡前"), "晚上"),
    (re.compile("(?:吃[过完])?早饭(?:以后|之后|后)|吃[过完]了?早饭|起床(?:以后|之后|后)|(?:大|一)?清早|一大?早(?!就)"), "早上"),
    (re.compile("(?:吃[过完])?午饭(?:以后|之后|后)|吃[过完]了?午饭|午休(?:时|的时候)?"), "中午"),
    (re.compile("不(?:太|怎么|是很|大)?好(?!意思|受|像|说)"), "差"),
)
# Verbs that their object may be parted from: 加了四天班 is 加班四天, 把烟戒了 is 戒烟.
_PARTED = ["加班", "上班", "值班", "下班", "跑步", "散步", "吵架", "打架", "请假", "洗澡", "睡觉", "结婚", "离婚", "生气", "见面", "聊天", "念经", "诵经", "抄经", "念佛", "念咒", "站桩", "吃素", "戒烟", "戒酒", "抽烟", "喝酒", "吃药", "看病", "开会", "出差", "搬家", "做梦", "发烧", "住院", "做饭", "读书", "念书", "考试", "跳舞", "唱歌", "游泳", "爬山", "骑车", "开车", "辞职", "升职", "跳槽", "请客", "帮忙", "操心", "伤心", "熬夜", "拜佛", "磕头", "打坐", "静坐", "参禅", "打七", "上课", "买菜"]
_LASTS = "(?:\\d+|[零〇一二两三四五六七八九十百半几多好])+(?:个?多?(?:小时|钟头|月|星期|礼拜)|分钟|[天周年次回遍趟场顿])半?"
_BETWEEN = f"(?:(?:了|过|完|着|起)了?(?:一?个|一?会儿|点)?(?P<lasts>{_LASTS}){{0,1}}的?|(?P<long>{_LASTS})的?)"
_SEPARABLE = [(re.compile(f"{word[0]}{_BETWEEN}{word[1]}|把{word[1]}.{{0,2}}{word[0]}[了掉完]"), word) for word in _PARTED]
_NUMBER = re.compile("[第\\d零〇一二两三四五六七八九十百千万半几多]+[天日次分钟小时年岁个月周遍块元斤公里页号点]*$")
_LIGHT = frozenset("会很得好太在也就都了着过起来下去我们的地有要上里时觉话护发能再还把给跟和")
_GAP = ".{0,2}"  # what may stand between the characters of a word that is only spelt apart: 胸闷, 胸口闷


@dataclass(frozen=True)
class Wording:
    """`spelling`: word → the first of its group; `phrases`: English ones, of several words; `people`: as they are called."""

    spelling: dict[str, str]
    phrases: dict[str, str]
    ignored: frozenset[str]
    turning: frozenset[str]
    opposed: dict[str, frozenset[str]]
    people: dict[str, str]

    @cached_property
    def known(self) -> frozenset[str]:
        return frozenset({*self.spelling, *self.ignored, *self.turning, *self.opposed})


@cache
def wording(tongue: str) -> Wording:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    people, groups = (_groups(table[part][tongue]) for part in ("people", "same"))
    groups += people
    form = root if tongue == "en" else str
    spelling = {form(word): group[0] for group in reversed(groups) for word in group}
    phrases = {word.replace("-", " "): group[0] for group in groups for word in group if "-" in word}
    ignored = frozenset(form(word) for word in table["ignored"][tongue].split())
    turning = frozenset(spelling.get(form(word), form(word)) for word in table["turning"][tongue].split())
    opposed = [[spelling.get(form(word), form(word)) for word in group.split("/")] for group in table["opposed"][tongue].split()]
    called = {name: group[0] for group in people for name in group}
    return Wording(spelling, phrases, ignored, turning, _each_against_each(opposed), called)


def _groups(lines: str) -> list[list[str]]:
    return [line.split() for line in lines.strip().splitlines()]


def _each_against_each(groups: Iterable[list[str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for members in groups:
        for member in members:
            found.setdefault(member, set()).update(other for other in members if other != member)
    return {word: frozenset(others) for word, others in found.items()}


def told(text: str) -> str:
    """Folded, with the parts of the day in one spelling, and verbs with their objects."""
    said = fold(text)
    for pattern, part in _DAY_PARTS:
        said = pattern.sub(part, said)
    for pattern, word in _SEPARABLE:
        if word[0] in said and word[1] in said:
            said = pattern.sub(lambda match, word=word: word + (match["lasts"] or match["long"] or ""), said)
    return said


@lru_cache(TEXTS)
def units(said: str) -> tuple[str, ...]:
    """The telling words of a told text in their order, each once, in one spelling. Numbers are not among them."""
    tongue = language(said)
    ours = wording(tongue)
    if tongue == "en":
        words = [root(word) for word in re.findall(r"[a-z][a-z'-]*", _with_phrases(said, ours))]
    else:
        cut = (word for word in _jieba().cut(re.sub(r"[\W_]+", " ", said)) if word.strip())
        words = [part for word in cut if not _NUMBER.match(word) for part in _parts(word, ours)]
    return tuple(dict.fromkeys(ours.spelling.get(word, word) for word in words if word not in ours.ignored))


def root(word: str) -> str:
    """An English word without its ending: race, racing."""
    return stem(word).rstrip("e")


def _parts(word: str, ours: Wording) -> list[str]:
    """A word that the dictionary has and we have not, in those that we have: 腰疼, 变忙, 闭上眼睛."""
    return [word] if word in ours.known else _divided(word, ours) or [word]


def _divided(word: str, ours: Wording) -> list[str]:
    """The word as a row of known ones, the longest first; [] where it is none."""
    for place in range(len(word), 0, -1):
        if word[:place] in ours.known and (rest := _divided(word[place:], ours) if word[place:] else [""]):
            return [word[:place], *(part for part in rest if part)]
    return []


def _with_phrases(said: str, ours: Wording) -> str:
    for phrase, word in ours.phrases.items():
        said = re.sub(rf"\b{phrase}\b", word, said)
    return said


def unsaid(said: str, other: str) -> list[str]:
    """The telling words of a told text that the other one says in no way."""
    theirs = units(other)
    return [unit for unit in units(said) if unit not in theirs and not _in_another(unit, theirs) and not _spelt(unit, other)]


def _in_another(unit: str, others: tuple[str, ...]) -> bool:
    """酸 is said by 酸胀, and 会酸 by 酸: what is left of it says nothing."""
    if unit.isascii():
        return False
    return any(unit in other or (other in unit and not set(unit.replace(other, "", 1)) - _LIGHT) for other in others)


def _spelt(unit: str, said: str) -> bool:
    return len(unit) > 1 and not unit.isascii() and bool(re.search(_GAP.join(map(re.escape, unit)), said))


@cache
def _jieba() -> Jieba:
    jieba, ours = Jieba(), wording("zh")
    for word in {*PRACTICE.split(), *ours.known}:
        if len(word) > 1:
            jieba.add_word(word, KNOWN, "n")
    return jieba


def is_noun(unit: str) -> bool:
    """Whether a unit names a thing. English ones may all do."""
    return unit.isascii() or any(tag.startswith("n") for _word, tag in dictionary().tag(unit))
