"""Who calls: a bearer token, or the browser's session with its CSRF token."""

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone, translation
from ninja.security import HttpBearer, SessionAuth

from chat.models import Account, ApiToken


class TokenAuth(HttpBearer):
    """`Authorization: Bearer xj_…`. The account's language and time zone apply, as on its pages."""

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        found = ApiToken.objects.matching(token.strip())
        if found is None:
            return None
        found.touch()
        request.user = found.user
        _speak_as(request, Account.objects.of(found.user))
        return found.user


class PageAuth(SessionAuth):
    """The session of the pages. A header that was sent but is wrong never falls back to the session."""

    def __call__(self, request: HttpRequest) -> User | None:
        if "Authorization" in request.headers or not request.user.is_authenticated:
            return None
        return super().__call__(request)  # raises 403 where the CSRF token is missing


def _speak_as(request: HttpRequest, account: Account) -> None:
    """`memoryapp.middleware.user_locale` could not know the user yet; it takes these back at the end of the request."""
    request.account = account
    if account.language:
        translation.activate(account.language)
        request.LANGUAGE_CODE = account.language
    timezone.activate(account.zone_name)
