"""What a text denies, and whether another one affirms it: 没赶上 against 赶上 is a clash, against 错过 it is agreement."""

import re

from chat.memory.text import language
from chat.memory.wording import units, wording

_DENIAL = re.compile(
    "不(?!过|仅|但|管|同(?!意)|错|断|久|少|好意思|得了|由|停|安|舒服|动)|没(?!事)|未|无法"
    "|(?<![特区分个差类级性])别(?!人|的)|莫|拒绝|绝不"
    "|\\b(?:refus|declin|fail)(?:e|es|ed|s|ing)? to\\b|\\b(?:not|never|no|without|cannot|unable|impossible)\\b|n't\\b"
    "|\\btoo \\w+ (?:to|for)\\b"
)
_MILD_DENIAL = re.compile(
    "得不行|得不得了|没多久|不久|不好受|不是滋味|不得劲|不对劲|不由得|忍住(?:了)?没有?|睡不着|睡不好"
    "|静不下|坐不住|停不下来?|止不住|忍不住|想不起|读不懂|看不懂|没通过|没过|没知觉"
    "|一夜没睡|没睡好|抬不起|(?:can't|cannot|can not|couldn't|could not) (?:(?:fall a)?sleep|stop|help)|too strict|no longer"
)
_CLAUSE = re.compile(r"[,，。;；:：.!！?？\s]")
_ENGLISH_CLAUSE = re.compile(r"[,.;:!?]|\b(?:and|but|because|so)\b")
_COMPLEMENT = re.compile("不(?:[了起动着住到下来得完上进开出去清懂见成过好]|起来|下来)")  # 直不起来: what is denied stands before


def denials(told: str, mild: bool = False) -> list[tuple[str, ...]]:
    """Of each denial in a told text, the telling words that it reaches, what it denies first. `mild`: also of those that
    only say how something is, as 睡不着 says of sleep."""
    said = told if mild else _MILD_DENIAL.sub(lambda match: " " * len(match[0]), told)
    return [_scope(said, match.start(), match.end()) for match in _DENIAL.finditer(said)]


def _scope(said: str, start: int, end: int) -> tuple[str, ...]:
    clause = _ENGLISH_CLAUSE if language(said) == "en" else _CLAUSE
    before, after = clause.split(said[:start])[-1], clause.split(said[end:].lstrip())[0]
    if _COMPLEMENT.match(said, start):
        return (*reversed(units(before)), *units(after))
    return units(after)


def odd(told: str) -> bool:
    """Whether it has an odd number of denials: two of them make none."""
    return len(denials(told)) % 2 == 1


def agree(one: str, other: str) -> bool:
    """One text denies what is the opposite of the other's word: 没赶上 and 错过."""
    table = wording(language(one)).opposed
    return _turns(one, other, table) or _turns(other, one, table)


def _turns(one: str, other: str, table) -> bool:
    denied = {unit for scope in denials(one, mild=True) for unit in scope}
    free = _free(other)
    return any(table.get(unit, frozenset()) & free for unit in denied)


def clash(one: str, other: str) -> bool:
    """One text affirms the very word that the other denies. Where both deny something, they may say it each in its way."""
    return _denies(one, other) or _denies(other, one)


def _denies(one: str, other: str) -> bool:
    return not denials(other) and bool({scope[0] for scope in denials(one) if scope} & {*units(other)})


def _free(told: str) -> set[str]:
    """Its telling words that no denial reaches."""
    return set(units(told)) - {unit for scope in denials(told) for unit in scope}
