"""The check before every answer: four kinds of conflict (DESIGN §5), and which of them this answer must speak of."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import transaction

from chat.db import lock_user
from chat.memory import ontology, values
from chat.memory.arbitration import decide_by_silence
from chat.memory.rules import Proposal, Question
from chat.memory.text import fold
from chat.memory.values import Relation, duration
from chat.memory.versions import EXTRACTOR, Status, draft, open_conflict
from chat.models import Conflict, Entity, EntityVersion, Memory, Turn

ASKED_OF_THE_USER = [Conflict.Kind.ENTITY, Conflict.Kind.QUERY_VS_HISTORY]
MUCH_LONGER = 2.0  # a text that asks for more than this many times what the user can do is set against the user


@dataclass(frozen=True)
class Findings:
    opened: tuple[Conflict, ...] = ()  # raised by this turn
    decided: tuple[Conflict, ...] = ()  # passed over in silence, decided now
    standing: tuple[Conflict, ...] = ()  # raised earlier, still open, and what this question is about

    @property
    def all(self) -> tuple[Conflict, ...]:
        return (*self.opened, *self.decided, *self.standing)


def check(turn: Turn, question: Question, opened: Iterable[Conflict]) -> Findings:
    """What disagrees, as far as this turn is concerned. `opened`: conflicts that observing the turn has raised."""
    raised = {conflict.pk: conflict for conflict in opened}
    decided = [c for c in decide_by_silence(turn.user, turn.at) if c.pk not in raised]
    standing = _standing(turn, set(question.concerns), [*raised, *(c.pk for c in decided)])
    spoken_of = {c.entity_id for c in (*raised.values(), *decided, *standing)}
    for proposal in question.implies:
        # What the user is being told of already is not asked about a second time in the same answer.
        if (conflict := ask_about_history(turn, proposal, except_for=spoken_of)) is not None:
            raised[conflict.pk] = conflict
    return Findings(tuple(raised.values()), tuple(decided), tuple(standing))


def ask_about_history(turn: Turn, proposal: Proposal, except_for: Collection[int] = ()) -> Conflict | None:
    """A question that implies another state than the one on record. The record stays until the user confirms."""
    with transaction.atomic():
        lock_user(turn.user_id)
        current = _current(turn, proposal)
        if current is None or current.entity_id in except_for or not _disagree(current, proposal):
            return None
        if current.last_observed_at >= turn.at:  # 戒烟第三天，烟瘾上来了怎么办: stated outright in the same message
            return None
        waiting = current.entity.versions.pending().filter(key=proposal.key[:200]).first()
        if waiting is None:
            waiting = draft(current.entity, turn, proposal, EXTRACTOR)
            waiting.status, waiting.supersedes = Status.PENDING, current
            waiting.save()
        kind = Conflict.Kind.QUERY_VS_HISTORY
        return open_conflict(kind, turn, old=current, new=waiting, suggested=Conflict.Decision.KEEP_OLD)


def _current(turn: Turn, proposal: Proposal) -> EntityVersion | None:
    return (
        EntityVersion.objects.current()
        .filter(
            entity__user_id=turn.user_id,
            entity__category=proposal.category,
            entity__attribute=proposal.attribute,
            entity__item=proposal.item[:120],
            entity__conversation=None,
        )
        .select_related("entity", "turn")
        .first()
    )


def _disagree(current: EntityVersion, proposal: Proposal) -> bool:
    attribute = ontology.load().attribute(current.entity.slot)
    return values.compare(attribute, current.normalized, proposal.normalized) is Relation.CONTRADICTS


def _standing(turn: Turn, slots: set[str], known: list[int]) -> list[Conflict]:
    """Open ones from earlier: those that the question is about, and those that the user has not been told of yet."""
    open_ones = Conflict.objects.owned_by(turn.user).open().filter(kind__in=ASKED_OF_THE_USER).exclude(pk__in=known)
    return [c for c in open_ones.for_review() if c.entity is not None and (c.entity.slot in slots or c.told_at is None)]


# Against summaries: by provenance. A summary stores the versions it asserts; `stale` says that one no longer holds.


def mark_summaries(turn: Turn, memory_ids: Iterable[int]) -> list[Conflict]:
    """Recalled summaries that assert what is no longer current: the entity wins, the summary waits for its rewriting."""
    stale = Memory.objects.filter(pk__in=list(memory_ids), kind=Memory.Kind.SUMMARY, stale=True)
    found = []
    for memory in stale.exclude(conflicts__kind=Conflict.Kind.SUMMARY_VS_ENTITY).prefetch_related("asserts__entity"):
        outdated = next((v for v in memory.asserts.all() if v.status != Status.CURRENT), None)
        if outdated is not None:
            now = outdated.entity.versions.current().first()
            found.append(_decided_by_rule(turn, Conflict.Kind.SUMMARY_VS_ENTITY, outdated, now, memory=memory))
    return found


# Against texts: what a passage asks for, and what the user can do.


def against_reality(turn: Turn, passages: Iterable[tuple[int, str]], sits: EntityVersion | None) -> list[Conflict]:
    """The best passage (id, text) that asks for far longer sitting than the user's own. The user's reality wins, by rule.

    A text is set against a belief once, whichever of its passages asks for it; what a person has decided is never raised again.
    """
    if sits is None or not sits.normalized.get("seconds"):
        return []
    limit = MUCH_LONGER * upper_seconds(sits.normalized)
    for passage_id, text in passages:
        if any(upper_seconds(length) > limit for _start, _end, length in duration.find(fold(text))):
            return _against(turn, passage_id, sits)
    return []


def _against(turn: Turn, passage_id: int, sits: EntityVersion) -> list[Conflict]:
    kind = Conflict.Kind.KNOWLEDGE_VS_MEMORY
    with transaction.atomic():
        lock_user(turn.user_id)
        same = Conflict.objects.owned_by(turn.user).filter(kind=kind, entity=sits.entity_id)
        known = same.filter(passage__document__passages=passage_id).first()
        if known is None:
            known = _decided_by_rule(turn, kind, sits, None, passage_id=passage_id)
        return [] if known.decider in {Conflict.Decider.USER, Conflict.Decider.STAFF} else [known]


def upper_seconds(normalized: dict) -> float:
    return float(normalized.get("to") or normalized.get("seconds") or 0)


def _decided_by_rule(turn: Turn, kind: str, old: EntityVersion, new: EntityVersion | None, **about) -> Conflict:
    """Not a question to the user: the rule of the kind decides at once, and the row says so."""
    return Conflict.objects.create(
        user_id=turn.user_id,
        kind=kind,
        entity_id=old.entity_id,
        old=old,
        new=new,
        turn=turn,
        status=Conflict.Status.RESOLVED,
        decision=Conflict.Decision.KEEP_NEW if new else Conflict.Decision.KEEP_OLD,
        decider=Conflict.Decider.RULE,
        decided_at=turn.at,
        opened_at=turn.at,
        **about,
    )


def current_of(user, slot: str) -> EntityVersion | None:
    """The current belief of a single-valued slot."""
    entities = Entity.objects.owned_by(user).lasting().slot(slot)
    return EntityVersion.objects.current().filter(entity__in=entities).select_related("entity").first()
