"""Records to look things up in: beliefs, recalls, the audit trail. Read-only."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from chat.admin.pseudonyms import ReadOnlyAdmin
from chat.models import AuditEvent, EntityVersion, Recall


@admin.register(EntityVersion)
class EntityVersionAdmin(ReadOnlyAdmin):
    owner = "entity__user"
    list_display = ("id", "who", "slot", "value", "status", "source", "confidence", "recorded_at")
    list_filter = ("status", "source", "entity__category")
    related = ("entity__user",)
    search_fields = ("value", "entity__attribute")
    ordering = ("-recorded_at", "-id")
    show_full_result_count = False
    fields = (
        "who", "slot", "value", "normalized", "status", "confidence", "source", "quote", "time_words", "valid_from",
        "valid_to", "recorded_at", "observations", "explicit_confirmations", "implicit_confirmations",
        "unchallenged_uses", "extractor",
    )  # fmt: skip

    @admin.display(description=_("state"))
    def slot(self, row: EntityVersion) -> str:
        return row.entity.slot


@admin.register(Recall)
class RecallAdmin(ReadOnlyAdmin):
    """Numbers of a recall. The question and the prompt stay with the user."""

    list_display = ("id", "who", "turn_id", "attempt", "considered", "store_size", "created_at")
    ordering = ("-created_at",)
    show_full_result_count = False
    fields = ("who", "turn_id", "attempt", "considered", "store_size", "sections", "timings", "degraded", "created_at")


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnlyAdmin):
    list_display = ("id", "who", "actor", "action", "object_type", "object_id", "reason", "at")
    list_filter = ("actor", "object_type", "at")
    search_fields = ("action", "reason")
    ordering = ("-at", "-id")
    show_full_result_count = False
    fields = ("who", "actor", "actor_user_id", "action", "object_type", "object_id", "data", "reason", "at")
