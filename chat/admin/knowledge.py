"""The knowledge base: upload, list, delete. Uploading a file of the same name again replaces what changed."""

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from chat.forms import UploadForm
from chat.models import Document, Passage


class PassageInline(admin.TabularInline):
    model = Passage
    fields = readonly_fields = ("number", "heading", "text", "tokens")
    extra = 0
    can_delete = False
    ordering = ("number",)

    def has_add_permission(self, request, obj=None) -> bool:
        return False

    def has_change_permission(self, request, obj=None) -> bool:
        return False


@admin.register(Document)
class DocumentAdmin(admin.ModelAdmin):
    list_display = ("title", "language", "passage_count", "found_by_meaning", "builtin", "source", "updated_at")
    list_filter = ("language", "builtin")
    search_fields = ("title", "source")
    ordering = ("title",)
    fields = readonly_fields = ("title", "source", "language", "builtin", "file_hash", "created_at", "updated_at")

    @admin.display(description=_("passages"), ordering="passage_count")
    def passage_count(self, row: Document) -> int:
        return row.passage_count

    @admin.display(description=_("found by meaning"))
    def found_by_meaning(self, row: Document) -> str:
        """How far the vectors are, which are made in the background after an upload."""
        return f"{row.embedded_count} / {row.passage_count}"

    def get_queryset(self, request):
        return super().get_queryset(request).counted()

    def get_form(self, request: HttpRequest, obj=None, **kwargs):
        return super().get_form(request, obj, **kwargs) if obj else UploadForm

    def get_fields(self, request, obj=None):
        return self.fields if obj else ["file"]

    def get_readonly_fields(self, request, obj=None):
        return self.readonly_fields if obj else ()

    def get_inlines(self, request, obj):
        return [PassageInline] if obj else []

    def save_form(self, request, form, change):
        return form.instance

    def save_model(self, request, obj, form, change) -> None:
        """Stored by the form."""

    def save_related(self, request, form, formsets, change) -> None:
        """So are the passages."""

    def has_change_permission(self, request, obj=None) -> bool:
        """Texts are changed in their files and uploaded again."""
        return obj is None and super().has_change_permission(request)

    def has_delete_permission(self, request, obj=None) -> bool:
        return not (obj and obj.builtin) and super().has_delete_permission(request, obj)
