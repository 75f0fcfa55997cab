"""The recallable row of a belief: each current entity version has one Memory of kind `entity`, made from it.

The caller holds the user's lock and a transaction. Vectors follow later, in the background.
"""

from collections.abc import Iterable

from chat.memory import indexing, ontology
from chat.models import Entity, EntityVersion, Memory, MemorySource

# How much a belief matters by what it is about (DESIGN §9: identity 0.8+, tastes 0.2–0.4).
IMPORTANCE = {"profile": 0.9, "goal": 0.7, "status": 0.7, "habit": 0.6, "schedule": 0.6, "preference": 0.5}
# Not worth a row of their own: what was asked last, and what holds in one conversation only.
NOT_RECALLED = {"last_query"}


def project(version: EntityVersion) -> None:
    """Make the belief recallable."""
    project_all([version])


def project_all(versions: Iterable[EntityVersion]) -> None:
    """Make the beliefs recallable, by one statement for the rows and one for the turns they come from."""
    rows = Memory.objects.bulk_create([_memory(version) for version in versions if _is_recalled(version.entity)])
    told = [MemorySource(memory=row, turn_id=row.version.turn_id) for row in rows if row.version.turn_id]
    MemorySource.objects.bulk_create(told)


def _is_recalled(entity: Entity) -> bool:
    return entity.category not in NOT_RECALLED and entity.conversation_id is None


def _memory(version: EntityVersion) -> Memory:
    """The row of a belief, not yet written."""
    entity = version.entity
    attribute = ontology.load().attribute(entity.slot)
    text, labels = sentence(version), _labels(version)
    return Memory(
        user_id=entity.user_id,
        conversation_id=version.turn.conversation_id if version.turn else None,
        tier=Memory.Tier.LONG_TERM,
        kind=Memory.Kind.ENTITY,
        version=version,
        text=text,
        labels=labels,
        **indexing.word_fields(entity.user_id, text, labels),
        occurred_at=version.valid_from or version.recorded_at,
        recorded_at=version.recorded_at,
        clock_at=version.recorded_at,
        decay=attribute.decay if attribute else Memory.Decay.STATE,
        due_at=version.valid_to or version.valid_from if attribute and attribute.decay == Memory.Decay.COMMAND else None,
        importance=IMPORTANCE.get(entity.category, 0.5),
        pinned=entity.pinned,
        authoritative=entity.authoritative,
    )


def sentence(version: EntityVersion) -> str:
    """The belief as one line, in the language it was said in: label, value, and the user's words."""
    entity = version.entity
    language = version.turn.language if version.turn else "zh"
    attribute = ontology.load().attribute(entity.slot)
    label = attribute.label(language) if attribute else entity.attribute.replace("_", " ")
    colon, opening, closing = (": ", " (“", "”)") if language == "en" else ("：", "（「", "」）")
    quote = f"{opening}{version.quote}{closing}" if version.quote and version.quote != version.value else ""
    return f"{label}{colon}{version.value}{quote}"


def _labels(version: EntityVersion) -> list[str]:
    attribute = ontology.load().attribute(version.entity.slot)
    labels = [attribute.label("zh"), attribute.label("en")] if attribute else []
    return [*labels, version.entity.item] if version.entity.item else labels


def replace(old: EntityVersion, new: EntityVersion) -> None:
    """The old row leaves recall and summaries that assert the old belief go stale; the new belief gets its row."""
    withdraw(old)
    project(new)


def withdraw(version: EntityVersion) -> None:
    Memory.objects.filter(version=version).update(state=Memory.State.SUPERSEDED)
    Memory.objects.filter(kind=Memory.Kind.SUMMARY, asserts=version).update(stale=True)


def keep_as_history(version: EntityVersion) -> None:
    """A belief that was true in its time stays recallable, with its dates."""
    span = {"occurred_at": version.valid_from, "occurred_to": version.valid_to}
    dated = {name: moment for name, moment in span.items() if moment}
    Memory.objects.filter(version=version).update(state=Memory.State.LIVE, decay=Memory.Decay.NORMAL, **dated)


def flag(entity: Entity, name: str, on: bool) -> None:
    """Pinned and authoritative are the entity's; its row shows them too."""
    current = EntityVersion.objects.current().filter(entity=entity)
    Memory.objects.filter(version__in=current).update(**{name: on})
