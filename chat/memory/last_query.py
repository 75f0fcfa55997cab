"""What was talked of last: the entities last_query.topic and last_query.content, renewed by every turn, for 「上次…」."""

import re

from django.db import transaction

from chat.db import lock_user
from chat.memory.actors import SYSTEM
from chat.memory.material import LastTopic
from chat.memory.rules import read_question
from chat.memory.text import fold, words
from chat.memory.versions import Status, supersede
from chat.models import Entity, EntityVersion, Turn

CONTENT_CHARACTERS = 200
ADVICE_CHARACTERS = 1200
ADVICE_LEAST = 80  # characters; what is shorter was an acknowledgement
TOPICS_BACK = 30
_ADVISED = re.compile("方法|办法|做法|法子|步骤|建议|练习|招|advice|advise|suggest|method|exercise|practice|technique|tip")


def last_topic(turn: Turn) -> LastTopic | None:
    """What this turn may lean on: the newest earlier topic that it names (上次你说的数息…), else the newest.

    上次那个方法 leans on a question: what the user only told in between was answered without a method.
    """
    earlier = EntityVersion.objects.filter(
        entity__user_id=turn.user_id, entity__category="last_query", entity__attribute="topic", turn__isnull=False
    )
    versions = list(earlier.exclude(turn=turn).select_related("turn").order_by("-recorded_at", "-pk")[:TOPICS_BACK])
    if not versions:
        return None
    named = set(words(turn.text))
    version = next((v for v in versions if named & set(words(v.value))), None)
    if version is None and _ADVISED.search(fold(turn.text)):
        version = next((v for v in versions if _was_advised(v.turn)), None)
    version = version or versions[0]
    then = version.turn
    return LastTopic(
        topic=version.value,
        content=then.text[:CONTENT_CHARACTERS],
        advice=then.answer[:ADVICE_CHARACTERS],
        at=then.at,
    )


def _was_advised(turn: Turn) -> bool:
    """It asked, or told of a trouble and was answered by more than a nod."""
    return len(turn.answer) >= ADVICE_LEAST or read_question(turn.text, turn.at, "UTC").is_question


def note_topic(turn: Turn, topic: str) -> None:
    """Make this turn the last query. `topic` "" leaves it as it was: a greeting or 「上次那个」 opens no new topic."""
    if not topic:
        return
    with transaction.atomic():
        lock_user(turn.user_id)
        for attribute, value in (("topic", topic), ("content", turn.text.strip()[:CONTENT_CHARACTERS])):
            _renew(turn, attribute, value)


def _renew(turn: Turn, attribute: str, value: str) -> None:
    entity, _created = Entity.objects.get_or_create(
        user_id=turn.user_id, category="last_query", attribute=attribute, item="", conversation=None
    )
    current = entity.versions.current().first()
    if current is not None and (current.recorded_at > turn.at or current.turn_id == turn.pk):
        return
    version = EntityVersion(
        entity=entity,
        value=value,
        normalized={"type": "text", "text": value},
        key=value[:200],
        source=EntityVersion.Source.INFERRED,
        quote=turn.text.strip()[:CONTENT_CHARACTERS],
        turn=turn,
        recorded_at=turn.at,
        last_observed_at=turn.at,
        extractor="rules/1",
    )
    if current is not None:
        supersede(current, version, SYSTEM)
    else:
        version.status = Status.CURRENT
        version.save()
