"""The queue of conflicts that wait for a person: side by side, decided with a reason, through the same verbs as the user's own."""

from datetime import timedelta

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from chat.admin.pseudonyms import PERMISSION, PseudonymousAdmin, name_for
from chat.errors import BadInput
from chat.memory import arbitration, tending
from chat.memory.actors import Actor
from chat.models import AuditEvent, Conflict
from chat.templatetags.page import slot_label

Decision = Conflict.Decision


class DecisionForm(forms.Form):
    decision = forms.ChoiceField(label=_("Decision"), widget=forms.RadioSelect)
    text = forms.CharField(
        label=_("Merged value"),
        required=False,
        max_length=2000,
        help_text=_("What is true of both together; for “merge” only."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=400,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("The user can read it."),
    )

    def __init__(self, conflict: Conflict, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["decision"].choices = [(name, Decision(name).label) for name in conflict.decisions]


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=400, widget=forms.Textarea(attrs={"rows": 3}))


class TendingForm(forms.Form):
    assignee = forms.ModelChoiceField(label=_("Looked after by"), queryset=User.objects.none(), required=False)
    escalated = forms.BooleanField(label=_("Needs somebody above"), required=False)
    note = forms.CharField(
        label=_("Note"),
        required=False,
        max_length=400,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Kept below; the user finds it in an export."),
    )

    def __init__(self, conflict: Conflict, *args, **kwargs):
        now = {"assignee": conflict.assignee_id, "escalated": conflict.escalated_at is not None}
        super().__init__(*args, initial=now, prefix="tend", **kwargs)
        self.fields["assignee"].queryset = User.objects.filter(is_staff=True, is_active=True).order_by("username")


class EscalatedFilter(admin.SimpleListFilter):
    title = _("escalated")
    parameter_name = "escalated"

    def lookups(self, request, model_admin):
        return [("yes", _("yes")), ("mine", _("looked after by me"))]

    def queryset(self, request: HttpRequest, rows: QuerySet) -> QuerySet:
        wanted = {"yes": {"escalated_at__isnull": False}, "mine": {"assignee": request.user}}
        return rows.filter(**wanted.get(self.value(), {}))


class AgeFilter(admin.SimpleListFilter):
    title = _("age")
    parameter_name = "age"

    def lookups(self, request, model_admin):
        return [("day", _("up to a day")), ("week", _("up to a week")), ("older", _("older than a week"))]

    def queryset(self, request: HttpRequest, rows: QuerySet) -> QuerySet:
        now = timezone.now()
        bounds = {
            "day": {"opened_at__gte": now - timedelta(days=1)},
            "week": {"opened_at__gte": now - timedelta(days=7)},
            "older": {"opened_at__lt": now - timedelta(days=7)},
        }
        return rows.filter(**bounds.get(self.value(), {}))


@admin.register(Conflict)
class ConflictAdmin(PseudonymousAdmin):
    list_display = ("id", "who", "slot", "change", "support", "outcome", "care", "opened")  # the kind is a filter
    list_filter = ("status", "kind", AgeFilter, EscalatedFilter)
    related = ("user", "entity", "old", "new", "assignee")
    search_fields = ("entity__category", "entity__attribute", "old__value", "new__value", "reason")
    ordering = ("-opened_at", "-id")
    show_full_result_count = False
    actions = ("keep_new", "keep_old", "keep_both", "dismiss", "take", "escalate")
    change_form_template = "admin/chat/conflict/change_form.html"

    @admin.display(description=_("about"))
    def slot(self, row: Conflict) -> str:
        return slot_label(row.entity) if row.entity else "–"

    @admin.display(description=_("old → new"))
    def change(self, row: Conflict) -> str:
        return " → ".join(version.value if version else "–" for version in (row.old, row.new))

    @admin.display(description=_("support, old : new"))
    def support(self, row: Conflict) -> str:
        return f"{row.old.support:g} : {row.new.support:g}" if row.old and row.new else "–"

    @admin.display(description=_("status"), ordering="status")
    def outcome(self, row: Conflict) -> str:
        return " · ".join(filter(None, [row.get_status_display(), row.get_decision_display()]))

    @admin.display(description=_("looked after by"), ordering="assignee__username")
    def care(self, row: Conflict) -> str:
        told = [Truncator(row.assignee.get_username()).chars(10) if row.assignee else "", _("escalated") if row.escalated_at else ""]
        return " · ".join(str(each) for each in told if each) or "–"

    @admin.display(description=_("opened"), ordering="opened_at")
    def opened(self, row: Conflict) -> str:
        return timezone.localtime(row.opened_at).date().isoformat()

    def get_urls(self) -> list:
        undo = path("<int:pk>/undo/", self.admin_site.admin_view(self.undo), name="chat_conflict_undo")
        tend = path("<int:pk>/tend/", self.admin_site.admin_view(self.tend), name="chat_conflict_tend")
        return [undo, tend, *super().get_urls()]

    # One conflict.

    def change_view(self, request: HttpRequest, object_id: str, form_url="", extra_context=None) -> HttpResponse:
        conflict = get_object_or_404(Conflict.objects.for_review(), pk=object_id) if object_id.isdecimal() else None
        if conflict is None or not self.has_view_permission(request, conflict):
            return super().change_view(request, object_id, form_url, extra_context)  # answers with the usual errors
        form = DecisionForm(conflict, request.POST or None)
        if request.method == "POST" and self._decide(request, conflict, form):
            return redirect("admin:chat_conflict_changelist")
        return TemplateResponse(request, self.change_form_template, self._context(request, conflict, form))

    def _decide(self, request: HttpRequest, conflict: Conflict, form: DecisionForm) -> bool:
        if not self.has_change_permission(request, conflict):
            raise PermissionDenied
        if not form.is_valid():
            return False
        decision, given = form.cleaned_data["decision"], form.cleaned_data
        try:
            arbitration.resolve(
                conflict, decision, Actor.staff(request.user), text=given["text"], reason=given["reason"]
            )
        except BadInput as error:
            form.add_error(None, forms.ValidationError(error.message, code=error.code))
            return False
        self.message_user(request, _("Decided."), messages.SUCCESS)
        return True

    def _context(self, request: HttpRequest, conflict: Conflict, form: DecisionForm) -> dict:
        acts = AuditEvent.objects.filter(user=conflict.user_id, object_type="conflict", object_id=conflict.pk)
        return {
            **self.admin_site.each_context(request),
            "title": _("Conflict %(number)d") % {"number": conflict.pk},
            "opts": self.opts,
            "conflict": conflict,
            "who": name_for(conflict.user, may_name=request.user.has_perm(PERMISSION)),
            "sides": [(_("Old"), conflict.old), (_("New"), conflict.new)],
            "versions": conflict.entity.versions.timeline()[:50] if conflict.entity else [],
            "acts": acts.select_related("actor_user").order_by("-at")[:50],
            "form": form,
            "tending": TendingForm(conflict),
            "may_decide": self.has_change_permission(request, conflict),
            "undoable": conflict.status != Conflict.Status.OPEN,
        }

    def undo(self, request: HttpRequest, pk: int) -> HttpResponse:
        conflict = get_object_or_404(Conflict, pk=pk)
        if request.method != "POST" or not self.has_change_permission(request, conflict):
            raise PermissionDenied
        try:
            arbitration.undo(conflict, Actor.staff(request.user))
        except BadInput as error:
            self.message_user(request, error.message, messages.ERROR)
        else:
            self.message_user(request, _("The decision is taken back."), messages.SUCCESS)
        return redirect("admin:chat_conflict_change", pk)

    def tend(self, request: HttpRequest, pk: int) -> HttpResponse:
        conflict = get_object_or_404(Conflict, pk=pk)
        if request.method != "POST" or not self.has_change_permission(request, conflict):
            raise PermissionDenied
        form = TendingForm(conflict, request.POST)
        if form.is_valid():
            tending.tend(conflict, Actor.staff(request.user), **form.cleaned_data)
            self.message_user(request, _("Noted."), messages.SUCCESS)
        else:
            self.message_user(request, " ".join(error for errors in form.errors.values() for error in errors), messages.ERROR)
        return redirect("admin:chat_conflict_change", pk)

    @admin.action(description=_("Look after them myself"), permissions=["change"])
    def take(self, request: HttpRequest, chosen: QuerySet) -> None:
        for conflict in chosen:
            tending.tend(conflict, Actor.staff(request.user), assignee=request.user, escalated=conflict.escalated_at is not None)
        self.message_user(request, _("Noted."), messages.SUCCESS)

    @admin.action(description=_("Escalate"), permissions=["change"])
    def escalate(self, request: HttpRequest, chosen: QuerySet) -> None:
        for conflict in chosen:
            tending.tend(conflict, Actor.staff(request.user), assignee=conflict.assignee, escalated=True)
        self.message_user(request, _("Noted."), messages.SUCCESS)

    # Many conflicts, with one reason.

    @admin.action(description=_("Use the new one"), permissions=["change"])
    def keep_new(self, request: HttpRequest, chosen: QuerySet) -> HttpResponse | None:
        return self._decide_all(request, chosen, Decision.KEEP_NEW)

    @admin.action(description=_("Use the old one"), permissions=["change"])
    def keep_old(self, request: HttpRequest, chosen: QuerySet) -> HttpResponse | None:
        return self._decide_all(request, chosen, Decision.KEEP_OLD)

    @admin.action(description=_("Keep both"), permissions=["change"])
    def keep_both(self, request: HttpRequest, chosen: QuerySet) -> HttpResponse | None:
        return self._decide_all(request, chosen, Decision.KEEP_BOTH)

    @admin.action(description=_("Dismiss"), permissions=["change"])
    def dismiss(self, request: HttpRequest, chosen: QuerySet) -> HttpResponse | None:
        return self._decide_all(request, chosen, Decision.DISMISS)

    def _decide_all(self, request: HttpRequest, chosen: QuerySet, decision: str) -> HttpResponse | None:
        """First a page that asks for the reason, then one decision after another; those decided meanwhile stay."""
        form = ReasonForm(request.POST if "reason" in request.POST else None)
        if form.is_valid():
            self._carry_out(request, list(chosen), decision, form.cleaned_data["reason"])
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": _("Give a reason"),
            "opts": self.opts,
            "form": form,
            "conflicts": chosen,
            "action": Decision(decision).value,
            "decision": Decision(decision).label,
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/chat/conflict/decide_selected.html", context)

    def _carry_out(self, request: HttpRequest, conflicts: list[Conflict], decision: str, reason: str) -> None:
        done, left = 0, []
        for conflict in conflicts:
            try:
                if decision not in conflict.decisions:
                    raise BadInput("decision_not_possible", _("This conflict can't be decided like that."))
                arbitration.resolve(conflict, decision, Actor.staff(request.user), reason=reason)
                done += 1
            except BadInput:
                left.append(str(conflict.pk))
        if done:
            message = ngettext("%(count)d conflict decided.", "%(count)d conflicts decided.", done) % {"count": done}
            self.message_user(request, message, messages.SUCCESS)
        if left:
            self.message_user(
                request, _("Left as they are: %(numbers)s") % {"numbers": ", ".join(left)}, messages.WARNING
            )
