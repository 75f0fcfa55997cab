"""Answers about the user: from facts with the date they were learned, then from memories, else an honest "I don't know"."""

from collections.abc import Sequence

from chat.llm.builtin import signals
from chat.llm.builtin.phrases import ended, joined, one_line, say, sentence_of
from chat.memory import ontology
from chat.memory.material import Fact, Material
from chat.memory.prompt import show_date
from chat.memory.text import words

MOST_FACTS = 8
MOST_OF_ALL = 14
# Who someone is comes first, then how they practise.
_ORDER = ("profile", "goal", "habit", "preference", "status", "schedule")
MOST_MEMORIES = 3
QUOTED = 120  # characters of a memory


def recount(m: Material, slots: Sequence[str]) -> str:
    """What is known about the slots, or about whatever the question recalls. Never empty."""
    if signals.has("form", "everything", m.question) and not slots:
        return _everything(m)
    facts = [fact for fact in [*m.facts, *m.just_learned] if fact.slot in slots]
    facts = list({(fact.slot, fact.value): fact for fact in facts}.values())
    if facts:
        return _told(facts, m)
    if memories := quotes(m):
        return say(m, "remembered", lines=memories)
    if slots:
        return say(m, "fact_unknown", label=_label(slots[0], m))
    return say(m, "fact_unknown_any")


def last_heard(m: Material) -> str:
    """What the user said of the thing whose state is asked for, and that nothing was heard since; "" where nothing is known."""
    asked = set(words(m.question))
    facts = [fact for fact in m.facts if asked & set(words(fact.value))]
    known = _told(facts, m) if facts else quotes(m)
    return f"{known}\n\n{say(m, 'not_since')}" if known else ""


def quotes(m: Material) -> str:
    """The best memories as lines, each quoted as what it is: words that were said. "" for none."""
    lines = []
    for memory in m.memories[:MOST_MEMORIES]:
        text = one_line(memory.text)
        text = text if len(text) <= QUOTED else text[: QUOTED - 1] + "…"
        date = show_date(memory.occurred_at, m) if memory.occurred_at else "·"
        lines.append(say(m, "memory", date=date, text=text))
    return "\n".join(lines)


def _told(facts: list[Fact], m: Material) -> str:
    if len(facts) <= 2:
        return joined((ended(sentence_of(fact, m), m) for fact in facts), m)
    return say(m, "facts_many", lines="\n".join(f"- {sentence_of(fact, m)}" for fact in facts[:MOST_FACTS]))


def _everything(m: Material) -> str:
    if not m.facts:
        memories = quotes(m)
        return say(m, "remembered", lines=memories) if memories else say(m, "nothing_known")
    ordered = sorted(m.facts, key=lambda fact: (not fact.pinned, _place(fact), -fact.confidence))
    lines = [f"- {sentence_of(fact, m)}" for fact in ordered[:MOST_OF_ALL]]
    if len(ordered) > MOST_OF_ALL:
        lines.append(say(m, "all_more", count=str(len(ordered) - MOST_OF_ALL)))
    return say(m, "all_known", lines="\n".join(lines))


def _place(fact: Fact) -> tuple[int, int]:
    """By category, and within it as the ontology has them: the name before the age."""
    category, slots = fact.slot.partition(".")[0], list(ontology.load().attributes)
    within = slots.index(fact.slot) if fact.slot in slots else len(slots)
    return (_ORDER.index(category) if category in _ORDER else len(_ORDER)), within


def _label(slot: str, m: Material) -> str:
    attribute = ontology.load().attribute(slot)
    return attribute.label(m.language) if attribute else slot.partition(".")[2].replace("_", " ")
