"""Memories in a person's hands: pin, forget, restore, correct, add. The inspector, the API and the admin call these.

A memory of kind `entity` only shows a belief: editing or forgetting it acts on the entity behind it.
Every verb takes the user's lock, re-reads the row, and leaves an audit row. All return the memory as it is afterwards.
"""

from collections.abc import Callable, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat import jobs
from chat.db import lock_user
from chat.errors import BadInput, Clash, NotHere
from chat.memory import entities, indexing, retention, text
from chat.memory.actors import Actor, record
from chat.memory.versions import withdraw
from chat.models import AuditEvent, EntityVersion, Memory, MemoryRevision

State, Kind = Memory.State, Memory.Kind

# What these verbs change. Vectors are left alone unless the text changed: the background may be writing them.
LIFE = (
    *("state", "pinned", "authoritative", "marked_wrong", "forgotten_at", "forgotten_by", "purge_at", "offered_at"),
    *("start_weight", "clock_at", "extra_days", "skips", "compared"),
)
SAID = ("text", "number", "space", "embedding", "code", "content_hash", "context", "context_embedding", "context_code")
LONGEST = 4000  # characters of one memory


@contextmanager
def _changing(memory: Memory, actor: Actor, action: str, reason: str = "", noted: Mapping[str, Any] | None = None):
    """Lock the owner, re-read the row, save what the block changed, write the audit row; `noted`: what that row keeps."""
    with transaction.atomic():
        lock_user(memory.user_id)
        fresh = Memory.objects.select_related("version__entity").filter(pk=memory.pk).first()
        if fresh is None:
            raise NotHere("no_such_memory", _("There is no such memory."))
        seen = fresh.number
        yield fresh
        fresh.save(update_fields=[*LIFE, *(SAID if fresh.number != seen else ())])
        record(fresh.user_id, actor, f"memory.{action}", fresh, reason=reason, **(noted or {}))


def pin(memory: Memory, actor: Actor) -> Memory:
    """No decay, always considered in recall."""
    return _flag(memory, "pinned", True, actor)


def unpin(memory: Memory, actor: Actor) -> Memory:
    return _flag(memory, "pinned", False, actor)


def set_authoritative(memory: Memory, on: bool, actor: Actor) -> Memory:
    """An authoritative belief is never replaced without a person."""
    return _flag(memory, "authoritative", on, actor)


def _flag(memory: Memory, name: str, on: bool, actor: Actor) -> Memory:
    with _changing(memory, actor, name if on else f"not_{name}") as fresh:
        setattr(fresh, name, on)
        if fresh.version is not None:
            setter: Callable = {"pinned": entities.set_pinned, "authoritative": entities.set_authoritative}[name]
            setter(fresh.version.entity, on, actor)
    return fresh


def mark_wrong(memory: Memory, actor: Actor, reason: str = "") -> Memory:
    """The person says that it is not true: its weight drops to almost nothing, a belief is taken back."""
    with _changing(memory, actor, "marked_wrong", reason) as fresh:
        fresh.marked_wrong, fresh.pinned, fresh.authoritative = True, False, False
        if fresh.version is not None:
            _take_back_belief(fresh, actor)
        else:
            _put_in_bin(fresh, "user")
    return fresh


def forget(memory: Memory, actor: Actor, reason: str = "") -> Memory:
    """Soft: out of recall at once, 30 days in the bin, can be restored with the same id."""
    with _changing(memory, actor, "forgotten", reason) as fresh:
        if fresh.version is not None:
            _take_back_belief(fresh, actor)
        _put_in_bin(fresh, "user")
        fresh.pinned = False
    return fresh


def _take_back_belief(memory: Memory, actor: Actor) -> None:
    version = memory.version
    if version.status == EntityVersion.Status.CURRENT:
        version.supersedes = None  # forgetting states nothing else
        withdraw(version, actor, at=timezone.now())
    memory.state = State.SUPERSEDED


def _put_in_bin(memory: Memory, by: str) -> None:
    now = timezone.now()
    memory.state, memory.forgotten_at, memory.forgotten_by = State.FORGOTTEN, now, by
    memory.purge_at = now + timedelta(days=settings.BIN_DAYS)


def restore(memory: Memory, actor: Actor) -> Memory:
    """Back from the bin with its id. A belief becomes current again, as a new version where another took its place.

    Raises Clash for a memory that is not in the bin.
    """
    with _changing(memory, actor, "restored") as fresh:
        if fresh.state not in {State.FORGOTTEN, State.EXPIRED}:
            raise Clash("not_forgotten", _("This memory is not in the bin."), state=fresh.state)
        fresh.state, fresh.compared = State.LIVE, False
        fresh.forgotten_at, fresh.forgotten_by, fresh.purge_at, fresh.offered_at = None, "", None, None
        _set(fresh, retention.restored(timezone.now()))
        if fresh.version is not None:
            _believe_again(fresh, actor)
    return fresh


def _believe_again(memory: Memory, actor: Actor) -> None:
    version = memory.version
    current = version.entity.versions.current().first()
    if current is None:
        EntityVersion.objects.filter(pk=version.pk).update(status=EntityVersion.Status.CURRENT)
    elif current.pk != version.pk:
        entities.rollback(version.entity, version.pk, actor)
        memory.state = State.SUPERSEDED


def confirm(memory: Memory, actor: Actor) -> Memory:
    """The person says that it is right: a belief is certain, anything else as alive as on its first day."""
    was: dict[str, Any] = {}
    with _changing(memory, actor, "confirmed", noted=was) as fresh:
        if fresh.state != State.LIVE:
            raise Clash("not_live", _("Only what is live can be confirmed."), state=fresh.state)
        was |= {"clock_at": fresh.clock_at.isoformat(), "start_weight": fresh.start_weight, "marked_wrong": fresh.marked_wrong}
        fresh.marked_wrong = False
        _set(fresh, {"clock_at": timezone.now(), "start_weight": 1.0})
        if fresh.version is not None:
            was["confidence"] = fresh.version.confidence
            entities.vouch(fresh.version, actor)
    return fresh


def unconfirm(memory: Memory, actor: Actor) -> Memory:
    """Take the last confirmation back; what has been used since keeps its new clock. Clash when there is none to take back."""
    with _changing(memory, actor, "unconfirmed") as fresh:
        acts = AuditEvent.objects.filter(user_id=fresh.user_id, object_type="memory", object_id=fresh.pk)
        last = acts.filter(action__in=["memory.confirmed", "memory.unconfirmed"]).order_by("-at", "-pk").first()
        if last is None or "clock_at" not in last.data:
            raise Clash("not_confirmed", _("There is no confirmation to take back."))
        fresh.marked_wrong = last.data["marked_wrong"]
        if fresh.last_used_at is None or fresh.last_used_at < last.at:
            _set(fresh, {"clock_at": datetime.fromisoformat(last.data["clock_at"]), "start_weight": last.data["start_weight"]})
        if fresh.version is not None:
            entities.unvouch(fresh.version, last.data["confidence"], actor)
    return fresh


def mark_useful(memory: Memory, actor: Actor) -> Memory:
    """有用: weight back to at least 0.8 and 15 more days."""
    with _changing(memory, actor, "useful") as fresh:
        _set(fresh, retention.useful(fresh, timezone.now()))
    return fresh


def mark_useless(memory: Memory, actor: Actor) -> Memory:
    """没用: 15 days older."""
    with _changing(memory, actor, "useless") as fresh:
        _set(fresh, retention.useless(fresh))
    return fresh


def not_useless(memory: Memory, actor: Actor) -> Memory:
    """It was of use after all: 15 days younger again."""
    with _changing(memory, actor, "not_useless") as fresh:
        fresh.extra_days += retention.FEEDBACK_DAYS
    return fresh


def _set(memory: Memory, changes: Mapping[str, Any]) -> None:
    for name, value in changes.items():
        setattr(memory, name, value)


def edit(memory: Memory, words: str, number: int | None, actor: Actor, *, reason: str = "") -> Memory:
    """Change the text. `number`: the edit count that the person saw; Clash if it has moved on (details: now, yours).

    Editing the row of a belief edits the belief, and returns the row of the new version.
    """
    words = readable(words)
    if memory.version_id:
        version = entities.edit_value(memory.version.entity, words, actor, expected_version=memory.version_id)
        return version.memory
    with _changing(memory, actor, "edited", reason) as fresh:
        if number is not None and fresh.number != number:
            raise Clash("changed_meanwhile", _("Someone changed this meanwhile."), now=fresh.text, yours=words)
        revise(fresh, words, actor, reason)
    indexing.index_words([fresh.pk])
    jobs.embed_soon([fresh.pk])
    return fresh


def revise(memory: Memory, words: str, actor: Actor, reason: str, data: dict | None = None) -> None:
    """Keep what it said as a revision, then let it say something else. Its vectors are made anew in the background."""
    MemoryRevision.objects.create(
        memory=memory, number=memory.number, text=memory.text, data=data or {}, actor=actor.kind, reason=reason[:200]
    )
    memory.text = words
    memory.number += 1
    memory.compared = False
    memory.space, memory.embedding, memory.code, memory.content_hash = None, None, None, ""
    memory.context, memory.context_embedding, memory.context_code = "", None, None


def readable(words: str) -> str:
    """A memory's text, if it can be one. Raises BadInput."""
    words = text.strip_controls(words).strip()
    if not words:
        raise BadInput("empty_text", _("Please type what to remember."))
    if len(words) > LONGEST:
        message = _("A memory may have at most %(limit)s characters; yours has %(length)s.")
        raise BadInput("too_long", message % {"limit": LONGEST, "length": len(words)}, limit=LONGEST)
    return words


def add(
    user: User,
    words: str,
    *,
    actor: Actor,
    kind: str = Kind.FRAGMENT,
    occurred_at: datetime | None = None,
    importance: float = 0.6,
) -> Memory:
    """A memory typed by hand. Fragments and themes only: beliefs are entities, summaries are made."""
    if kind not in {Kind.FRAGMENT, Kind.THEME}:
        raise BadInput("unknown_kind", _("By hand you can add events and themes."))
    now = timezone.now()
    with transaction.atomic():
        lock_user(user.pk)
        memory = Memory.objects.create(
            user=user,
            tier=Memory.Tier.LONG_TERM,
            kind=kind,
            text=readable(words),
            importance=min(1.0, max(0.0, importance)),
            occurred_at=occurred_at or now,
            recorded_at=now,
            clock_at=now,
        )
        indexing.index_words([memory.pk])
        jobs.embed_soon([memory.pk])
        record(user.pk, actor, "memory.added", memory)
    return memory
