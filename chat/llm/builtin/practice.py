"""Advice on practice: sentences of the knowledge base, fitted to the user, with their source."""

import re
from dataclasses import dataclass

from chat.llm.builtin import signals
from chat.llm.builtin.fit import HEALTH, POSTURE, SOUND, Fit, fit_of, is_silent, lead_of
from chat.llm.builtin.passages import (
    Picked,
    Unit,
    best_sentence,
    excerpt,
    is_classical,
    pick,
    speaks_of,
    terms_of,
    things_in,
    units_of,
    without,
)
from chat.llm.builtin.phrases import ended, joined, one_line, say, source_of, titles_of
from chat.memory.material import Material, PassageText
from chat.memory.text import fold, language, words

MOST_SENTENCES = 3
SURE = 0.55  # score of a passage that needs no word in common
LIKELY = 0.45  # of one that needs a single one
ALONGSIDE = 0.8  # of the best score: what a second passage needs
SHORT = 60  # characters; a body shorter than this gets a second passage
CLASSIC_CHARACTERS = 60
TOLD = 2  # a question that speaks of more things than these tells a story around what it asks
_HOW = re.compile("怎样|怎么|如何|how to")
_CARE = re.compile("看医生|医生|小心|就医|哪些人|危险|急救|doctor|when to see|take care|danger")
_JOINTS = re.compile("膝|腰|背|腿|knee|back|hip|leg")


@dataclass(frozen=True)
class Wish:
    """What is asked for: the words that matter, the slots it is about, and whether steps are wanted."""

    terms: frozenset[str]
    subjects: tuple[str, ...]
    steps: bool
    medical: bool = False
    defines: bool = False  # what something is
    said: str = ""  # what the user has been told before, not to be said again
    may: tuple[frozenset[str], ...] = ()  # asked whether or when something may be: each thing asked for, in all its words


def wish_of(text: str, *, steps: bool | None = None, said: str = "") -> Wish:
    wanted = signals.has("form", "how_to", text) if steps is None else steps
    medical = signals.has("form", "medical", text) or bool(signals.first_of("caution", text))
    return Wish(
        terms=terms_of(text),
        subjects=tuple(signals.all_of("subject", text)),
        steps=wanted,
        medical=medical,
        defines=signals.has("form", "definition", text),
        said=said,
        may=things_in(text) if signals.has("form", "may", text) else (),
    )


def advise(m: Material, wish: Wish) -> str:
    """The answer to a practice question out of `m.passages`, "" where they hold nothing that fits."""
    fit = fit_of(m)
    modern, classical, foreign = _sorted_out(m)
    quiet = fit.silent and SOUND in wish.subjects
    ranked = [passage for passage in _ranked(modern, wish, fit) if not quiet or is_silent(passage)]
    used, body = _body(ranked, wish, fit, m)
    body = body or (say(m, "fit_silence_how") if quiet else "")
    lead = lead_of(m, fit, wish.subjects)
    if not used and not lead:
        return _without_modern(m, classical, foreign, wish)
    parts = [lead, body]
    if not fit.concise:
        parts += [_remark(m, fit, wish, used), _classic(m, classical, wish)]
    parts.append(source_of(used, m) if used else "")
    return "\n\n".join(part for part in parts if part)


def useful_sentence(m: Material, wish: Wish) -> str:
    """One sentence of the best passage that fits the user, with its source; "" for none."""
    fit = fit_of(m)
    modern, _classical, _foreign = _sorted_out(m)
    for passage in _ranked(modern, wish, fit)[:2]:
        units = without(units_of(passage.text), fit.unwanted)
        first = units[0].text if units and passage.score >= LIKELY else ""
        if sentence := best_sentence(units, wish.terms) or first:
            return joined([ended(sentence, m), source_of([passage], m)], m)
    return ""


def _sorted_out(m: Material) -> tuple[list[PassageText], list[PassageText], list[PassageText]]:
    """Modern ones in the language of the answer, classical ones, and those in the other language."""
    modern, classical, foreign = [], [], []
    for passage in m.passages:
        if language(passage.text) != m.language:
            foreign.append(passage)
        else:
            (classical if is_classical(passage.text) else modern).append(passage)
    return modern, classical, foreign


def _is_about(passage: PassageText, wish: Wish) -> bool:
    """Its heading shares a word with the question, or it shares two, or search was sure of it by its meaning alone.

    Whether one may bathe after sitting is not answered by when one may drink: there the thing itself must be spoken of.
    """
    if wish.may and not _speaks_of_it(passage, wish.may):
        return False
    heading = f"{passage.title} {passage.heading}"
    if passage.score >= SURE or wish.terms & set(words(heading)) or set(wish.subjects) & {*signals.all_of("subject", heading)}:
        return True
    needed = 1 if passage.score >= LIKELY else 2
    return len(wish.terms & set(words(passage.text))) >= needed


def _speaks_of_it(passage: PassageText, things: tuple[frozenset[str], ...]) -> bool:
    """Its heading names one of them, or its text one or two, all that there are, or one of a longer tale."""
    if speaks_of(passage.heading, things):
        return True
    held = speaks_of(passage.text, things)
    return held == len(things) or (held > 0 and len(things) > TOLD)


def _ranked(passages: list[PassageText], wish: Wish, fit: Fit) -> list[PassageText]:
    """Best first: as search ranked them, then what their headings share with the question and with the user's preference."""
    preferred = {
        word
        for slot in (SOUND, POSTURE)
        if slot in wish.subjects and slot in fit.facts
        for word in words(fit.facts[slot].value)
    }

    def score(passage: PassageText) -> float:
        heading = set(words(f"{passage.title} {passage.heading}"))
        own = 0.12 if preferred & set(words(passage.heading)) else 0.0
        how = 0.1 if wish.steps and _HOW.match(fold(passage.heading)) else 0.0
        care = 0.4 if _CARE.search(fold(passage.heading)) and not wish.medical else 0.0
        steps = 0.1 if wish.steps and passage.title == passages[0].title and _has_steps(passage) else 0.0
        things = 0.3 * speaks_of(f"{passage.heading}\n{passage.text}", wish.may) / len(wish.may) if wish.may else 0.0
        known = 0.3 if wish.said and _begins_with(passage, wish.said) else 0.0
        return passage.score + 0.08 * min(len(heading & wish.terms), 4) + own + how + steps + things - known - care

    return sorted((passage for passage in passages if _is_about(passage, wish)), key=score, reverse=True)


def _begins_with(passage: PassageText, said: str) -> bool:
    units = units_of(passage.text)
    return bool(units) and bool(units[0].text) and units[0].text in said


def _has_steps(passage: PassageText) -> bool:
    return any(unit.steps for unit in units_of(passage.text))


def _body(ranked: list[PassageText], wish: Wish, fit: Fit, m: Material) -> tuple[list[PassageText], str]:
    used: list[PassageText] = []
    texts: list[str] = []
    most = 2 if fit.concise else MOST_SENTENCES
    for passage in ranked[:3]:
        if used and not _goes_along(passage, used[0], wish):
            continue
        picked = _picked(passage, wish, fit, most)
        if not picked.units:
            continue
        used.append(passage)
        texts.append(picked.shown("" if m.language == "zh" else " "))
        if len("".join(texts)) >= SHORT or fit.concise:
            break
    return used, "\n\n".join(texts)


def _goes_along(passage: PassageText, first: PassageText, wish: Wish) -> bool:
    """Of the same text, or as near to the question and on the same matter by its heading.

    Where one asks what may be, the heading of a text is a question of its own: 例假 is not answered by what old people may.
    """
    if passage.title == first.title and not wish.may:
        return True
    return passage.score >= ALONGSIDE * first.score and bool(wish.terms & set(words(passage.heading)))


def _picked(passage: PassageText, wish: Wish, fit: Fit, most: int) -> Picked:
    units = _fitting(passage, wish, fit)
    if wish.said:
        fresh = without(units, lambda sentence: sentence in wish.said)
        units = fresh or units
    return pick(units, wish.terms, most=most, steps_wanted=wish.steps)


def _fitting(passage: PassageText, wish: Wish, fit: Fit) -> list[Unit]:
    """Its units without what doesn't fit the user. The first sentence, which the rest leans on, stays where it was asked for."""
    units = units_of(passage.text)
    if wish.may and units and not speaks_of(units[0].shown(), wish.may):
        units = [unit for unit in units if speaks_of(unit.shown(), wish.may)] or units
    kept = without(units, fit.unwanted)
    asked_for = wish.defines or bool(wish.terms & set(words(passage.heading)))
    if units and kept and kept[0] != units[0] and asked_for and not fit.too_long(fold(units[0].text)):
        return [units[0], *kept]
    return kept


def _remark(m: Material, fit: Fit, wish: Wish, used: list[PassageText]) -> str:
    """One line on what the answer leaves out for this user."""
    if fit.silent and SOUND in wish.subjects:
        return say(m, "fit_silence_option")
    if POSTURE in wish.subjects and HEALTH in fit.facts and _JOINTS.search(fold(fit.facts[HEALTH].value)):
        return say(m, "fit_health", value=one_line(fit.facts[HEALTH].value))
    if fit.minutes is not None and any(fit.too_long(fold(unit.shown())) for p in used for unit in units_of(p.text)):
        fact = fit.facts["habit.meditation_duration"]
        return say(m, "fit_minutes", value=one_line(fact.value))
    return ""


def _classic(m: Material, classical: list[PassageText], wish: Wish) -> str:
    """A short classical sentence on the same matter, "" where none shares a word with the question."""
    for passage in classical[:2]:
        sentence = excerpt(units_of(passage.text), wish.terms)
        if sentence and len(sentence) <= CLASSIC_CHARACTERS and len(wish.terms & set(words(sentence))) >= 2:
            return say(m, "classic", sentence=sentence, title=passage.title)
    return ""


def _without_modern(m: Material, classical: list[PassageText], foreign: list[PassageText], wish: Wish) -> str:
    for passage in classical[:2]:
        if _is_about(passage, wish) and (sentence := excerpt(units_of(passage.text), wish.terms)):
            return say(m, "only_classic", sentence=sentence, title=passage.title)
    sure = [passage for passage in foreign if passage.score >= SURE]
    return say(m, "other_language", places=titles_of(sure[:2])) if sure else ""
