"""All settings of the site. Everything has a default, so that it starts with no variable set; `.env.example` lists them."""

from pathlib import Path

from csp.constants import NONE, SELF
from django.core.management.utils import get_random_secret_key
from django.utils.translation import gettext_lazy as _

from memoryapp.env import read_bool, read_database, read_float, read_int, read_list, read_text

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(read_text("XINJI_DATA", str(BASE_DIR / "var"))).resolve()


def _secret_key() -> str:
    """SECRET_KEY from the environment, else one made once and kept in the data directory."""
    if key := read_text("SECRET_KEY"):
        return key
    path = DATA_DIR / "secret_key"
    if not path.exists():
        DATA_DIR.mkdir(parents=True, exist_ok=True)
        path.write_text(get_random_secret_key())
        path.chmod(0o600)
    return path.read_text()


SECRET_KEY = _secret_key()
DEBUG = read_bool("DEBUG", False)
ALLOWED_HOSTS = read_list("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = read_list("CSRF_TRUSTED_ORIGINS")
SECURE_COOKIES = read_bool("SECURE_COOKIES", False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_COOKIES
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SECURE_COOKIES else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "csp",
    "ninja",
    "chat",
]

MIDDLEWARE = [
    "chat.views.metrics.measured",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "chat.api.problems.answer_in_problems",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "memoryapp.middleware.PageLoginRequired",
    "memoryapp.middleware.user_locale",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "chat.views.errors.tell_bad_input",
]
CSRF_FAILURE_VIEW = "chat.views.errors.csrf_failure"

ROOT_URLCONF = "memoryapp.urls"
ASGI_APPLICATION = "memoryapp.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "chat.views.context.page",
            ]
        },
    }
]

DATABASES = {"default": read_database("DATABASE_URL", "postgresql://postgres@localhost:5432/xinji")}
DATABASES["default"]["CONN_MAX_AGE"] = 0
DATABASES["default"]["OPTIONS"] |= {"pool": {"min_size": 1, "max_size": read_int("DATABASE_POOL", 12), "timeout": 10}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = read_text("REDIS_URL", "redis://localhost:6379/0")
# Only short-lived values live in the cache (rate limits, health): losing it loses nothing.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}

LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "chat"
LOGOUT_REDIRECT_URL = "sign-in"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
SIGN_UP_OPEN = read_bool("SIGN_UP_OPEN", True)
SIGN_IN_LINK_MINUTES = 60
API_CALLS_PER_MINUTE = read_int("API_CALLS_PER_MINUTE", 3000)  # of one caller; 0: as many as they like
METRICS_TOKEN = read_text("METRICS_TOKEN")  # what Prometheus sends as a bearer token; none: only staff may read /metrics

LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", _("Simplified Chinese")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "memoryapp.formats"
TIME_ZONE = read_text("TIME_ZONE", "Asia/Shanghai")
USE_I18N = USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True  # files are served from where they lie; `make run` needs no collectstatic step
MEDIA_ROOT = DATA_DIR / "uploads"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "connect-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
# A message is taken off the queue when its task begins. What must not be lost is a Job row, and the sweeper finds it;
# messages that stay until the end come twice after visibility_timeout, and a worker that holds one can't reconnect.
CELERY_TASK_ACKS_LATE = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 600, "socket_keepalive": True}
CELERY_TASK_ROUTES = {"chat.tasks.reply": {"queue": "reply"}}
CELERY_TASK_DEFAULT_QUEUE = "memory"
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1}
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "chat.tasks.sweep", "schedule": 15.0},
    "maintain": {"task": "chat.tasks.maintain_all", "schedule": 60.0 * 60},
}

# The model that answers; no base URL means the built-in answerer.
OPENAI_BASE_URL = read_text("OPENAI_BASE_URL")
OPENAI_API_KEY = read_text("OPENAI_API_KEY", "none")
CHAT_MODEL = read_text("CHAT_MODEL", "gpt-4o-mini")
LLM_FIRST_TOKEN_SECONDS = read_float("LLM_FIRST_TOKEN_SECONDS", 60)
LLM_ANSWER_SECONDS = read_float("LLM_ANSWER_SECONDS", 300)
LLM_EXTRACTION = read_bool("LLM_EXTRACTION", True)  # let the model propose state in the background
LLM_QUERY_REWRITING = read_bool("LLM_QUERY_REWRITING", False)  # ask it for other wordings of a question, before recall
LLM_REWRITING_SECONDS = read_float("LLM_REWRITING_SECONDS", 2)
LLM_CONTEXT_FUSION = read_bool("LLM_CONTEXT_FUSION", False)  # let it join memories and knowledge, before the answer
LLM_FUSION_SECONDS = read_float("LLM_FUSION_SECONDS", 8)
CONTEXT_WINDOW = read_int("CONTEXT_WINDOW", 8192)  # tokens

# The embedder; no model name means the one that comes with the package.
EMBEDDING_MODEL = read_text("EMBEDDING_MODEL")
EMBEDDING_BASE_URL = read_text("EMBEDDING_BASE_URL", OPENAI_BASE_URL)

# Numbers of DESIGN.
MESSAGE_MAX_CHARACTERS = 20_000
WORKING_MEMORY_TURNS = 5
SUMMARY_WINDOW_TURNS = 5
LONG_MESSAGE_TOKENS = 300
RECALL_DEADLINE_SECONDS = read_float("RECALL_DEADLINE_SECONDS", 0.3)
SILENCE_SECONDS = 30  # no reaction to a notice this long, and the user goes on: decided by support
HEAT_HOURS = 24
PENDING_DAYS = 30
BIN_DAYS = 30
OFFER_HOURS = 72

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": read_text("LOG_LEVEL", "WARNING")},
    # What pypdf has to say of a broken file is thousands of lines, with pieces of the file in them.
    "loggers": {"chat": {"level": read_text("LOG_LEVEL", "INFO")}, "pypdf": {"level": "CRITICAL"}},
}
