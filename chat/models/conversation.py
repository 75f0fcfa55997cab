"""Conversations: where turns belong, and what memory they read and write."""

from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.models.turn import Turn


class ConversationQuerySet(models.QuerySet):
    def owned_by(self, user: User) -> "ConversationQuerySet":
        return self.filter(user=user)

    def listed(self) -> "ConversationQuerySet":
        """For the list: newest talk first; temporary ones never show up in it."""
        return self.filter(temporary=False).order_by("-last_turn_at", "-pk")

    def counted(self) -> "ConversationQuerySet":
        """Each with `.turn_count`."""
        return self.annotate(turn_count=models.Count("turns"))

    def holding(self, words: str) -> "ConversationQuerySet":
        """Those in whose title or messages every word stands; without words all."""
        found = self
        for word in words.split():
            said = Turn.objects.saying([word]).filter(conversation=models.OuterRef("pk"))
            found = found.filter(Q(title__icontains=word) | models.Exists(said))
        return found


class Conversation(models.Model):
    """One thread of talk. `memory` says whether its answers read memories and its turns write them."""

    class MemoryMode(models.TextChoices):
        READ_WRITE = "read_write", _("read and write")
        READ_ONLY = "read_only", _("read only")
        OFF = "off", _("off")

    SAMPLE = "sample:"  # how `imported_from` begins where chat.sample made it

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="conversations")
    title = models.CharField(max_length=120, blank=True, default="")
    memory = models.CharField(max_length=12, choices=MemoryMode, default=MemoryMode.READ_WRITE)
    temporary = models.BooleanField(default=False)
    # The end of the branch on screen: its ancestors are the conversation as it is read.
    leaf = models.ForeignKey("Turn", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    imported_from = models.CharField(max_length=120, blank=True, default="")  # key of an import, so that a second run adds nothing
    created_at = models.DateTimeField(default=timezone.now)
    last_turn_at = models.DateTimeField(default=timezone.now)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "imported_from"], condition=~Q(imported_from=""), name="conversation_imported_once"
            ),
            models.CheckConstraint(
                condition=Q(temporary=False) | ~Q(memory="read_write"), name="conversation_temporary_never_writes"
            ),
        ]
        indexes = [
            # The conversation list of the chat page and GET /api/conversations.
            models.Index(fields=["user", "-last_turn_at"], name="conversation_list"),
        ]

    def __str__(self) -> str:
        return f"conversation {self.pk}"

    @property
    def is_sample(self) -> bool:
        return self.imported_from.startswith(self.SAMPLE)

    @property
    def reads_memory(self) -> bool:
        return self.memory != self.MemoryMode.OFF

    @property
    def writes_memory(self) -> bool:
        return self.memory == self.MemoryMode.READ_WRITE
