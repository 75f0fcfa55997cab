"""Choosing sentences of passages: by what they share with the question, in their order, steps together."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from chat.knowledge.asking import read, says
from chat.memory.text import fold, plain_words, words

_STEP = re.compile(r"\s*(?:\d{1,2}\s*[.、)）]|[-*•·]|[（(]?[一二三四五六七八九十]{1,2}[)）、])\s*")
_CLAUSE_END = re.compile(r"[^。！？!?\n]*?(?:[。！？!?]+[”’」』\"')）]*|\.(?=\s|$)|$)", re.DOTALL)
_MODERN = re.compile("[的了着吗呢们这那么吧就会把每很都没再]")
_CLASSICAL = re.compile("[之其者也曰矣於乎焉若則则而無无乃皆唯故]")
# Words that nearly every passage has: sharing them says nothing.
_COMMON = frozenset(
    words(
        "打坐 静坐 冥想 禅修 坐禅 修行 练习 今天 昨天 最近 现在 怎么样 觉得 有点 一直 总是 晚上 早上 一下 "
        "时候 方法 怎么办 怎么 如何 问题 每天 一般 感觉 "
        "要不要 能不能 可不可以 是不是 有没有 会不会 正常 可以 meditating meditation meditate practice sitting help"
    )
)
# What asks when, how soon and for how long, and says nothing of what is asked for.
_WHEN = frozenset(words("多久 几分钟 期间 马上 立刻 立即 以后 之后 以前 之前 前后 同时 before after while during soon long right away"))
_MAY = re.compile("^[可能会][以够]?|[可能会][以够]?$")  # 完能 and 能学 are cut so, and are no words
NEAR = 0.5  # share of a word from which on another stands for it: synonyms and old words, no single characters


@dataclass(frozen=True)
class Unit:
    """A sentence, or a list with all its steps."""

    text: str = ""
    steps: tuple[str, ...] = ()

    @property
    def words(self) -> frozenset[str]:
        return frozenset(words(" ".join([self.text, *self.steps])))

    def shown(self) -> str:
        if not self.steps:
            return self.text
        return "\n".join(f"{number}. {step}" for number, step in enumerate(self.steps, 1))


@dataclass
class Picked:
    """Units of one passage in their order."""

    units: list[Unit] = field(default_factory=list)

    def shown(self, between: str) -> str:
        text = ""
        for unit in self.units:
            gap = "\n" if unit.steps or (text and "\n" in text.rsplit("\n", 1)[-1]) else between
            text += (gap if text else "") + unit.shown() + ("\n" if unit.steps else "")
        return text.strip()


def units_of(text: str) -> list[Unit]:
    """The sentences of a passage and its lists, in order."""
    units: list[Unit] = []
    steps: list[str] = []
    for line in text.splitlines():
        if match := _STEP.match(line):
            steps.append(line[match.end() :].strip())
            continue
        if not line.strip():
            continue
        if steps:
            units.append(Unit(steps=tuple(steps)))
            steps = []
        units += [Unit(sentence) for sentence in sentences_of(line)]
    return units + ([Unit(steps=tuple(steps))] if steps else [])


def sentences_of(line: str) -> list[str]:
    """Whole sentences: unlike in search, a semicolon ends none."""
    return [piece for match in _CLAUSE_END.finditer(line) if (piece := match.group().strip())]


def terms_of(*texts: str) -> frozenset[str]:
    """The words that tell what a question is about."""
    return frozenset(plain_words(" ".join(texts))) - _COMMON


def things_in(question: str) -> tuple[frozenset[str], ...]:
    """What a question speaks of beside practice itself, thing by thing: each with all words that may stand for it."""
    found = []
    for thing in read(question).things:
        own = next(iter(thing))
        if own in _COMMON | _WHEN or _MAY.search(own):
            continue
        least = 1 if len(own) > 1 or own.isascii() else 2  # 吃 alone says little, 饭后 and 用餐 for it do
        names = frozenset(word for word, share in thing.items() if share >= NEAR and len(word) >= least)
        found += [(own, names)] if names else []
    # Of 喝咖啡 and 咖啡 the shorter is enough.
    return tuple(names for own, names in found if not any(other != own and other in own for other, _names in found))


def speaks_of(text: str, things: Sequence[frozenset[str]]) -> int:
    """How many of the things are spoken of."""
    folded = fold(text)
    return sum(any(says(folded, word) for word in thing) for thing in things)


def pick(units: Sequence[Unit], terms: frozenset[str], *, most: int, steps_wanted: bool) -> Picked:
    """At most so many units: the first one, which says what the passage is about, and those that share most with the terms.

    Where steps are wanted and there is a list, the list follows the first sentence and nothing else does.
    """
    if not units:
        return Picked()
    listed = next((place for place, unit in enumerate(units) if unit.steps), None)
    if steps_wanted and listed is not None:
        return Picked([*units[: 1 if listed else 0], units[listed]])
    scores = _scores(units, terms)
    rest = sorted(range(1, len(units)), key=lambda place: (-scores[place], place))
    chosen = [0, *[place for place in rest if scores[place] > 0 or place <= 1][: most - 1]]
    return Picked([units[place] for place in sorted(chosen)])


def best_sentence(units: Sequence[Unit], terms: frozenset[str]) -> str:
    """The sentence that shares most with the terms, "" where none shares any."""
    plain = [unit for unit in units if unit.text and not unit.text.endswith(("：", ":"))]
    scores = _scores(plain, terms)
    best = max(range(len(plain)), key=lambda place: (scores[place], -place), default=None)
    return plain[best].text if best is not None and scores[best] > 0 else ""


def excerpt(units: Sequence[Unit], terms: frozenset[str], least: int = 20) -> str:
    """The best sentence with as many after it as make it worth quoting, "" where none shares a word."""
    best = best_sentence(units, terms)
    texts = [unit.text for unit in units if unit.text]
    quoted = ""
    for text in texts[texts.index(best) :] if best else ():
        if len(quoted) >= least:
            break
        quoted += text
    return quoted


def _scores(units: Sequence[Unit], terms: frozenset[str]) -> list[float]:
    """Shared words, rare ones counting more."""
    found = [unit.words & terms for unit in units]
    often = Counter(word for words_found in found for word in words_found)
    return [sum(1 / often[word] for word in words_found) for words_found in found]


def is_classical(text: str) -> bool:
    """Classical Chinese, by its particles: 之, 者, 而 and the like, and hardly any that a modern sentence needs."""
    old, new = len(_CLASSICAL.findall(text)), len(_MODERN.findall(text))
    return old > 4 * new or (old > 2 and 250 * text.count("的") < len(text))


def without(units: Sequence[Unit], unwanted: Callable[[str], bool]) -> list[Unit]:
    """The units without unwanted sentences and steps; a list that loses most of its steps goes as a whole."""
    kept = []
    for unit in units:
        if not unit.steps:
            kept += [] if unwanted(unit.text) else [unit]
            continue
        steps = tuple(step for step in unit.steps if not unwanted(step))
        if 2 * len(steps) > len(unit.steps):
            kept.append(Unit(steps=steps))
    return kept
