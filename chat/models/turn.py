"""A turn: one message of the user and its answers; raw, never altered, the source of everything else."""

import functools
import itertools
import operator
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import F, Q
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce, Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.models.notice import Notice

if TYPE_CHECKING:
    from chat.models.conversation import Conversation

# A turn and its ancestors, nearest first. PostgreSQL walks only as far as it is read.
LINE = """
    WITH RECURSIVE line (id, parent_id) AS (
        SELECT id, parent_id FROM chat_turn WHERE id = %s
        UNION ALL
        SELECT turn.id, turn.parent_id FROM chat_turn turn JOIN line ON turn.id = line.parent_id
    )
    SELECT id FROM line LIMIT %s
"""
LINE_AT_MOST = 100  # more than anything looks back


class TurnQuerySet(models.QuerySet):
    def owned_by(self, user: User) -> "TurnQuerySet":
        return self.filter(user=user)

    def of(self, conversation: "Conversation") -> "TurnQuerySet":
        return self.filter(conversation=conversation).order_by("at", "pk")

    def saying(self, words: list[str]) -> "TurnQuerySet":
        """Those that hold one of the words, in the question or the answer."""
        either = [Q(text__icontains=word) | Q(answer__icontains=word) for word in words]
        return self.filter(functools.reduce(operator.or_, either))

    def on_line(self, end_id: int | None) -> "TurnQuerySet":
        """The nearest turns of one branch, from `end_id` back: newest first."""
        return self.filter(pk__in=RawSQL(LINE, [end_id, LINE_AT_MOST])).order_by("-at", "-pk")  # noqa: S611

    def before(self, turn: "Turn") -> "TurnQuerySet":
        """Turns of the same branch that came before it, newest first."""
        earlier = Q(at__lt=turn.at) | Q(at=turn.at, pk__lt=turn.pk)
        return self.on_line(turn.parent_id).filter(earlier)

    def after(self, turn: "Turn") -> "TurnQuerySet":
        """Turns of the same conversation, in any branch, that came after it."""
        return self.filter(Q(at__gt=turn.at) | Q(at=turn.at, pk__gt=turn.pk), conversation_id=turn.conversation_id)

    def for_page(self) -> "TurnQuerySet":
        """With what a page shows of them: notices, answers that a retry replaced, `used_count` of recalled memories."""
        used = Q(recalls__attempt=F("attempt"), recalls__items__decision="used")
        return (
            self.select_related("conversation")
            .annotate(used_count=models.Count("recalls__items", filter=used))
            .prefetch_related(models.Prefetch("notices", Notice.objects.for_page().order_by("pk")), "earlier_answers")
        )

    def with_outcome(self) -> "TurnQuerySet":
        """With all that the answer did, for GET /api/turns/{id}: notices, conflicts of both sides, what it recalled."""
        from chat.models.conflict import Conflict
        from chat.models.recall import Recall

        notices = Notice.objects.select_related(*(f"conflict__{name}" for name in ("entity", "old__turn", "new__turn")))
        return self.prefetch_related(
            models.Prefetch("notices", notices.order_by("pk")),
            models.Prefetch("conflicts", Conflict.objects.for_review()),
            models.Prefetch("recalls", Recall.objects.with_items().prefetch_related("items__memory__sources")),
        )

    def answered(self) -> "TurnQuerySet":
        return self.filter(status__in=[Turn.Status.DONE, Turn.Status.STOPPED, Turn.Status.IMPORTED])

    def uncompressed(self) -> "TurnQuerySet":
        """In no summary yet."""
        return self.filter(summarised_at=None)

    def unheld(self, user_id: int) -> "TurnQuerySet":
        """Turns whose summary was lost to an erasure: they claim one that isn't there."""
        from chat.models.memory import MemorySource

        held = MemorySource.objects.filter(turn=models.OuterRef("pk"), memory__kind="summary", memory__level=1)
        return self.filter(~models.Exists(held), user_id=user_id, summarised_at__isnull=False)

    def compressible(self, conversation: "Conversation") -> list["Turn"]:
        """The turns that may go into a summary, oldest first, up to the first that is still being answered or read.

        Turns whose words were never read for the memory (it was switched off) are left out for good.
        """
        from chat.models.audit import Job

        unread = Job.objects.filter(turn=models.OuterRef("pk"), kind=Job.Kind.REMEMBER, status__in=["waiting", "running"])
        rows = self.of(conversation).uncompressed().annotate(busy=models.Exists(unread))
        ready = itertools.takewhile(lambda turn: not turn.is_open and (turn.observed_at or not turn.busy), rows)
        return [turn for turn in ready if turn.observed_at]

    def placed(self, working: int) -> "TurnQuerySet":
        """Each with `.place`: "summary", "working" (one of the newest `working` of its conversation) or "waiting".

        "lost" would be one that claims a summary which isn't there: no turn may be that.
        """
        from chat.models.memory import MemorySource

        held = MemorySource.objects.filter(turn=models.OuterRef("pk"), memory__kind="summary", memory__level=1)
        newer = Turn.objects.filter(
            Q(at__gt=models.OuterRef("at")) | Q(at=models.OuterRef("at"), pk__gt=models.OuterRef("pk")),
            conversation=models.OuterRef("conversation"),
        )
        rank = newer.order_by().values("conversation").annotate(count=models.Count("pk")).values("count")
        return self.annotate(newer=Coalesce(models.Subquery(rank), 0), held=models.Exists(held)).annotate(
            place=models.Case(
                models.When(held=True, then=models.Value("summary")),
                models.When(summarised_at=None, newer__lt=working, then=models.Value("working")),
                models.When(summarised_at=None, then=models.Value("waiting")),
                default=models.Value("lost"),
            )
        )


class Turn(models.Model):
    """One user message and its answer.

    QUEUED → RUNNING → DONE | STOPPED | FAILED; FAILED | STOPPED | DONE → QUEUED again by retry (a new `attempt`).
    IMPORTED turns came with their answer. `text` is never changed after the insert.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", _("queued")
        RUNNING = "running", _("answering")
        DONE = "done", _("done")
        STOPPED = "stopped", _("stopped")
        FAILED = "failed", _("failed")
        IMPORTED = "imported", _("imported")

    class Emotion(models.TextChoices):
        HAPPY = "happy", _("happy")
        SAD = "sad", _("sad")
        ANXIOUS = "anxious", _("anxious")
        ANGRY = "angry", _("angry")
        CALM = "calm", _("calm")
        NEUTRAL = "neutral", _("neutral")

    conversation = models.ForeignKey("Conversation", on_delete=models.CASCADE, related_name="turns")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="turns")
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="children")
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now)  # the moment it happened; every rule about time uses it
    language = models.CharField(max_length=8, default="zh")  # of the question, and so of the answer
    key = models.CharField(max_length=64, blank=True, default="")  # idempotency key of the form or API call
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    attempt = models.PositiveSmallIntegerField(default=1)
    stop_requested = models.BooleanField(default=False)
    answer = models.TextField(blank=True, default="")
    answered_by = models.CharField(max_length=120, blank=True, default="")  # model name, or "builtin"
    error = models.CharField(max_length=40, blank=True, default="")  # a code of chat.llm.errors, never a message
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    timings = models.JSONField(default=dict, blank=True)  # milliseconds per step
    topic = models.CharField(max_length=80, blank=True, default="")
    intents = models.JSONField(default=dict, blank=True)  # {intent: share}, shares add up to 1
    emotion = models.CharField(max_length=8, choices=Emotion, default=Emotion.NEUTRAL)
    feedback = models.SmallIntegerField(default=0)  # the reader's 👍 1 or 👎 −1 on the answer
    observed_at = models.DateTimeField(null=True, blank=True)  # set when the rules have written what it states
    summarised_at = models.DateTimeField(null=True, blank=True)  # set when a level-1 summary holds it
    created_at = models.DateTimeField(db_default=Now())

    objects = TurnQuerySet.as_manager()

    class Meta:
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="turn_text_not_empty"),
            models.CheckConstraint(condition=Q(feedback__in=[-1, 0, 1]), name="turn_feedback_is_a_sign"),
            models.CheckConstraint(condition=Q(attempt__gte=1), name="turn_attempt_counts_from_one"),
            models.CheckConstraint(
                condition=Q(finished_at=None) | Q(started_at=None) | Q(finished_at__gte=F("started_at")),
                name="turn_finishes_after_it_starts",
            ),
            models.UniqueConstraint(
                fields=["conversation", "key"], condition=~Q(key=""), name="turn_sent_once_per_key"
            ),
        ]
        indexes = [
            # Working memory and the page of a conversation: the newest turns of one conversation.
            models.Index(fields=["conversation", "-at", "-id"], name="turn_of_conversation"),
            # Days, moods and measures of one user.
            models.Index(fields=["user", "-at"], name="turn_of_user"),
            # Compression: which turns of a conversation no summary holds yet.
            models.Index(
                fields=["conversation", "at"], condition=Q(summarised_at=None), name="turn_not_summarised"
            ),
            # Staff's charts: everybody's answers of the last hours and days.
            BrinIndex(fields=["created_at"], name="turn_by_creation"),
        ]

    def __str__(self) -> str:
        return f"turn {self.pk}"

    @property
    def is_open(self) -> bool:
        return self.status in {self.Status.QUEUED, self.Status.RUNNING}

    @property
    def variants(self) -> list[int]:
        """The attempts of which there is an answer, in order; `attempt` is the one that is shown."""
        return sorted([self.attempt, *(earlier.attempt for earlier in self.earlier_answers.all())])

    @property
    def full_answer(self) -> str:
        """The answer as it is read and copied: the body, then the notices that belong to its end."""
        closing = [notice.text for notice in self.notices.all() if notice.closes_answer]
        return "\n\n".join(filter(None, [self.answer, *closing]))


class EarlierAnswer(models.Model):
    """An answer that another one replaced; kept as a variant of its turn."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="earlier_answers")
    attempt = models.PositiveSmallIntegerField()
    answer = models.TextField(blank=True, default="")
    answered_by = models.CharField(max_length=120, blank=True, default="")
    status = models.CharField(max_length=10, choices=Turn.Status)
    feedback = models.SmallIntegerField(default=0)  # as of Turn
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["turn", "attempt"], name="earlier_answer_one_per_attempt")]

    def __str__(self) -> str:
        return f"answer {self.attempt} of turn {self.turn_id}"
