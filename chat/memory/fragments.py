"""Fragments: the blocks of a message that are worth keeping, as recallable rows."""

from datetime import timedelta

from django.db import transaction

from chat.db import lock_user
from chat.memory import details, emotions, fingerprints, indexing, ontology
from chat.memory.blocks import Block, blocks
from chat.memory.importance import importance
from chat.memory.intents import intents
from chat.memory.keywords import keywords
from chat.memory.tombstones import buried_texts
from chat.models import Account, EntityVersion, Memory, MemorySource, Turn

CONTEXT_TURNS = 2
CONTEXT_CHARACTERS = 300  # of each turn in the context
HEARD_CHARACTERS = 2000  # of the answer before, whose echo is not kept
KEY_WORDS = 4


def keep(turn: Turn, account: Account) -> list[Memory]:
    """Store the blocks of the turn's message. Done once per turn: whatever became of its fragments since, none comes back."""
    zone = account.zone_name
    beliefs = list(EntityVersion.objects.filter(turn=turn).exclude(entity__category="last_query").select_related("entity"))
    found = blocks(turn.text, turn.at, zone, [belief.quote for belief in beliefs], heard_before(turn))
    if not found:
        return []
    context = _context(turn)
    drafts = [_draft(turn, block, beliefs, context, zone) for block in found]
    with transaction.atomic():
        lock_user(turn.user_id)
        if not Turn.objects.filter(pk=turn.pk).exists():  # erased meanwhile
            return []
        if Memory.objects.filter(kind=Memory.Kind.FRAGMENT, sources__turn=turn).exists():
            return []
        erased = buried_texts(turn.user_id, [memory.text for memory in drafts])
        kept = [memory for memory in drafts if memory.text not in erased]
        Memory.objects.bulk_create(kept)
        MemorySource.objects.bulk_create(MemorySource(memory=memory, turn=turn) for memory in kept)
        indexing.index_words([memory.pk for memory in kept])
    return kept


def _draft(turn: Turn, block: Block, beliefs: list[EntityVersion], context: str, zone: str) -> Memory:
    found = details.find(block.text, turn.at, zone)
    feeling = emotions.emotion(block.text)
    start, end = event_time(block, turn)
    labels = _labels(block, beliefs, [d.words for d in found if d.kind == "name"], turn.language)
    memory = Memory(
        user_id=turn.user_id,
        conversation_id=turn.conversation_id,
        tier=Memory.Tier.SHORT_TERM,
        kind=Memory.Kind.FRAGMENT,
        text=block.text,
        context=context if context != block.text else "",
        labels=labels,
        intents=intents(block.text),
        emotion=feeling,
        importance=importance(block.text, block.intent, feeling, len(found)),
        occurred_at=start,
        occurred_to=end,
        recorded_at=turn.at,
        clock_at=turn.at,
    )
    stamp(memory, block.intent)
    return memory


def stamp(memory: Memory, intent: str) -> None:
    """The three fingerprints: what it is about, what it is said for, in which hour."""
    about = sorted(keywords([memory.text], limit=8))
    memory.fingerprint_entity = fingerprints.of_meaning(*about) if about else fingerprints.of_meaning(memory.text)
    memory.fingerprint_intent = intent
    memory.fingerprint_hour = fingerprints.of_hour(memory.occurred_at)


def event_time(block: Block, turn: Turn):
    """When it happened: the time that the block names, else the moment of the message."""
    if block.when is None:
        return turn.at, None
    end = block.when.end
    return block.when.start, end if end - block.when.start > timedelta(minutes=1) else None


def _labels(block: Block, beliefs: list[EntityVersion], names: list[str], language: str) -> list[str]:
    slots = [ontology.load().attribute(b.entity.slot) for b in beliefs if b.quote and b.quote in block.text]
    labels = [slot.label(language) for slot in slots if slot is not None]
    return list(dict.fromkeys([*labels, *names, *keywords([block.text], KEY_WORDS)]))[:12]


def heard_before(turn: Turn) -> str:
    """The answer that the message follows: what it only echoes is not kept."""
    before = Turn.objects.before(turn).only("answer", "at", "conversation_id").first()
    return before.answer[:HEARD_CHARACTERS] if before else ""


def _context(turn: Turn) -> str:
    """The second key: the turns before it and itself, as they were said. "" for a first message."""
    before = Turn.objects.before(turn).only("text", "answer", "at", "conversation_id")[:CONTEXT_TURNS]
    said = [f"{earlier.text[:CONTEXT_CHARACTERS]}\n{earlier.answer[:CONTEXT_CHARACTERS]}".strip() for earlier in reversed(before)]
    return "\n".join([*said, turn.text[: 2 * CONTEXT_CHARACTERS]]) if said else ""
