"""Background work. What gave up can be run again."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from chat import jobs
from chat.admin.pseudonyms import PseudonymousAdmin
from chat.models import Job


@admin.register(Job)
class JobAdmin(PseudonymousAdmin):
    list_display = ("id", "kind", "status", "attempts", "error", "who", "due_at", "heartbeat_at", "finished_at")
    list_filter = ("status", "kind")
    search_fields = ("error", "key")
    ordering = ("-due_at", "-id")
    show_full_result_count = False
    actions = ("run_again",)
    fields = readonly_fields = (
        "kind", "key", "who", "turn_id", "status", "attempts", "error", "progress", "due_at", "heartbeat_at",
        "finished_at", "created_at",
    )  # fmt: skip

    @admin.action(description=_("Run again what gave up"), permissions=["change"])
    def run_again(self, request: HttpRequest, chosen: QuerySet) -> None:
        dead = list(chosen.filter(status=Job.Status.DEAD))
        for job in dead:
            jobs.run_again(job)
        done = ngettext("%(count)d job runs again.", "%(count)d jobs run again.", len(dead)) % {"count": len(dead)}
        self.message_user(request, done, messages.SUCCESS if dead else messages.WARNING)
