"""All settings, typed, from the environment or `.env` (the environment wins).

A wrong value stops the start with the variable's name. Names and defaults: S2-8.9;
each is described in `.env.example` (a test compares). Without DATABASE_URL (or
POSTGRES_HOST) and REDIS_URL the embedded services under DEVRAG_HOME are used.
"""

from __future__ import annotations

import os
import socket
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from urllib.parse import quote

import dj_database_url
from django.conf import global_settings
from environs import Env, validate

from devrag.core.connection_pool import try_again
from devrag.core.installation import (
    FILES_DIR,
    MANAGE,
    PACKAGE_DIR,
    default_home,
    env_file,
)
from devrag.core.secrets import read_or_create_secret
from devrag.core.service_urls import (
    check_database_url,
    check_networks,
    check_redis_url,
)
from devrag.llm.prices import check_prices, read_prices
from devrag.parsing.chunking import (
    MAX_CHARS,
    MAX_TOKENS,
    MIN_CHARS,
    MIN_TOKENS,
    complete_options,
)
from devrag.runtime.endpoints import read_endpoints
from devrag.runtime.layout import Home

env = Env()
ENV_FILE = env_file()
env.read_env(ENV_FILE, recurse=False)
_SILENCE = validate.Range(1, 600)  # seconds
_NOT_NEGATIVE = validate.Range(min=0)

DEBUG = env.bool("DEVRAG_DEBUG", False)

# -- where data lives (O11) ---------------------------------------------------
# Empty means unset: Path("") would be whatever folder the process started in.
DEVRAG_HOME = Path(env.str("DEVRAG_HOME", "") or default_home()).expanduser().resolve()
GIT_CLONE_DIR = Path(env.str("GIT_CLONE_DIR", "") or DEVRAG_HOME / "repos")
WIKI_OUTPUT_DIR = Path(env.str("WIKI_OUTPUT_DIR", "") or DEVRAG_HOME / "wikis")
LEXICAL_DIR = DEVRAG_HOME / "lexical"
MODELS_DIR = DEVRAG_HOME / "models"

# -- database and broker ------------------------------------------------------
_postgres_host = env.str("POSTGRES_HOST", "")
_database_url = env.str("DATABASE_URL", "", validate=check_database_url) or (
    "postgres://{}:{}@{}:{}/{}".format(
        quote(env.str("POSTGRES_USER", "devrag"), safe=""),
        quote(env.str("POSTGRES_PASSWORD", ""), safe=""),
        _postgres_host,
        env.int("POSTGRES_PORT", 5432),
        env.str("POSTGRES_DB", "devrag"),
    )
    if _postgres_host
    else ""
)
_redis_url = env.str("REDIS_URL", "", validate=check_redis_url)
IS_EMBEDDED_DATABASE = not _database_url
IS_EMBEDDED_BROKER = not _redis_url
_embedded = read_endpoints(Home(DEVRAG_HOME))
if IS_EMBEDDED_DATABASE and _embedded:
    _database_url = _embedded.database_url or ""
if IS_EMBEDDED_BROKER and _embedded:
    _redis_url = _embedded.redis_url or ""

DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        # Port 9 (discard) refuses at once: the embedded server is not running.
        **dj_database_url.parse(
            _database_url or "postgres://devrag@127.0.0.1:9/devrag"
        ),
        "CONN_MAX_AGE": 0,
        "DISABLE_SERVER_SIDE_CURSORS": False,
    }
}
# Only the web process keeps a pool; a forking worker must not inherit one.
_options = DATABASES["default"].setdefault("OPTIONS", {})
_options["application_name"] = "devrag"
# Only search/prepared.py has statements to prepare: at once, and planned once.
_options.setdefault("prepare_threshold", 0)
# A database server that vanished is given up soon, not after minutes.
_options.setdefault("connect_timeout", 5)
_options.setdefault("tcp_user_timeout", 10_000)
# The row locks of a machine that vanished end within two minutes, not two hours.
_options["options"] = (
    "-c tcp_keepalives_idle=60 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=6"
    f" -c plan_cache_mode=force_generic_plan {_options.get('options', '')}"
)
if env.bool("DEVRAG_DATABASE_POOL", False):
    # Who waits longer for a connection is refused. The pool's own pauses before it
    # connects again would grow to seconds.
    _options["pool"] = {
        "min_size": 2,
        "max_size": 20,
        "timeout": 2,
        "reconnect_timeout": 0.25,
        "reconnect_failed": try_again,
    }
BROKER_URL = _redis_url or "redis://127.0.0.1:9/0"

# -- web ----------------------------------------------------------------------
HTTP_HOST = env.str("HTTP_HOST", "127.0.0.1")
HTTP_PORT = env.int(
    "DEVRAG_PORT" if "DEVRAG_PORT" in os.environ else "HTTP_PORT",
    8080,
    validate=validate.Range(1, 65535),
)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", [])
# Addresses and networks of reverse proxies; X-Forwarded-For is used only from them.
TRUSTED_PROXIES: list[str] = env.list("TRUSTED_PROXIES", [], validate=check_networks)
# Reading without sign-in is for one person on their own machine (DESIGN §6).
IS_OPEN_READING = env.bool("OPEN_READING", IS_EMBEDDED_DATABASE)
SECRET_KEY = env.str("SECRET_KEY", "") or (
    read_or_create_secret(DEVRAG_HOME / "run" / "secret_key")
    if IS_EMBEDDED_DATABASE
    else env.str("SECRET_KEY", validate=validate.Length(min=1))
)
# Encrypt the credentials of sources: the first writes, all read (rotation).
CREDENTIALS_KEYS: list[str] = env.list("CREDENTIALS_KEYS", []) or (
    [read_or_create_secret(DEVRAG_HOME / "run" / "credentials_key")]
    if IS_EMBEDDED_DATABASE
    else []
)
# What `backup --encrypt` and `restore` use where nobody types a passphrase.
BACKUP_PASSPHRASE = env.str("BACKUP_PASSPHRASE", "")
IS_HTTPS = env.bool("HTTPS", not IS_EMBEDDED_DATABASE)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(health|ready)$"]
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = IS_HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_HTTPS else None
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000  # as http_server.body_limit
API_RATE_PER_MINUTE = env.int("API_RATE_PER_MINUTE", 1200, validate=_NOT_NEGATIVE)

# -- sources ------------------------------------------------------------------
_source_roots: list[str] = env.list("SOURCE_ROOTS", [])
SOURCE_ROOTS = [Path(folder) for folder in _source_roots]
SOURCES_PUBLIC_ONLY = env.bool("SOURCES_PUBLIC_ONLY", False)
GIT_ALLOW_HTTP = env.bool("GIT_ALLOW_HTTP", False)
GIT_SSH_KEY_PATH = Path(env.str("GIT_SSH_KEY_PATH", "/etc/dev-rag/ssh/id_rsa"))
GIT_KNOWN_HOSTS_PATH = Path(
    env.str("GIT_KNOWN_HOSTS_PATH", "/etc/dev-rag/ssh/known_hosts")
)
MAX_FILE_BYTES = env.int("MAX_FILE_BYTES", 2_000_000, validate=validate.Range(min=1))
MAX_PDF_BYTES = env.int("MAX_PDF_BYTES", 50_000_000, validate=validate.Range(min=1))
MAX_FILES = env.int("MAX_FILES", 1_000_000, validate=validate.Range(min=1))
PARSER_MEMORY_MB = env.int("PARSER_MEMORY_MB", 1000, validate=validate.Range(min=100))
CHUNK_TOKENS = env.int(
    "CHUNK_TOKENS", 800, validate=validate.Range(MIN_TOKENS, MAX_TOKENS)
)
_chunking = complete_options(CHUNK_TOKENS)
CHUNK_MAX_CHARS = env.int(
    "CHUNK_MAX_CHARS",
    _chunking.max_chars,
    validate=validate.Range(MIN_CHARS, MAX_CHARS),
)
_chunking = complete_options(CHUNK_TOKENS, max_chars=CHUNK_MAX_CHARS)
CHUNK_OVERLAP_TOKENS = env.int(
    "CHUNK_OVERLAP_TOKENS",
    _chunking.overlap_tokens,
    validate=validate.Range(0, _chunking.tokens // 2),
)

# -- models -------------------------------------------------------------------
OPENAI_API_KEY = env.str("OPENAI_API_KEY", "")
OPENAI_BASE_URL = env.str("OPENAI_BASE_URL", "")
ANTHROPIC_API_KEY = env.str("ANTHROPIC_API_KEY", "")
GEMINI_API_KEY = env.str("GEMINI_API_KEY", "")
GEMINI_BASE_URL = env.str("GEMINI_BASE_URL", "")
# What a first start takes; afterwards only `embeddings use` changes it (O1).
EMBEDDING_PROVIDER = env.str(
    "EMBEDDING_PROVIDER",
    "",
    validate=validate.OneOf(["", "local", "openai", "gemini", "grpc"]),
)
EMBEDDING_BASE_URL = env.str("EMBEDDING_BASE_URL", "")
EMBEDDING_API_KEY = env.str("EMBEDDING_API_KEY", "")
EMBEDDING_GRPC_ADDRESS = env.str("EMBEDDING_GRPC_ADDRESS", "localhost:50051")
EMBEDDING_MODEL = env.str("EMBEDDING_MODEL", "text-embedding-3-small")
EMBEDDING_DIMENSION = env.int(
    "EMBEDDING_DIMENSION", 1536, validate=validate.Range(1, 16_000)
)
EMBEDDING_BATCH_SIZE = env.int(
    "EMBEDDING_BATCH_SIZE", 8, validate=validate.Range(1, 2048)
)
EMBEDDING_CONCURRENCY = env.int(
    "EMBEDDING_CONCURRENCY", 4, validate=validate.Range(1, 64)
)
EMBEDDING_TIMEOUT = env.float("EMBEDDING_TIMEOUT", 30.0, validate=_SILENCE)
EMBEDDING_MAX_TOKENS = env.int("EMBEDDING_MAX_TOKENS", 0, validate=_NOT_NEGATIVE)
_price = env.str("EMBEDDING_PRICE", "")
EMBEDDING_PRICE: float | None = (
    env.float("EMBEDDING_PRICE", validate=_NOT_NEGATIVE) if _price else None
)
# Limits of the embedding provider, over all hosts; 0 = none.
EMBEDDING_TEXTS_PER_MINUTE = env.int(
    "EMBEDDING_TEXTS_PER_MINUTE", 0, validate=_NOT_NEGATIVE
)
EMBEDDING_REQUESTS_PER_MINUTE = env.int(
    "EMBEDDING_REQUESTS_PER_MINUTE", 0, validate=_NOT_NEGATIVE
)
LLM_PROVIDER = env.str(
    "LLM_PROVIDER",
    "structural",
    validate=validate.OneOf(["structural", "openai", "anthropic"]),
)
LLM_MODEL = env.str("LLM_MODEL", "")
LLM_BASE_URL = env.str("LLM_BASE_URL", "")
LLM_API_KEY = env.str("LLM_API_KEY", "")
# Silence in an answer; half an hour without a word would end the worker.
LLM_TIMEOUT = env.float("LLM_TIMEOUT", 120.0, validate=_SILENCE)
LLM_WINDOW = env.int("LLM_WINDOW", 32_768, validate=validate.Range(min=8_192))
LLM_PRICES = read_prices(env.str("LLM_PRICES", "", validate=check_prices))
# Dollars, of a wiki's run and of a product's month.
LLM_CAP_PER_RUN = env.float("LLM_CAP_PER_RUN", 10.0, validate=_NOT_NEGATIVE)
LLM_CAP_PER_MONTH = env.float("LLM_CAP_PER_MONTH", 100.0, validate=_NOT_NEGATIVE)

# -- search -------------------------------------------------------------------
# Seconds; then a search leaves out what took too long, or refuses.
SEARCH_TIMEOUT = env.float("SEARCH_TIMEOUT", 3.0, validate=validate.Range(0.5, 60))
IS_SEARCH_LOGGED = env.bool("SEARCH_LOG", True)

# -- jobs ---------------------------------------------------------------------
INDEX_WORKERS = env.int(
    "INDEX_WORKERS", min(4, os.cpu_count() or 1), validate=validate.Range(1, 64)
)
JOB_RETENTION_HOURS = env.int("JOB_RETENTION_HOURS", 24, validate=validate.Range(min=1))
LOG_LEVEL = env.str(
    "LOG_LEVEL",
    "INFO",
    validate=validate.OneOf(["DEBUG", "INFO", "WARNING", "ERROR"]),
)
# Leases and path sources carry it: two machines must not share one.
HOST_NAME = env.str("HOST_NAME", "") or socket.gethostname()
CELERY_APP = "devrag.celery.app"
CELERY = {
    "broker_url": BROKER_URL,
    "broker_connection_retry_on_startup": True,
    "broker_transport_options": {"visibility_timeout": 600},
    "task_ignore_result": True,
    "task_acks_late": True,
    "task_reject_on_worker_lost": True,
    "task_default_queue": "tick",
    "task_default_delivery_mode": "transient",
    "worker_prefetch_multiplier": 1,
    "worker_hijack_root_logger": False,
    "worker_cancel_long_running_tasks_on_connection_loss": False,
    # Plain seconds: celery.schedules would cost each command a tenth of a second.
    "beat_schedule": {
        "tick": {
            "task": "jobs.tick",
            "schedule": 5.0,
            "options": {"queue": "tick", "expires": 10},
        },
        "schedules": {
            "task": "flows.run_schedules",
            "schedule": 60.0,
            "options": {"queue": "tick", "expires": 60},
        },
        "missing-keys": {
            "task": "flows.report_missing_keys",
            "schedule": 15.0,
            "options": {"queue": "tick", "expires": 15},
        },
        "housekeeping": {
            "task": "flows.housekeeping",
            "schedule": 3600.0,
            # A pass may take two minutes: not where batches wait to be parsed.
            "options": {"queue": "plan", "expires": 3600},
        },
        "expire": {
            "task": "jobs.expire_jobs",
            "schedule": 600.0,
            "options": {"queue": "tick", "expires": 600},
        },
    },
}
# The registry of job kinds lives where all rooms are known.
JOB_WORKFLOWS = "devrag.flows.workflows.WORKFLOWS"

# -- what `server start` supervises: (name, argv after the interpreter, nice) --
_celery = ("-m", "celery", "-A", "devrag", "--quiet")
_worker = ("worker", "--without-gossip", "--without-mingle", "-l", LOG_LEVEL)
SERVER_PREPARE = (*MANAGE, "prepare")
SERVER_PROCESSES: tuple[tuple[str, tuple[str, ...], int], ...] = (
    (
        "web",
        (*("-m", "devrag.web_server", "--host", "{host}", "--port", "{port}"),),
        0,
    ),
    (
        "worker",
        (
            *_celery,
            *_worker,
            *("-Q", "tick,parse", "-c", str(INDEX_WORKERS), "-n", "worker@%h"),
        ),
        0,
    ),
    # A page may take minutes: no commit waits for it, and who reads goes first.
    (
        "writer",
        (
            *_celery,
            *_worker,
            *("-Q", "wiki", "-c", str(INDEX_WORKERS), "-n", "writer@%h"),
        ),
        5,
    ),
    # A long clone keeps nothing but other clones waiting.
    (
        "reader",
        (
            *_celery,
            *_worker,
            *("-Q", f"plan,plan.{HOST_NAME}", "-c", "2", "-n", "reader@%h"),
        ),
        0,
    ),
    (
        "embed",
        (*_celery, *_worker, "-Q", "embed", "-P", "solo", "-n", "embed@%h"),
        10,
    ),
    (
        "beat",
        (*_celery, "beat", "-s", str(DEVRAG_HOME / "run" / "beat"), "--pidfile="),
        0,
    ),
    ("follower", (*MANAGE, "follower"), 0),
)

# -- Django -------------------------------------------------------------------
INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "csp",
    "django_htmx",
    "template_partials",
    "devrag.runtime",
    "devrag.products",
    "devrag.access",
    "devrag.jobs",
    "devrag.sources",
    "devrag.search",
    "devrag.indexing",
    "devrag.wiki",
    "devrag.flows",
    "devrag.web",
    "devrag.mcp",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "devrag.web.policy.ResourcePolicyMiddleware",
    "devrag.web.head.HeadMiddleware",
    "devrag.api.errors.ProblemMiddleware",
    "devrag.web.conditional.PageConditionalMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "devrag.web.region.LanguageMiddleware",
    "devrag.web.region.TimeZoneMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "devrag.web.policy.PolicyMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "devrag.access.middleware.PrincipalMiddleware",
    "devrag.web.errors.DevragErrorMiddleware",
]
ROOT_URLCONF = "devrag.urls"
ASGI_APPLICATION = "devrag.asgi.application"
# Files of the REST documentation; installed as an application it would be loaded.
_NINJA = Path(str(distribution("django-ninja").locate_file("ninja")))
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FILES_DIR / "templates", _NINJA / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["django.templatetags.i18n"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "devrag.web.context.shell",
            ],
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator")
]
PASSWORD_HASHERS = [
    "devrag.access.hashing.BoundedPBKDF2Hasher",
    *global_settings.PASSWORD_HASHERS[1:],  # what others may have stored
]
ACCOUNT_ADAPTER = "devrag.access.sign_in.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
# Attempts per time; access/sign_in.py describes what is counted, "" means no limit.
ACCOUNT_RATE_LIMITS = {
    "login_failed": "5/5m/key,20/5m/ip",
    "login_failed_anywhere": "100/h/key",
    "login": "",  # counts right passwords, too
    "change_password": "5/5m/user",
}
# The rate limits are in it, so it is one for all web processes.
CACHES = {
    "default": {
        "BACKEND": "devrag.access.shared_cache.SharedCache",
        "LOCATION": BROKER_URL,
        "KEY_PREFIX": "devrag",
    }
}
CSRF_FAILURE_VIEW = "devrag.web.errors.csrf_failure"
LOGIN_URL = "web:sign_in"
LOGIN_REDIRECT_URL = "web:dashboard"
LANGUAGE_CODE = "en"
# Each by its own name; `make messages` keeps their catalogues.
LANGUAGES = [("en", "English"), ("ja", "日本語")]
LOCALE_PATHS = [PACKAGE_DIR / "locale"]
LANGUAGE_COOKIE_AGE, LANGUAGE_COOKIE_SAMESITE = 31_536_000, "Lax"
LANGUAGE_COOKIE_SECURE, LANGUAGE_COOKIE_HTTPONLY = IS_HTTPS, True
USE_I18N = USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
STATIC_ROOT = DEVRAG_HOME / "static"
STATICFILES_DIRS = [FILES_DIR / "static", _NINJA / "static"]
MERMAID_PATH = FILES_DIR / "static" / "vendor" / "mermaid-11.17.2.min.js"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        # Diagrams are drawn in a sandboxed frame and shown as images (decision 5).
        "img-src": ["'self'", "data:", "blob:"],
        "frame-src": ["'self'"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    },
}
LOGGING_CONFIG = "devrag.core.logs.configure_logging"
LOGGING = {"level": LOG_LEVEL, "is_json": not (DEBUG or IS_EMBEDDED_DATABASE)}
UNFOLD = {"SITE_TITLE": "devrag", "SITE_HEADER": "devrag", "SITE_URL": "/"}
