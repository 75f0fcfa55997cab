"""Memories: the recallable rows. Summaries, fragments, themes, and one row for each current entity version."""

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from pgvector.django import BitField, HalfVectorField

from chat.memory import lexemes, retention
from chat.memory.text import fold
from chat.models.embedding import DIMENSIONS, Findable


class MemoryQuerySet(models.QuerySet):
    def owned_by(self, user: User) -> "MemoryQuerySet":
        return self.filter(user=user)

    def owned_by_id(self, user_id: int) -> "MemoryQuerySet":
        return self.filter(user_id=user_id)

    def live(self) -> "MemoryQuerySet":
        return self.filter(state=Memory.State.LIVE)

    def forgotten(self) -> "MemoryQuerySet":
        """The bin: newest forgotten first."""
        return self.filter(state=Memory.State.FORGOTTEN).order_by("-forgotten_at", "-pk")

    def by_state(self) -> dict[str, int]:
        """How many there are in the list and in the bin; an index alone tells it."""
        counted = self.filter(state__in=[Memory.State.LIVE, Memory.State.FORGOTTEN]).order_by().values_list("state")
        return dict(counted.annotate(models.Count("pk")))

    def outside_bin(self) -> "MemoryQuerySet":
        """All but what is forgotten, and but what was merged into that."""
        return self.exclude(state=Memory.State.FORGOTTEN).filter(Q(merged_into=None) | Q(merged_into__state=Memory.State.LIVE))

    def listed(self) -> "MemoryQuerySet":
        """For the inspector and GET /api/memories: what belongs to a list row, in a fixed number of queries."""
        return self.select_related("version__entity").defer("embedding", "code", "context_embedding", "context_code", "search")

    def matching(self, user: User, chosen: dict) -> "MemoryQuerySet":
        """The user's, by the filters `q`, `kind`, `tier`, `state`, `pinned`, `unused`, `conversation`, `about` (a label), `sure`
        (bounds of the confidence), and by `dated` (a field) from `start` to before `end`. An empty one filters nothing, an
        empty state means live."""
        same = {name: chosen[name] for name in ("kind", "tier", "conversation") if chosen.get(name)}
        same |= {"pinned": True} if chosen.get("pinned") else {}
        same |= {"use_count": 0} if chosen.get("unused") else {}
        same |= {"labels__contains": [chosen["about"]]} if chosen.get("about") else {}
        same |= {f"version__confidence__{bound}": value for bound, value in (chosen.get("sure") or {}).items()}
        for bound, name in (("gte", "start"), ("lt", "end")):
            if chosen.get(name):
                same[f"{chosen['dated']}__{bound}"] = chosen[name]
        found = self.filter(user=user, state=chosen.get("state") or Memory.State.LIVE, **same)
        for word in chosen.get("q", "").split():
            found = found.holding(user, word)
        return found

    def holding(self, user: User, word: str) -> "MemoryQuerySet":
        """Those that say `word`, also as a part of a longer one; the index of words chooses, then the text is read."""
        asked = lexemes.may_hold(user.pk, word)
        chosen = self.filter(RawSQL("chat_memory.search @@ %s::tsquery", [asked], models.BooleanField())) if asked else self
        return chosen.filter(Q(text__icontains=word) | Q(terms__icontains=fold(word)))

    def with_first_turn(self) -> "MemoryQuerySet":
        """Each with `.first_turn`, the id of the message it came from."""
        return self.annotate(first_turn=models.Min("sources__turn_id"))

    def linked_to(self, memory: "Memory") -> "MemoryQuerySet":
        """What speaks of the same as this one, by a link in either direction."""
        return self.filter(Q(links_in__first=memory) | Q(links_out__second=memory)).distinct()

    def uncompared(self) -> "MemoryQuerySet":
        """Fragments that may say again what another says: not yet held against all others."""
        return self.live().filter(kind=Memory.Kind.FRAGMENT, compared=False, marked_wrong=False)

    def perhaps_faded(self, now: datetime) -> "MemoryQuerySet":
        """All live rows that may be forgotten by now, and few others: to be judged by chat.memory.retention."""
        aged = Q(clock_at__lte=now - timedelta(days=retention.LAST_DAY - 1)) | Q(extra_days__lt=0) | Q(start_weight__lt=1)
        faded = Q(importance__lt=retention.LOW_IMPORTANCE + 0.01, use_count=0) & aged
        low = Q(start_weight__lt=2 * retention.FORGOTTEN_AT)
        rows = self.live().filter(faded | low | Q(decay=Memory.Decay.COMMAND)).exclude(decay=Memory.Decay.STATE)
        return rows.filter(pinned=False, authoritative=False, marked_wrong=False)

    def unembedded(self, space_id: int) -> "MemoryQuerySet":
        return self.filter(state=Memory.State.LIVE).exclude(space_id=space_id)


class Memory(Findable):
    """记忆: one recallable row. Its weight is computed from the fields under "life", never stored (chat.memory.retention).

    LIVE ⇄ FORGOTTEN → erased (the row is deleted); LIVE → MERGED → LIVE again by undo; LIVE → SUPERSEDED | EXPIRED.
    """

    class Tier(models.TextChoices):
        SHORT_TERM = "short_term", _("short-term")
        LONG_TERM = "long_term", _("long-term")

    class Kind(models.TextChoices):
        SUMMARY = "summary", _("summary")
        FRAGMENT = "fragment", _("fragment")
        ENTITY = "entity", _("entity")
        THEME = "theme", _("theme")

    class State(models.TextChoices):
        LIVE = "live", _("live")
        FORGOTTEN = "forgotten", _("forgotten")
        MERGED = "merged", _("merged")
        SUPERSEDED = "superseded", _("superseded")
        EXPIRED = "expired", _("expired")

    class Decay(models.TextChoices):
        COMMAND = "command", _("until it is due")
        IDENTITY = "identity", _("identity")
        STATE = "state", _("while it is current")
        NORMAL = "normal", _("normal")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memories")
    conversation = models.ForeignKey("Conversation", null=True, blank=True, on_delete=models.SET_NULL, related_name="memories")
    tier = models.CharField(max_length=10, choices=Tier, default=Tier.SHORT_TERM)
    kind = models.CharField(max_length=10, choices=Kind)
    level = models.PositiveSmallIntegerField(default=0)  # of a summary: 1 window, 2 topic or day, 3 month; 0 for other kinds
    text = models.TextField()
    data = models.JSONField(default=dict, blank=True)  # a summary's 主题/用户问题/建议方案/用户反馈/关键事实; a theme's strength
    version = models.OneToOneField("EntityVersion", null=True, blank=True, on_delete=models.CASCADE, related_name="memory")
    number = models.PositiveIntegerField(default=1)  # counts edits: the optimistic lock of the inspector
    # The second key: what it meant where it was said (the turns before it and itself).
    context = models.TextField(blank=True, default="")
    context_terms = models.TextField(blank=True, default="")  # search words of the context, separated by spaces
    context_embedding = HalfVectorField(dimensions=DIMENSIONS, null=True, blank=True)
    context_code = BitField(length=DIMENSIONS, null=True, blank=True)
    labels = models.JSONField(default=list, blank=True)  # entities, names and topics that it carries
    intents = models.JSONField(default=dict, blank=True)  # {intent: share}
    emotion = models.CharField(max_length=8, blank=True, default="")
    fingerprint_entity = models.CharField(max_length=64, blank=True, default="")
    fingerprint_intent = models.CharField(max_length=64, blank=True, default="")
    fingerprint_hour = models.CharField(max_length=16, blank=True, default="")
    compared = models.BooleanField(default=False)  # a fragment: held against all others for what was said twice
    occurred_at = models.DateTimeField(default=timezone.now)  # event time, start
    occurred_to = models.DateTimeField(null=True, blank=True)  # event time, end (exclusive)
    recorded_at = models.DateTimeField(default=timezone.now)  # when we learned it
    # Life: what its weight is computed from.
    state = models.CharField(max_length=10, choices=State, default=State.LIVE)
    decay = models.CharField(max_length=8, choices=Decay, default=Decay.NORMAL)
    importance = models.FloatField(default=0.5)  # 0–1
    pinned = models.BooleanField(default=False)
    authoritative = models.BooleanField(default=False)
    marked_wrong = models.BooleanField(default=False)
    clock_at = models.DateTimeField(default=timezone.now)  # age counts from here; an answer that used it sets it anew
    start_weight = models.FloatField(default=1.0)  # weight at clock_at
    extra_days = models.FloatField(default=0.0)  # days given by 有用 (+15), taken by 没用 (−15)
    use_count = models.PositiveIntegerField(default=0)
    last_used_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)  # of a command: gone 24 h after
    skips = models.PositiveSmallIntegerField(default=0)  # reminders that were passed over
    stale = models.BooleanField(default=False)  # a summary that asserts a version no longer current: to be rewritten
    forgotten_at = models.DateTimeField(null=True, blank=True)
    forgotten_by = models.CharField(max_length=8, blank=True, default="")  # user, decay, system
    offered_at = models.DateTimeField(null=True, blank=True)  # when the vague offer to restore it was made
    purge_at = models.DateTimeField(null=True, blank=True)
    merged_into = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="merged_from")
    turns = models.ManyToManyField("Turn", through="MemorySource", related_name="memories")
    children = models.ManyToManyField("self", symmetrical=False, related_name="parents", blank=True)  # of a summary
    asserts = models.ManyToManyField("EntityVersion", related_name="asserted_by", blank=True)  # versions it states as true

    objects = MemoryQuerySet.as_manager()

    class Meta:
        verbose_name = _("memory")
        verbose_name_plural = _("memories")
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="memory_has_text"),
            models.CheckConstraint(condition=Q(importance__gte=0, importance__lte=1), name="memory_importance_between_0_and_1"),
            models.CheckConstraint(
                condition=Q(start_weight__gte=0, start_weight__lte=1), name="memory_start_weight_between_0_and_1"
            ),
            models.CheckConstraint(
                condition=Q(occurred_to=None) | Q(occurred_to__gte=F("occurred_at")), name="memory_event_runs_forward"
            ),
            models.CheckConstraint(
                condition=Q(kind="summary", level__in=[1, 2, 3]) | (~Q(kind="summary") & Q(level=0)),
                name="memory_only_summaries_have_a_level",
            ),
            models.CheckConstraint(
                condition=Q(kind="entity", version__isnull=False) | (~Q(kind="entity") & Q(version__isnull=True)),
                name="memory_of_an_entity_has_its_version",
            ),
            models.CheckConstraint(
                condition=~Q(state="forgotten") | Q(forgotten_at__isnull=False), name="memory_forgotten_has_a_date"
            ),
            models.CheckConstraint(
                condition=~Q(state="merged") | Q(merged_into__isnull=False), name="memory_merged_has_a_survivor"
            ),
        ]
        indexes = [
            # First pass of the vector route: Hamming distance over the codes of one user's live rows, from the index alone.
            models.Index(
                fields=["user"],
                include=["id", "code", "context_code"],
                condition=Q(state="live"),
                name="memory_codes_of_user",
            ),
            # Neighbours: the memories before and after one in its conversation.
            models.Index(
                fields=["conversation", "occurred_at", "id"], condition=Q(state="live"), name="memory_in_conversation"
            ),
            # Lexical route. Lexemes carry their user, so that one posting list belongs to one user.
            GinIndex(fields=["search"], name="memory_words", fastupdate=False),
            # Time route, and the inspector in order of event time.
            models.Index(fields=["user", "-occurred_at"], name="memory_by_event_time"),
            # Summaries and themes of one user, newest first.
            models.Index(fields=["user", "state", "kind", "-recorded_at"], name="memory_list"),
            # The inspector, whatever its filters and order: one user's pages and their count come from the index alone.
            models.Index(
                fields=["user", "state", "-recorded_at", "-id"],
                include=["kind", "tier", "pinned", "use_count", "last_used_at", "occurred_at", "importance", "conversation"],
                name="memory_inspector",
            ),
            # Always considered in recall.
            models.Index(fields=["user"], condition=Q(pinned=True, state="live"), name="memory_pinned"),
            # Said twice: the same fingerprint.
            models.Index(
                fields=["user", "fingerprint_entity", "fingerprint_intent", "fingerprint_hour"],
                condition=~Q(fingerprint_entity=""),
                name="memory_fingerprints",
            ),
            # What the next night has to hold against all others.
            models.Index(fields=["user"], condition=Q(kind="fragment", state="live", compared=False), name="memory_uncompared"),
            # Reminders that are due.
            models.Index(fields=["user", "due_at"], condition=Q(decay="command", state="live"), name="memory_due"),
            # Purge of the bin.
            models.Index(fields=["purge_at"], condition=Q(purge_at__isnull=False), name="memory_to_purge"),
        ]

    def __str__(self) -> str:
        return f"memory {self.pk} ({self.kind})"


class MemorySource(models.Model):
    """Which turns a memory came from."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="sources")
    turn = models.ForeignKey("Turn", on_delete=models.CASCADE, related_name="memory_sources")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["memory", "turn"], name="memory_source_once_per_turn")]

    def __str__(self) -> str:
        return f"memory {self.memory_id} from turn {self.turn_id}"


class MemoryRevision(models.Model):
    """What a memory said before an edit or a merge; the last one is undone by restoring it."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    data = models.JSONField(default=dict, blank=True)
    actor = models.CharField(max_length=8)  # user, staff, model, system
    reason = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["memory", "number"], name="memory_revision_numbered_once")]

    def __str__(self) -> str:
        return f"revision {self.number} of memory {self.memory_id}"


class MemoryLink(models.Model):
    """A small link between two memories, such as has a cat ↔ buys this cat food."""

    first = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="links_out")
    second = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="links_in")
    kind = models.CharField(max_length=24)
    strength = models.FloatField(default=1.0)  # 0–1

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["first", "second", "kind"], name="memory_link_once"),
            models.CheckConstraint(condition=~Q(first=F("second")), name="memory_link_joins_two"),
        ]

    def __str__(self) -> str:
        return f"link {self.first_id} – {self.second_id}"
