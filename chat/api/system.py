"""/api/health"""

import redis
from django.conf import settings
from django.db import connection
from django.db.utils import Error as DatabaseError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Router
from psycopg_pool import PoolTimeout

from chat.api.problems import problem
from chat.api.schemas.account import HealthOut
from chat.llm import client

VERSION = "0.1.0"
router = Router(tags=["system"])


@router.get("/health", response=HealthOut, auth=None, summary="Whether the parts that an answer needs can be reached")
def health(request: HttpRequest):
    """503 when the database or Redis can't be reached. Needs no sign-in and tells nothing about anybody."""
    checks = {"database": _database(), "redis": _redis()}
    if set(checks.values()) != {"ok"}:
        return problem(503, "unhealthy", _("A part that answers need can't be reached."), checks=checks)
    return {
        "status": "ok",
        "version": VERSION,
        "checks": checks,
        "model": client.model_name() if client.configured() else "builtin",
    }


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, PoolTimeout) as error:
        return type(error).__name__
    return "ok"


def _redis() -> str:
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2) as client_:
            client_.ping()
    except redis.RedisError as error:
        return type(error).__name__
    return "ok"
