"""The user's state: entities (slots) and their versions (beliefs), append-only."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import models
from django.db.models import Case, F, Prefetch, Q, Value, When
from django.db.models.functions import Concat, Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class EntityQuerySet(models.QuerySet):
    def owned_by(self, user: User) -> "EntityQuerySet":
        return self.filter(user=user)

    def lasting(self) -> "EntityQuerySet":
        """Leaves out what was said for one conversation only."""
        return self.filter(conversation=None)

    def visible_in(self, conversation_id: int | None) -> "EntityQuerySet":
        return self.filter(Q(conversation=None) | Q(conversation_id=conversation_id))

    def slot(self, slot: str) -> "EntityQuerySet":
        """Entities of `category.attribute`."""
        category, _dot, attribute = slot.partition(".")
        return self.filter(category=category, attribute=attribute)

    def with_current(self) -> "EntityQuerySet":
        """Each with `.current` = [its current version] and `.open_conflicts`, in three queries whatever their number."""
        from chat.models.conflict import Conflict

        return self.prefetch_related(
            Prefetch("versions", EntityVersion.objects.current().select_related("turn"), to_attr="current"),
            Prefetch("conflicts", Conflict.objects.open(), to_attr="open_conflicts"),
        )

    def with_believed(self) -> "EntityQuerySet":
        """Each with `.believed` = its current and pending versions, in one more query."""
        believed = EntityVersion.objects.believed().order_by("recorded_at", "pk")
        return self.prefetch_related(Prefetch("versions", believed, to_attr="believed"))

    def with_state(self) -> "EntityQuerySet":
        """Each with `.believed` = its current and pending versions and `.open_conflicts`; for lists and GET /api/entities."""
        from chat.models.conflict import Conflict

        contested = Prefetch("conflicts", Conflict.objects.open().order_by("opened_at"), to_attr="open_conflicts")
        return self.with_believed().prefetch_related(contested)

    def known(self) -> "EntityQuerySet":
        """Those with a current or pending version."""
        return self.filter(
            models.Exists(EntityVersion.objects.filter(entity=models.OuterRef("pk"), status__in=["current", "pending"]))
        )


class Entity(models.Model):
    """实心实体: one slot of the user's state. Multi-valued attributes have one row per item, single-valued one with item ''."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="entities")
    category = models.CharField(max_length=32)
    attribute = models.CharField(max_length=48)
    item = models.CharField(max_length=120, blank=True, default="")
    # Set when it holds in this conversation only ("这次先简洁一点").
    conversation = models.ForeignKey("Conversation", null=True, blank=True, on_delete=models.CASCADE, related_name="entities")
    pinned = models.BooleanField(default=False)
    authoritative = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(default=timezone.now)

    objects = EntityQuerySet.as_manager()

    class Meta:
        verbose_name = _("entity")
        verbose_name_plural = _("entities")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "category", "attribute", "item", "conversation"],
                nulls_distinct=False,
                name="entity_one_row_per_slot_and_item",
            ),
            models.CheckConstraint(condition=~Q(category="") & ~Q(attribute=""), name="entity_names_its_slot"),
        ]

    def __str__(self) -> str:
        return f"entity {self.pk} {self.slot}"

    @property
    def slot(self) -> str:
        return f"{self.category}.{self.attribute}"

    @property
    def protected(self) -> bool:
        """Pinned or authoritative: a new belief about it waits for a person."""
        return self.pinned or self.authoritative


class EntityVersionQuerySet(models.QuerySet):
    def owned_by(self, user: User) -> "EntityVersionQuerySet":
        return self.filter(entity__user=user)

    def current(self) -> "EntityVersionQuerySet":
        return self.filter(status=EntityVersion.Status.CURRENT)

    def pending(self) -> "EntityVersionQuerySet":
        return self.filter(status=EntityVersion.Status.PENDING)

    def outside_bin(self) -> "EntityVersionQuerySet":
        """All but those whose memory is forgotten."""
        return self.exclude(memory__state="forgotten")

    def to_be_confirmed(self) -> "EntityVersionQuerySet":
        """What waits for its owner's word, newest first. What an open conflict is about is asked there."""
        waiting = self.pending().exclude(conflicts_as_new__status="open")
        return waiting.select_related("entity", "turn").order_by("-recorded_at", "-pk")

    def believed(self) -> "EntityVersionQuerySet":
        """What holds or waits."""
        return self.filter(status__in=[EntityVersion.Status.CURRENT, EntityVersion.Status.PENDING])

    def for_prompt(self, user: User, conversation_id: int | None, asked: Iterable[str]) -> "EntityVersionQuerySet":
        """What holds or waits, best first for a prompt: asked about, said for this conversation, pinned, most certain."""
        here = Q(entity__conversation=None) | Q(entity__conversation_id=conversation_id)
        found = self.filter(here, entity__user=user, status__in=["current", "pending"])
        return (
            found.exclude(entity__category="last_query")
            .annotate(slot=Concat("entity__category", Value("."), "entity__attribute"))
            .annotate(is_asked=Case(When(slot__in=list(asked), then=1), default=0))
            .select_related("entity")
            .order_by("-is_asked", F("entity__conversation").asc(nulls_last=True), "-entity__pinned", "-confidence", "-pk")
        )

    def superseded_in(self, slots: Iterable[str]) -> "EntityVersionQuerySet":
        """Lasting beliefs of these slots that something newer took the place of, newest first."""
        past = self.filter(status=EntityVersion.Status.SUPERSEDED, entity__conversation=None, entity__item="")
        named = past.annotate(slot=Concat("entity__category", Value("."), "entity__attribute"))
        return named.filter(slot__in=list(slots)).select_related("entity").order_by("-recorded_at", "-pk")

    def timeline(self) -> "EntityVersionQuerySet":
        """Newest belief first, with where it came from."""
        return self.select_related("turn__conversation", "supersedes").order_by("-recorded_at", "-pk")


class EntityVersion(models.Model):
    """One belief about an entity. Append-only; only `status`, `valid_to` and the counters change.

    CURRENT → SUPERSEDED | RETRACTED; PENDING → CURRENT | REJECTED. A rollback writes a new version.
    """

    class Status(models.TextChoices):
        CURRENT = "current", _("current")
        PENDING = "pending", _("waiting for confirmation")
        SUPERSEDED = "superseded", _("superseded")
        RETRACTED = "retracted", _("taken back")
        REJECTED = "rejected", _("rejected")

    class Source(models.TextChoices):
        EXPLICIT = "explicit", _("you said so")
        IMPLIED = "implied", _("follows from what you asked")
        INFERRED = "inferred", _("inferred")
        USER_EDIT = "user_edit", _("you edited it")
        STAFF = "staff", _("decided by staff")
        IMPORT = "import", _("imported")

    EXTRACTED = [Source.EXPLICIT, Source.IMPLIED, Source.INFERRED]

    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="versions")
    value = models.TextField(_("value"))  # as shown
    normalized = models.JSONField(_("typed value"))  # typed, see chat.memory.values
    key = models.CharField(max_length=200)  # canonical text of `normalized`: equal keys are equal values
    confidence = models.FloatField(_("confidence"), default=1.0)  # 0–1
    source = models.CharField(_("source"), max_length=10, choices=Source)
    quote = models.TextField(_("quote"), blank=True, default="")  # a literal substring of the turn's text
    turn = models.ForeignKey("Turn", null=True, blank=True, on_delete=models.SET_NULL, related_name="versions")
    time_words = models.CharField(_("words of time"), max_length=80, blank=True, default="")  # the words that dated it, such as 上周三
    valid_from = models.DateTimeField(_("true since"), null=True, blank=True)  # true in the world since
    valid_to = models.DateTimeField(_("true until"), null=True, blank=True)  # true in the world until
    recorded_at = models.DateTimeField(_("learned"), default=timezone.now)  # when we learned it
    last_observed_at = models.DateTimeField(default=timezone.now)
    observations = models.PositiveIntegerField(_("times said"), default=1)
    # What arbitration counts as support.
    explicit_confirmations = models.PositiveIntegerField(_("confirmed"), default=0)
    implicit_confirmations = models.PositiveIntegerField(_("confirmed in passing"), default=0)
    unchallenged_uses = models.PositiveIntegerField(_("used unchallenged"), default=0)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.CURRENT)
    supersedes = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="superseded_by")
    extractor = models.CharField(_("read by"), max_length=40, blank=True, default="")  # such as rules/1, or a model's name and prompt version
    created_at = models.DateTimeField(db_default=Now())

    objects = EntityVersionQuerySet.as_manager()

    class Meta:
        verbose_name = _("version")
        verbose_name_plural = _("versions")
        constraints = [
            models.UniqueConstraint(
                fields=["entity"], condition=Q(status="current"), name="version_one_current_per_entity"
            ),
            models.UniqueConstraint(
                fields=["entity", "key"], condition=Q(status="pending"), name="version_pending_once_per_value"
            ),
            models.CheckConstraint(
                condition=Q(confidence__gte=0, confidence__lte=1), name="version_confidence_between_0_and_1"
            ),
            models.CheckConstraint(
                condition=Q(valid_to=None) | Q(valid_from=None) | Q(valid_to__gt=F("valid_from")),
                name="version_validity_runs_forward",
            ),
            models.CheckConstraint(
                condition=~Q(source__in=["explicit", "implied", "inferred"]) | ~Q(quote=""),
                name="version_extracted_has_a_quote",
            ),
            models.CheckConstraint(condition=~Q(value="") & ~Q(key=""), name="version_has_a_value"),
            models.CheckConstraint(condition=Q(observations__gte=1), name="version_observed_at_least_once"),
        ]
        indexes = [
            # The version timeline of one entity.
            models.Index(fields=["entity", "-recorded_at", "-id"], name="version_timeline"),
            # Erasing a turn: what came from it.
            models.Index(fields=["turn"], condition=Q(turn__isnull=False), name="version_of_turn"),
            # Expiry of beliefs that nobody confirmed.
            models.Index(fields=["recorded_at"], condition=Q(status="pending"), name="version_pending_by_age"),
        ]

    def __str__(self) -> str:
        return f"version {self.pk} of entity {self.entity_id} ({self.status})"

    @property
    def support(self) -> float:
        """2·explicit + 1·implicit confirmations + 0.5·unchallenged uses (DESIGN §5)."""
        return 2.0 * self.explicit_confirmations + self.implicit_confirmations + 0.5 * self.unchallenged_uses
