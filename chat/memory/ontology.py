"""The slots of a user's state, read from ontology.toml: what each holds, how it is said, asked about and compared.

The file is checked as it is read; a mistake raises OntologyError that names the file and the line.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType

from chat.memory.text import fold

PATH = Path(__file__).with_name("ontology.toml")
CATEGORIES = ("preference", "goal", "habit", "status", "profile", "schedule", "last_query")
TYPES = ("duration", "time_of_day", "frequency", "count", "date", "counter", "enum", "name", "contact", "text")
DECAYS = ("command", "identity", "state", "normal")
CONFLICT_RULES = ("latest", "ask", "never")
_MACRO = re.compile("<([A-Z]+)>")
_ATTRIBUTE_KEYS = {"zh", "en", "names", "types", "multi", "open", "decay", "conflict", "hint", "topic", "within", "habitual"}
_ATTRIBUTE_KEYS |= {"addressed", "events", "unless", "values", "says", "asks", "implies", "triggers", "any_subject", "opposes", "values_of"}
_CHOICE_KEYS = {"key", "zh", "en", "also", "refines", "facet"}
_SAYING_KEYS = {"re", "value", "item", "op", "confidence", "source", "scope", "topic", "shape"}


class OntologyError(ValueError):
    """A mistake in the ontology file; the message names file and line."""


@dataclass(frozen=True)
class Choice:
    """One listed value: its key (the Chinese word), labels, and every folded spelling of it."""

    key: str
    zh: str
    en: str
    words: tuple[str, ...]
    refines: tuple[str, ...] = ()
    facet: str = ""  # values of different facets don't exclude each other

    def label(self, language: str) -> str:
        return self.zh if language == "zh" else self.en


@dataclass(frozen=True)
class Saying:
    """One way to say something about an attribute: a pattern over a folded clause and what it means.

    Groups: `v` a listed value, `x` free words. `value` names the value where the words don't.
    """

    words: str  # the pattern, everything in it written out
    value: str = ""
    item: str = ""
    operation: str = "assert"  # or "end"; "none": says nothing, and keeps later patterns from thinking otherwise
    confidence: float = 0.9
    source: str = "explicit"
    scope: str = ""  # "conversation" or "lasting" against what the clause says
    topic: str = ""  # needed of the message up to the clause
    shape: tuple[str, str] = ("", "")  # the value made of the free words, zh and en: {}过敏, {} allergy

    @cached_property
    def pattern(self) -> re.Pattern:
        return re.compile(self.words)

    def phrase(self, free_words: str, language: str) -> str:
        """The free words as a value."""
        shape = self.shape[0 if language == "zh" else 1]
        return shape.format(free_words.strip()) if shape else free_words


@dataclass(frozen=True)
class Attribute:
    category: str
    name: str
    zh: str
    en: str
    types: tuple[str, ...]
    names: tuple[str, ...] = ()  # what people call the slot itself (folded): 手机号, phone number
    multi: bool = False
    open: bool = False  # an enum that takes other words too
    decay: str = "state"
    conflict_rule: str = "latest"
    hint: str = ""  # for reading bare values: morning, night, grows
    topic: str = ""  # typed values in a clause about this topic belong here
    within: tuple[float, float] | None = None  # plausible bounds of a duration, in seconds
    habitual: bool = False  # one single event says nothing about it
    addressed: bool = False  # may be said as a request to the assistant
    any_subject: bool = False  # may be said of someone else (my daughter is called …)
    opposes: str = ""  # a slot that can't hold the same item
    unless: re.Pattern | None = None  # a typed value with this around it belongs elsewhere
    choices: tuple[Choice, ...] = field(default=(), repr=False)
    says: tuple[Saying, ...] = field(default=(), repr=False)
    asks: tuple[re.Pattern, ...] = field(default=(), repr=False)  # what a question about it looks like
    implies: tuple[Saying, ...] = field(default=(), repr=False)  # questions that take a state for granted
    triggers: tuple[str, ...] = ()  # folded words, beside the listed values, one of which every saying needs
    _by_key: Mapping[str, Choice] = field(default_factory=dict, repr=False)

    @property
    def slot(self) -> str:
        return f"{self.category}.{self.name}"

    def label(self, language: str) -> str:
        return self.zh if language == "zh" else self.en

    def choice(self, key: str) -> Choice | None:
        return self._by_key.get(key)

    def ancestors(self, choice: Choice) -> set[str]:
        """The keys of every broader value."""
        found: set[str] = set()
        ahead = list(choice.refines)
        while ahead:
            broader = ahead.pop()
            if broader not in found:
                found.add(broader)
                ahead += self._by_key[broader].refines
        return found

    def choose(self, words: str) -> Choice | None:
        """The listed value that the words are, or else the longest one they contain."""
        folded = fold(words).strip(" .,。!'\"")
        exact = next((c for c in self.choices if folded in c.words), None)
        if exact or not self.choices:
            return exact
        found = list(self.spelling.finditer(folded))
        return self.choice_of(max(found, key=lambda m: len(m[0]))[0]) if found else None

    def choice_of(self, spelling: str) -> Choice | None:
        """The value of a spelling that the `v` group of a saying caught."""
        return self._by_spelling.get(spelling) or self._by_spelling.get(spelling.removesuffix("s"))

    @cached_property
    def trigger_words(self) -> tuple[str, ...]:
        """Words without one of which nothing is said of the attribute."""
        return (*self.triggers, *(word for choice in self.choices for word in choice.words))

    @cached_property
    def trigger(self) -> re.Pattern:
        return re.compile("|".join(map(re.escape, sorted(set(self.trigger_words), key=len, reverse=True))) or "(?!)")

    @cached_property
    def _by_spelling(self) -> dict[str, Choice]:
        return {word: choice for choice in reversed(self.choices) for word in choice.words}

    @cached_property
    def spelling(self) -> re.Pattern:
        """Any spelling of any listed value, in folded text."""
        return re.compile(alternation([word for choice in self.choices for word in choice.words]))


@dataclass(frozen=True)
class Ontology:
    attributes: Mapping[str, Attribute]  # by slot, in the order of the file
    topics: Mapping[str, re.Pattern]

    def spoken_of(self, text: str, topics: frozenset[str] = frozenset()) -> list[Attribute]:
        """The attributes, in order, of which a word occurs in the folded text or whose topic is among `topics`."""
        heads = {*text, *map("".join, zip(text, text[1:], strict=False))}
        near = set().union(*(self._by_head[head] for head in heads if head in self._by_head))
        return [
            attribute
            for slot, attribute in self.attributes.items()
            if (slot in near and attribute.trigger.search(text)) or attribute.topic in topics
        ]

    @cached_property
    def _by_head(self) -> dict[str, set[str]]:
        """Slots by the first two characters of their words: a look-up per character pair instead of a search per slot."""
        slots: dict[str, set[str]] = {}
        for attribute in self.attributes.values():
            for word in attribute.trigger_words:
                slots.setdefault(word[:2], set()).add(attribute.slot)
        return slots

    def attribute(self, slot: str) -> Attribute | None:
        """The attribute of a slot such as "preference.meditation_sound"; None for a free one."""
        return self.attributes.get(slot)

    def canonical(self, category: str, free_name: str) -> str:
        """The slot for a name that someone made up: a known attribute that is called so, else category.snake_case."""
        folded = fold(free_name).strip()
        snake = re.sub(r"[^\w]+", "_", folded).strip("_")[:40]
        for attribute in self.attributes.values():
            called = {attribute.name, fold(attribute.zh), fold(attribute.en), *attribute.names}
            if attribute.category == category and (snake in called or folded in called):
                return attribute.slot
        return f"{category}.{snake}"


def alternation(words: list[str]) -> str:
    """A pattern for any of the folded words, longest first; Latin ones as whole words, with a plural s."""
    ordered = sorted(set(words), key=len, reverse=True)
    latin = [re.escape(word) for word in ordered if word[-1].isascii() and word[0].isascii()]
    other = [re.escape(word) for word in ordered if not (word[-1].isascii() and word[0].isascii())]
    parts = ["|".join(other)] if other else []
    if latin:
        parts.append(rf"(?<![a-z])(?:{'|'.join(latin)})s?(?![a-z])")
    return f"(?:{'|'.join(parts)})"


@cache
def load(path: Path = PATH) -> Ontology:
    """Read and check the ontology once. Raises OntologyError."""
    text = path.read_text(encoding="utf-8")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OntologyError(f"{path.name}: {error}") from None
    return _Reader(path.name, text, data).read()


class _Reader:
    """Reads one file; knows its lines, so that mistakes can be found again."""

    def __init__(self, name: str, text: str, data: dict):
        self.name, self.lines, self.data = name, text.splitlines(), data
        self.macros: dict[str, str] = {}
        self.at = ""  # the table being read
        self.read_choices: dict[str, tuple[Choice, ...]] = {}

    def read(self) -> Ontology:
        for macro, pattern in self.data.pop("words", {}).items():
            self.macros[macro] = self.expand(pattern)
        topics = {topic: self.compile(pattern) for topic, pattern in self.data.pop("topics", {}).items()}
        attributes = {}
        for category, table in self.data.items():
            self.at = category
            if category not in CATEGORIES:
                self.fail(f"unknown category {category!r}", f"[{category}")
            for name, spec in table.items():
                self.at = f"{category}.{name}"
                attributes[self.at] = self.attribute(category, name, spec, topics)
        for attribute in attributes.values():
            self.at = attribute.slot
            if attribute.opposes and attribute.opposes not in attributes:
                self.fail(f"opposes an unknown slot {attribute.opposes!r}", "opposes")
        return Ontology(MappingProxyType(attributes), MappingProxyType(topics))

    def attribute(self, category: str, name: str, spec: dict, topics: dict) -> Attribute:
        self.known_keys(spec, _ATTRIBUTE_KEYS)
        for needed in ("zh", "en", "types"):
            if not spec.get(needed):
                self.fail(f"{self.at} needs {needed!r}")
        self.one_of(spec["types"], TYPES, "types")
        self.one_of([spec.get("decay", "state")], DECAYS, "decay")
        self.one_of([spec.get("conflict", "latest")], CONFLICT_RULES, "conflict")
        if spec.get("topic") and spec["topic"] not in topics:
            self.fail(f"unknown topic {spec['topic']!r}", "topic")
        borrowed = [choice for slot in spec.get("values_of", ()) for choice in self.choices_of(slot)]
        choices = (*(self.choice(value) for value in spec.get("values", ())), *borrowed)
        by_key = {choice.key: choice for choice in choices}
        self.read_choices[self.at] = tuple(choices)
        for choice in choices:
            for broader in choice.refines:
                if broader not in by_key:
                    self.fail(f"{choice.key!r} refines an unknown value {broader!r}", broader)
        if "enum" in spec["types"] and not choices:
            self.fail(f"{self.at} is an enum without values", "types")
        spelling = alternation([w for c in choices for w in c.words]) if choices else "(?!)"
        plain = {key: spec[key] for key in ("multi", "open", "hint", "topic", "habitual", "addressed", "any_subject", "opposes") if key in spec}
        return Attribute(
            category,
            name,
            spec["zh"],
            spec["en"],
            tuple(spec["types"]),
            names=tuple(fold(word) for word in spec.get("names", ())),
            decay=spec.get("decay", "state"),
            conflict_rule=spec.get("conflict", "latest"),
            within=tuple(spec["within"]) if "within" in spec else None,
            unless=self.compile(spec["unless"]) if "unless" in spec else None,
            choices=choices,
            says=tuple(self.saying(said, spelling, by_key, topics) for said in spec.get("says", ())),
            asks=tuple(self.compile(asked) for asked in spec.get("asks", ())),
            implies=tuple(self.saying(said, spelling, by_key, topics) for said in spec.get("implies", ())),
            triggers=tuple(fold(word) for word in spec.get("triggers", ())),
            _by_key=MappingProxyType(by_key),
            **plain,
        )

    def choices_of(self, slot: str) -> tuple[Choice, ...]:
        if slot not in self.read_choices:
            self.fail(f"no values of {slot!r} before this line", "values_of")
        return self.read_choices[slot]

    def choice(self, spec: dict) -> Choice:
        self.known_keys(spec, _CHOICE_KEYS)
        if not spec.get("zh") or not spec.get("en"):
            self.fail(f"a value of {self.at} needs zh and en", str(spec.get("zh", "")))
        words = tuple(dict.fromkeys(fold(word) for word in (spec["zh"], spec["en"], *spec.get("also", ()))))
        key = spec.get("key", spec["zh"])
        refines = spec.get("refines", ())
        return Choice(key, spec["zh"], spec["en"], words, (refines,) if isinstance(refines, str) else tuple(refines), spec.get("facet", ""))

    def saying(self, spec: str | dict, spelling: str, by_key: dict, topics: dict) -> Saying:
        spec = {"re": spec} if isinstance(spec, str) else spec
        self.known_keys(spec, _SAYING_KEYS)
        if spec.get("topic") and spec["topic"] not in topics:
            self.fail(f"unknown topic {spec['topic']!r}", spec["re"])
        self.one_of([spec.get("op", "assert")], ("assert", "end", "none"), spec["re"])
        return Saying(
            self.checked(spec["re"], spelling),
            value=spec.get("value", ""),
            item=spec.get("item", ""),
            operation=spec.get("op", "assert"),
            confidence=spec.get("confidence", 0.9),
            source=spec.get("source", "explicit"),
            scope=spec.get("scope", ""),
            topic=spec.get("topic", ""),
            shape=tuple(spec.get("shape", ("", ""))),
        )

    def compile(self, pattern: str, spelling: str = "(?!)") -> re.Pattern:
        try:
            return re.compile(self.expand(pattern, spelling))
        except re.error as error:
            self.fail(f"not a pattern: {error}", pattern[:40])

    def checked(self, pattern: str, spelling: str) -> str:
        """The pattern with its words written out. Only its shape is compiled now: the lists in it are long and many."""
        self.compile(pattern, "x")
        return self.expand(pattern, spelling)

    def expand(self, pattern: str, spelling: str = "(?!)") -> str:
        known: dict[str, str | Callable] = {**self.macros, "V": f" ?(?P<v>{spelling})", "VALUE": spelling}

        def replace(match: re.Match) -> str:
            if match[1] not in known:
                self.fail(f"unknown word <{match[1]}>", match[0])
            return known[match[1]]

        return _MACRO.sub(replace, pattern)

    def known_keys(self, spec: dict, known: set[str]) -> None:
        for key in spec:
            if key not in known:
                self.fail(f"unknown key {key!r} in {self.at}", key)

    def one_of(self, given: list, allowed: tuple, where: str) -> None:
        for value in given:
            if value not in allowed:
                self.fail(f"{value!r} is none of {', '.join(allowed)}", where)

    def fail(self, problem: str, needle: str = "") -> None:
        """Raise with the line of `needle` inside the table being read, or of the table itself."""
        header = next((n for n, line in enumerate(self.lines) if line.strip() == f"[{self.at}]"), 0)
        line = next((n for n in range(header, len(self.lines)) if needle and needle in self.lines[n]), header)
        raise OntologyError(f"{self.name}:{line + 1}: {problem}")
