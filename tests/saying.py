"""Let a user say things in tests of the state: only the steps of an answer that concern it, as the suite `conflicts` does."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User

from chat import reply
from chat.evaluation.conflicts import hear
from chat.memory import values
from chat.memory.ontology import load
from chat.memory.rules import Proposal
from chat.models import Conversation, EntityVersion, Turn
from tests.factories import make_conversation

SHANGHAI = ZoneInfo("Asia/Shanghai")


def day(month: int, number: int, hour: int = 8, minute: int = 0, second: int = 0) -> datetime:
    return datetime(2026, month, number, hour, minute, second, tzinfo=SHANGHAI)


def say(user: User, words: str, at: datetime | None = None, conversation: Conversation | None = None) -> Turn:
    turn = reply.post(user, conversation or make_conversation(user), words, at=at)
    turn = Turn.objects.select_related("conversation", "user").get(pk=turn.pk)
    hear(turn)
    return turn


def versions(user: User, slot: str):
    category, _dot, attribute = slot.partition(".")
    found = EntityVersion.objects.filter(entity__user=user, entity__category=category, entity__attribute=attribute)
    return found.order_by("pk")


def states(user: User, slot: str) -> list[tuple[str, str]]:
    """(value, status) of every version, in the order of writing."""
    return list(versions(user, slot).values_list("value", "status"))


def current(user: User, slot: str) -> str | None:
    return versions(user, slot).current().values_list("value", flat=True).first()


def proposal(slot: str, words: str, turn: Turn, **fields) -> Proposal:
    """What the rules would make of a plain statement of this value in the turn."""
    category, _dot, attribute = slot.partition(".")
    value = values.normalise(load().attribute(slot), words, turn.at, "Asia/Shanghai")
    fields.setdefault("quote", turn.text)
    return Proposal(category, attribute, value=value.shown, normalized=value.normalized, key=value.key, **fields)
