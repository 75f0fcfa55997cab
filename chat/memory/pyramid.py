"""The pyramid above level 1: windows become days, days become months; each knows its children, turns and asserted beliefs.

Nothing is added to a digest in place: a day that gets another window, or whose window was rewritten, is stale and made
anew. So every step may be killed and run again.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q

from chat.db import lock_user
from chat.llm import tokens
from chat.llm.errors import LLMError
from chat.memory import details, indexing, model_digest
from chat.memory.compression import asserted, beliefs_of, rewrite
from chat.memory.details import Detail, show_day
from chat.memory.digests import Digest, Material, Source, digest, kept, render
from chat.memory.erased import still_said
from chat.memory.summaries import Said, unique
from chat.models import Account, Memory, Turn
from chat.models.memory import MemoryQuerySet

log = logging.getLogger(__name__)

DAY, MONTH = 2, 3
RETOLD_A_NIGHT = 20
RATIOS = {DAY: 13.4, MONTH: 60.0}  # tokens of talk for one of the digest
DENSE = 4  # tokens of talk for one of a day in which the user named very much
LEAST, MOST = 12, {DAY: 200, MONTH: 400}
Kind, State = Memory.Kind, Memory.State


def rewrite_stale(account: Account) -> int:
    """Write every stale summary of the user anew, from the lowest level up. Returns how many."""
    done = 0
    for level in (1, DAY, MONTH):
        for memory in stale_rows(account.user_id).filter(level=level).order_by("pk"):
            done += rewrite(memory, account) if level == 1 else _refill(memory, account)
    return done


def stale_rows(user_id: int) -> MemoryQuerySet:
    """Summaries that have to be written anew."""
    return Memory.objects.owned_by_id(user_id).filter(kind=Kind.SUMMARY, stale=True, state__in=[State.LIVE, State.SUPERSEDED])


def build(account: Account, now: datetime) -> int:
    """Make the digests of all days and months that are over. Returns how many were made or have to be made anew."""
    made = 0
    for level in (DAY, MONTH):
        for period, children in _by_period(account, level, now).items():
            made += _put_together(account, level, period, children)
    return made


def orphans(account: Account, level: int, now: datetime) -> MemoryQuerySet:
    """Summaries of the level below of days or months that are over, which no digest holds yet."""
    start, _end = _bounds(account, level, period_of(now, level, ZoneInfo(account.zone_name)))
    rows = Memory.objects.owned_by_id(account.user_id).filter(kind=Kind.SUMMARY, level=level - 1, parents=None)
    return rows.filter(state__in=[State.LIVE, State.SUPERSEDED], occurred_at__lt=start)


def _by_period(account: Account, level: int, now: datetime) -> dict[date, list[int]]:
    """Ids of the orphans, by the day or month (its first day) that they belong to."""
    zone = ZoneInfo(account.zone_name)
    found: dict[date, list[int]] = {}
    for pk, at in orphans(account, level, now).order_by("occurred_at", "pk").values_list("pk", "occurred_at"):
        found.setdefault(period_of(at, level, zone), []).append(pk)
    return found


def period_of(at: datetime, level: int, zone: ZoneInfo) -> date:
    """The local day that a moment is in, or the first day of its month."""
    day = at.astimezone(zone).date()
    return day if level == DAY else day.replace(day=1)


def _put_together(account: Account, level: int, period: date, children: list[int]) -> int:
    """The digest of a period gets these children: a new one, or the one it has, which then is stale."""
    start, end = _bounds(account, level, period)
    with transaction.atomic():
        lock_user(account.user_id)
        free = Memory.objects.filter(pk__in=children, parents=None)
        ids = list(free.values_list("pk", flat=True))
        if not ids:
            return 0
        same = Q(occurred_at__gte=start, occurred_at__lt=end, level=level, kind=Kind.SUMMARY)
        known = Memory.objects.owned_by_id(account.user_id).filter(same, state__in=[State.LIVE, State.FORGOTTEN]).first()
        memory = known or Memory(
            user_id=account.user_id, tier=Memory.Tier.LONG_TERM, kind=Kind.SUMMARY, level=level, text="…", importance=0.6
        )
        if known is None:
            memory.occurred_at, memory.occurred_to = start, end
            memory.recorded_at = memory.clock_at = end
            memory.save()
        memory.children.add(*ids)
        if known is not None:
            Memory.objects.filter(pk=known.pk).update(stale=True)
            return 1
        _write(memory, account)
    return 1


def _bounds(account: Account, level: int, period: date) -> tuple[datetime, datetime]:
    zone = ZoneInfo(account.zone_name)
    after = period + timedelta(days=1) if level == DAY else (period + timedelta(days=32)).replace(day=1)
    return tuple(datetime(day.year, day.month, day.day, tzinfo=zone) for day in (period, after))


def _refill(memory: Memory, account: Account) -> bool:
    """Make a stale digest anew from what it holds now. One that holds nothing any more goes."""
    with transaction.atomic():
        lock_user(memory.user_id)
        fresh = Memory.objects.filter(pk=memory.pk, stale=True).first()
        if fresh is None:
            return False
        fresh.parents.update(stale=True)
        if fresh.children.filter(kind=Kind.SUMMARY).exists():
            _write(fresh, account)
        else:
            fresh.delete()
    return True


def _write(memory: Memory, account: Account) -> None:
    """Fill a digest from its children in the talkers' own words; the caller holds the lock, so no model is asked here."""
    material, turns = _material(memory, account)
    _fill(memory, digest(material, tokens.count), material)
    memory.save()
    memory.turns.set(turns)
    memory.asserts.set(asserted(turns))
    indexing.index_words([memory.pk])


def _fill(memory: Memory, made: Digest, material: Material, by: str = "") -> None:
    """`by`: who wrote it, "" for what was only put together."""
    memory.text, memory.stale = render(made), False
    size = {"talk": sum(map(tokens.count, material.texts)), "tokens": tokens.count(memory.text)}
    memory.data = {**asdict(made), "by": by, "kept": {**kept(made, material), **size}}
    memory.labels = list(made.topics)
    memory.space = memory.embedding = memory.code = None
    memory.content_hash = ""


def _material(memory: Memory, account: Account) -> tuple[Material, list[Turn]]:
    children = list(memory.children.filter(kind=Kind.SUMMARY).order_by("occurred_at", "pk"))
    turns = list(Turn.objects.filter(memories__in=children).distinct().order_by("at", "pk"))
    english = sum(turn.language == "en" for turn in turns) * 2 > len(turns)
    language = "en" if english else "zh"
    beliefs = beliefs_of(turns)
    said = still_said(turns, beliefs, account.zone_name)
    texts = [side for turn in said for side in (turn.text, turn.answer)]
    size = sum(map(tokens.count, texts))
    own, others = _details(said, account.zone_name) if memory.level == DAY else ([], _named_below(children))
    material = Material(
        title=_title(memory, account.zone_name, language),
        sources=[_source(child) for child in children],
        beliefs=beliefs,
        details=own + others,
        own=len(own),
        most=size // DENSE if memory.level == DAY else 0,
        budget=min(MOST[memory.level], max(LEAST, int(size / RATIOS[memory.level]))),
        language=language,
        texts=texts,
        moments=[turn.at for turn in turns],
        zone=account.zone_name,
        children=[child.text for child in children],
    )
    return material, turns


def untold(user_id: int) -> MemoryQuerySet:
    """Digests that no model has been asked to retell as they are now."""
    rows = Memory.objects.owned_by_id(user_id).live().filter(kind=Kind.SUMMARY, level__in=[DAY, MONTH], stale=False, number=1)
    return rows.filter(Q(data__by="") | Q(data__by__isnull=True))


def retell(account: Account, beat: Callable[[], object] = lambda: None) -> int:
    """Have the model retell days, then months whose days stand; where its text fails the check they stay as they are.

    Returns how many it told.
    """
    told = 0
    try:
        for level in (DAY, MONTH):
            for memory in untold(account.user_id).filter(level=level).order_by("-occurred_at", "-pk")[:RETOLD_A_NIGHT]:
                material, _turns = _material(memory, account)
                told += _put_in_place(memory, model_digest.retell(material), material)
                beat()
    except LLMError as error:
        log.warning("digests of user %s are not retold: %s", account.user_id, error.code)
    return told


def _put_in_place(memory: Memory, made: Digest | None, material: Material) -> bool:
    """Write the model's digest, unless the row has changed while it was written."""
    with transaction.atomic():
        lock_user(memory.user_id)
        fresh = untold(memory.user_id).filter(pk=memory.pk, text=memory.text).first()
        if fresh is None:
            return False
        if made is None:
            Memory.objects.filter(pk=fresh.pk).update(data={**fresh.data, "by": "words"})
            return False
        _fill(fresh, made, material, by="model")
        fresh.save()
        fresh.parents.update(stale=True)
        indexing.index_words([fresh.pk])
    return True


def _title(memory: Memory, zone: str, language: str) -> str:
    if memory.level == DAY:
        return show_day(memory.occurred_at, memory.occurred_at, zone, language)
    local = memory.occurred_at.astimezone(ZoneInfo(zone))
    return f"{local:%B %Y}" if language == "en" else f"{local.year}年{local.month}月"


def _source(child: Memory) -> Source:
    """What a child has to say; one that lost its sheet to an erasure still has its lines."""
    data = child.data
    if child.level == 1 and data:
        parts = ("question", "facts", "advice", "feedback")
        return Source(tuple(child.labels), tuple(text for part in parts for text in data.get(part, ())))
    if data:
        return Source(tuple(child.labels), tuple(data.get("lines", ())))
    return Source((), tuple(child.text.splitlines()))


def _details(said: Sequence[Said], zone: str) -> tuple[list[Detail], list[Detail]]:
    """The details in the user's words, and those that only the assistant's have, each once."""
    own = unique(d for turn in said for d in details.find(turn.text, turn.at, zone))
    both = unique([*own, *(d for turn in said for d in details.find(turn.answer, turn.at, zone))])
    return own, both[len(own) :]


def _named_below(children: Sequence[Memory]) -> list[Detail]:
    return [Detail("name", words) for child in children for words in child.data.get("mentions", ())]


def covering(memory_ids: Iterable[int]) -> dict[int, int]:
    """For memories, the live day digest that holds all of their turns: {memory id: digest id}."""
    ids = list(memory_ids)
    days = Memory.objects.live().filter(kind=Kind.SUMMARY, level=DAY, stale=False)
    turns_of: dict[int, set[int]] = {}
    source = Memory.turns.through.objects
    for memory_id, turn_id in source.filter(memory__in=ids).values_list("memory_id", "turn_id"):
        turns_of.setdefault(memory_id, set()).add(turn_id)
    held = source.filter(turn__in=set().union(*turns_of.values()) if turns_of else (), memory__in=days)
    by_turn: dict[int, int] = dict(held.values_list("turn_id", "memory_id"))
    found = {pk: {by_turn.get(turn) for turn in turns} for pk, turns in turns_of.items()}
    return {pk: next(iter(days_)) for pk, days_ in found.items() if len(days_) == 1 and None not in days_}
