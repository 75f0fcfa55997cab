"""Conversations: begin one, change it, bring in what was said elsewhere. Deleting one is `chat.memory.erase`."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from chat import jobs
from chat.errors import BadInput
from chat.memory.text import is_blank, language, strip_controls
from chat.memory.tombstones import fingerprint_of_text
from chat.models import Conversation, Job, Tombstone, Turn

MAX_TITLE = 120
TEMPORARY_HOURS = 24
Mode = Conversation.MemoryMode


@dataclass(frozen=True)
class Exchange:
    """One question and its answer from elsewhere. `at` is aware; `key` names it for good, "" = made from its content."""

    text: str
    answer: str
    at: datetime
    key: str = ""


@dataclass(frozen=True)
class History:
    """What `add_history` did: the new turns in order, how many exchanges were there already, how many had been erased."""

    turns: list[Turn] = field(default_factory=list)
    known: int = 0
    erased: int = 0


def begin(user: User, *, title: str = "", memory: str = "", temporary: bool = False) -> Conversation:
    """A new conversation. A temporary one has no memory unless it asks to read; it never writes.

    BadInput: title_too_long, temporary_never_writes.
    """
    mode = memory or (Mode.OFF if temporary else Mode.READ_WRITE)
    _check_mode(temporary, mode)
    return Conversation.objects.create(user=user, title=clean_title(title), memory=mode, temporary=temporary)


def end_temporary(now: datetime) -> int:
    """Delete temporary conversations a day after their last message; the number of them."""
    over = Conversation.objects.filter(temporary=True, last_turn_at__lt=now - timedelta(hours=TEMPORARY_HOURS))
    return over.delete()[1].get(Conversation._meta.label, 0)


def change(conversation: Conversation, *, title: str | None = None, memory: str | None = None) -> Conversation:
    """Rename it, or set how it uses the memory from now on. None leaves a thing as it is.

    BadInput: title_too_long, temporary_never_writes.
    """
    if title is not None:
        conversation.title = clean_title(title)
    if memory is not None:
        _check_mode(conversation.temporary, memory)
        conversation.memory = memory
    conversation.save(update_fields=["title", "memory"])
    return conversation


def _check_mode(temporary: bool, mode: str) -> None:
    if temporary and mode == Mode.READ_WRITE:
        raise BadInput("temporary_never_writes", _("A temporary chat never writes memories."))


def clean_title(title: str) -> str:
    title = " ".join(strip_controls(title).split())
    if len(title) > MAX_TITLE:
        raise BadInput("title_too_long", _("The title may have at most %(max)d characters.") % {"max": MAX_TITLE})
    return title


def add_history(conversation: Conversation, exchanges: Iterable[Exchange]) -> History:
    """Put exchanges into the conversation at their own times, and let them be remembered like any other.

    An exchange whose key the conversation has already is left out, so that a second run adds nothing; so is one whose
    words the user erased.
    No answer is generated; nothing in the texts is followed as an instruction. BadInput: empty_text.
    """
    wanted = dict(_keyed(exchanges))
    with transaction.atomic():
        conversation = Conversation.objects.select_for_update().get(pk=conversation.pk)
        known = set(conversation.turns.filter(key__in=wanted).values_list("key", flat=True))
        fresh = {key: item for key, item in wanted.items() if key not in known}
        allowed = _without_erased(conversation.user_id, fresh)
        turns = [_turn(conversation, key, item) for key, item in allowed.items()]
        Turn.objects.bulk_create(turns, batch_size=500)
        if turns:
            _thread(conversation, turns)
            if conversation.writes_memory:
                jobs.enqueue(Job.Kind.REMEMBER, turns)
    return History(turns, len(known), len(fresh) - len(allowed))


def _keyed(exchanges: Iterable[Exchange]) -> Iterable[tuple[str, Exchange]]:
    """Each with a key; the same words at the same moment for the second time get another one."""
    seen: Counter[str] = Counter()
    for item in sorted(exchanges, key=lambda item: item.at):
        if is_blank(item.text):
            raise BadInput("empty_text", _("A message without text can't be imported."))
        if item.key.startswith("import:"):  # of an earlier import, kept by our export
            yield item.key[:64], item
            continue
        name = item.key or f"{item.at.isoformat()}\n{item.text}"
        seen[name] += 1
        content = f"{name}\n{seen[name]}"
        yield "import:" + hashlib.sha256(content.encode()).hexdigest()[:40], item


def _without_erased(user_id: int, items: dict[str, Exchange]) -> dict[str, Exchange]:
    prints = {key: fingerprint_of_text(item.text) for key, item in items.items()}
    erased = Tombstone.objects.filter(user_id=user_id, kind="turn", fingerprint__in=prints.values())
    buried = set(erased.values_list("fingerprint", flat=True))
    return {key: item for key, item in items.items() if prints[key] not in buried}


def _turn(conversation: Conversation, key: str, item: Exchange) -> Turn:
    return Turn(
        conversation=conversation,
        user_id=conversation.user_id,
        text=strip_controls(item.text),
        answer=strip_controls(item.answer),
        at=item.at,
        key=key,
        language=language(item.text),
        status=Turn.Status.IMPORTED,
        answered_by="import",
        started_at=item.at,
        finished_at=item.at,
    )


def _thread(conversation: Conversation, new: list[Turn]) -> None:
    """Sort the new turns into the branch on screen by their times, and mend the links between neighbours."""
    branch = sorted([*_branch(conversation), *new], key=lambda turn: (turn.at, turn.pk))
    changed = []
    for parent, turn in zip([None, *branch], branch, strict=False):
        parent_id = parent and parent.pk
        if turn.parent_id != parent_id:
            turn.parent_id = parent_id
            changed.append(turn)
    Turn.objects.bulk_update(changed, ["parent"], batch_size=500)
    conversation.leaf = branch[-1]
    conversation.last_turn_at = branch[-1].at
    conversation.save(update_fields=["leaf", "last_turn_at"])


def _branch(conversation: Conversation) -> list[Turn]:
    """From the leaf back to the first turn."""
    turns = {turn.pk: turn for turn in conversation.turns.only("at", "parent_id")}
    found, turn_id = [], conversation.leaf_id
    while turn_id in turns:
        turn = turns.pop(turn_id)
        found.append(turn)
        turn_id = turn.parent_id
    return found
