"""Coming in and going out; language and theme, which also work signed out."""

from django.conf import settings
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from chat.errors import NotHere
from chat.forms import SignInForm, SignUpForm
from chat.models import Account, SignInLink

BACKEND = "django.contrib.auth.backends.ModelBackend"
YEAR = 365 * 24 * 3600


def safe_next(request: HttpRequest, default: str = "chat") -> str:
    """The page that the reader wants to go (back) to, if it is one of ours."""
    target = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return target if ours else default


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    if not settings.SIGN_UP_OPEN:
        raise NotHere("sign_up_closed", _("Nobody can sign up here."))
    form = SignUpForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        login(request, form.save(), backend=BACKEND)
        return redirect("chat")
    return render(request, "accounts/sign_up.html", {"form": form}, status=_status(form))


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    form = SignInForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        login(request, form.get_user())
        return redirect(safe_next(request))
    context = {"form": form, "next": safe_next(request, ""), "sign_up_open": settings.SIGN_UP_OPEN}
    return render(request, "accounts/sign_in.html", context, status=_status(form))


def _status(form) -> int:
    if form.has_error(NON_FIELD_ERRORS, "too_often"):
        return 429
    return 422 if form.errors else 200


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def sign_in_link(request: HttpRequest, secret: str) -> HttpResponse:
    """GET shows a button and POST redeems, so that a preview of the link doesn't use it up."""
    if request.method == "GET":
        return render(request, "accounts/sign_in_link.html")
    user = SignInLink.objects.redeem(secret)
    if user is None:
        return render(request, "accounts/sign_in_link.html", {"spent": True}, status=410)
    login(request, user, backend=BACKEND)
    return redirect("chat")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("sign-in")


@login_not_required
@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    return _choose(request, "language", dict(settings.LANGUAGES), settings.LANGUAGE_COOKIE_NAME)


@login_not_required
@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    return _choose(request, "theme", Account.Theme.values, "theme")


def _choose(request: HttpRequest, name: str, allowed, cookie: str) -> HttpResponse:
    """Keep a choice in the account, for the reader's other devices, and in a cookie, for the pages before the sign-in."""
    response = redirect(safe_next(request))
    value = request.POST.get(name, "")
    if value in allowed:
        if request.account:
            Account.objects.filter(pk=request.account.pk).update(**{name: value})
        response.set_cookie(cookie, value, max_age=YEAR, samesite="Lax", secure=settings.SECURE_COOKIES)
    return response


@require_POST
def hide_banner(request: HttpRequest) -> HttpResponse:
    response = redirect(safe_next(request))
    response.set_cookie("model_banner", "off", max_age=YEAR, samesite="Lax", secure=settings.SECURE_COOKIES)
    return response


@require_POST
def welcomed(request: HttpRequest) -> HttpResponse:
    """The hint at the first memory has been seen."""
    Account.objects.filter(pk=request.account.pk, welcomed_at=None).update(welcomed_at=timezone.now())
    return redirect(safe_next(request))
