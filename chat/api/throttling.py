"""How often one caller may call: so many requests a minute of one user, or of one address without a sign-in; 429 beyond."""

from django.conf import settings
from django.http import HttpRequest
from ninja.throttling import BaseThrottle

from chat.limits import count_within

SECONDS = 60


class PerMinute(BaseThrottle):
    """A fixed window in the cache. API_CALLS_PER_MINUTE=0 and a cache that is down limit nobody."""

    def allow_request(self, request: HttpRequest) -> bool:
        limit = settings.API_CALLS_PER_MINUTE
        user = getattr(request, "auth", None)
        who = f"user:{user.pk}" if user else f"address:{request.META.get('REMOTE_ADDR', '')}"
        return not limit or count_within(f"api:{who}", limit, SECONDS)

    def wait(self) -> float:
        return SECONDS
