"""A sample history to look around in: loaded into an account that wants it, and taken out again without leaving anything."""

import tomllib
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from chat.conversations import Exchange, add_history
from chat.db import lock_user
from chat.memory import erase
from chat.memory.actors import Actor
from chat.models import Account, Conversation, Tombstone

FILE = Path(__file__).with_suffix(".toml")
NAME = Conversation.SAMPLE


def load(user: User, language: str) -> list[Conversation]:
    """Conversations of the last three weeks, remembered like any other. A second call adds nothing."""
    now = timezone.now().astimezone(ZoneInfo(Account.objects.of(user).zone_name))
    talks = []
    for number, told in enumerate(tomllib.loads(FILE.read_text(encoding="utf-8"))[language]):
        name = f"{NAME}{language}:{number}"
        talk, _new = Conversation.objects.get_or_create(user=user, imported_from=name, defaults={"title": told["title"]})
        if not talk.turns.exists():
            add_history(talk, [_exchange(turn, now) for turn in told["turns"]])
        talks.append(talk)
    return talks


def _exchange(turn: dict, now) -> Exchange:
    day = now - timedelta(days=turn["ago"])
    return Exchange(turn["text"], turn["answer"], day.replace(hour=turn["hour"], minute=0, second=0, microsecond=0))


def remove(user: User) -> None:
    """Out with its conversations and all that was remembered from them; nothing stops it from being loaded again."""
    with transaction.atomic():
        lock_user(user.pk)
        before = set(Tombstone.objects.filter(user=user).values_list("pk", flat=True))
        for talk in Conversation.objects.owned_by(user).filter(imported_from__startswith=NAME):
            erase.erase_conversation(talk, Actor.person(user), with_memories=True)
        Tombstone.objects.filter(user=user).exclude(pk__in=before).delete()


def loaded(user: User) -> bool:
    return Conversation.objects.owned_by(user).filter(imported_from__startswith=NAME).exists()
