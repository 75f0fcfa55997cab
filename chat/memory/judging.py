"""From what was found to scored candidates, best first: the evidence for each memory, its score, its reasons."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta

from chat.memory import bm25, retention
from chat.memory import candidates as decision
from chat.memory.asked import Asked
from chat.memory.candidates import Candidate
from chat.memory.found import Found, Row
from chat.memory.scoring import FLOOR, Evidence, Weights, relevance_parts, score, strength

_LASTING = {"goal", "profile"}


def judge(found: Found, asked: Asked, at: datetime, weights: Weights, without: Collection[str]) -> list[Candidate]:
    """All candidates, best first. Those without enough to speak for them are below the floor; pinned ones never are."""
    evidence = _evidence(found, asked, at, without)
    judged = [_candidate(found, pk, item, asked, at, weights, without) for pk, item in evidence.items()]
    return sorted(judged, key=lambda candidate: (-candidate.score, -candidate.memory_id))


def _evidence(found: Found, asked: Asked, at: datetime, without: Collection[str]) -> dict[int, Evidence]:
    lexical = _lexical(found, asked)
    evidence = {}
    for pk, row in found.rows.items():
        own, around = lexical[pk]
        base = Evidence(
            entity=1.0 if row.slot and row.slot in asked.slots else 0.0,
            days=max(0.0, (at - row.occurred_at) / timedelta(days=1)),
            hop=found.hops.get(pk, 0.0),
            label=_label(row, asked),
            named_time=_named_time(row, asked),
            lasting=row.category in _LASTING,
            weight=retention.weight(row, at),
        )
        evidence[pk] = _best_clause(found, row, asked, base, own, around, without)
    if "neighbours" in without:
        return evidence
    alone = {pk: sum(relevance_parts(item, without).values()) for pk, item in evidence.items()}
    return {
        pk: replace(item, neighbours=max((alone.get(other, 0.0) for other in found.neighbours.get(pk, ())), default=0.0))
        for pk, item in evidence.items()
    }


def _best_clause(found: Found, row: Row, asked: Asked, base: Evidence, own, around, without) -> Evidence:
    """The evidence for the clause of the question that the memory fits best."""
    options = []
    for place, clause in enumerate(asked.clauses):
        options.append(
            replace(
                base,
                vector=_relevance(found, row.cosines, place) * clause.share,
                lexical=own[place] * clause.share,
                context_vector=_relevance(found, row.context_cosines, place) * clause.share if any(row.context_cosines) else None,
                context_lexical=around[place] * clause.share,
            )
        )
    return max(options, key=lambda option: sum(relevance_parts(option, without).values()), default=base)


def _relevance(found: Found, cosines: tuple, place: int) -> float:
    cosine = cosines[place] if place < len(cosines) else None
    return found.space.relevance(cosine) if found.space and cosine is not None else 0.0


def _lexical(found: Found, asked: Asked) -> dict[int, tuple[list[float], list[float]]]:
    """For each memory the BM25 share of every clause, by its own words and by those around it."""
    rarities = [{w: found.rarities[w] for w in clause.words if w in found.rarities} for clause in asked.clauses]
    counted = {}
    for pk, row in found.rows.items():
        own = bm25.frequencies(row.terms, found.rarities)
        counted[pk] = own, bm25.frequencies(row.context_terms, found.rarities)
    mean_own = bm25.mean([own[1] for own, _around in counted.values()])
    mean_around = bm25.mean([around[1] for _own, around in counted.values() if around[1]])
    shares = {}
    for pk, (own, around) in counted.items():
        shares[pk] = [_share(r, own, mean_own) for r in rarities], [_share(r, around, mean_around) for r in rarities]
    return shares


def _share(rarities: dict[str, float], counted: tuple, mean: float) -> float:
    counts, length = counted
    return bm25.share(rarities, {word: counts[word] for word in rarities if word in counts}, length, mean)


def _label(row: Row, asked: Asked) -> float:
    """1 where the question names something that the memory carries as a label."""
    return float(any(asked.names(label) for label in row.labels))


def _named_time(row: Row, asked: Asked) -> float | None:
    """1 within a stretch that the question names, 0 elsewhere; None where it names none."""
    if not asked.spans:
        return None
    end = row.occurred_to or row.occurred_at
    return float(any(row.occurred_at < span.end and end >= span.start for span in asked.spans))


def _candidate(found: Found, pk: int, item: Evidence, asked: Asked, at, weights: Weights, without) -> Candidate:
    row = found.rows[pk]
    parts = score(item, weights, without)
    fits = row.pinned or strength(item, without) >= FLOOR
    return Candidate(
        memory_id=pk,
        tier=row.tier,
        kind=row.kind,
        text=row.text,
        score=sum(parts.values()),
        parts=parts,
        signals=_signals(row, item, asked, without),
        reasons=_reasons(row, item, found.routes.get(pk, [])),
        routes=tuple(found.routes.get(pk, ())),
        decision=_decision(row, fits),
        version_id=row.version_id,
        occurred_at=row.occurred_at,
    )


def _decision(row: Row, fits: bool) -> str:
    if row.marked_wrong or row.stale:
        return decision.SUPERSEDED
    return decision.USED if fits else decision.BELOW_FLOOR


def _signals(row: Row, item: Evidence, asked: Asked, without: Collection[str]) -> dict:
    matched = [word for word in asked.words if f" {word} " in f" {row.terms} "]
    cosines = [c for c in row.cosines if c is not None]
    return {
        "strength": round(strength(item, without), 4),
        "cosine": round(max(cosines), 4) if cosines else None,
        "relevance": round(item.vector, 4),
        "words": matched[:12],
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
        ("recent", item.days <= 3),
        ("pinned", row.pinned),
    ]
    return tuple(code for code, holds in reasons if holds)
