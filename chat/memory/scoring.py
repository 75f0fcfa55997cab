"""How much a memory matters to a question: one sum with a name for every part (DESIGN §4).

score = (w_semantic·relevance + w_entity·match + w_time·closeness) × weight_factor × freshness. Everything is in [0, 1] but
freshness, which is in [1, 1.3]. Each signal can be switched off by name.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from math import inf, log
from typing import NamedTuple

# Names of the signals that `without` switches off.
SIGNALS = (
    "vector", "lexical", "context", "neighbours", "hop", "entity", "labels", "theme", "time", "recency", "weight", "freshness", "split",
)  # fmt: skip

LEXICAL_SHARE = 0.65  # of relevance; the rest is the vector's
CONTEXT_SHARE = 0.8  # of a second key's say against the first's
CLAUSE_SAY = 0.5  # of the best clause against the whole of a message of several sentences
NEIGHBOUR_SHARE = 0.3  # of the better neighbour's relevance
HOP_SHARE = 0.08  # of how strongly it hangs on a memory that was found
LABEL_SHARE = 0.3  # of a match, for a name in the question that the memory carries as a label
RECENCY_HALF_LIFE = 7.0  # days
LASTING_RECENCY = 0.3  # floor for goals and identity
FRESH_HOURS, FRESH_GAIN = 72.0, 0.3
LEAST_WEIGHT_FACTOR = 0.3
WEIGHT_POWER = 1 / 16  # taken as it is, a month of age outweighs saying three times as much of what was asked
WORDS_GAIN = 1.5  # of the share of words in strength; WORDS_ALONE where there are no vectors
WORDS_ALONE = 2.5
# Fitted on half of the questions so that at most one in twenty finds something in somebody else's store (docs/recall.md).
SMALL_STORE, LARGE_STORE = 6, 2000  # memories
DOOR_SMALL, DOOR_LARGE, DOOR_POWER = 0.42, 0.95, 1.5
FOLLOWERS_SHARE = 0.5


@dataclass(frozen=True)
class Weights:
    """Shares of the score; they add up to 1 by default. A user may set their own (Account.weights)."""

    semantic: float = 0.60
    entity: float = 0.25
    time: float = 0.15

    @classmethod
    def of(cls, chosen: Mapping[str, float] | None) -> "Weights":
        """The defaults with what was chosen; unknown names and values outside of [0, 1] are left out."""
        known = {f.name for f in fields(cls)}
        good = {k: float(v) for k, v in (chosen or {}).items() if k in known and 0 <= float(v) <= 1}
        return cls(**good)


class Fit(NamedTuple):
    """How near one memory is to one clause of the question, by both of its keys; 0–1."""

    vector: float = 0.0
    lexical: float = 0.0
    context_vector: float | None = None  # None: it has no second key
    context_lexical: float = 0.0

    def mixed_with(self, best: "Fit") -> "Fit":
        """This of the whole message together with that of its best clause."""
        return Fit(*(None if one is None else (one + CLAUSE_SAY * other) / (1.0 + CLAUSE_SAY) for one, other in zip(self, best, strict=True)))


class Evidence(NamedTuple):
    """What is known of one memory for one question. Relevances and matches are 0–1."""

    vector: float = 0.0
    lexical: float = 0.0
    context_vector: float | None = None
    context_lexical: float = 0.0
    clause: Fit | None = None  # the same of the clause that it fits best; None: the message is one clause
    neighbours: float = 0.0  # relevance of the better of its two neighbours
    hop: float = 0.0  # how strongly it hangs on one of the best memories
    entity: float = 0.0  # 1: it is the belief that the question asks for
    label: float = 0.0  # 1: the question names what it carries
    theme: float = 0.0  # 1: it is a theme, and the question asks what comes up again and again
    days: float = 0.0  # since it happened
    named_time: float | None = None  # closeness to the time that the question names; None: it names none
    only_time: float = 0.0  # 1: the question names nothing but the time at which it happened
    lasting: bool = False  # a goal, or who the user is
    weight: float = 1.0
    words: tuple[str, ...] = ()  # of the question that it has


def blend(fit: "Fit | Evidence", without: Collection[str] = ()) -> tuple[float, float]:
    """What meaning and words add to the relevance, each ≥ 0; together at most 1."""
    vector, lexical, context_vector, context_lexical = fit.vector, fit.lexical, fit.context_vector, fit.context_lexical
    if context_vector is not None and "context" not in without:
        vector = (vector + CONTEXT_SHARE * context_vector) / (1 + CONTEXT_SHARE)
        lexical = (lexical + CONTEXT_SHARE * context_lexical) / (1 + CONTEXT_SHARE)
    if "vector" in without:
        return 0.0, 0.0 if "lexical" in without else lexical
    if "lexical" in without:
        return vector, 0.0
    return (1.0 - LEXICAL_SHARE) * vector, LEXICAL_SHARE * lexical


def relevance_parts(evidence: Evidence, without: Collection[str] = ()) -> dict[str, float]:
    """Parts of the relevance, each ≥ 0; together at most 1."""
    e = evidence
    vector, lexical = blend(e, without)
    parts = {"vector": vector, "lexical": lexical}
    left = 1.0 - vector - lexical
    if "neighbours" not in without:
        parts["neighbours"] = min(left, NEIGHBOUR_SHARE * e.neighbours)
        left -= parts["neighbours"]
    if "hop" not in without:
        parts["hop"] = min(left, HOP_SHARE * e.hop)
    return parts


def relevance(evidence: Evidence, without: Collection[str] = ()) -> float:
    """How far it is about what the question is about, 0–1."""
    return sum(relevance_parts(evidence, without).values())


def score(evidence: Evidence, weights: Weights, without: Collection[str] = ()) -> dict[str, float]:
    """The parts of the score by name; the score is their sum."""
    related = relevance_parts(evidence, without)
    matched = match(evidence, without)
    parts = {name: weights.semantic * part for name, part in related.items()}
    parts["entity"] = weights.entity * matched
    parts["time"] = weights.time * closeness(evidence, max(sum(related.values()), matched), without)
    total = sum(parts.values())
    factor = 1.0 if "weight" in without else weight_factor(evidence.weight)
    parts["weight"] = total * (factor - 1.0)
    gain = 1.0 if "freshness" in without else freshness(evidence.days)
    parts["freshness"] = total * factor * (gain - 1.0)
    return {name: part for name, part in parts.items() if part}


def match(evidence: Evidence, without: Collection[str] = ()) -> float:
    """How far it is what the question names, 0–1."""
    entity = 0.0 if "entity" in without else evidence.entity
    theme = 0.0 if "theme" in without else evidence.theme
    return max(entity, theme, 0.0 if "labels" in without else LABEL_SHARE * evidence.label)


def closeness(evidence: Evidence, about: float, without: Collection[str] = ()) -> float:
    """Nearness in time, 0–1: to the time that the question names, else to now, as far as it is `about` what is asked.

    What only is new says nothing to a question; were it to count in full, the last days would hide the years before.
    """
    if evidence.named_time is not None and "time" not in without:
        return evidence.named_time
    if "recency" in without:
        return 0.0
    return recency(evidence.days, evidence.lasting) * about


def recency(days: float, lasting: bool = False) -> float:
    """0.5^(days/7); what lasts keeps a floor."""
    return max(LASTING_RECENCY if lasting else 0.0, 0.5 ** (max(days, 0.0) / RECENCY_HALF_LIFE))


def weight_factor(weight: float) -> float:
    """The weight bounded to 0.3–1, by a small power of it: age moves a memory down, never out."""
    return min(1.0, max(LEAST_WEIGHT_FACTOR, weight**WEIGHT_POWER))


def freshness(days: float) -> float:
    """1.3 now, down to 1 after 72 hours."""
    return 1.0 + FRESH_GAIN * max(0.0, 1.0 - max(days, 0.0) * 24.0 / FRESH_HOURS)


def strength(evidence: Evidence, without: Collection[str] = ()) -> float:
    """What speaks for recalling it at all, 0–1. Recency alone never does.

    Not a mean: a text that means what is asked needs none of its words. Words add to the meaning; a belief that is asked
    for, a theme where themes are, the time where nothing else is named, or a firm hop, is enough.
    """
    e, fit = evidence, evidence.clause or evidence
    with_context = "context" not in without
    vector = 0.0 if "vector" in without else max(fit.vector, (fit.context_vector or 0.0) * with_context)
    lexical = 0.0 if "lexical" in without else max(fit.lexical, fit.context_lexical * with_context)
    words = (WORDS_ALONE if "vector" in without else WORDS_GAIN) * lexical
    hop = 0.0 if "hop" in without else e.hop
    entity = 0.0 if "entity" in without else e.entity
    theme = 0.0 if "theme" in without else e.theme
    time = 0.0 if "time" in without else e.only_time
    return min(1.0, max(vector + words, entity, theme, time, hop))


def door(store_size: int) -> float:
    """How strong the best memory must be for anything to be recalled at all.

    The best of many unrelated memories is nearer than the best of six, so it rises with the size of the store:
    from DOOR_SMALL at six memories to DOOR_LARGE at two thousand, by a power of the logarithm, and stays there.
    """
    low, high = log(SMALL_STORE), log(LARGE_STORE)
    share = (log(min(max(store_size, SMALL_STORE), LARGE_STORE)) - low) / (high - low)
    return DOOR_SMALL + (DOOR_LARGE - DOOR_SMALL) * share**DOOR_POWER


def floor(store_size: int, best: float) -> float:
    """The strength from which memories are recalled; `best`: that of the strongest without a hop.

    Where the door opens, what is half as strong comes along; where it stays shut, nothing does.
    """
    least = door(store_size)
    return FOLLOWERS_SHARE * least if best >= least else inf
