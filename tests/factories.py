"""Rows for tests: plain functions with sensible defaults, every field open to be said otherwise."""

import itertools

from django.contrib.auth.models import User
from django.utils import timezone

from chat.models import (
    ApiToken,
    Conflict,
    Conversation,
    Document,
    Entity,
    EntityVersion,
    Memory,
    MemorySource,
    Notice,
    Passage,
    Recall,
    RecallItem,
    Turn,
)

_numbers = itertools.count(1)


def make_user(name: str = "", **fields) -> User:
    """A user with the password `secret`; `is_staff=True` and the like are fields."""
    name = name or f"user{next(_numbers)}"
    return User.objects.create_user(name, password=fields.pop("password", "secret"), **fields)


def make_token(user: User) -> str:
    """The secret of a new API token."""
    _token, secret = ApiToken.objects.issue(user)
    return secret


def make_conversation(user: User, **fields) -> Conversation:
    if fields.get("temporary"):
        fields.setdefault("memory", "read_only")
    return Conversation.objects.create(user=user, **fields)


def make_turn(conversation: Conversation, text: str = "我昨天冥想时总走神", answer: str = "可以试试数息。", **fields) -> Turn:
    """An answered turn at the end of its conversation; `answer=""` with `status="queued"` for one that waits."""
    fields.setdefault("status", Turn.Status.DONE if answer else Turn.Status.QUEUED)
    fields.setdefault("answered_by", "builtin" if answer else "")
    fields.setdefault("at", timezone.now())
    fields.setdefault("parent", conversation.leaf)
    if fields["status"] in {Turn.Status.DONE, Turn.Status.STOPPED}:
        fields.setdefault("started_at", fields["at"])
        fields.setdefault("finished_at", fields["at"])
    turn = Turn.objects.create(conversation=conversation, user=conversation.user, text=text, answer=answer, **fields)
    conversation.leaf = turn
    conversation.last_turn_at = turn.at
    conversation.save(update_fields=["leaf", "last_turn_at"])
    return turn


def make_memory(user: User, text: str = "打坐时腿麻，十分钟就坐不住了", turns: tuple[Turn, ...] = (), **fields) -> Memory:
    """A live fragment without vector or words (chat.memory.indexing makes those)."""
    kind = fields.setdefault("kind", Memory.Kind.FRAGMENT)
    if kind == Memory.Kind.SUMMARY:
        fields.setdefault("level", 1)
    if fields.get("state") == Memory.State.FORGOTTEN:
        fields.setdefault("forgotten_at", timezone.now())
        fields.setdefault("forgotten_by", "user")
    memory = Memory.objects.create(user=user, text=text, **fields)
    MemorySource.objects.bulk_create([MemorySource(memory=memory, turn=turn) for turn in turns])
    return memory


def make_entity(user: User, slot: str = "preference.meditation_sound", **fields) -> Entity:
    category, _dot, attribute = slot.partition(".")
    return Entity.objects.create(user=user, category=category, attribute=attribute, **fields)


def make_version(entity: Entity, value: str = "流水声", **fields) -> EntityVersion:
    """The current belief; give `status` for another. A `turn` makes it a quote of the turn's whole text."""
    turn = fields.get("turn")
    fields.setdefault("source", EntityVersion.Source.EXPLICIT if turn else EntityVersion.Source.USER_EDIT)
    if turn:
        fields.setdefault("quote", turn.text)
        fields.setdefault("recorded_at", turn.at)
    fields.setdefault("normalized", {"type": "text", "text": value})
    fields.setdefault("key", value)
    return EntityVersion.objects.create(entity=entity, value=value, **fields)


def believe(user: User, slot: str = "preference.meditation_sound", value: str = "静音", **fields) -> Entity:
    """An entity with its current version."""
    entity = make_entity(user, slot, **{name: fields.pop(name) for name in ("item", "pinned") if name in fields})
    make_version(entity, value, **fields)
    return entity


def make_conflict(user: User, old: str = "流水声", new: str = "静音", **fields) -> Conflict:
    """An open conflict between two versions of one entity, made unless given as `entity`."""
    entity = fields.pop("entity", None) or make_entity(user)
    turn = fields.get("turn")
    before = fields.pop("old_version", None) or make_version(entity, old, status="superseded")
    after = fields.pop("new_version", None) or make_version(entity, new, supersedes=before, turn=turn)
    fields.setdefault("kind", Conflict.Kind.ENTITY)
    if fields.get("status", "open") != "open":
        fields.setdefault("decision", "keep_new")
        fields.setdefault("decider", "user")
        fields.setdefault("decided_at", timezone.now())
    return Conflict.objects.create(user=user, entity=entity, old=before, new=after, **fields)


def make_notice(turn: Turn, text: str = "已记住：冥想时静音", **fields) -> Notice:
    fields.setdefault("kind", Notice.Kind.CONFLICT if fields.get("conflict") else Notice.Kind.REMEMBERED)
    return Notice.objects.create(turn=turn, text=text, **fields)


def make_document(title: str = "数息", text: str = "从一数到十，再从一开始。", **fields) -> Document:
    """A document of one passage."""
    fields.setdefault("source", f"test/{next(_numbers)}.md")
    document = Document.objects.create(title=title, file_hash="0" * 64, **fields)
    Passage.objects.create(document=document, number=1, text=text)
    return document


def make_recall(turn: Turn, memories: tuple[Memory, ...] = (), **fields) -> Recall:
    """What the answer of `turn` saw: each of `memories` used, with parts that add up to its score."""
    fields.setdefault("query", turn.text)
    fields.setdefault("attempt", turn.attempt)
    fields.setdefault("considered", len(memories))
    recall = Recall.objects.create(user=turn.user, turn=turn, **fields)
    for rank, memory in enumerate(memories, 1):
        parts = {"semantic": 0.5, "recency": 0.1}
        RecallItem.objects.create(
            recall=recall, memory=memory, rank=rank, text=memory.text, kind=memory.kind,
            decision=RecallItem.Decision.USED, score=sum(parts.values()), parts=parts, routes=["vector"],
        )  # fmt: skip
    return recall
