"""Sign-in for pages, and the reader's language and time zone."""

from collections.abc import Callable
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from chat.models import Account


class PageLoginRequired(LoginRequiredMiddleware):
    """Every page wants a sign-in unless it says otherwise. `/api/` has its own authentication and answers 401."""

    def process_view(self, request: HttpRequest, view_func, view_args, view_kwargs):
        if request.path.startswith("/api/"):
            return None
        return super().process_view(request, view_func, view_args, view_kwargs)


def user_locale(get_response: Callable[[HttpRequest], HttpResponse]):
    """Language: the account's choice, then the cookie, then Accept-Language. Zone: the account's, then the browser's."""

    def middleware(request: HttpRequest) -> HttpResponse:
        account = Account.objects.of(request.user) if request.user.is_authenticated else None
        request.account = account
        language = (account and account.language) or translation.get_language_from_request(request)
        with translation.override(language), timezone.override(_zone(request, account)):
            request.LANGUAGE_CODE = translation.get_language()
            response = get_response(request)
            response.setdefault("Content-Language", request.LANGUAGE_CODE)
        return response

    return middleware


def _zone(request: HttpRequest, account: Account | None) -> ZoneInfo:
    for name in ((account and account.time_zone) or "", request.COOKIES.get("zone", "")):
        if name in zone_names():
            return ZoneInfo(name)
    return ZoneInfo(settings.TIME_ZONE)


@cache
def zone_names() -> frozenset[str]:
    """All IANA names. Python looks through the whole zone directory for them, which is far too slow for every request."""
    return frozenset(available_timezones())
