"""From what was found to scored candidates, best first: the evidence for each memory, its score, its reasons."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

from chat.memory import bm25, retention
from chat.memory import candidates as decision
from chat.memory.asked import Asked
from chat.memory.candidates import Candidate
from chat.memory.found import Found, Row
from chat.memory.scoring import Evidence, Fit, Weights, blend, floor, relevance, score, strength
from chat.models import Memory

_LASTING = {"goal", "profile"}
SUBJECT_SHARE = 0.3  # of the best fit, from which memories are about the same as the best
FIRM_HOP = 0.2  # from which two memories are taken for one where the door is concerned
_DAY = timedelta(days=1)
JUDGED = 60  # candidates that are shown with their reasons; the others have no chance


def weigh(found: Found, asked: Asked, at: datetime, without: Collection[str], ids: Iterable[int]) -> dict[int, Evidence]:
    """What speaks for each of these memories that were looked up, on its own; `linked` adds what others lend it."""
    return {
        pk: _evidence(found, found.rows[pk], asked, at, shares, without) for pk, shares in _lexical(found, asked, ids).items()
    }


def linked(found: Found, evidence: Mapping[int, Evidence], without: Collection[str]) -> dict[int, Evidence]:
    """The evidence with what each memory has from its neighbours, and from those that were followed."""
    near: dict[int, float] = {}
    for pk, others in found.neighbours.items():
        alone = relevance(evidence[pk], without)
        for other in others:
            near[other] = max(near.get(other, 0.0), alone)
    changed = {
        pk: evidence[pk]._replace(neighbours=near.get(pk, 0.0), hop=found.hops.get(pk, 0.0))
        for pk in (near.keys() | found.hops.keys()) & evidence.keys()
    }
    return {**evidence, **changed}


def judge(
    found: Found, evidence: Mapping[int, Evidence], asked: Asked, weights: Weights, without: Collection[str]
) -> list[Candidate]:
    """The best candidates, best first. Those without enough to speak for them are below the floor; pinned ones never are."""
    if found.space is None:
        without = {*without, "vector"}
    parts = {pk: score(item, weights, without) for pk, item in evidence.items()}
    totals = {pk: sum(part.values()) for pk, part in parts.items()}
    alone = {*without, "hop"}
    leading = {pk: strength(item, alone) for pk, item in evidence.items()}
    strengths = leading if "hop" in without else {pk: max(leading[pk], item.hop) for pk, item in evidence.items()}
    best = max((strong for pk, strong in leading.items() if not found.rows[pk].unfit), default=0.0)
    if "hop" not in without:
        best = max([best, *_together(found, evidence, alone)])
    # Nothing comes along with what happened at a time, or repeats, where only that was asked for.
    least = best if asked.bare and best >= 1.0 else floor(found.store_size, best)
    if asked.newest:
        _newest_first(found, {pk: item for pk, item in evidence.items() if strengths[pk] >= least}, parts, totals)
    ranked = sorted(totals, key=lambda pk: (-totals[pk], -pk))
    kept = [pk for place, pk in enumerate(ranked) if place < JUDGED or found.rows[pk].pinned]
    return [_candidate(found, pk, evidence[pk], parts[pk], strengths[pk], least) for pk in kept]


def _together(found: Found, evidence: Mapping[int, Evidence], without: Collection[str]) -> Iterable[float]:
    """How strong two memories are as one, where the second hangs firmly on the first: who the boss is, and what became of her."""
    for pk, head in found.heads.items():
        first, second = evidence.get(head), evidence.get(pk)
        if found.hops[pk] < FIRM_HOP or not first or not second or found.rows[pk].unfit or found.rows[head].unfit:
            continue
        new = sum(found.rarities[word] for word in second.words if word not in first.words)
        share = new / (sum(found.rarities[word] for word in second.words) or 1.0)
        both = {"vector": max(first.vector, second.vector), "lexical": min(1.0, first.lexical + share * second.lexical)}
        yield strength(first._replace(**both, clause=None), without)


def _newest_first(found: Found, about: Mapping[int, Evidence], parts: dict[int, dict], totals: dict[int, float]) -> None:
    """Deal the scores of the memories that are about what is asked anew, by the order of their time: the newest has the best.

    about: those above the floor. A belief that answers the question stays where it is.
    """
    fits = {pk: sum(blend(item.clause or item)) for pk, item in about.items() if item.named_time != 0 and not item.entity}
    least = SUBJECT_SHARE * max(fits.values(), default=0.0)
    same = [pk for pk, fit in fits.items() if fit >= least and not found.rows[pk].unfit]
    dealt = sorted((totals[pk] for pk in same), reverse=True)
    for pk, total in zip(sorted(same, key=lambda pk: (found.rows[pk].occurred_at, pk), reverse=True), dealt, strict=True):
        parts[pk]["order"] = total - totals[pk]
        totals[pk] = total


def _evidence(found: Found, row: Row, asked: Asked, at: datetime, lexical: tuple, without: Collection[str]) -> Evidence:
    """The evidence for the whole message and the clause of it that the memory fits best, together."""
    own, around, words = lexical
    beside = _relevances(found, row.context_cosines, len(own)) if any(row.context_cosines) else [None] * len(own)
    whole, *others = map(Fit, _relevances(found, row.cosines, len(own)), own, beside, around)
    best = max(others, key=lambda fit: sum(blend(fit, without))) if others else None
    mixed = whole.mixed_with(best) if best else whole
    named_time = _named_time(row, asked) if asked.spans else None
    return Evidence(
        *mixed,
        clause=max(whole, best, key=lambda fit: sum(blend(fit, without))) if best else None,
        entity=1.0 if row.slot and row.slot in asked.slots else 0.0,
        label=1.0 if row.labels and any(map(asked.names, row.labels)) else 0.0,
        theme=float(asked.patterns and row.kind == Memory.Kind.THEME),
        days=max(0.0, (at - row.occurred_at) / _DAY),
        named_time=named_time,
        only_time=float(asked.only_time and bool(named_time)),
        lasting=row.category in _LASTING,
        weight=retention.weight(row, at),
        words=words,
    )


def _relevances(found: Found, cosines: tuple, clauses: int) -> list[float]:
    """Of each clause; 0 where there is no vector of the same space."""
    if not cosines or found.space is None:
        return [0.0] * clauses
    return [0.0 if cosine is None else found.space.relevance(cosine) for cosine in cosines]


def _lexical(found: Found, asked: Asked, ids: Iterable[int]) -> dict[int, tuple[list[float], list[float], tuple[str, ...]]]:
    """For each of these memories the BM25 share of every clause, by its own words and by those around it, and which it has."""
    rarities = [{w: found.rarities[w] for w in clause.words if w in found.rarities} for clause in asked.clauses]
    mean_own = bm25.mean([bm25.length(row.terms) for row in found.rows.values()])
    mean_around = bm25.mean([bm25.length(row.context_terms) for row in found.rows.values() if row.context_terms])
    shares = {}
    for pk in ids:
        row = found.rows[pk]
        own, around = bm25.frequencies(row.terms, found.rarities), bm25.frequencies(row.context_terms, found.rarities)
        words = tuple([word for word in asked.words if word in own[0]]) if own[0] else ()
        shares[pk] = [_share(r, own, mean_own) for r in rarities], [_share(r, around, mean_around) for r in rarities], words
    return shares


def _share(rarities: dict[str, float], counted: tuple, mean: float) -> float:
    counts, length = counted
    if not counts:
        return 0.0
    if len(rarities) < len(counts) or not counts.keys() <= rarities.keys():  # words of another clause
        counts = {word: n for word, n in counts.items() if word in rarities}
    return bm25.share(rarities, counts, length, mean)


def _named_time(row: Row, asked: Asked) -> float:
    """1 within a stretch that the question names, 0 elsewhere."""
    end = row.occurred_to or row.occurred_at
    return float(any(row.occurred_at < span.end and end >= span.start for span in asked.spans))


def _candidate(found: Found, pk: int, item: Evidence, parts: dict, strong: float, least: float) -> Candidate:
    row = found.rows[pk]
    return Candidate(
        memory_id=pk,
        tier=row.tier,
        kind=row.kind,
        text=row.text,
        score=sum(parts.values()),
        parts=parts,
        signals=_signals(row, item, strong),
        reasons=_reasons(row, item, found.routes.get(pk, [])),
        routes=tuple(found.routes.get(pk, ())),
        decision=_decision(row, row.pinned or strong >= least),
        version_id=row.version_id,
        occurred_at=row.occurred_at,
    )


def _decision(row: Row, fits: bool) -> str:
    if row.unfit:
        return decision.SUPERSEDED
    return decision.USED if fits else decision.BELOW_FLOOR


def _signals(row: Row, item: Evidence, strong: float) -> dict:
    cosines = [c for c in row.cosines if c is not None]
    return {
        "strength": round(strong, 4),
        "cosine": round(max(cosines), 4) if cosines else None,
        "relevance": round(item.vector, 4),
        "words": list(item.words[:12]),
        "word_share": round(item.lexical, 4),
        "days": round(item.days, 2),
        "weight": round(item.weight, 4),
    }


def _reasons(row: Row, item: Evidence, routes: list[str]) -> tuple[str, ...]:
    """Stable codes of why it came up: meaning, words, context, entity, hop, time, recent, pinned."""
    reasons = [
        ("entity", item.entity > 0),
        ("label", item.label > 0),
        ("hop", item.hop >= 0.2),
        ("meaning", item.vector >= 0.5),
        ("words", item.lexical >= 0.2),
        ("context", (item.context_vector or 0.0) > item.vector or item.context_lexical > item.lexical),
        ("neighbour", item.neighbours > item.vector),
        ("time", bool(item.named_time)),
        ("theme", item.theme > 0),
        ("recent", item.days <= 3),
        ("pinned", row.pinned),
    ]
    return tuple(code for code, holds in reasons if holds)
