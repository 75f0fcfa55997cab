"""What was done, by whom, why; what was erased for good; work that must not be lost; daily measures."""

import uuid
from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class AuditEventQuerySet(models.QuerySet):
    def reasons_of(self, user: User, memories: Iterable[models.Model]) -> dict[int, str]:
        """{memory id: why it was put away}, where a reason was given."""
        acts = ["memory.forgotten", "memory.marked_wrong"]
        about = self.filter(user=user, object_type="memory", object_id__in=[memory.pk for memory in memories], action__in=acts)
        return dict(about.exclude(reason="").order_by("at", "pk").values_list("object_id", "reason"))


class AuditEvent(models.Model):
    """One act on the memory. Holds ids and names of states, never user text."""

    class Actor(models.TextChoices):
        USER = "user", _("you")
        STAFF = "staff", _("staff")
        MODEL = "model", _("model")
        SYSTEM = "system", _("system")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="audit_events")  # whose memory
    actor = models.CharField(_("by"), max_length=8, choices=Actor)
    actor_user = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    action = models.CharField(_("act"), max_length=40)  # such as entity.superseded, conflict.resolved, memory.forgotten
    object_type = models.CharField(_("kind"), max_length=20)
    object_id = models.BigIntegerField(_("number"))
    data = models.JSONField(_("data"), default=dict, blank=True)
    reason = models.CharField(_("reason"), max_length=400, blank=True, default="")
    at = models.DateTimeField(_("when"), default=timezone.now)

    objects = AuditEventQuerySet.as_manager()

    class Meta:
        verbose_name = _("audit event")
        verbose_name_plural = _("audit events")
        indexes = [
            # The history of one object on its page.
            models.Index(fields=["user", "object_type", "object_id", "-at"], name="audit_of_object"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.object_type} {self.object_id}"


class TombstoneQuerySet(models.QuerySet):
    def cover(self, user: User, fingerprint: str) -> bool:
        return self.filter(user=user, fingerprint=fingerprint).exists()


class Tombstone(models.Model):
    """The hash of something erased. Extraction checks it, so that an import or a second run can't revive it."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tombstones")
    kind = models.CharField(max_length=12)  # entity, memory, turn
    fingerprint = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now())

    objects = TombstoneQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "fingerprint"], name="tombstone_once_per_fingerprint")]

    def __str__(self) -> str:
        return f"tombstone {self.pk}"


class JobQuerySet(models.QuerySet):
    def claim(self, kind: str, key: str, stale_before) -> "Job | None":
        """Take the job if it waits, or if its worker has not been heard of since `stale_before`.

        The conditional UPDATE is the lock: of two workers one gets the job, the other None.
        """
        token = uuid.uuid4()
        free = Q(status=Job.Status.WAITING) | Q(status=Job.Status.RUNNING, heartbeat_at__lt=stale_before)
        won = self.filter(free, kind=kind, key=key).update(
            status=Job.Status.RUNNING,
            claim=token,
            attempts=models.F("attempts") + 1,
            heartbeat_at=timezone.now(),
            error="",
        )
        return self.get(claim=token) if won else None

    def lost(self, stale_before) -> "JobQuerySet":
        """For the sweeper: jobs that wait although their message should have arrived, or whose worker died."""
        return self.filter(
            Q(status=Job.Status.WAITING, due_at__lt=stale_before)
            | Q(status=Job.Status.RUNNING, heartbeat_at__lt=stale_before)
        ).order_by("due_at")


class Job(models.Model):
    """Work that must not be lost, one row per (kind, key). WAITING → RUNNING → DONE | WAITING again | DEAD."""

    class Kind(models.TextChoices):
        REPLY = "reply", _("answer a turn")
        REMEMBER = "remember", _("remember a turn")
        MAINTAIN = "maintain", _("maintain a user's memory")
        IMPORT = "import", _("import a history")
        INGEST = "ingest", _("ingest a document")

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        DEAD = "dead", _("given up")

    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    key = models.CharField(_("key"), max_length=120)
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.CASCADE, related_name="jobs")
    turn = models.ForeignKey("Turn", null=True, blank=True, on_delete=models.CASCADE, related_name="jobs")
    status = models.CharField(_("status"), max_length=8, choices=Status, default=Status.WAITING)
    claim = models.UUIDField(null=True, blank=True, unique=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    due_at = models.DateTimeField(_("due"), default=timezone.now)
    heartbeat_at = models.DateTimeField(_("last heard of"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    progress = models.JSONField(_("progress"), default=dict, blank=True)
    error = models.CharField(_("error"), max_length=400, blank=True, default="")  # a class of error, never user text
    created_at = models.DateTimeField(_("made"), db_default=Now())

    objects = JobQuerySet.as_manager()

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="job_one_per_kind_and_key")]
        indexes = [
            # The sweeper: what waits or runs, oldest first.
            models.Index(fields=["due_at"], condition=Q(status__in=["waiting", "running"]), name="job_unfinished"),
            # What staff have to look at.
            models.Index(fields=["due_at"], condition=Q(status="dead"), name="job_given_up"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key} ({self.status})"


class Measure(models.Model):
    """One number per day, name and user (none = everyone)."""

    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.CASCADE, related_name="measures")
    day = models.DateField()
    name = models.CharField(max_length=60)
    value = models.FloatField()
    count = models.PositiveIntegerField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "day", "name"], nulls_distinct=False, name="measure_once_per_day")
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.name}"
