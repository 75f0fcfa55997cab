"""Reminders that are due: told in the chat when their user is there, at most three times (DESIGN §6).

Nothing is sent to anybody who is away. Each telling counts as passed over until an answer uses the reminder or its user
calls it useful; what was passed over three times, or is a day late, expires with the next night.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db.models import F

from chat.memory.details import show_day
from chat.memory.retention import COMMAND_LINGERS, SKIPS_TO_EXPIRE
from chat.models import Memory

AT_ONCE = 3
_TEXTS = {"zh": "提醒（{when}）：{what}", "en": "Reminder ({when}): {what}"}


def take_due(user: User, at: datetime) -> list[Memory]:
    """What is due at the moment and may be told, longest due first; each is counted as passed over once more."""
    rows = Memory.objects.owned_by(user).live().filter(decay=Memory.Decay.COMMAND, marked_wrong=False, skips__lt=SKIPS_TO_EXPIRE)
    due = rows.filter(due_at__lte=at, due_at__gt=at - COMMAND_LINGERS).select_related("version").order_by("due_at", "pk")
    # The conditional update is the lock: of two answers at once only one tells it.
    return [memory for memory in due[:AT_ONCE] if Memory.objects.filter(pk=memory.pk, skips=memory.skips).update(skips=F("skips") + 1)]


def in_words(memory: Memory, at: datetime, zone: str, language: str) -> str:
    """The reminder as the user reads it: when it is for, and what."""
    local = memory.due_at.astimezone(ZoneInfo(zone))
    when = f"{show_day(memory.due_at, at, zone, language)} {local:%H:%M}"
    return _TEXTS[language].format(when=when, what=memory.version.value if memory.version else memory.text)
