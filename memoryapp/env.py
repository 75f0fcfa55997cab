"""Typed readers of environment variables. A wrong value stops the start with its name, never falls back in silence."""

import os
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def read_text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def read_bool(name: str, default: bool) -> bool:
    """`1/true/yes/on` or `0/false/no/off`; anything else raises ImproperlyConfigured."""
    raw = read_text(name).lower()
    if not raw:
        return default
    if raw in {"1", "true", "yes", "on"}:
        return True
    if raw in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} must be true or false, not {raw!r}")


def read_int(name: str, default: int) -> int:
    raw = read_text(name)
    try:
        return int(raw) if raw else default
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {raw!r}") from None


def read_float(name: str, default: float) -> float:
    raw = read_text(name)
    try:
        return float(raw) if raw else default
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a number, not {raw!r}") from None


def read_list(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in read_text(name, default).split(",") if part.strip()]


def read_database(name: str, default: str) -> dict:
    """Django's DATABASES entry for a `postgresql://user:password@host:port/name?host=/socket/dir` URL."""
    url = urlsplit(read_text(name, default))
    if url.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(f"{name} must be a postgresql:// URL")
    options = {key: values[-1] for key, values in parse_qs(url.query).items()}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path.lstrip("/")),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": options.pop("host", unquote(url.hostname or "")),
        "PORT": str(url.port or options.pop("port", "")),
        "OPTIONS": options,
    }
