"""What the user is told in the chat."""

from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class NoticeQuerySet(models.QuerySet):
    def owned_by(self, user: User) -> "NoticeQuerySet":
        return self.filter(turn__user=user)

    def for_page(self) -> "NoticeQuerySet":
        return self.select_related("conflict__entity", "conflict__old", "conflict__new", "version__entity", "memory")


class Notice(models.Model):
    """记忆提示: what the user is told in the chat about a conflict, a new memory, or one that is taken back."""

    class Kind(models.TextChoices):
        CONFLICT = "conflict", _("memories disagree")
        PENDING = "pending", _("waiting for confirmation")
        REMEMBERED = "remembered", _("remembered")
        UPDATED = "updated", _("updated")
        GONE = "gone", _("no longer holds")
        DECIDED = "decided", _("decided")
        OFFER = "offer", _("forgotten memory")
        REMINDER = "reminder", _("reminder")

    class Prominence(models.TextChoices):
        FULL = "full", _("full")
        LIGHT = "light", _("light")

    turn = models.ForeignKey("Turn", on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=12, choices=Kind)
    prominence = models.CharField(max_length=6, choices=Prominence, default=Prominence.LIGHT)
    text = models.TextField()  # as the user reads it, in the language of the turn
    conflict = models.ForeignKey("Conflict", null=True, blank=True, on_delete=models.CASCADE, related_name="notices")
    version = models.ForeignKey("EntityVersion", null=True, blank=True, on_delete=models.CASCADE, related_name="notices")
    memory = models.ForeignKey("Memory", null=True, blank=True, on_delete=models.CASCADE, related_name="notices")
    created_at = models.DateTimeField(db_default=Now())

    objects = NoticeQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="notice_says_something")]

    def __str__(self) -> str:
        return f"notice {self.pk} ({self.kind})"

    @property
    def closes_answer(self) -> bool:
        """Said in the answer itself; the others (记住了 …) only stand beside it."""
        return self.kind in {self.Kind.CONFLICT, self.Kind.PENDING, self.Kind.DECIDED, self.Kind.OFFER}
