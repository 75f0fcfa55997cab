"""What a model's answer owes the user: what they asked of themselves and it left out, and what no longer holds of what it said.

The system knows both for certain, so it adds a line of its own instead of asking the model again.
"""

import re

from chat.llm.builtin import signals
from chat.memory import ontology, values
from chat.memory.material import Fact, Material
from chat.memory.prompt import show_date
from chat.memory.rules import Question
from chat.memory.text import fold
from chat.memory.values import Relation

MOST = 3  # facts in the line
_CLAUSE = re.compile(r"[,，。;；、!！?？:：()（）「」“”《》\n]+|\.(?=\s|$)|\b(?:and|but|or|at|by|for)\b")
_ZH = {
    "owed": "我记得：{facts}。",
    "fact": "{label} {value}",
    "learned": "（{date}得知）",
    "past": "提醒：{label}你现在的说法是「{value}」{learned}，上面提到的「{former}」是以前的。",
    "between": "；",
}
_EN = {
    "owed": "I remember: {facts}.",
    "fact": "{label} {value}",
    "learned": " (learned {date})",
    "past": "Note: for {label} you now say “{value}”{learned}; “{former}” above is what held before.",
    "between": "; ",
}


def owed(answer: str, m: Material, question: Question) -> str:
    """One line for the end of the answer, "" where it owes nothing."""
    return _left_out(answer, m, question) or _outdated(answer, m)


def says(answer: str, fact: Fact, m: Material) -> bool:
    """Whether a text names the value of a belief, in whatever words: 六点 for 6:00, 无声 for 静音."""
    folded = fold(answer)
    if fold(fact.value).strip() in folded:
        return True
    attribute = ontology.load().attribute(fact.slot)
    choice = attribute.choice(fact.normalized.get("key", "")) if attribute else None
    if choice and any(word in folded for word in choice.words):
        return True
    return any(_is_it(attribute, fact, clause, m) for clause in _CLAUSE.split(folded) if clause.strip())


def _is_it(attribute: "ontology.Attribute | None", fact: Fact, clause: str, m: Material) -> bool:
    if attribute is None or not fact.normalized:
        return False
    said = values.normalise(attribute, clause.strip(), m.now, str(m.zone))
    if said is None or said.normalized.get("type") != fact.normalized.get("type"):
        return False
    same = said.key == values.key(fact.normalized)
    return same or values.compare(attribute, fact.normalized, said.normalized) is Relation.REFINES


def _left_out(answer: str, m: Material, question: Question) -> str:
    """What was asked of the user's own state, known, and not said."""
    if not question.is_question or signals.has("form", "advice", m.question):
        return ""
    slots = [slot for slot in question.slots if not slot.startswith("last_query.")]
    known = [fact for fact in [*m.just_learned, *m.facts] if fact.slot in slots and not fact.unconfirmed]
    known = list({(fact.slot, fold(fact.value)): fact for fact in known}.values())
    said = {fact.slot for fact in known if says(answer, fact, m)}
    missing = [fact for fact in known if fact.slot not in said][:MOST]
    words = _EN if m.language == "en" else _ZH
    facts = [words["fact"].format(label=fact.label, value=fact.value) + _learned(fact, m) for fact in missing]
    return words["owed"].format(facts=words["between"].join(facts)) if facts else ""


def _outdated(answer: str, m: Material) -> str:
    """What the answer recommends only as it was, where something newer holds."""
    noted = {note.slot for note in m.conflicts}  # the notice says it already
    for former in m.former:
        now = next((fact for fact in m.facts if fact.slot == former.slot and not fact.unconfirmed), None)
        if now is None or now.slot in noted or says(answer, now, m) or not says(answer, former, m):
            continue
        words = _EN if m.language == "en" else _ZH
        return words["past"].format(label=now.label, value=now.value, learned=_learned(now, m), former=former.value)
    return ""


def _learned(fact: Fact, m: Material) -> str:
    words = _EN if m.language == "en" else _ZH
    return words["learned"].format(date=show_date(fact.learned_at, m)) if fact.learned_at else ""
