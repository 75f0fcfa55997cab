"""From a turn to the state: the rules at once, before the answer; the model later, in the background, through the same gate."""

import re
from dataclasses import replace
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.utils import timezone

from chat.db import lock_user
from chat.memory import rules
from chat.memory.observing import Observation, observe
from chat.memory.rules import Proposal
from chat.memory.versions import CERTAIN
from chat.models import Account, Conflict, EntityVersion, Turn

SENSITIVE = {"profile", "status"}
FRESH = timedelta(minutes=30)  # so long a message may lean on the one before it
LAST = 3  # of the messages before it
LONGEST_BEFORE = 300  # characters of each
MEASURES = ("time_of_day", "duration", "frequency")
MOST_HABITS = 5
MOST_BELIEFS = 12
_LAST_QUESTION = re.compile(r"[^。！？.!?\n]{2,160}[?？]\s*$")
UNSURE = CERTAIN - 0.01


def may_write(turn: Turn, account: Account) -> bool:
    """Both switches: the conversation's and the account's."""
    paused = account.memory_paused_until is not None and account.memory_paused_until > timezone.now()
    return turn.conversation.writes_memory and account.auto_memory and not paused


def observe_turn(turn: Turn, account: Account) -> list[Observation]:
    """Write what the turn's own words state. Done once per turn; a second call returns what the first one found.

    All or nothing: the mark on the turn is set in the transaction of the writes.
    """
    if not may_write(turn, account):
        return []
    if turn.observed_at is not None:
        return _observed_before(turn)
    said = rules.propose(turn.text, turn.at, account.zone_name, partial(_said_before, turn))
    said = said or _moved_from(turn, account) or _narrowed(turn, account)
    proposals = [as_wished(p, account) for p in said]
    with transaction.atomic():
        lock_user(turn.user_id)
        if not Turn.objects.filter(pk=turn.pk, observed_at=None).update(observed_at=timezone.now()):
            return _observed_before(turn)
        observations = observe(turn, proposals)
    turn.observed_at = timezone.now()
    return observations


def _said_before(turn: Turn) -> str:
    """The user's last messages in this conversation and the question that the last answer ended with, while they are fresh."""
    earlier = Turn.objects.filter(conversation_id=turn.conversation_id, at__lt=turn.at, at__gt=turn.at - FRESH)
    lines = list(earlier.order_by("-at", "-pk").values_list("text", "answer")[:LAST])
    asked = _LAST_QUESTION.search(lines[0][1][-LONGEST_BEFORE:]) if lines else None
    said = [text for text, _answer in reversed(lines) if len(text) <= LONGEST_BEFORE]
    return "\n".join([*said, *([asked[0].strip()] if asked else [])])


def _moved_from(turn: Turn, account: Account) -> list[Proposal]:
    """lately it might be closer to 7: of the one habit on record that such a value can be of."""
    if len(turn.text) > rules.LONGEST_REPLY or not rules.COMPARES.search(turn.text):
        return []
    habits = EntityVersion.objects.current().filter(
        entity__user_id=turn.user_id, entity__category="habit", entity__conversation=None, last_observed_at__lt=turn.at
    )
    read = [
        (version, rules.propose(turn.text, turn.at, account.zone_name, partial(str, version.quote)))
        for version in habits.filter(normalized__type__in=MEASURES).select_related("entity")[:MOST_HABITS]
    ]
    fitting = [own for version, found in read if (own := [p for p in found if p.slot == version.entity.slot])]
    return fitting[0] if len(fitting) == 1 else []


def _narrowed(turn: Turn, account: Account) -> list[Proposal]:
    """佛山顺德, days after 我在广东: of the one belief that it lies within."""

    def believed() -> list[tuple[str, dict]]:
        own = EntityVersion.objects.current().filter(entity__user_id=turn.user_id, entity__conversation=None)
        telling = own.filter(entity__category__in=["preference", "profile"], last_observed_at__lt=turn.at)
        newest = telling.select_related("entity").order_by("-recorded_at", "-pk")[:MOST_BELIEFS]
        return [(version.entity.slot, version.normalized) for version in newest]

    found = rules.narrowed(turn.text, turn.at, account.zone_name, believed)
    return found if len(found) == 1 else []


def as_wished(proposal: Proposal, account: Account) -> Proposal:
    """People may ask to confirm what is remembered of them: then it waits."""
    always = account.confirm_new == Account.Confirm.ALWAYS
    sensitive = account.confirm_new == Account.Confirm.SENSITIVE and proposal.category in SENSITIVE
    if (always or sensitive) and proposal.operation == "assert":
        return replace(proposal, confidence=min(proposal.confidence, UNSURE))
    return proposal


def _observed_before(turn: Turn) -> list[Observation]:
    conflicts = {c.new_id: c for c in Conflict.objects.for_review().filter(turn=turn, kind=Conflict.Kind.ENTITY)}
    versions = EntityVersion.objects.filter(turn=turn).select_related("entity", "supersedes")
    observations = []
    for version in versions:
        if version.status == EntityVersion.Status.PENDING:
            outcome = "pending"
        elif version.status == EntityVersion.Status.CURRENT:
            outcome = "replaced" if version.supersedes_id else "added"
        else:
            outcome = "history"
        observations.append(Observation(outcome, version.entity, version, conflicts.get(version.pk)))
    return observations
