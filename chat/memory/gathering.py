"""Read from the database what one answer may use, as plain values (chat.memory.material)."""

from collections.abc import Iterable
from datetime import timedelta
from zoneinfo import ZoneInfo

from django.conf import settings

from chat.knowledge import search
from chat.memory import feelings, ontology
from chat.memory.consistency import Findings
from chat.memory.material import ConflictNote, Fact, Opening, PassageText, WorkingTurn
from chat.memory.rules import Question
from chat.memory.values import FREE_WORDS, show
from chat.models import Conflict, EntityVersion, Memory, Turn

FACTS_AT_MOST = 60  # more than a prompt's section holds; the budget cuts the rest
FORMER_AT_MOST = 8
OPENING_DAYS = 7
OPENING_EVENTS = 5


def facts_for(turn: Turn, question: Question, zone: ZoneInfo) -> tuple[Fact, ...]:
    """Current beliefs, and those that wait: first what the question is about, then pinned, then the most certain.

    What was said for this conversation only stands before the lasting belief of the same slot and hides it.
    """
    ordered = list(EntityVersion.objects.for_prompt(turn.user, turn.conversation_id, question.concerns)[:FACTS_AT_MOST])
    here_only = {(v.entity.slot, v.entity.item) for v in ordered if v.entity.conversation_id}
    kept = [v for v in ordered if v.entity.conversation_id or (v.entity.slot, v.entity.item) not in here_only]
    return tuple(fact_of(version, turn, zone) for version in kept)


def former_for(turn: Turn, slots: Iterable[str], zone: ZoneInfo) -> tuple[Fact, ...]:
    """What used to hold of these slots and was superseded by something else, newest first."""
    wanted = set(slots)
    if not wanted:
        return ()
    past = EntityVersion.objects.owned_by(turn.user).superseded_in(wanted)[:FORMER_AT_MOST]
    return tuple(fact_of(version, turn, zone) for version in past)


def fact_of(version: EntityVersion, turn: Turn, zone: ZoneInfo) -> Fact:
    attribute = ontology.load().attribute(version.entity.slot)
    today = turn.at.astimezone(zone).date()
    return Fact(
        slot=version.entity.slot,
        label=attribute.label(turn.language) if attribute else version.entity.attribute.replace("_", " "),
        value=shown(version, turn.language, today),
        confidence=version.confidence,
        pinned=version.entity.pinned,
        source=version.source,
        learned_at=version.recorded_at,
        version_id=version.pk,
        normalized=version.normalized,
        unconfirmed=version.status == EntityVersion.Status.PENDING,
    )


def shown(version: EntityVersion, language: str, today) -> str:
    """The value as it reads on that day: counters stored as a start date are today's number, free words as they were written."""
    attribute = ontology.load().attribute(version.entity.slot)
    if version.normalized.get("type") in FREE_WORDS:
        return version.value
    return (show(attribute, version.normalized, language, today) if attribute else "") or version.value


def working_turns(turn: Turn) -> tuple[WorkingTurn, ...]:
    """工作记忆: the last N answered turns of this conversation, oldest first."""
    before = Turn.objects.before(turn).answered().only("text", "answer", "at")[: settings.WORKING_MEMORY_TURNS]
    return tuple(WorkingTurn(t.text, t.answer, t.at) for t in reversed(before))


def passages_for(text: str, *, limit: int = 5) -> tuple[PassageText, ...]:
    found = search.search(text, limit=limit)
    return tuple(PassageText(f.passage_id, f.document, f.heading, f.text, f.score) for f in found)


def conflict_notes(findings: Findings) -> tuple[ConflictNote, ...]:
    return tuple(_note(conflict) for conflict in findings.all if conflict.old is not None and conflict.new is not None)


def _note(conflict: Conflict) -> ConflictNote:
    old, new = conflict.old, conflict.new
    return ConflictNote(
        id=conflict.pk,
        kind=conflict.kind,
        old=old.quote or old.value,
        new=new.quote or new.value,
        old_at=old.recorded_at,
        new_at=new.recorded_at,
        slot=conflict.entity.slot if conflict.entity else "",
    )


def opening_for(turn: Turn, working: Iterable[WorkingTurn]) -> Opening | None:
    """For the first answer of a conversation: key events and mood of the last seven days."""
    if any(True for _turn in working):
        return None
    since = turn.at - timedelta(days=OPENING_DAYS)
    events = (
        Memory.objects.owned_by(turn.user)
        .live()
        .filter(kind=Memory.Kind.FRAGMENT, occurred_at__gte=since, occurred_at__lt=turn.at)
    )
    texts = tuple(events.order_by("-importance", "-occurred_at").values_list("text", flat=True)[:OPENING_EVENTS])
    return Opening(events=texts, mood=feelings.in_words(feelings.week(turn.user, turn.at), turn.language))
