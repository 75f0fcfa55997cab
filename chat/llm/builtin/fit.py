"""Fitting advice to the user: what they want, what they can, what they don't like."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from chat.llm.builtin import signals
from chat.llm.builtin.phrases import learned, one_line, say, sentence_of
from chat.memory.material import Fact, Material, PassageText
from chat.memory.text import fold
from chat.memory.values import duration

SOUND = "preference.meditation_sound"
GUIDANCE = "preference.meditation_guidance"
POSTURE = "preference.posture"
MINUTES = "habit.meditation_duration"
HEALTH = "status.health_condition"
DISLIKED = "preference.disliked_practice"
STYLE = "preference.answer_style"

_HURTS = re.compile(r"麻|疼|痛|\bnumb|\bhurt|\bpain|\bache")
_PERSONAL = (MINUTES, POSTURE, DISLIKED, HEALTH)

_PRACTISE = re.compile(r"坐|站|练|禅|数息|冥想|\bsit|\bsat\b|meditat|practi[cs]|stand")
_SOUNDS = re.compile(
    r"音乐|流水声|雨声|颂钵|白噪音|曲子|\bmusic|flowing water|\brain\b|singing bowl|white noise|\btrack"
)
_OFF = re.compile(r"静音|安静|无声|关掉|不放|不听|silen|quiet|turn off|without|no music")
_SHORT_STYLE = re.compile(r"简|短|精炼|concise|brief|short")
_WAITS = re.compile(r"等|隔|\bwait")  # an hour between a meal and a sitting is no length of a sitting
_CLAUSE = re.compile(r"[,;:。、]")


@dataclass(frozen=True)
class Fit:
    """What the facts say about how to advise. `minutes`: the length of the user's sittings; None where unknown."""

    facts: dict[str, Fact]
    minutes: float | None
    disliked: tuple[str, ...]
    silent: bool
    concise: bool

    def unwanted(self, sentence: str) -> bool:
        """True for a sentence that asks more of the user than they do, or what they don't like."""
        folded = fold(sentence)
        return self.too_long(folded) or any(word in folded for word in self.disliked) or self._too_loud(folded)

    def too_long(self, folded: str) -> bool:
        """It speaks of sitting clearly longer than the user does."""
        if self.minutes is None:
            return False
        limit = 60 * max(1.5 * self.minutes, self.minutes + 3)
        for clause in _CLAUSE.split(folded):
            if _PRACTISE.search(clause) and not _WAITS.search(clause) and any(
                limit < found[2]["seconds"] < 4 * 3600 for found in duration.find(clause)
            ):
                return True
        return False

    def _too_loud(self, folded: str) -> bool:
        return self.silent and bool(_SOUNDS.search(folded)) and not _OFF.search(folded)


def fit_of(m: Material) -> Fit:
    facts: dict[str, Fact] = {}
    for fact in [*m.just_learned, *m.facts]:
        if not fact.unconfirmed:
            facts.setdefault(fact.slot, fact)
    asked = fold(m.question)
    disliked = [fold(fact.value) for fact in m.facts if fact.slot == DISLIKED and len(fact.value) > 1]
    disliked = [word for word in disliked if word not in asked]  # who asks for it wants to hear of it
    return Fit(
        facts=facts,
        minutes=_minutes(facts.get(MINUTES)),
        disliked=tuple(disliked),
        silent=SOUND in facts and signals.has("silence", "value", facts[SOUND].value),
        concise=STYLE in facts and bool(_SHORT_STYLE.search(fold(facts[STYLE].value))),
    )


def _minutes(fact: Fact | None) -> float | None:
    if fact is None:
        return None
    normalized = fact.normalized if "seconds" in fact.normalized else duration.parse(fold(fact.value))
    return normalized["seconds"] / 60 if normalized else None


def hints(question: str, facts: Iterable[Fact]) -> str:
    """The user's preferences on what the question is about, as words to search for beside it; "" for none."""
    subjects = signals.all_of("subject", question)
    return " ".join(one_line(fact.value) for fact in facts if fact.slot in subjects and fact.slot != MINUTES)


def is_silent(passage: PassageText) -> bool:
    """Its heading speaks of silence and of no sound."""
    heading = fold(passage.heading)
    return bool(_OFF.search(heading)) and not _SOUNDS.search(heading)


def lead_of(m: Material, fit: Fit, subjects: Sequence[str]) -> str:
    """The sentence that ties the answer to the user's own preference, "" where none of them is what the question is about."""
    names = {SOUND: "fit_silence" if fit.silent else "fit_sound", GUIDANCE: "fit_guidance", POSTURE: "fit_posture"}
    for slot, name in names.items():
        if slot in subjects and slot in fit.facts and not (slot == POSTURE and _HURTS.search(fold(m.question))):
            fact = fit.facts[slot]
            return say(m, name, value=one_line(fact.value), date=learned(fact, m))
    if signals.has("form", "personal", m.question):
        known = [fact for slot, fact in fit.facts.items() if slot in _PERSONAL][:4]
        between = "；" if m.language == "zh" else "; "
        return say(m, "fit_known", facts=between.join(_plain(fact, m) for fact in known)) if known else ""
    return ""


def _plain(fact: Fact, m: Material) -> str:
    """The fact as a sentence without its date."""
    return sentence_of(replace(fact, learned_at=None), m).rstrip("。.")
