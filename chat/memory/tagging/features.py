"""What the models see of a message: its tokens, and of each what it is, what stands around it and what its clause is about."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chat.memory import ontology
from chat.memory.clauses import Clause
from chat.memory.text import dictionary
from chat.memory.values import clock, duration, frequency

_TOKEN = re.compile("[a-z]+(?:'[a-z]+)?|\\d+(?:[.:]\\d+)?|\\S")
_CJK = re.compile("[\u3400-\u9fff]")
_FINDERS = {"duration": duration.find, "time": lambda text: clock.find(text, "day"), "frequency": frequency.find}
KINDS = Path(__file__).with_name("kinds.tsv")
_LONGEST_WORD = 6  # tokens of a listed value
_MOST_WORDS = 14  # of a clause, as its context
FLAGS = ("past", "event", "planned", "intended", "hedged", "correction", "retraction", "narrative", "named_subject", "since")


@dataclass(frozen=True)
class Token:
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Seen:
    """A message as the models see it."""

    tokens: list[Token]
    words: list[str]  # of each token the dictionary word that it is part of
    features: list[list[str]]  # of each token
    places: list[int]  # number of the clause of each token, -1 outside of all
    context: list[list[str]]  # of each clause: what holds of it as a whole


def see(text: str, clauses: Sequence[Clause]) -> Seen:
    """The features of a folded text whose clauses are known."""
    tokens = [Token(m[0], *m.span()) for m in _TOKEN.finditer(text)]
    places = _clause_places(tokens, clauses)
    words = _words(text, tokens)
    context = [_context(clause, [words[i][0] for i, at in enumerate(places) if at == number]) for number, clause in enumerate(clauses)]
    own = [_own(token, word) for token, word in zip(tokens, words, strict=True)]
    for kind, found in _typed(text):
        _mark(own, tokens, f"typed={kind}", found)
    for slot, first, last in _listed(text, tokens):
        for at in range(first, last):
            own[at].append(f"listed={slot}:{'B' if at == first else 'I'}")
    features = [_around(i, tokens, words, own, context, places) for i in range(len(tokens))]
    return Seen(tokens, [word for word, _kind, _place in words], features, places, context)


def _clause_places(tokens: list[Token], clauses: Sequence[Clause]) -> list[int]:
    places, at = [], 0
    for token in tokens:
        while at < len(clauses) and clauses[at].end <= token.start:
            at += 1
        places.append(at if at < len(clauses) and clauses[at].start <= token.start else -1)
    return places


def _words(text: str, tokens: list[Token]) -> list[tuple[str, str, str]]:
    """Of each token the dictionary word that it is part of, that word's kind, and its place in it (B, I)."""
    spans, at = [], 0
    for word, kind in dictionary().tag(text):
        spans.append((at, at + len(word), word, kind))
        at += len(word)
    found, number = [], 0
    for token in tokens:
        while number < len(spans) - 1 and spans[number][1] <= token.start:
            number += 1
        start, _end, word, kind = spans[number]
        known = bool(_CJK.match(token.text))
        found.append((word if known else token.text, kind, "B" if start == token.start or not known else "I"))
    return found


def _own(token: Token, word: tuple[str, str, str]) -> list[str]:
    text = token.text
    shape = "zh" if _CJK.match(text) else "digit" if text[0].isdigit() else "latin" if text[0].isalpha() else "mark"
    found = [f"w={'0' if shape == 'digit' else text}", f"shape={shape}", f"word={word[0]}", f"kind={word[1]}:{word[2]}"]
    found += [f"like={kind}" for kind in _kinds().get(word[0], ())]
    if shape == "latin":
        found += [f"end={text[-3:]}", f"begin={text[:3]}"]
    return found


@cache
def _kinds() -> dict[str, tuple[str, str]]:
    """Words by their two kinds, a wide and a narrow one: words of one kind mean like things (烟, 抽烟, smoking)."""
    rows = (line.split("\t") for line in KINDS.read_text(encoding="utf-8").splitlines())
    return {word: (f"w{wide}", f"n{narrow}") for word, wide, narrow in rows}


def known_words() -> list[str]:
    """The frequent words, Chinese and English, whose kinds are known."""
    return list(_kinds())


def _typed(text: str):
    for kind, finder in _FINDERS.items():
        yield kind, [(start, end) for start, end, *_rest in finder(text)]


def _mark(own: list[list[str]], tokens: list[Token], name: str, spans: list[tuple[int, int]]) -> None:
    for start, end in spans:
        for at, token in enumerate(tokens):
            if start <= token.start < end:
                own[at].append(f"{name}:{'B' if token.start == start else 'I'}")


@cache
def _listed_words() -> dict[str, tuple[str, ...]]:
    """Slots by the spellings of their listed values."""
    slots: dict[str, set[str]] = {}
    for attribute in ontology.load().attributes.values():
        for choice in attribute.choices:
            for word in choice.words:
                slots.setdefault(word, set()).add(attribute.name)
    return {word: tuple(sorted(names)) for word, names in slots.items()}


def _listed(text: str, tokens: list[Token]):
    """(slot, first, last) of each listed value that stands in the text."""
    words = _listed_words()
    for first, token in enumerate(tokens):
        for last in range(first + 1, min(first + _LONGEST_WORD, len(tokens)) + 1):
            for slot in words.get(text[token.start : tokens[last - 1].end], ()):
                yield slot, first, last


def _context(clause: Clause, words: list[str]) -> list[str]:
    said = list(dict.fromkeys(word for word in words if word.strip()))[:_MOST_WORDS]
    like = dict.fromkeys(kind for word in said for kind in _kinds().get(word, ()))
    flags = [name for name in FLAGS if getattr(clause, name)]
    about = [name for name, pattern in ontology.load().topics.items() if pattern.search(clause.text)]
    return [
        *(f"said={word}" for word in said),
        *(f"said-like={kind}" for kind in like),
        *(f"is={flag}" for flag in flags),
        *(f"about={name}" for name in about),
        f"mood={clause.mood}",
        f"of={clause.subject}",
        f"scope={clause.scope}",
    ]


def _around(i: int, tokens: list[Token], words, own, context, places: list[int]) -> list[str]:
    def text(at: int) -> str:
        return tokens[at].text if 0 <= at < len(tokens) else "^" if at < 0 else "$"

    found = list(own[i])
    found += [f"w{step}={text(i + step)}" for step in (-3, -2, -1, 1, 2, 3)]
    found += [
        f"w-1w={text(i - 1)}{text(i)}",
        f"ww1={text(i)}{text(i + 1)}",
        f"w-2w-1={text(i - 2)}{text(i - 1)}",
        f"w1w2={text(i + 1)}{text(i + 2)}",
        f"w-1ww1={text(i - 1)}{text(i)}{text(i + 1)}",
    ]
    for step in (-2, -1, 1, 2):
        if 0 <= i + step < len(tokens):
            near = own[i + step][2:] if abs(step) == 1 else [f for f in own[i + step] if f.startswith("like=")]
            found += [f"{step}{feature}" for feature in near]
    place = places[i]
    if place < 0:
        return [*found, "outside"]
    found += context[place]
    if place:
        found += [f"before:{feature}" for feature in context[place - 1]]
    if place + 1 < len(context):
        found += [f"after:{feature}" for feature in context[place + 1] if not feature.startswith("said=")]
    return found


def of_mark(seen: Seen, first: int, last: int, slot: str) -> list[str]:
    """What tells how the value of tokens first..last (half-open) is said to hold: its words and what stands around them."""
    texts = _texts(seen, first, last)
    ahead, behind = _texts(seen, first - 2, first), _texts(seen, last, last + 2)
    place = seen.places[first]
    return [
        f"slot={slot}",
        *(f"in={gram}" for gram in _grams(texts)),
        *(f"ahead={gram}" for gram in _grams(ahead)),
        *(f"behind={gram}" for gram in _grams(behind)),
        f"last-ahead={''.join(ahead[-1:])}",
        f"first-behind={''.join(behind[:1])}",
        *(seen.context[place] if place >= 0 else ["outside"]),
        *(f"before:{feature}" for feature in (seen.context[place - 1] if place > 0 else ())),
    ]


def of_key(seen: Seen, first: int, last: int, slot: str) -> list[str]:
    """What tells which listed value of the slot the tokens first..last (half-open) mean: their words and what they are like."""
    texts = _texts(seen, first, last)
    like = {kind for text in (*texts, *seen.words[first:last]) for kind in _kinds().get(text, ())}
    return [
        f"slot={slot}",
        f"whole={slot}:{' '.join(texts)}",
        *(f"in={slot}:{gram}" for gram in _grams(texts)),
        *(f"like={slot}:{kind}" for kind in sorted(like)),
    ]


def _texts(seen: Seen, first: int, last: int) -> list[str]:
    return [token.text for token in seen.tokens[max(0, first) : last]]


def _grams(texts: list[str]) -> list[str]:
    return sorted({" ".join(texts[i : i + n]) for n in (1, 2, 3) for i in range(len(texts) - n + 1)})
