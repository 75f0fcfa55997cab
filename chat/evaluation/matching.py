"""When a stored belief is the value that a labelled case names (chat/evaluation/cases/README.md, "Matching")."""

import json
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from chat.memory import ontology, values
from chat.memory.text import fold
from chat.memory.values import Relation
from chat.models import EntityVersion

# Slots of open text: a value that contains a spelling is that value.
OPEN_TEXT = {
    *("preference." + name for name in ("practice_method", "disliked_practice", "environment")),
    *("goal." + name for name in ("reading_plan", "sleep_goal", "retreat_plan", "other_goal")),
    *("habit." + name for name in ("exercise", "common_difficulty")),
    *("status." + name for name in ("health_condition", "current_focus")),
    *("profile." + name for name in ("occupation", "location", "address", "family", "pet")),
    *("schedule." + name for name in ("appointment", "reminder")),
}


@dataclass(frozen=True)
class Belief:
    """A version as it stood at one moment."""

    slot: str
    item: str
    value: str
    normalized: dict
    key: str
    valid_from: datetime | None

    @classmethod
    def of(cls, version: EntityVersion) -> "Belief":
        entity = version.entity
        return cls(entity.slot, entity.item, version.value, version.normalized, version.key, version.valid_from)


@dataclass(frozen=True)
class Reader:
    """Reads spellings as the engine would have read them at this moment in this zone."""

    at: datetime
    zone: str

    def meets(self, belief: Belief, spellings: list[str], *, exact: bool = False) -> bool:
        """Is the belief one of these? `exact`: an equal one only, also in slots of open text."""
        return any(self._is(belief, spelling, exact) for spelling in spellings)

    def _is(self, belief: Belief, spelling: str, exact: bool) -> bool:
        named, words = fold(spelling), [fold(belief.value), fold(belief.item)]
        if named in words or self._dated(belief, spelling):
            return True
        if not exact and belief.slot in OPEN_TEXT and any(named in said for said in words):
            return True
        return self._equal(belief, spelling)

    def _equal(self, belief: Belief, spelling: str) -> bool:
        attribute = ontology.load().attribute(belief.slot)
        meant = values.normalise(attribute, spelling, self.at, self.zone)
        if meant is None:
            return False
        if meant.key == belief.key:
            return True
        both_ways = (
            values.compare(attribute, belief.normalized, meant.normalized),
            values.compare(attribute, meant.normalized, belief.normalized),
        )
        return both_ways == (Relation.SAME, Relation.SAME)

    def _dated(self, belief: Belief, spelling: str) -> bool:
        """An ISO date or moment: in the value, in its normalised form, or the day since which it holds."""
        if not spelling[:4].isdigit() or spelling[4:5] != "-":
            return False
        stored = json.dumps(belief.normalized, ensure_ascii=False).replace("T", " ")
        if spelling in stored or spelling in belief.value:
            return True
        since = belief.valid_from and belief.valid_from.astimezone(ZoneInfo(self.zone))
        return bool(since) and f"{since:%Y-%m-%d %H:%M}".startswith(spelling)
