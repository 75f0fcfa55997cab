"""The vague offer: a question comes near something that has faded, and the user may have it back."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from chat.db import lock_user
from chat.memory.text import words
from chat.models import Memory

LOOKED_AT = 400  # faded memories, newest first
LEAST_COMMON = 2  # search words that question and memory share
_TEXTS = {
    "zh": "你之前提过一次关于{topic}的事，要恢复这条记忆吗？",
    "en": "You once mentioned something about {topic}. Shall I restore that memory?",
}


def offer(user: User, question: str, at: datetime) -> Memory | None:
    """The faded memory that the question comes nearest to, marked as offered now; each is offered once. None: nothing near.

    What the user forgot by hand is never offered.
    """
    asked = {word for word in words(question[:2000]) if len(word) > 1}
    faded = Memory.objects.owned_by(user).forgotten().filter(forgotten_by="decay", offered_at=None).defer("embedding")
    best, most = None, LEAST_COMMON - 1
    for memory in faded[:LOOKED_AT]:
        common = len(asked & set(memory.terms.split()))
        if common > most:
            best, most = memory, common
    if best is None:
        return None
    with transaction.atomic():
        lock_user(user.pk)
        same = Memory.objects.filter(pk=best.pk, state=Memory.State.FORGOTTEN, offered_at=None)
        return best if same.update(offered_at=at) else None


def in_words(memory: Memory, language: str) -> str:
    """The offer as the user reads it: what it was about, never what it said."""
    topic = next((label for label in memory.labels if label), "") or ("这个话题" if language != "en" else "this")
    return _TEXTS["en" if language == "en" else "zh"].format(topic=topic)
