"""What is made ready to be drawn: names, score parts as a bar that adds up, tokens per section as meters."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from chat.memory.retention import half_life
from chat.models import RecallItem

BAR = 200  # width of a full bar in SVG units; a score of 1.0 fills it
# In the order of the page.
CATEGORIES = {
    "preference": _("Preferences"),
    "goal": _("Goals"),
    "habit": _("Habits"),
    "status": _("How things stand"),
    "profile": _("About you"),
    "schedule": _("Appointments and reminders"),
    "last_query": _("Last question"),
}
PART_LABELS = {
    "semantic": _("meaning"),
    "vector": _("meaning"),
    "lexical": _("words"),
    "neighbours": _("context"),
    "hop": _("association"),
    "entity": _("state"),
    "time": _("recency"),
    "recency": _("recency"),
    "order": _("newest first"),
    "theme": _("theme"),
    "pinned": _("pinned"),
    "freshness": _("freshness"),
    "weight": _("weight"),
}
SIGNAL_LABELS = {
    "strength": _("how well it fits the question, 0–1"),
    "cosine": _("cosine of the vectors"),
    "relevance": _("meaning in common, 0–1"),
    "words": _("words in common"),
    "word_share": _("weight of those words, 0–1"),
    "days": _("days since then"),
    "weight": _("weight, 0–1"),
}
SECTION_LABELS = {
    "system": _("rules"),
    "entities": _("state"),
    "knowledge": _("knowledge"),
    "memories": _("memories"),
    "working": _("this conversation"),
    "working_memory": _("this conversation"),
    "conflicts": _("conflicts"),
    "question": _("question"),
    "reserve": _("answer and reserve"),
}


@dataclass(frozen=True)
class Part:
    name: str
    label: str
    cents: int
    x: float
    width: float

    @property
    def text(self) -> str:
        return cents_text(self.cents)

    @property
    def css(self) -> str:
        return "minus" if self.cents < 0 else self.name


@dataclass(frozen=True)
class DrawnItem:
    item: RecallItem
    parts: list[Part] = field(default_factory=list)
    cents: int = 0

    @property
    def used(self) -> bool:
        return self.item.decision == RecallItem.Decision.USED

    @property
    def tokens(self) -> int:
        return self.item.tokens

    @property
    def score(self) -> str:
        return cents_text(self.cents)

    @property
    def signals(self) -> list[tuple[str, str]]:
        """The raw values behind the parts, with all their digits."""
        raw = self.item.signals or {}
        told = [(label, raw.get(name)) for name, label in SIGNAL_LABELS.items()]
        texts = [(label, " ".join(value) if isinstance(value, list) else value) for label, value in told]
        return [(str(label), str(value)) for label, value in texts if value not in (None, "")]

    @property
    def age_text(self) -> str:
        """How old it was, how it fades, and what weight that left: "14 days ago, halved after 33 days unused → weight 0.72"."""
        raw, memory = self.item.signals or {}, self.item.memory
        if memory is None or "days" not in raw or "weight" not in raw:
            return ""
        days, half = round(raw["days"]), half_life(memory)
        told = ngettext("%(n)d day ago", "%(n)d days ago", days) % {"n": days} if days >= 1 else _("less than a day ago")
        if half is not None:
            fades = ngettext("halved after %(n)d day unused", "halved after %(n)d days unused", round(half)) % {"n": round(half)}
        elif raw["weight"] >= 1:
            fades = _("does not fade")
        else:  # it faded then, and no longer does: it was pinned since
            return _("%(age)s → weight %(weight).2f") % {"age": told, "weight": raw["weight"]}
        return _("%(age)s, %(fades)s → weight %(weight).2f") % {"age": told, "fades": fades, "weight": raw["weight"]}

    @property
    def sum_text(self) -> str:
        """Such as "0.41 + 0.18 + 0.07 = 0.66"."""
        return (
            " + ".join(part.text for part in self.parts).replace("+ −", "− ") + f" = {self.score}" if self.parts else ""
        )

    @property
    def edited_since(self) -> bool:
        """The memory no longer says what the answer saw."""
        return bool(self.item.memory and self.item.text and self.item.memory.text != self.item.text)


def cents_text(cents: int) -> str:
    return f"{'−' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def round_to_sum(values: list[float]) -> list[int]:
    """Hundredths that add up to the rounded sum of `values` (largest remainder)."""
    total = round(sum(values) * 100)
    floors = [int(value * 100 // 1) for value in values]
    missing = total - sum(floors)
    by_remainder = sorted(range(len(values)), key=lambda i: floors[i] - values[i] * 100)
    return [floor + (i in by_remainder[:missing]) for i, floor in enumerate(floors)]


def draw_parts(parts: Mapping[str, float]) -> list[Part]:
    """In a fixed order, what takes away last, drawn over the end of what adds. Parts that show as 0.00 are left out."""
    order = {name: place for place, name in enumerate(PART_LABELS)}
    named = sorted(parts.items(), key=lambda part: (part[1] < 0, order.get(part[0], len(order))))
    rounded = round_to_sum([value for _name, value in named])
    drawn, end = [], 0.0
    for (name, _value), cents in zip(named, rounded, strict=True):
        width = abs(cents) / 100 * BAR
        end += width if cents > 0 else -width
        if cents:
            x = end - width if cents > 0 else end
            drawn.append(Part(name, str(PART_LABELS.get(name, name)), cents, round(x, 1), round(width, 1)))
    return drawn


def draw_item(item) -> DrawnItem:
    """Of a stored RecallItem or of anything else that has `parts`, `score` and `decision`."""
    parts = draw_parts(item.parts)
    return DrawnItem(item, parts, sum(part.cents for part in parts) if parts else round(item.score * 100))


def draw_sections(sections: Mapping[str, Mapping]) -> list[dict]:
    return [
        {
            "label": str(SECTION_LABELS.get(name, name)),
            "tokens": section.get("tokens", 0),
            "ceiling": section.get("ceiling", 0),
            "dropped": section.get("dropped", 0),
            "width": round(min(1.0, section.get("tokens", 0) / max(1, section.get("ceiling", 0))) * BAR, 1),
        }
        for name, section in sections.items()
    ]


@dataclass(frozen=True)
class Budget:
    """One prompt against its ceiling, section by section; `level` names how full it is: "", warm from 75 %, hot from 90 %."""

    tokens: int
    ceiling: int
    parts: list[dict]
    dropped: int

    @property
    def share(self) -> float:
        return self.tokens / self.ceiling if self.ceiling else 0.0

    @property
    def sum_text(self) -> str:
        return f"{self.tokens} / {self.ceiling}"

    @property
    def level(self) -> str:
        return "hot" if self.share >= 0.9 else "warm" if self.share >= 0.75 else ""


def draw_budget(sections: Mapping[str, Mapping]) -> Budget:
    """What is kept free for the answer counts as ceiling, not as spent."""
    spent = {name: sections[name] for name in SECTION_LABELS if name in sections and name != "reserve"}
    ceiling = sum(section.get("ceiling", 0) for section in spent.values())
    tokens = sum(section.get("tokens", 0) for section in spent.values())
    parts, x = [], 0.0
    for name, section in spent.items():
        width = section.get("tokens", 0) / max(1, ceiling, tokens) * BAR
        if width:
            label = str(SECTION_LABELS.get(name, name))
            parts.append({"css": f"of-{name}", "label": label, "text": section["tokens"], "x": round(x, 1), "width": round(width, 1)})
        x += width
    return Budget(tokens, ceiling, parts, sum(section.get("dropped", 0) for section in spent.values()))


@dataclass(frozen=True)
class Spark:
    """How often something was used, step by step, as small bars in a drawing as wide as there are steps and 10 high."""

    counts: list[int]

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def path(self) -> str:
        highest = max(self.counts, default=0)
        return "".join(f"M{x + 0.5} 10v-{10 * count / highest:.1f}" for x, count in enumerate(self.counts) if count)
