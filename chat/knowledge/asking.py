"""What a question looks for in the knowledge base: its words, the old words for the same things, the texts that it names.

Modern questions and classical texts share few words. So a question is also searched for synonyms of practice, for what old
texts write for everyday words (synonyms.toml), and for its single characters; each counts less than a word of its own.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chat.memory.lexemes import LONGEST_WORD
from chat.memory.text import STOP_WORDS, fold, language, plain_words, words

READ = 2000  # characters of a long question
MOST_WORDS = 48
SYNONYM_SHARE = 0.5  # a synonym counts half of the word itself, old words too
OLD_SHARE = 0.7  # of an old word for a thing that is asked for
CHARACTER_SHARE = 0.35  # so does, a little less, a single character of a word: old texts say 柔 for 柔软
_ASKING = re.compile(
    "[的了吗呢吧么怎什哪谁]"
)  # what questions are made of; a pair of characters that holds one is chance
_EMPTY = "不没无这那个么就"  # characters that stand for nothing alone
_EVERYDAY = frozenset(
    ["今天", "昨天", "明天", "最近", "现在", "觉得", "有点", "一直", "总是", "一下", "知道", "告诉", "一段"]
)
# What joins the name of a text to what is asked of it: 小止观里怎么讲…, 老子说的…
_JOINT = re.compile(" +(?:里面|里头|里|中|书里)?(?:的|是)?(?:怎么|如何)?(?:说|讲|写|认为|解释|让)?的?")
_IN_BRACKETS = re.compile("《([^》]{2,30})》")
_CHINESE = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True)
class Asked:
    """own: the question's words. related: words that stand for them, each with how much it counts. Both without repeats.

    titles: folded names of the texts that the question speaks of. matter: the question without them.
    things: what it speaks of, one by one, each as the words that may stand for it and how much each counts.
    """

    own: tuple[str, ...]
    related: dict[str, float]
    titles: tuple[str, ...]
    language: str
    matter: str = ""
    things: tuple[dict[str, float], ...] = ()

    @property
    def shares(self) -> dict[str, float]:
        return dict.fromkeys(self.own, 1.0) | self.related


def read(question: str, *, synonyms: bool = True) -> Asked:
    question = question[:READ]
    folded = fold(question)
    titles = _titles_in(folded)
    matter = _without(titles, folded) or folded
    found = [word for word in words(matter) if not _ASKING.search(word) and word not in _EVERYDAY]
    found = [word for word in found if (len(word) > 1 or not word.isascii()) and len(word) <= LONGEST_WORD]  # no key, no link
    found = found or [word for name in titles if name in folded for word in words(name)]  # 心经讲什么
    own = tuple(dict.fromkeys(found))[:MOST_WORDS]
    related: dict[str, float] = {}
    for term in [*_synonyms_of(matter), *_old_words_for(matter)] if synonyms else ():
        related |= dict.fromkeys(words(term), SYNONYM_SHARE)
    for character in dict.fromkeys("".join(_CHINESE.findall("".join(own)))):
        if character not in STOP_WORDS:
            related.setdefault(character, CHARACTER_SHARE)
    related = {word: share for word, share in related.items() if word not in own}
    related = dict(list(related.items())[: 3 * MOST_WORDS])
    return Asked(own, related, tuple(titles), language(question), matter, _things(matter) if synonyms else ())


def _things(folded: str) -> tuple[dict[str, float], ...]:
    """Of a thing that has many names each counts once: a text need not say it five times over to speak of it."""
    pale = {*_EVERYDAY, *_tables()["pale"]}
    known = [word for word in plain_words(folded) if not _ASKING.search(word) and word not in pale]
    things = {word: {word: 1.0} for word in known if len(word) > 1 or not word.isascii()}
    groups = [group for group in _groups("zh", "en") if any(len(term) > 1 and term in folded for term in group)]
    named = [(next(term for term in group if len(term) > 1 and term in folded), group, SYNONYM_SHARE) for group in groups]
    named += [(word, olds, OLD_SHARE) for word, *olds in _old() if word in folded and word not in pale]
    for term, others, share in named:
        thing = next((one for one in things if one in term or term in one), term)
        its = things.setdefault(thing, {thing: 1.0})
        for word in (word for other in others if other not in folded for word in words(other)):
            its.setdefault(word, share)
    for thing, its in things.items():
        for character in _CHINESE.findall(thing) if len(thing) > 1 else ():
            if character not in STOP_WORDS and character not in _EMPTY:
                its.setdefault(character, CHARACTER_SHARE)
    return tuple(things.values())


def says(folded: str, term: str) -> bool:
    """Whether a folded text has this term in it, as a word of its own in scripts that part words."""
    if not term.isascii():
        return term in folded
    return re.search(rf"(?<![a-z0-9]){re.escape(term)}(?![a-z0-9])", folded) is not None


def _synonyms_of(folded: str) -> list[str]:
    """The other words of every group of which the question uses one (of one character: says nothing by itself)."""
    groups = [group for group in _groups("zh", "en") if any(len(term) > 1 and term in folded for term in group)]
    return [other for group in groups for other in group if other not in folded]


def _old_words_for(folded: str) -> list[str]:
    return [old for word, *olds in _old() if word in folded for old in olds if old not in folded]


def _without(titles: list[str], folded: str) -> str:
    """What is asked, without the names of texts and the words that join them to it."""
    for name in sorted(titles, key=len, reverse=True):
        folded = folded.replace(name, " ")
    bare = re.sub("[《》]", " ", folded)
    return _JOINT.sub(" ", bare).strip(" ,.:;?!。、") if titles else folded


def _titles_in(folded: str) -> list[str]:
    """All names of the texts that the question names: what stands in 《》, and what the table knows."""
    named = _IN_BRACKETS.findall(folded)
    groups = [group for group in _groups("titles") if any(name in folded for name in group)]
    return [*named, *(name for group in groups for name in group)]


@cache
def _groups(*names: str) -> list[list[str]]:
    return [[fold(term) for term in group] for name in names for group in _tables()[name]]


@cache
def _old() -> list[list[str]]:
    return [fold(line).split() for line in _tables()["old"]]


@cache
def _tables() -> dict[str, list]:
    return tomllib.loads(Path(__file__).with_name("synonyms.toml").read_text(encoding="utf-8"))
