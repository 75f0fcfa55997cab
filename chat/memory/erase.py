"""Erase: physical, everywhere. Text goes from versions, vectors, summaries, recalls and prompts; a hash stays behind.

The tombstone stops an import or a second extraction from bringing it back; the user's own new statement lifts it.
Turns are the user's raw record: erasing a fact leaves them, erasing a turn or a conversation takes them.
"""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from chat.db import lock_user
from chat.memory import merging
from chat.memory.actors import Actor, record
from chat.memory.redaction import redact
from chat.memory.tombstones import bury_belief, bury_text
from chat.models import (
    AuditEvent,
    Conflict,
    Conversation,
    Entity,
    EntityVersion,
    Measure,
    Memory,
    Recall,
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
    """A slot with all its versions, and the fragments that say the same in the user's words."""
    with transaction.atomic():
        lock_user(entity.user_id)
        record(entity.user_id, actor, "entity.erased", entity)
        versions = list(entity.versions.select_related("entity"))
        _erase_versions(entity.user_id, versions)
        entity.delete()


def erase_turn(turn: Turn, actor: Actor) -> None:
    """A turn and all that came from it alone; memories that have other sources too lose what it said."""
    with transaction.atomic():
        lock_user(turn.user_id)
        record(turn.user_id, actor, "turn.erased", turn)
        _erase_turns(turn.user_id, [turn])
        turn.refresh_from_db(fields=["parent"])
        turn.children.update(parent=turn.parent_id)
        Conversation.objects.filter(leaf=turn).update(leaf=turn.parent_id)
        turn.delete()


def erase_conversation(conversation: Conversation, actor: Actor, *, with_memories: bool) -> None:
    """Delete a conversation. Without `with_memories` what was learned in it stays, without its source turns."""
    with transaction.atomic():
        lock_user(conversation.user_id)
        record(conversation.user_id, actor, "conversation.erased", conversation, with_memories=with_memories)
        if with_memories:
            _erase_turns(conversation.user_id, list(conversation.turns.all()))
        conversation.delete()


def erase_all(user: User, actor: Actor) -> None:
    """Everything that this user ever said or that was made from it. The account itself stays."""
    with transaction.atomic():
        lock_user(user.pk)
        for model in (Conversation, Memory, Entity, Conflict, Recall, Tombstone, Measure, AuditEvent):
            model.objects.filter(user=user).delete()
        record(user.pk, actor, "user.erased", user)


def erase_account(user: User, actor: Actor) -> None:
    """The user with everything of theirs: settings, tokens, sign-in. Nothing stays but what staff did as staff."""
    with transaction.atomic():
        erase_all(user, actor)
        user.delete()


def _erase_turns(user_id: int, turns: list[Turn]) -> None:
    ids = [turn.pk for turn in turns]
    for turn in turns:
        bury_text(user_id, "turn", turn.text)
    versions = list(EntityVersion.objects.filter(turn__in=ids).select_related("entity"))
    _erase_versions(user_id, versions)
    Entity.objects.filter(pk__in={version.entity_id for version in versions}, versions=None).delete()
    touched = Memory.objects.owned_by_id(user_id).filter(turns__in=ids).distinct()
    for memory in touched.filter(merged_from__isnull=False):
        merging.separate(memory)
    others = Memory.turns.through.objects.exclude(turn__in=ids).values("memory_id")
    _erase_memories(user_id, touched.exclude(pk__in=others))
    touched.filter(kind=Memory.Kind.SUMMARY).update(stale=True)
    redact(user_id, {turn.text for turn in turns})


def _erase_versions(user_id: int, versions: list[EntityVersion]) -> None:
    ids = [version.pk for version in versions]
    for version in versions:
        bury_belief(user_id, version)
    quotes = {version.quote for version in versions if version.quote}
    same_words = Q()
    for quote in quotes:
        same_words |= Q(text__contains=quote)
    if quotes:
        fragments = Memory.objects.owned_by_id(user_id).filter(same_words, kind=Memory.Kind.FRAGMENT)
        _erase_memories(user_id, fragments)
    redact(user_id, quotes, values={v.value for v in versions}, version_ids=ids)
    Memory.objects.filter(version__in=ids).delete()
    EntityVersion.objects.filter(pk__in=ids).delete()


def _erase_memories(user_id: int, memories: Iterable[Memory]) -> None:
    memories = list(memories)
    for memory in memories:
        merging.part(memory)
    memories += Memory.objects.filter(merged_into__in=[memory.pk for memory in memories])
    if not memories:
        return
    ids = [memory.pk for memory in memories]
    for memory in memories:
        bury_text(user_id, "memory", memory.text)
    redact(user_id, {memory.text for memory in memories}, memory_ids=ids)
    Memory.objects.filter(Q(parents__in=ids) | Q(children__in=ids)).update(stale=True)
    Memory.objects.filter(pk__in=ids).delete()
