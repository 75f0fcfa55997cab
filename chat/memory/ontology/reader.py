"""Reading ontology.toml: macros written out, everything checked, mistakes found again by their line."""

import re
from collections.abc import Callable
from types import MappingProxyType

from chat.memory.ontology.attributes import Attribute, Choice, Ontology, Saying, alternation
from chat.memory.text import fold, one_pattern

CATEGORIES = ("preference", "goal", "habit", "status", "profile", "schedule", "last_query")
TYPES = ("duration", "time_of_day", "frequency", "count", "date", "counter", "enum", "name", "contact", "text")
DECAYS = ("command", "identity", "state", "normal")
CONFLICT_RULES = ("latest", "ask", "never")
_MACRO = re.compile("<([A-Z]+)>")
_ATTRIBUTE_KEYS = {"zh", "en", "names", "labels", "denial", "types", "multi", "open", "decay", "conflict", "hint", "topic", "within", "habitual"}
_ATTRIBUTE_KEYS |= {"addressed", "events", "unless", "values", "says", "asks", "implies", "triggers", "any_subject", "opposes", "values_of"}
_CHOICE_KEYS = {"key", "zh", "en", "also", "refines", "facet"}
_SAYING_KEYS = {"re", "value", "item", "op", "confidence", "source", "scope", "topic", "shape", "known"}


class OntologyError(ValueError):
    """A mistake in the ontology file; the message names file and line."""


class Reader:
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

    def check(self, spec: dict, topics: dict) -> None:
        self.known_keys(spec, _ATTRIBUTE_KEYS)
        for needed in ("zh", "en", "types"):
            if not spec.get(needed):
                self.fail(f"{self.at} needs {needed!r}")
        self.one_of(spec["types"], TYPES, "types")
        self.one_of([spec.get("decay", "state")], DECAYS, "decay")
        self.one_of([spec.get("conflict", "latest")], CONFLICT_RULES, "conflict")
        if spec.get("topic") and spec["topic"] not in topics:
            self.fail(f"unknown topic {spec['topic']!r}", "topic")

    def attribute(self, category: str, name: str, spec: dict, topics: dict) -> Attribute:
        self.check(spec, topics)
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
        plain = {key: spec[key] for key in ("multi", "open", "hint", "topic", "habitual", "addressed", "any_subject", "opposes", "denial") if key in spec}
        return Attribute(
            category,
            name,
            spec["zh"],
            spec["en"],
            tuple(spec["types"]),
            names=tuple(fold(word) for word in spec.get("names", ())),
            labels=tuple(fold(word) for word in spec.get("labels", ())),
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
            known=bool(spec.get("known", False)),
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

        return _MACRO.sub(replace, one_pattern(pattern))

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
        needle = next((line.strip() for line in needle.split("\n") if line.strip()), "")
        header = next((n for n, line in enumerate(self.lines) if line.strip() == f"[{self.at}]"), 0)
        line = next((n for n in range(header, len(self.lines)) if needle and needle in self.lines[n]), header)
        raise OntologyError(f"{self.name}:{line + 1}: {problem}")
