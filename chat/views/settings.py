"""Settings of the reader: languages, memory switches, API tokens, other devices; bringing a history in, and erasing everything."""

from datetime import timedelta
from zoneinfo import available_timezones

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from chat.forms import AccountForm
from chat.memory import counts, erase
from chat.memory.actors import Actor
from chat.memory.text import strip_controls
from chat.models import Account, ApiToken, Job
from chat.transfer import uploads
from chat.transfer.imports import UNREADABLE
from chat.views.confirming import require_name


@never_cache
@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    form = AccountForm(request.POST or None, instance=Account.objects.of(request.user))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("settings")
    context = {
        "form": form,
        "tokens": ApiToken.objects.filter(user=request.user).order_by("-pk"),
        "zones": sorted(available_timezones()),
        "new_token": request.session.pop("new_token", ""),
        "paused": request.account.memory_paused_until and request.account.memory_paused_until > timezone.now(),
        **import_state(request),
    }
    return render(request, "settings/settings.html", context, status=422 if form.errors else 200)


def import_state(request: HttpRequest) -> dict:
    """The newest import of the reader, how far it is, and what went wrong."""
    job = uploads.latest(request.user)
    if job is None:
        return {"job": None}
    left = uploads.still_to_remember(request.user)
    turns = job.progress.get("turns", 0)
    failed = job.status == Job.Status.DEAD
    return {
        "job": job,
        "left": left,
        "share": 1 - min(left, turns) / turns if turns and job.status == Job.Status.DONE else 0.0,
        "busy": job.status in {Job.Status.WAITING, Job.Status.RUNNING} or bool(left and turns),
        "import_error": UNREADABLE.get(job.error, _("The file could not be read to its end.")) if failed else "",
    }


@never_cache
@require_http_methods(["GET", "POST"])
def import_history(request: HttpRequest) -> HttpResponse:
    """POST takes a file; GET tells, for the settings page, how far it is."""
    if request.method == "GET":
        return render(request, "settings/import.html", import_state(request))
    uploads.receive(request.user, request.FILES.get("file"))
    return redirect(reverse("settings") + "#import")


@require_POST
def pause(request: HttpRequest) -> HttpResponse:
    """Nothing new is remembered for an hour, or again from now on."""
    until = timezone.now() + timedelta(hours=1) if request.POST.get("on") == "1" else None
    Account.objects.filter(pk=request.account.pk).update(memory_paused_until=until)
    messages.success(request, _("Nothing new is remembered for an hour.") if until else _("New things are remembered again."))
    return redirect("settings")


@require_POST
def create_token(request: HttpRequest) -> HttpResponse:
    """The secret goes through the session once, to the next page, and is then nowhere."""
    _token, secret = ApiToken.objects.issue(request.user, strip_controls(request.POST.get("name", "")).strip()[:80])
    request.session["new_token"] = secret
    return redirect("settings")


@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    get_object_or_404(ApiToken, user=request.user, pk=pk).delete()
    messages.success(request, _("The token is revoked."))
    return redirect("settings")


@require_POST
def sign_out_others(request: HttpRequest) -> HttpResponse:
    """End the reader's other sessions. They carry no index by user, so all unexpired ones are read; it is a rare act."""
    mine = str(request.user.pk)
    unexpired = Session.objects.filter(expire_date__gt=timezone.now()).exclude(pk=request.session.session_key)
    ended = [each.pk for each in unexpired.iterator() if each.get_decoded().get("_auth_user_id") == mine]
    Session.objects.filter(pk__in=ended).delete()
    messages.success(request, _("Signed out everywhere else."))
    return redirect("settings")


@require_http_methods(["GET", "POST"])
def delete_account(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        return render(request, "settings/delete_account.html", counts.row_counts(request.user))
    require_name(request)
    user = request.user
    logout(request)
    erase.erase_account(user, Actor.person(user))
    messages.success(request, _("The account is gone."))
    return redirect("sign-in")


@require_http_methods(["GET", "POST"])
def erase_all(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        return render(request, "settings/erase_all.html", counts.row_counts(request.user))
    require_name(request)
    erase.erase_all(request.user, Actor.person(request.user))
    messages.success(request, _("Everything is erased."))
    return redirect("settings")
