"""The built-in answerer: deterministic and grounded. Every sentence is one of ours, a fact, a quoted memory or a passage's own.

It runs where no language model is configured or the model fails, and it never takes a remembered text for an instruction.
"""

from chat.llm.builtin import signals
from chat.llm.builtin.listening import acknowledge, asks
from chat.llm.builtin.phrases import crisis, joined, one_line, say
from chat.llm.builtin.practice import advise, wish_of
from chat.llm.builtin.state import last_heard, quotes, recount
from chat.memory.material import Material
from chat.memory.prompt import show_date
from chat.memory.rules import Question
from chat.memory.text import is_traditional, to_traditional

SAID_CHARACTERS = 40
ADVICE_CHARACTERS = 400


def answer(material: Material, question: Question) -> str:
    """The answer in the language of the material and the script of the question; never empty, the same for the same input."""
    said = _in_full(material, question)
    return to_traditional(said) if material.language == "zh" and is_traditional(material.question) else said


def _in_full(m: Material, question: Question) -> str:
    if kind := signals.first_of("danger", m.question):
        return crisis(m, kind)
    caution = signals.first_of("caution", m.question)
    said = _answer(m, question, [slot for slot in question.slots if not slot.startswith("last_query.")])
    return f"{crisis(m, caution)}\n\n{said}" if caution else said


def _answer(m: Material, question: Question, slots: list[str]) -> str:
    wants_advice = signals.has("form", "advice", m.question)
    if (kind := signals.first_of("small_talk", m.question)) and not (wants_advice and kind != "identity"):
        return _small_talk(m, kind)
    if not asks(m.question, question):
        return acknowledge(m)
    if signals.first_of("elsewhere", m.question) and not (slots or signals.has("form", "practice", m.question)):
        return _elsewhere(m, question)
    refers_back = question.refers_back or signals.has("form", "refers_back", m.question)
    if refers_back and not slots and (m.last or m.working):
        return _go_on(m)
    recollects = signals.has("form", "recollection", m.question)
    if signals.has("form", "how_since", m.question) and (known := last_heard(m)):
        return known
    about_user = question.about_self or signals.has("form", "about_me", m.question)
    if about_user and (recollects or (slots and not wants_advice)):
        return recount(m, slots)
    if signals.has("form", "follow_up", m.question) and m.working:
        before = m.working[-1]
        return advise(m, wish_of(f"{before.text} {m.question}", said=before.answer)) or _nothing_found(m, recollects)
    return advise(m, wish_of(m.question)) or _nothing_found(m, recollects)


def _small_talk(m: Material, kind: str) -> str:
    name = next((fact.value for fact in m.facts if fact.slot == "profile.name"), "")
    if kind == "greeting" and name:
        return say(m, "greeting_known", name=one_line(name))
    return say(m, "memory_kept" if kind == "memory" else kind)


def _elsewhere(m: Material, question: Question) -> str:
    """No passage in passing on what the knowledge base is not about; what the user has said of it is told all the same."""
    about_user = question.about_self and signals.has("form", "recollection", m.question)
    return recount(m, []) if about_user else say(m, "elsewhere")


def _go_on(m: Material) -> str:
    """「上次…」: the topic of then, and concrete steps on it. Where nothing was asked then, no method was given to go on with."""
    topic, content, advice = _last(m)
    given = any(signals.has("form", form, content) for form in ("question", "trouble"))
    if signals.has("form", "advised", m.question) and not given:
        return say(m, "last_unknown")
    date = show_date(m.last.at if m.last and m.last.at else m.now, m)
    said = content if len(content) <= SAID_CHARACTERS else ""
    opened = (
        say(m, "last", date=date, content=said) if said else say(m, "last_topic", date=date, topic=topic or content)
    )
    steps = advise(m, wish_of(f"{topic} {content}", steps=True, said=advice))
    if steps:
        return joined([opened, say(m, "last_steps")], m) + f"\n\n{steps}"
    if advice:
        return f"{opened}\n\n{say(m, 'last_advice', advice=advice[:ADVICE_CHARACTERS])}"
    return joined([opened, quotes(m) or say(m, "unknown")], m)


def _last(m: Material) -> tuple[str, str, str]:
    if m.last:
        return m.last.topic, one_line(m.last.content), m.last.advice
    turn = m.working[-1]
    return "", one_line(turn.text), turn.answer


def _nothing_found(m: Material, recollects: bool) -> str:
    about_me = recollects or signals.has("form", "about_me", m.question)
    if about_me and (memories := quotes(m)):
        return say(m, "remembered", lines=memories)
    return say(m, "fact_unknown_any" if recollects else "unknown")
