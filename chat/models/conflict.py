"""矛盾: two beliefs that cannot both hold, waiting for or holding a decision."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class ConflictQuerySet(models.QuerySet):
    def owned_by(self, user: User) -> "ConflictQuerySet":
        return self.filter(user=user)

    def open(self) -> "ConflictQuerySet":
        return self.filter(status=Conflict.Status.OPEN)

    def by_rule(self) -> "ConflictQuerySet":
        """Closed without asking anybody."""
        return self.filter(decider=Conflict.Decider.RULE)

    def about(self, memory) -> "ConflictQuerySet":
        """Those that a memory is a side of, itself or as the row of a belief."""
        sides = Q(memory=memory)
        if memory.version_id:
            sides |= Q(old=memory.version_id) | Q(new=memory.version_id)
        return self.filter(sides)

    def told_in(self, turn, since: datetime) -> "ConflictQuerySet":
        """Open ones of the turn's conversation that the user was told of since then, with both sides, newest first.

        Nearly always none: the sides are fetched apart, since planning their joins costs more than the look itself.
        """
        told = self.open().filter(user_id=turn.user_id, entity__isnull=False, told_at__gt=since, told_at__lt=turn.at)
        here = told.filter(turn__conversation_id=turn.conversation_id)
        return here.prefetch_related("entity", "old__entity", "new__entity").order_by("-opened_at", "-pk")

    def for_review(self) -> "ConflictQuerySet":
        """For the queues of user and staff: both sides with their quotes, newest first."""
        return self.select_related(
            "entity", "old__turn", "old__entity", "new__turn", "new__entity", "memory", "passage__document", "user", "decided_by_user", "assignee"
        ).order_by("-opened_at", "-pk")


class Conflict(models.Model):
    """OPEN → RESOLVED | DISMISSED, and back to OPEN by undo. Every step leaves an audit row."""

    class Kind(models.TextChoices):
        ENTITY = "entity", _("two statements")
        QUERY_VS_HISTORY = "query_vs_history", _("question against history")
        SUMMARY_VS_ENTITY = "summary_vs_entity", _("summary against state")
        KNOWLEDGE_VS_MEMORY = "knowledge_vs_memory", _("text against your reality")

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        RESOLVED = "resolved", _("resolved")
        DISMISSED = "dismissed", _("dismissed")

    class Decision(models.TextChoices):
        KEEP_NEW = "keep_new", _("use the new one")
        KEEP_OLD = "keep_old", _("use the old one")
        KEEP_BOTH = "keep_both", _("keep both")
        MERGE = "merge", _("merge")
        BOTH_WRONG = "both_wrong", _("both are wrong")
        DISMISS = "dismiss", _("dismiss")

    class Decider(models.TextChoices):
        USER = "user", _("you")
        STAFF = "staff", _("staff")
        SUPPORT = "support", _("support, after silence")
        RULE = "rule", _("rule")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="conflicts")
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    entity = models.ForeignKey("Entity", null=True, blank=True, on_delete=models.CASCADE, related_name="conflicts")
    old = models.ForeignKey("EntityVersion", null=True, blank=True, on_delete=models.CASCADE, related_name="conflicts_as_old")
    new = models.ForeignKey("EntityVersion", null=True, blank=True, on_delete=models.CASCADE, related_name="conflicts_as_new")
    memory = models.ForeignKey("Memory", null=True, blank=True, on_delete=models.CASCADE, related_name="conflicts")
    passage = models.ForeignKey("Passage", null=True, blank=True, on_delete=models.CASCADE, related_name="conflicts")
    turn = models.ForeignKey("Turn", null=True, blank=True, on_delete=models.SET_NULL, related_name="conflicts")
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.OPEN)
    decision = models.CharField(_("decision"), max_length=10, choices=Decision, blank=True, default="")
    decider = models.CharField(_("decided by"), max_length=8, choices=Decider, blank=True, default="")
    decided_by_user = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    reason = models.TextField(_("reason"), blank=True, default="")
    suggested = models.CharField(max_length=10, choices=Decision, blank=True, default="")  # what the rules would do
    opened_at = models.DateTimeField(_("opened"), default=timezone.now)  # the moment of the turn that raised it
    told_at = models.DateTimeField(null=True, blank=True)  # when a notice about it was shown
    # Of staff: who looks after it, and since when it needs somebody above them. What they note are audit rows.
    assignee = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", verbose_name=_("looked after by"))
    escalated_at = models.DateTimeField(_("escalated"), null=True, blank=True)
    before = models.JSONField(default=dict, blank=True)  # what the decision changed, for undo: {version id: status, …}
    created_at = models.DateTimeField(db_default=Now())

    objects = ConflictQuerySet.as_manager()

    class Meta:
        verbose_name = _("conflict")
        verbose_name_plural = _("conflicts")
        permissions = [("view_identity", _("Can see whose memories these are"))]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "old", "new"],
                condition=Q(status="open", old__isnull=False, new__isnull=False),
                name="conflict_open_once_per_pair",
            ),
            models.CheckConstraint(
                condition=Q(status="open", decision="") | (~Q(status="open") & ~Q(decision="") & ~Q(decider="")),
                name="conflict_closed_has_a_decision",
            ),
        ]
        indexes = [
            # The queue of one user, and its badge.
            models.Index(fields=["user", "-opened_at"], condition=Q(status="open"), name="conflict_open_of_user"),
            # The staff queue, oldest first.
            models.Index(fields=["status", "opened_at"], name="conflict_queue"),
        ]

    def __str__(self) -> str:
        return f"conflict {self.pk} ({self.kind}, {self.status})"

    @property
    def decisions(self) -> list[str]:
        """What a person may decide now. A person's own decision stands until it is undone; rule and support may be overruled."""
        if self.decider in {self.Decider.USER, self.Decider.STAFF}:
            return []
        two_sides = self.entity_id and self.old_id and self.new_id
        return self.Decision.values if two_sides else [self.Decision.DISMISS.value]
