"""What one answer saw: every candidate with its score parts, why it was used or cut, tokens per section, timings."""

from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class RecallQuerySet(models.QuerySet):
    def owned_by(self, user: User) -> "RecallQuerySet":
        return self.filter(user=user)

    def listed(self) -> "RecallQuerySet":
        """For lists: a temporary conversation stands in none."""
        return self.filter(turn__conversation__temporary=False)

    def with_items(self) -> "RecallQuerySet":
        return self.select_related("turn").prefetch_related("items__memory__version__entity")


class Recall(models.Model):
    """A snapshot, stored with the answer and never recomputed."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="recalls")
    turn = models.ForeignKey("Turn", on_delete=models.CASCADE, related_name="recalls")
    attempt = models.PositiveSmallIntegerField(_("attempt"), default=1)
    query = models.TextField()
    considered = models.PositiveIntegerField(_("compared"), default=0)
    store_size = models.PositiveIntegerField(_("memories"), default=0)  # live memories of the user at that moment
    sections = models.JSONField(_("sections"), default=dict)  # {section: {"tokens": n, "ceiling": n, "dropped": n}}
    shown = models.JSONField(default=dict)  # what else the prompt held: {"entities": [version ids], "knowledge": [passage ids]}
    prompt = models.JSONField(default=list)  # the messages exactly as they were sent
    timings = models.JSONField(_("timings"), default=dict)  # milliseconds per route and step
    degraded = models.JSONField(_("left out"), default=list)  # routes that were left out, such as ["vector"]
    created_at = models.DateTimeField(_("when"), db_default=Now())

    objects = RecallQuerySet.as_manager()

    class Meta:
        verbose_name = _("recall")
        verbose_name_plural = _("recalls")
        constraints = [models.UniqueConstraint(fields=["turn", "attempt"], name="recall_one_per_answer")]
        indexes = [
            # Token charts and erasure: one user's recalls, newest first.
            models.Index(fields=["user", "-created_at"], name="recall_of_user"),
        ]

    def __str__(self) -> str:
        return f"recall of turn {self.turn_id}, attempt {self.attempt}"


class RecallItem(models.Model):
    """One candidate of a recall. `parts` are contributions: they add up to `score`."""

    class Decision(models.TextChoices):
        USED = "used", _("used")
        BELOW_FLOOR = "below_floor", _("below the floor")
        DUPLICATE = "duplicate", _("duplicate")
        OVER_BUDGET = "over_budget", _("over the budget")
        OVER_LIMIT = "over_limit", _("enough others scored higher")
        SUPERSEDED = "superseded", _("superseded")
        FORGOTTEN = "forgotten", _("forgotten")
        CONFLICT = "conflict", _("in conflict")
        NOT_RELEVANT = "not_relevant", _("you called it not relevant here")

    recall = models.ForeignKey(Recall, on_delete=models.CASCADE, related_name="items")
    memory = models.ForeignKey("Memory", null=True, blank=True, on_delete=models.SET_NULL, related_name="recall_items")
    passage = models.ForeignKey("Passage", null=True, blank=True, on_delete=models.SET_NULL, related_name="recall_items")
    version_id_then = models.BigIntegerField(null=True, blank=True)  # the entity version that was shown
    rank = models.PositiveSmallIntegerField()  # from 1, by score
    text = models.TextField(blank=True, default="")  # as it was then; emptied by erasure
    kind = models.CharField(max_length=12)
    decision = models.CharField(max_length=12, choices=Decision)
    duplicate_of = models.BigIntegerField(null=True, blank=True)  # memory id
    score = models.FloatField()
    parts = models.JSONField(default=dict)  # {"semantic": .41, …}
    signals = models.JSONField(default=dict)  # raw values behind the parts: cosine, age in days, weight, matched words
    routes = models.JSONField(default=list)
    reasons = models.JSONField(default=list)  # codes of why it came up: meaning, words, entity, time, pinned …
    conflict = models.ForeignKey("Conflict", null=True, blank=True, on_delete=models.SET_NULL, related_name="recall_items")
    tokens = models.PositiveIntegerField(default=0)
    feedback = models.SmallIntegerField(default=0)  # "not relevant" −1, "useful" 1

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["recall", "rank"], name="recall_item_ranked_once"),
            models.CheckConstraint(condition=Q(feedback__in=[-1, 0, 1]), name="recall_item_feedback_is_a_sign"),
        ]
        indexes = [
            # "Where it was used" of a memory, and erasure.
            models.Index(fields=["memory", "-id"], name="recall_item_of_memory"),
        ]

    def __str__(self) -> str:
        return f"item {self.rank} of recall {self.recall_id}"
