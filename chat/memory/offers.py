"""The vague offer: a question comes near something that has faded, and the user may have it back."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from chat.db import lock_user
from chat.memory.keywords import content_words
from chat.memory.text import fold, words
from chat.models import Memory

LOOKED_AT = 400  # faded memories, newest first
LEAST_COMMON = 2  # search words that question and memory share
# Words of nearly every question here: sharing them alone is no reason to bring up the past.
_EVERYWHERE = frozenset(
    ["打坐", "静坐", "冥想", "坐禅", "禅修", "修行", "练习", "每天", "每次", "早上", "晚上", "分钟", "小时", "呼吸", "meditation", "meditate", "practice", "sitting", "breath"]
)
_TEXTS = {
    "zh": "你之前提过一次关于{topic}的事，要恢复这条记忆吗？",
    "en": "You once mentioned something about {topic}. Shall I restore that memory?",
}


def offer(user: User, question: str, at: datetime) -> Memory | None:
    """The faded memory that the question comes nearest to, marked as offered now; each is offered once. None: nothing near.

    What the user forgot by hand is never offered.
    """
    asked = {word for word in words(question[:2000]) if len(word) > 1}
    telling = _telling(question)
    faded = Memory.objects.owned_by(user).forgotten().filter(forgotten_by="decay", offered_at=None).defer("embedding")
    best, most = None, LEAST_COMMON - 1
    for memory in faded[:LOOKED_AT] if telling else ():
        terms = set(memory.terms.split())
        if telling & terms and len(asked & terms) > most:
            best, most = memory, len(asked & terms)
    if best is None:
        return None
    with transaction.atomic():
        lock_user(user.pk)
        same = Memory.objects.filter(pk=best.pk, state=Memory.State.FORGOTTEN, offered_at=None)
        return best if same.update(offered_at=at) else None


def in_words(memory: Memory, question: str, language: str) -> str:
    """The offer as the user reads it: what it was about, in words that the question has too, never what it said."""
    asked, telling = fold(question), _telling(question)
    labels = [label for label in memory.labels if len(label) > 1 and fold(label) in asked]
    common = [word for word in telling if word in memory.terms.split()]
    common.sort(key=lambda word: (-len(word), asked.find(word)))
    topic = next(iter([*labels, *common]), "this" if language == "en" else "这个话题")
    return _TEXTS["en" if language == "en" else "zh"].format(topic=topic)


def _telling(question: str) -> set[str]:
    """The search words of what the question turns around."""
    content = " ".join(word for word in content_words(question[:2000]) if word not in _EVERYWHERE)
    return {word for word in words(content) if len(word) > 1}
