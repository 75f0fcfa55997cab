"""Erase: physical, everywhere. Text goes from versions, vectors, summaries, recalls and prompts; a hash stays behind.

The tombstone stops an import or a second extraction from bringing it back; the user's own new statement lifts it.
"""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from chat.db import lock_user
from chat.memory.actors import Actor, record
from chat.memory.tombstones import bury_belief, bury_text
from chat.models import (
    AuditEvent,
    Conflict,
    Conversation,
    Entity,
    EntityVersion,
    Measure,
    Memory,
    Notice,
    Recall,
    RecallItem,
    Tombstone,
    Turn,
)


def erase_memory(memory: Memory, actor: Actor) -> None:
    """One memory for good. The row of a belief takes the whole entity with it."""
    if memory.version_id:
        erase_entity(memory.version.entity, actor)
        return
    with transaction.atomic():
        lock_user(memory.user_id)
        record(memory.user_id, actor, "memory.erased", memory)
        _erase_memories(memory.user_id, [memory])


def erase_entity(entity: Entity, actor: Actor) -> None:
    """A slot with all its versions. Each value gets its tombstone; notices and conflicts that quote it go too."""
    with transaction.atomic():
        lock_user(entity.user_id)
        versions = list(entity.versions.select_related("entity"))
        record(entity.user_id, actor, "entity.erased", entity)
        for version in versions:
            bury_belief(entity.user_id, version)
        _scrub(entity.user_id, {text for v in versions for text in (v.value, v.quote) if text})
        rows = Memory.objects.filter(version__in=versions)
        _empty_recalls(RecallItem.objects.filter(Q(memory__in=rows) | Q(version_id_then__in=[v.pk for v in versions])))
        Memory.objects.filter(kind=Memory.Kind.SUMMARY, asserts__in=versions).update(stale=True)
        rows.delete()
        entity.delete()


def erase_turn(turn: Turn, actor: Actor) -> None:
    """A turn and all that came from it alone; memories that have other sources too are marked for rewriting."""
    with transaction.atomic():
        lock_user(turn.user_id)
        record(turn.user_id, actor, "turn.erased", turn)
        _erase_turns(turn.user_id, [turn.pk])
        turn.delete()


def erase_conversation(conversation: Conversation, actor: Actor, *, with_memories: bool) -> None:
    """Delete a conversation. Without `with_memories` what was learned in it stays, without its source turns."""
    with transaction.atomic():
        lock_user(conversation.user_id)
        record(conversation.user_id, actor, "conversation.erased", conversation, with_memories=with_memories)
        if with_memories:
            _erase_turns(conversation.user_id, list(conversation.turns.values_list("pk", flat=True)))
        conversation.delete()


def erase_all(user: User, actor: Actor) -> None:
    """Everything that this user ever said or that was made from it. The account itself stays."""
    with transaction.atomic():
        lock_user(user.pk)
        for model in (Conversation, Memory, Entity, Conflict, Recall, Tombstone, Measure, AuditEvent):
            model.objects.filter(user=user).delete()
        record(user.pk, actor, "user.erased", user)


def _erase_turns(user_id: int, turn_ids: list[int]) -> None:
    """What these turns alone brought about: beliefs, memories, quotes."""
    versions = list(EntityVersion.objects.filter(turn__in=turn_ids).select_related("entity"))
    for version in versions:
        bury_belief(user_id, version)
    touched = Memory.objects.filter(turns__in=turn_ids).exclude(kind=Memory.Kind.ENTITY)
    shared = touched.filter(pk__in=Memory.objects.filter(turns__isnull=False).exclude(turns__in=turn_ids).values("pk"))
    alone = [m for m in touched.exclude(pk__in=shared.values("pk")).distinct()]
    shared.filter(kind=Memory.Kind.SUMMARY).update(stale=True)
    _erase_memories(user_id, alone)
    for turn in Turn.objects.filter(pk__in=turn_ids):
        bury_text(user_id, "turn", turn.text)
    _empty_recalls(RecallItem.objects.filter(version_id_then__in=[v.pk for v in versions]))
    Memory.objects.filter(kind=Memory.Kind.SUMMARY, asserts__in=versions).update(stale=True)
    entity_ids = {version.entity_id for version in versions}
    EntityVersion.objects.filter(pk__in=[v.pk for v in versions]).delete()
    Entity.objects.filter(pk__in=entity_ids, versions=None).delete()


def _erase_memories(user_id: int, memories: Iterable[Memory]) -> None:
    memories = list(memories)
    for memory in memories:
        bury_text(user_id, "memory", memory.text)
    _scrub(user_id, {memory.text for memory in memories})
    ids = [memory.pk for memory in memories]
    _empty_recalls(RecallItem.objects.filter(memory__in=ids))
    Memory.objects.filter(parents__in=ids).update(stale=True)
    Memory.objects.filter(children__in=ids).update(stale=True)
    Memory.objects.filter(pk__in=ids).delete()


def _empty_recalls(items) -> None:
    """Recalls keep their numbers; the texts and the prompts that carried them go."""
    Recall.objects.filter(items__in=items).update(prompt=[])
    items.update(text="")


def _scrub(user_id: int, texts: set[str]) -> None:
    """Notices that quote one of the texts. They were made from it, so they go with it."""
    for text in texts:
        Notice.objects.filter(turn__user_id=user_id, text__contains=text).delete()
