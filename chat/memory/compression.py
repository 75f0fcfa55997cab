"""Level-1 summaries: closed windows of a conversation, compressed while the talk goes on.

Every turn is in working memory, in a summary, or waiting for one; `Turn.summarised_at` is set in the transaction that
writes the summary. Nothing is locked while a summary is being written.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from chat.db import lock_user
from chat.llm import tokens
from chat.memory import budget, emotions, indexing, model_summary, ontology, summaries, windows
from chat.memory.erased import still_said
from chat.memory.importance import importance
from chat.memory.summaries import Belief, Sheet
from chat.models import Account, Conversation, EntityVersion, Memory, MemorySource, Turn

RATIO = 4.4  # tokens of talk for one of its summary
LEAST = 36  # tokens that a summary may have however short the talk was, but never more than half of it
Status = EntityVersion.Status


def compress(
    conversation: Conversation,
    account: Account,
    *,
    now: datetime | None = None,
    beat: Callable[[], object] = lambda: None,
) -> list[Memory]:
    """Summarise every closed window of the conversation. Safe to run twice and by two workers at once."""
    waiting = Turn.objects.compressible(conversation)
    made = []
    for window in windows.closed(waiting, limits(), tokens.count, _until(waiting, now or timezone.now())):
        if memory := summarise(window, account):
            made.append(memory)
        beat()
    return made


def _until(waiting: Sequence[Turn], now: datetime) -> datetime:
    """Now, or the moment of the last of these turns where more of the talk is still to be read: then it is not over."""
    if waiting and Turn.objects.after(waiting[-1]).exists():
        return waiting[-1].at
    return now


def limits() -> windows.Limits:
    return windows.Limits(
        turns=settings.WORKING_MEMORY_TURNS,
        window=settings.SUMMARY_WINDOW_TURNS,
        tokens=budget.ceilings(settings.CONTEXT_WINDOW)["working"],
        message=settings.LONG_MESSAGE_TOKENS,
    )


def summarise(turns: Sequence[Turn], account: Account) -> Memory | None:
    """One summary of these turns. None when another worker was faster or a turn is gone."""
    sheet = _written(turns, account)
    ids = [turn.pk for turn in turns]
    with transaction.atomic():
        lock_user(account.user_id)
        if Turn.objects.filter(pk__in=ids, summarised_at=None).count() != len(ids):
            return None
        memory = Memory(
            user_id=account.user_id,
            conversation_id=turns[0].conversation_id,
            tier=Memory.Tier.SHORT_TERM,
            kind=Memory.Kind.SUMMARY,
            level=1,
            recorded_at=turns[-1].at,
            clock_at=turns[-1].at,
        )
        _fill(memory, sheet, turns)
        memory.save()
        MemorySource.objects.bulk_create(MemorySource(memory=memory, turn_id=pk) for pk in ids)
        memory.asserts.add(*asserted(turns))
        indexing.index_words([memory.pk])
        Turn.objects.filter(pk__in=ids).update(summarised_at=timezone.now())
    return memory


def rewrite(memory: Memory, account: Account) -> bool:
    """Write a stale level-1 summary anew from the turns that are left. One with no turns left goes. False: nothing to do."""
    turns = list(memory.turns.order_by("at", "pk"))
    sheet = _written(turns, account) if turns else None
    with transaction.atomic():
        lock_user(memory.user_id)
        fresh = Memory.objects.filter(pk=memory.pk, stale=True).first()
        if fresh is None or list(fresh.turns.order_by("at", "pk")) != turns:
            return False
        if sheet is None:
            fresh.parents.update(stale=True)
            fresh.delete()
            return True
        _fill(fresh, sheet, turns)
        fresh.stale = False
        fresh.space = fresh.embedding = fresh.code = None
        fresh.content_hash = ""
        fresh.save()
        fresh.asserts.set(asserted(turns))
        fresh.parents.update(stale=True)
        indexing.index_words([fresh.pk])
    return True


def asserted(turns: Iterable[Turn]) -> list[EntityVersion]:
    """The beliefs of these turns that hold: what a summary of them states as true, to be noted with it."""
    held = EntityVersion.objects.filter(turn__in=[t.pk for t in turns], status__in=[Status.CURRENT, Status.PENDING])
    return list(held.exclude(entity__category="last_query").only("pk"))


def _fill(memory: Memory, sheet: Sheet, turns: Sequence[Turn]) -> None:
    memory.text = summaries.render(sheet)
    memory.data = asdict(sheet)
    memory.occurred_at, memory.occurred_to = turns[0].at, max(turn.at for turn in turns)
    memory.labels = sheet.topic.replace(", ", "、").split("、")
    memory.emotion = emotions.emotion("。".join(turn.text for turn in turns))
    main = "complain" if sheet.question else "experience" if sheet.facts or sheet.beliefs else "courtesy"
    memory.importance = importance(memory.text, main, memory.emotion, len(sheet.mentions))


def _written(turns: Sequence[Turn], account: Account) -> Sheet:
    """By the model where one is configured and its text passes the check, else from the talkers' own words."""
    beliefs = beliefs_of(turns)
    said = still_said(turns, beliefs, account.zone_name)
    size = sum(tokens.count(turn.text) + tokens.count(turn.answer) for turn in said)
    room = max(min(LEAST, size // 2), int(size / RATIO))
    sheet = model_summary.write(said, beliefs, account.zone_name, room)
    return sheet or summaries.write(said, beliefs, account.zone_name, room, tokens.count)


def beliefs_of(turns: Iterable[Turn]) -> list[Belief]:
    """What the turns assert about the user, with what has become of it."""
    found = EntityVersion.objects.filter(turn__in=[turn.pk for turn in turns]).exclude(entity__category="last_query")
    found = list(found.select_related("entity", "turn").order_by("turn__at", "pk"))
    changed = {v.entity_id for v in found if v.status != Status.CURRENT}
    current = {v.entity_id: v for v in EntityVersion.objects.current().filter(entity__in=changed)} if changed else {}
    beliefs = [_belief(version, current.get(version.entity_id)) for version in found]
    return list({(belief.label, belief.value): belief for belief in beliefs}.values())


def _belief(version: EntityVersion, current: EntityVersion | None) -> Belief:
    attribute = ontology.load().attribute(version.entity.slot)
    language = version.turn.language if version.turn else "zh"
    label = attribute.label(language) if attribute else version.entity.attribute.replace("_", " ")
    overtaken = version.status == Status.SUPERSEDED and current is not None and current.key != version.key
    gone = version.status in {Status.RETRACTED, Status.REJECTED}
    return Belief(version.pk, label, version.value, version.quote, current.value if overtaken else "", gone)
