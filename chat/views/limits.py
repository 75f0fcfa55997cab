"""A little patience with whoever guesses passwords."""

import logging

from django.core.cache import cache
from django.http import HttpRequest
from redis.exceptions import RedisError

log = logging.getLogger(__name__)


def within_limit(request: HttpRequest, what: str, limit: int = 10, seconds: int = 300) -> bool:
    """Count an attempt; False from the (`limit` + 1)th in `seconds` from one address on. A cache that is down limits nobody."""
    key = f"attempts:{what}:{request.META.get('REMOTE_ADDR', '')}"
    try:
        cache.add(key, 0, seconds)
        return cache.incr(key) <= limit
    except (RedisError, ValueError) as error:  # ValueError: the key ran out between the two calls
        log.warning("attempts not counted: %s", type(error).__name__)
        return True
