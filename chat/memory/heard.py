"""What a turn says of which slots, and how these stand before it is observed."""

from dataclasses import dataclass
from typing import NamedTuple

from chat.memory.actors import Actor
from chat.memory.rules import Proposal
from chat.memory.versions import draft
from chat.models import Entity, EntityVersion, Turn


class SlotKey(NamedTuple):
    """Which row of the state: of a multi-valued attribute one an item; with a conversation, what holds only there."""

    user_id: int
    category: str
    attribute: str
    item: str
    conversation_id: int | None


@dataclass(frozen=True)
class Heard:
    """One thing that a turn says, and who read it there."""

    turn: Turn
    proposal: Proposal
    actor: Actor
    extractor: str

    @property
    def slot(self) -> str:
        return self.proposal.slot

    @property
    def key(self) -> SlotKey:
        scope = self.turn.conversation_id if self.proposal.scope == "conversation" else None
        return SlotKey(self.turn.user_id, self.proposal.category, self.proposal.attribute, self.proposal.item[:120], scope)

    def draft(self, entity: Entity) -> EntityVersion:
        return draft(entity, self.turn, self.proposal, self.extractor)


Standing = dict[SlotKey, Entity | None]  # slots as they were looked up, with `.believed`; None where there is no row


def look_up(heard: list[Heard]) -> Standing:
    """How all the slots that are spoken of stand, in two queries whatever their number."""
    wanted = {each.key for each in heard}
    if not wanted:
        return {}
    rows = Entity.objects.filter(
        user_id=heard[0].turn.user_id,
        category__in={key.category for key in wanted},
        attribute__in={key.attribute for key in wanted},
        item__in={key.item for key in wanted},
    )
    here = rows.visible_in(heard[0].turn.conversation_id).with_believed()
    found = {SlotKey(e.user_id, e.category, e.attribute, e.item, e.conversation_id): e for e in here}
    return {key: found.get(key) for key in wanted}


def take_up(heard: Heard, standing: Standing) -> Entity:
    """The slot that is spoken of, made if need be, with `.believed`. What was looked up counts once: it may change then."""
    if heard.key in standing:
        entity = standing.pop(heard.key)
    else:
        entity = Entity.objects.filter(**heard.key._asdict()).with_believed().first()
    if entity is None:
        entity = Entity.objects.create(**heard.key._asdict())
        entity.believed = []
    return entity
