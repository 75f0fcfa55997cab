"""Everything of one user as one document: JSON that can be imported again, or Markdown to read.

What lies in the bin is in neither: who forgot it takes it along nowhere. (What was said stays in the turns, which are raw.)
Of it, and of what was erased, the JSON has hashes without any text, so that no import learns it again from those turns.
Both are generators of text pieces that read the database in batches, so that memory stays bounded however long the history is.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chat.memory.tombstones import fingerprint_of_memory
from chat.models import Account, AuditEvent, Conflict, Conversation, Entity, EntityVersion, Memory, Tombstone, Turn

FORMAT, VERSION = "xinji-export", 1
BATCH = 200

SETTINGS = (
    "language", "answer_language", "time_zone", "theme", "send_key", "announce", "use_memory", "auto_memory", "confirm_new",
    "weights",
)  # fmt: skip
CONVERSATION = ("id", "title", "memory", "created_at", "last_turn_at", "imported_from")
TURN = (
    "id", "conversation_id", "parent_id", "text", "at", "language", "key", "status", "answer", "answered_by", "topic",
    "emotion", "feedback",
)  # fmt: skip
ENTITY = ("id", "category", "attribute", "item", "conversation_id", "pinned", "authoritative", "created_at")
BELIEF = (
    "id", "entity_id", "value", "normalized", "confidence", "source", "quote", "turn_id", "time_words", "valid_from",
    "valid_to", "recorded_at", "observations", "status", "supersedes_id", "extractor",
)  # fmt: skip
MEMORY = (
    "id", "tier", "kind", "level", "text", "data", "version_id", "conversation_id", "occurred_at", "occurred_to",
    "recorded_at", "state", "importance", "pinned", "authoritative", "marked_wrong", "use_count", "last_used_at", "due_at",
    "forgotten_at", "merged_into_id",
)  # fmt: skip
CONFLICT = (
    "id", "kind", "entity_id", "old_id", "new_id", "memory_id", "turn_id", "status", "decision", "decider", "decided_at",
    "reason", "opened_at",
)  # fmt: skip
TOMBSTONE = ("kind", "fingerprint")
AUDIT = ("id", "actor", "action", "object_type", "object_id", "data", "reason", "at")


def as_json(user: User) -> Iterator[str]:
    """The document piece by piece; joined they are one JSON object."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "exported_at": timezone.now(),
        "user": user.get_username(),
        "settings": _fields(Account.objects.of(user), SETTINGS),
    }
    yield _dump(head)[:-1]
    yield from _array("conversations", _rows(_conversations(user), CONVERSATION))
    yield from _array("turns", _rows(_turns(user), TURN))
    yield from _array("entities", _rows(Entity.objects.owned_by(user), ENTITY))
    yield from _array("versions", _rows(EntityVersion.objects.owned_by(user).outside_bin(), BELIEF))
    yield from _array("memories", map(_memory, in_batches(Memory.objects.owned_by(user).outside_bin().prefetch_related("sources"))))
    yield from _array("tombstones", _graves(user))
    yield from _array("conflicts", _rows(Conflict.objects.owned_by(user), CONFLICT))
    yield from _array("audit", _rows(AuditEvent.objects.filter(user=user), AUDIT))
    yield "}\n"


def in_batches(rows: QuerySet) -> Iterator[Model]:
    """All rows in order of their key, BATCH at a time, with no cursor left open between two batches."""
    last = 0
    while batch := list(rows.filter(pk__gt=last).order_by("pk")[:BATCH]):
        yield from batch
        last = batch[-1].pk


def _conversations(user: User) -> QuerySet:
    return Conversation.objects.owned_by(user).filter(temporary=False)


def _turns(user: User) -> QuerySet:
    return Turn.objects.owned_by(user).filter(conversation__temporary=False)


def _rows(rows: QuerySet, names: tuple[str, ...]) -> Iterator[dict]:
    return (_fields(row, names) for row in in_batches(rows))


def _fields(row: Model, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}


def _memory(row: Memory) -> dict:
    return _fields(row, MEMORY) | {"turn_ids": [source.turn_id for source in row.sources.all()]}


def _graves(user: User) -> Iterator[dict]:
    """The hashes of what was erased, and of what was forgotten by hand: it must not come back with an import."""
    for row in in_batches(Tombstone.objects.filter(user=user)):
        yield _fields(row, TOMBSTONE)
    binned = Memory.objects.owned_by(user).filter(state=Memory.State.FORGOTTEN).exclude(forgotten_by="decay")
    for memory in in_batches(binned.select_related("version__entity")):
        yield {"kind": memory.kind, "fingerprint": fingerprint_of_memory(memory)}


def _array(name: str, rows: Iterable[dict]) -> Iterator[str]:
    yield f',\n"{name}": ['
    for number, row in enumerate(rows):
        yield (",\n" if number else "\n") + _dump(row)
    yield "]"


def _dump(value: dict) -> str:
    return json.dumps(value, ensure_ascii=False, cls=DjangoJSONEncoder)


def as_markdown(user: User) -> Iterator[str]:
    """State, memories and conversations for reading, in the language that is active."""
    yield f"# {_('My memory in Xinji')}\n\n{_day(timezone.now())}\n"
    yield f"\n## {_('State')}\n\n"
    current = EntityVersion.objects.owned_by(user).current().select_related("entity")
    for version in in_batches(current):
        item = f" ({version.entity.item})" if version.entity.item else ""
        yield f"- {version.entity.slot}{item}: {_line(version.value)} · {_day(version.recorded_at)}\n"
    yield f"\n## {_('Memories')}\n\n"
    for memory in in_batches(Memory.objects.owned_by(user).live().exclude(kind=Memory.Kind.ENTITY)):
        yield _memory_line(memory)
    yield f"\n## {_('Conversations')}\n"
    for talk in in_batches(_conversations(user)):
        yield f"\n### {_line(talk.title) or _day(talk.created_at)}\n"
        yield from _said(talk)


def memories_as_json(rows: QuerySet) -> Iterator[str]:
    """Some memories, each with the fields that it has in the export of everything. Not for bringing in again."""
    yield _dump({"format": "xinji-memories", "version": VERSION, "exported_at": timezone.now()})[:-1]
    yield from _array("memories", map(_memory, in_batches(rows.prefetch_related("sources"))))
    yield "}\n"


def memories_as_markdown(rows: QuerySet) -> Iterator[str]:
    yield f"# {_('Memories')}\n\n"
    yield from map(_memory_line, in_batches(rows))


def _memory_line(memory: Memory) -> str:
    return f"- {_day(memory.occurred_at)} · {memory.get_kind_display()}: {_line(memory.text)}\n"


def talk_as_markdown(talk: Conversation) -> Iterator[str]:
    """One conversation for reading, with all its branches."""
    yield f"# {_line(talk.title) or _day(talk.created_at)}\n"
    yield from _said(talk)


def _said(talk: Conversation) -> Iterator[str]:
    for turn in in_batches(talk.turns.all()):
        yield f"\n**{_('I')}** · {_day(turn.at)}\n\n{_quoted(turn.text)}\n\n{turn.answer}\n"


def _day(moment) -> str:
    return date_format(timezone.localtime(moment), "Y-m-d H:i")


def _line(text: str) -> str:
    return " ".join(text.split())


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())
