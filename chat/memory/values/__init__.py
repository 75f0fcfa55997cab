"""Typed values: read from words, compared by meaning, shown in the reader's language.

A normalized value is a JSON object with a `type`; an attribute of the ontology names the types it takes, in the order
they are tried. `key` is its fingerprint as text: equal keys are equal values.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from chat.memory.text import fold, language
from chat.memory.values import clock, days, duration, frequency, wording
from chat.memory.values.relation import Relation

if TYPE_CHECKING:
    from chat.memory.ontology import Attribute

__all__ = ["Relation", "Value", "compare", "key", "normalise", "show"]

LONGEST = 500  # characters of one value; more is not a value but a text


@dataclass(frozen=True)
class Value:
    shown: str  # in the language it was said in
    normalized: dict
    key: str


@dataclass(frozen=True)
class Setting:
    """What reading a value may depend on: the moment, the writer's zone, and the attribute with its hints."""

    at: datetime
    zone: str
    attribute: "Attribute | None" = None

    @property
    def today(self) -> date:
        """The writer's day."""
        return self.at.astimezone(ZoneInfo(self.zone)).date()

    @property
    def hint(self) -> str:
        return self.attribute.hint if self.attribute else ""

    @property
    def grows(self) -> bool:
        return bool(self.attribute and self.attribute.hint == "grows")


_PARSERS = {
    "duration": lambda words, setting: duration.parse(fold(words)),
    "time_of_day": lambda words, setting: clock.parse(fold(words), setting),
    "frequency": lambda words, setting: frequency.parse(fold(words)),
    "count": wording.parse_count,
    "date": lambda words, setting: days.parse(fold(words), setting),
    "counter": lambda words, setting: days.parse_counter(fold(words), setting),
    "enum": wording.parse_choice,
    "name": wording.parse_name,
    "contact": wording.parse_contact,
    "text": wording.parse_text,
}
_COMPARERS = {
    "duration": duration.compare,
    "time_of_day": clock.compare,
    "frequency": frequency.compare,
    "count": wording.compare_counts,
    "date": days.compare,
    "counter": days.compare,
    "name": wording.compare_names,
    "contact": wording.compare_contacts,
    "text": wording.compare_texts,
}


def normalise(attribute: "Attribute | None", words: str, at: datetime, zone: str) -> Value | None:
    """The value that the words name for this attribute, or None when they can't be one of its values.

    `attribute` None (a free attribute) takes any text. `at` is aware, `zone` an IANA name: relative days need both.
    """
    words = words[:LONGEST]
    setting = Setting(at, zone, attribute)
    for kind in attribute.types if attribute else ("text",):
        normalized = _PARSERS[kind](words, setting)
        if normalized:
            return valued(attribute, normalized, words, language(words), setting.today)
    return None


FREE_WORDS = ("text", "name", "contact")


def valued(attribute: "Attribute | None", normalized: dict, words: str, tongue: str, today: date) -> Value:
    """A value from its normalized form; free words are shown as they were written."""
    shown = show(attribute, normalized, tongue, today)
    if normalized["type"] in FREE_WORDS and "item" not in normalized:
        shown = wording.tidy(words) or shown
    return Value(shown, normalized, key(normalized))


def shifted(normalized: dict, seconds: float) -> dict | None:
    """A length or a single time of day so many seconds more or later; None where it can't be."""
    if normalized["type"] == "duration":
        longer = {name: normalized[name] + round(seconds) for name in ("seconds", "to") if name in normalized}
        return {**normalized, **longer} if longer["seconds"] > 0 else None
    return clock.shifted(normalized, round(seconds / 60)) if normalized["type"] == "time_of_day" else None


def compare(attribute: "Attribute | None", old: dict, new: dict) -> Relation:
    """How `new` stands to `old`, two normalized values of one attribute (and one item, where it has items)."""
    kinds = {old.get("type"), new.get("type")}
    if "enum" in kinds and attribute is not None:
        if kinds <= {"enum", "text"}:
            return wording.compare_choices(attribute, old, new)
        return Relation.CONTRADICTS
    if kinds <= {"date", "counter"}:
        return days.compare(old, new)
    if len(kinds) > 1:
        return _compare_mixed(attribute, old, new)
    comparer = _COMPARERS.get(old.get("type"))
    return comparer(old, new) if comparer else Relation.SAME if old == new else Relation.CONTRADICTS


def _compare_mixed(attribute: "Attribute | None", old: dict, new: dict) -> Relation:
    """Two sides of one thing (每天, then 每天30分钟) add up; of words and a typed value the typed one is more exact."""
    if attribute is not None and {old.get("type"), new.get("type")} <= set(attribute.types):
        return Relation.SAME if new.get("type") == "text" else Relation.REFINES
    return Relation.CONTRADICTS


def key(normalized: dict) -> str:
    """The fingerprint of a value: equal for equal values, whatever words they were said in."""
    kind = normalized["type"]
    if kind in ("date", "counter"):
        return days.key(normalized)
    module = {"duration": duration, "time_of_day": clock, "frequency": frequency}.get(kind)
    if module:
        return module.key(normalized)
    field = {"enum": "key", "name": "name", "contact": "contact", "count": "count", "text": "text"}.get(kind, "text")
    return f"{kind}:{normalized.get(field, '')}"


def show(attribute: "Attribute | None", normalized: dict, tongue: str, today: date | None = None) -> str:
    """A value as displayed in "zh" or "en" on the day `today`; counters as that day's number (第12天, day 12).

    Free words are shown folded where the original spelling is not at hand: prefer the stored `value` for those.
    """
    kind = normalized.get("type")
    if kind in ("date", "counter"):
        return days.show(normalized, tongue, today)
    module = {"duration": duration, "time_of_day": clock, "frequency": frequency}.get(kind)
    if module:
        return module.show(normalized, tongue)
    if kind == "enum":
        return _show_choice(attribute, normalized, tongue, today)
    if kind == "count":
        return _show_count(normalized, tongue, today)
    return str(normalized.get("name") or normalized.get("contact") or normalized.get("text") or "")


def _show_choice(attribute: "Attribute | None", normalized: dict, tongue: str, today: date | None) -> str:
    choice = attribute.choice(normalized["key"]) if attribute else None
    shown = choice.label(tongue) if choice else normalized["key"]
    if normalized.get("detail"):
        shown = f"{shown} {normalized['detail']}"
    if normalized.get("since") and today:
        number = days.show_counter(normalized["since"], tongue, today)
        shown = f"{shown}（{number}）" if tongue == "zh" else f"{shown} ({number})"
    return shown


def _show_count(normalized: dict, tongue: str, today: date | None) -> str:
    count = normalized["count"]
    if normalized.get("on") and today:
        count += max(0, today.year - int(normalized["on"][:4]))
    about = ("约" if tongue == "zh" else "about ") if normalized.get("approx") else ""
    return f"{about}{count:g}"
