"""A little patience with whoever guesses passwords or calls without end."""

import logging

from django.core.cache import cache
from django.http import HttpRequest
from redis.exceptions import RedisError

log = logging.getLogger(__name__)


def within_limit(request: HttpRequest, what: str, limit: int = 10, seconds: int = 300) -> bool:
    """Count an attempt; False from the (`limit` + 1)th in `seconds` from one address on."""
    return count_within(f"attempts:{what}:{request.META.get('REMOTE_ADDR', '')}", limit, seconds)


def count_within(key: str, limit: int, seconds: int) -> bool:
    """Count one more under this key; whether `seconds` have seen at most `limit`. A cache that is down limits nobody."""
    try:
        cache.add(key, 0, seconds)
        return cache.incr(key) <= limit
    except (RedisError, ValueError) as error:  # ValueError: the key ran out between the two calls
        log.warning("attempts not counted: %s", type(error).__name__)
        return True
