"""Answers to a statement: what was understood of it, a word on how it was said, and what may help."""

from collections.abc import Iterable

from chat.llm.builtin import signals
from chat.llm.builtin.phrases import bare_sentence_of, joined, phrases, say
from chat.llm.builtin.practice import advise, useful_sentence, wish_of
from chat.memory.emotions import emotion
from chat.memory.material import Fact, Material
from chat.memory.rules import Question

FLOOR = 0.4  # a passage below this score is not brought up unasked
TROUBLES = ("habit.common_difficulty", "status.health_condition")  # told again they ask for advice, not for a nod
UNADVISED = {"loss", "good", "report"}  # nobody wants a lesson then
PERSONAL = {"loss", "quarrel"}  # the facts in it are said in passing; the notice beside the answer names them
_FELT = {"sad": "low", "anxious": "low", "angry": "low", "happy": "good", "calm": "good"}


def asks(message: str, question: Question) -> bool:
    """Whether it wants an answer: a question, or words that make one where they tell nothing."""
    return question.is_question or (signals.has("form", "question", message) and not signals.first_of("told", message))


def told(message: str) -> str:
    """What kind of thing a statement tells: a name in `[told]` of the phrases, "" for nothing in particular."""
    kind = signals.first_of("told", message)
    if kind in ("", "good", "report") and (felt := _FELT.get(emotion(message))):
        return felt
    return kind


def sought(message: str, tongue: str, understood: Iterable[str]) -> str:
    """What to search the knowledge base for: the words for what it tells, else what it says beside the facts understood."""
    if words := phrases(tongue)["seek"].get(told(message)):
        return words
    rest = message
    for quote in understood:
        rest = rest.replace(quote, " ")
    return rest if rest.strip(" ，。、；！,.;!") else message


def acknowledge(m: Material) -> str:
    """Never empty."""
    kind = told(m.question)
    facts = () if kind in PERSONAL else m.just_learned or tuple(f for f in m.said_again if f.slot not in TROUBLES)
    opening = joined([_understood(facts, m), phrases(m.language)["told"].get(kind, "")], m)
    if kind in UNADVISED or not m.passages or m.passages[0].score < FLOOR:
        return opening or say(m, "heard")
    if facts and kind == "":
        troubled = {f.slot for f in facts} & {*TROUBLES} or signals.has("form", "trouble", m.question)
        helpful = useful_sentence(m, wish_of(m.question)) if troubled else ""  # a wish needs a nod, not a lesson
        return joined([opening, helpful and say(m, "taken_along", sentence=helpful)], m)
    if kind == "" and not signals.has("form", "trouble", m.question):
        return opening or say(m, "heard")
    advice = advise(m, wish_of(sought(m.question, m.language, ()), steps=kind == "beginner"))
    return "\n\n".join(filter(None, [opening or say(m, "common"), advice])) if advice else opening or say(m, "heard")


def _understood(facts: Iterable[Fact], m: Material) -> str:
    said = ("；" if m.language == "zh" else ". ").join(bare_sentence_of(fact, m) for fact in facts)
    return say(m, "learned" if m.just_learned else "said_again", facts=said) if said else ""
