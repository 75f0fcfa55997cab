"""Settings of the reader: languages, memory switches, API tokens, other devices, and erasing everything."""

from zoneinfo import available_timezones

from django.contrib import messages
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from chat.errors import BadInput
from chat.forms import AccountForm
from chat.memory import erase
from chat.memory.actors import Actor
from chat.memory.text import strip_controls
from chat.models import Account, ApiToken, Conversation, Entity, Memory, Turn


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
    }
    return render(request, "settings/settings.html", context, status=422 if form.errors else 200)


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
def erase_all(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        mine = {"user": request.user}
        counts = {
            "conversations": Conversation.objects.filter(**mine).count(),
            "turns": Turn.objects.filter(**mine).count(),
            "memories": Memory.objects.filter(**mine).count(),
            "entities": Entity.objects.filter(**mine).count(),
        }
        return render(request, "settings/erase_all.html", counts)
    if request.POST.get("confirm", "").strip() != request.user.get_username():
        raise BadInput("not_confirmed", _("Type your user name to confirm. Nothing was erased."))
    erase.erase_all(request.user, Actor.person(request.user))
    messages.success(request, _("Everything is erased."))
    return redirect("settings")
