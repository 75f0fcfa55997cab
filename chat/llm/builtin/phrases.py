"""What the built-in answerer says, as data in two languages."""

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from chat.memory.material import Fact, Material, PassageText
from chat.memory.prompt import show_date


@cache
def phrases(language: str) -> dict:
    return tomllib.loads(Path(__file__).with_name(f"phrases.{language}.toml").read_text(encoding="utf-8"))


def say(m: Material, name: str, /, **values: str) -> str:
    """The phrase of that name in the language of the answer."""
    return phrases(m.language)[name].format(**values)


def crisis(m: Material, kind: str) -> str:
    return phrases(m.language)["crisis"][kind]


def sentence_of(fact: Fact, m: Material) -> str:
    """The fact as a sentence with the date it was learned: 你一般早上6点打坐（8月26日你告诉我的）。"""
    return bare_sentence_of(fact, m) + learned(fact, m)


def bare_sentence_of(fact: Fact, m: Material) -> str:
    """The same without the date: 你一般早上6点打坐。"""
    template = phrases(m.language)["say"].get(fact.slot)
    if template is None or (fact.slot == "profile.age" and not fact.value.isdigit()):  # 四十出头
        template = say(m, "fact", label=fact.label, value="{value}")
    return template.replace("{value}", one_line(fact.value))


def learned(fact: Fact, m: Material) -> str:
    """（8月26日你告诉我的）, by how it was learned; "" where no date is known."""
    if fact.unconfirmed:
        return say(m, "unconfirmed")
    if fact.learned_at is None:
        return ""
    name = {"inferred": "date_inferred", "implied": "date_inferred", "user_edit": "date_edited"}.get(
        fact.source, "date"
    )
    return say(m, name, date=show_date(fact.learned_at, m))


def source_of(passages: Iterable[PassageText], m: Material) -> str:
    """（出自《打坐走神怎么办》· 走神了怎么回来）"""
    headings: dict[str, list[str]] = {}
    for passage in passages:
        named = [passage.heading] if passage.heading and passage.heading != passage.title else []
        headings.setdefault(passage.title, []).extend(named)
    quoted = "《{}》" if m.language == "zh" else "“{}”"
    places = [" · ".join([quoted.format(title), *dict.fromkeys(under)]) for title, under in headings.items()]
    return say(m, "source", places=("、" if m.language == "zh" else "; ").join(places))


def titles_of(passages: Iterable[PassageText]) -> str:
    return "、".join(dict.fromkeys(f"《{passage.title}》" for passage in passages))


def ended(sentence: str, m: Material) -> str:
    """The sentence with a full stop where it has no closing mark yet."""
    sentence = sentence.strip()
    return sentence if sentence.endswith(tuple("。！？.!?…」”")) else sentence + ("。" if m.language == "zh" else ".")


def joined(sentences: Iterable[str], m: Material) -> str:
    return ("" if m.language == "zh" else " ").join(sentence for sentence in sentences if sentence)


def one_line(text: str) -> str:
    return " ".join(text.split())
