"""Fixtures: three people (Alice owns things, Bob is another user, Charlie a stranger), a scripted model, workers, a browser."""

import pytest

from tests.factories import make_user


@pytest.fixture
def alice(db):
    return make_user("alice")


@pytest.fixture
def bob(db):
    return make_user("bob")


@pytest.fixture
def charlie(db):
    return make_user("charlie")


@pytest.fixture(autouse=True)
def _clean_redis(request):
    """Streams and rate limits of one test are nothing to the next. Tests without a database have no Redis either."""
    names = {"db", "transactional_db", "django_db_setup"} & set(request.fixturenames)
    yield
    if names or request.node.get_closest_marker("django_db"):
        import redis
        from django.conf import settings

        with redis.Redis.from_url(settings.REDIS_URL) as client:
            client.flushdb()
