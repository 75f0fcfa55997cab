"""A day or a month in a few lines, made of the sheets below it: date, topics, what was said of most, values and details."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from chat.memory.details import Detail, missing
from chat.memory.keywords import content_words
from chat.memory.summaries import Belief, says_value
from chat.memory.text import fold

TOPICS = 3
BESIDE = 24  # tokens that are left for what was said, however many values there are


@dataclass(frozen=True)
class Digest:
    """`title`: the day or month as it is written. `lines`: clauses; `beliefs`: values; `mentions`: bare details."""

    title: str
    topics: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    beliefs: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    language: str = "zh"


@dataclass(frozen=True)
class Source:
    """What a summary below has to say: topics and clauses, in order."""

    topics: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Material:
    """What a digest is made from. `texts`: all that may be said in it, word by word, with the `moments` it was said at;
    `children`: the summaries below as they read; `budget`: tokens that it should have."""

    title: str
    sources: Sequence[Source]
    beliefs: Sequence[Belief]
    details: Sequence[Detail]
    budget: int
    language: str = "zh"
    own: int = 0  # of the details: so many, the first, are in the user's words
    most: int = 0  # tokens that it may have for their sake
    texts: Sequence[str] = ()
    moments: Sequence[datetime] = ()
    zone: str = "UTC"
    children: Sequence[str] = ()


def digest(material: Material, count: Callable[[str], int]) -> Digest:
    """Within about the budget by `count`: first every value of a belief, then details, then topics, then clauses."""
    language, details = material.language, material.details
    made = Digest(material.title, language=language)
    made = replace(made, beliefs=tuple(line(b, language) for b in material.beliefs if not b.gone))
    budget = _room(made, material, count)
    lines = _ranked(material.sources, details)
    for chosen in lines[:1]:
        made = _if_it_fits(made, replace(made, lines=(chosen,)), budget, count)
    made = _with_details(made, details, budget, count)
    for topic in _topics(material.sources):
        if not says_value(render(made), topic):
            made = _if_it_fits(made, replace(made, topics=(*made.topics, topic)), budget, count)
    for chosen in lines[1:]:
        made = _if_it_fits(made, replace(made, lines=(*made.lines, chosen)), budget, count)
    order = {text: place for place, text in enumerate(text for source in material.sources for text in source.lines)}
    return _tidy(replace(made, lines=tuple(sorted(made.lines, key=order.__getitem__))), material.beliefs)


def _room(made: Digest, material: Material, count: Callable[[str], int]) -> int:
    """The budget; more where so much was told that it would not hold the values and what the user's own words name."""
    values = count(render(made)) + BESIDE if made.beliefs else 0
    named = replace(made, mentions=tuple(detail.shown or detail.words for detail in material.details[: material.own]))
    return max(material.budget, values, min(material.most, count(render(named))))


def completed(made: Digest, material: Material, count: Callable[[str], int]) -> Digest:
    """A digest in free words with every value that it doesn't say, and with the details that the budget has room for."""
    made = _tidy(made, material.beliefs)
    return _tidy(_with_details(made, material.details, max(material.budget, material.most), count), material.beliefs)


def kept(made: Digest, material: Material) -> dict[str, int]:
    """{"said", "of"}: how many of the values and details of its material it says."""
    text, values = render(made), [belief.value for belief in material.beliefs if not belief.gone]
    lost = len(missing(material.details, text)) + sum(not says_value(text, value) for value in values)
    return {"said": len(material.details) + len(values) - lost, "of": len(material.details) + len(values)}


def _with_details(made: Digest, details: Sequence[Detail], budget: int, count: Callable[[str], int]) -> Digest:
    for detail in missing(details, render(made)):
        if missing([detail], render(made)):
            made = _if_it_fits(made, replace(made, mentions=(*made.mentions, detail.shown or detail.words)), budget, count)
    return made


def _tidy(made: Digest, beliefs: Sequence[Belief]) -> Digest:
    """With a line for every value that its clauses don't say, and without details that something else says."""
    said = render(replace(made, beliefs=()))
    language = made.language
    needed = tuple(line(b, language) for b in beliefs if not b.gone and (b.now or not says_value(said, b.value)))
    said = render(replace(made, beliefs=needed, mentions=()))
    return replace(made, beliefs=needed, mentions=tuple(m for m in made.mentions if not says_value(said, m)))


def render(made: Digest) -> str:
    zh = made.language == "zh"
    listed = "、".join(made.mentions) if zh else ", ".join(made.mentions)
    parts = [*made.lines, *made.beliefs, *([listed] if listed else [])]
    head = made.title + (("：" if zh else ": ") if made.topics or parts else "")
    topics = ("、" if zh else ", ").join(made.topics)
    body = ("；" if zh else "; ").join(parts)
    return head + topics + (("。" if zh else ". ") if topics and body else "") + body


def line(belief: Belief, language: str) -> str:
    """A value as it stands in a digest, followed by what took its place."""
    colon = "：" if language == "zh" else ": "
    later = "" if not belief.now else f"（后来：{belief.now}）" if language == "zh" else f" (later: {belief.now})"
    return f"{belief.label}{colon}{belief.value}{later}"


def _if_it_fits(made: Digest, more: Digest, budget: int, count: Callable[[str], int]) -> Digest:
    return more if count(render(more)) <= budget else made


def _topics(sources: Sequence[Source]) -> list[str]:
    counts = Counter(topic for source in sources for topic in source.topics if topic)
    return [topic for topic, _count in counts.most_common(TOPICS)]


def _ranked(sources: Sequence[Source], details: Sequence[Detail]) -> list[str]:
    """The clauses, best for their length first; those that carry details before others."""
    texts = list(dict.fromkeys(text for source in sources for text in source.lines if text))
    frequent = Counter(word for text in texts for word in set(content_words(text)))
    worth: dict[str, float] = {}
    for place, text in enumerate(texts):
        words = set(content_words(text))
        folded = "".join(fold(text).split())
        carried = sum(len(detail.key) for detail in details if detail.key in folded)
        worth[text] = (sum(min(frequent[w], 4) for w in words) + 2 * carried + 1) / (len(text) + 8) - 0.001 * place
    return sorted(texts, key=lambda text: -worth[text])
