"""The slots of a user's state: what each holds, how it is said and asked about. Filled from ontology.toml."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from chat.memory.text import fold


def alternation(words: list[str]) -> str:
    """A pattern for any of the folded words, longest first; Latin ones as whole words, with a plural s."""
    ordered = sorted(set(words), key=len, reverse=True)
    latin = [re.escape(word) for word in ordered if word[-1].isascii() and word[0].isascii()]
    other = [re.escape(word) for word in ordered if not (word[-1].isascii() and word[0].isascii())]
    parts = ["|".join(other)] if other else []
    if latin:
        parts.append(rf"(?<![a-z])(?:{'|'.join(latin)})s?(?![a-z])")
    return f"(?:{'|'.join(parts)})"


_DENIAL = re.compile("否|不[要用放听开]?|不需要|关|无|没有?|从不|不会|从来不|no|none|nope|never|non-?\\w+|don't|0")
# What stands between the name of a slot and its value on a card.
_BEFORE, _BEHIND = r"(?:^|(?<=[\n ,;/|、:。.!(·]))", r"(?P<mark> ?(?:[:=]|->?|→)+ ?| )"


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
    known: bool = False  # says something only where something is believed of the attribute already
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
    labels: tuple[str, ...] = ()  # what else stands before its value on a card: 坐标, base
    denial: str = ""  # the key of the value that 否 or none is on a card
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

    @cached_property
    def faceted(self) -> bool:
        """Some of its values stand beside one another: an answer may be short and gentle."""
        return any(choice.facet for choice in self.choices)

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

    def denied(self, words: str) -> str:
        """The key of the value that a mere no on a card means: 抽烟：否."""
        return self.denial if self.denial and _DENIAL.fullmatch(fold(words).strip()) else ""

    def choice_of(self, spelling: str) -> Choice | None:
        """The value of a spelling that the `v` group of a saying caught."""
        return self._by_spelling.get(spelling) or self._by_spelling.get(spelling.removesuffix("s"))

    @cached_property
    def calling(self) -> re.Pattern:
        """Any of the names of the slot, in folded text."""
        return re.compile(alternation(list(self.names)) if self.names else "(?!)")

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
        return re.compile(alternation([word for choice in self.choices for word in choice.words]) if self.choices else "(?!)")

    def patterns(self) -> list[re.Pattern]:
        """All those that are compiled when they are first needed, compiled."""
        return [self.calling, self.trigger, self.spelling, *(saying.pattern for saying in (*self.says, *self.implies))]


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

    @cached_property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """The slots by what stands before their value on a card."""
        slots: dict[str, tuple[str, ...]] = {}
        for attribute in self.attributes.values():
            for label in attribute.labels:
                slots[label] = (*slots.get(label, ()), attribute.slot)
        return slots

    @cached_property
    def label(self) -> re.Pattern:
        """A label of a card, in folded text, with what stands between it and the value."""
        words = "|".join(map(re.escape, sorted(self.labels, key=len, reverse=True)))
        return re.compile(f"{_BEFORE}(?P<label>{words}){_BEHIND}")

    def attribute(self, slot: str) -> Attribute | None:
        """The attribute of a slot such as "preference.meditation_sound"; None for a free one."""
        return self.attributes.get(slot)

    def opposites(self, slot: str) -> set[str]:
        """The slots that can't hold an item that this one holds (practised, and disliked)."""
        return self._opposites.get(slot, set())

    @cached_property
    def _opposites(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for slot, attribute in self.attributes.items():
            if attribute.opposes:
                found.setdefault(slot, set()).add(attribute.opposes)
                found.setdefault(attribute.opposes, set()).add(slot)
        return found

    def canonical(self, category: str, free_name: str) -> str:
        """The slot for a name that someone made up: a known attribute that is called so, else category.snake_case."""
        folded = fold(free_name).strip()
        snake = re.sub(r"[^\w]+", "_", folded).strip("_")[:40]
        for attribute in self.attributes.values():
            called = {attribute.name, fold(attribute.zh), fold(attribute.en), *attribute.names}
            if attribute.category == category and (snake in called or folded in called):
                return attribute.slot
        return f"{category}.{snake}"
