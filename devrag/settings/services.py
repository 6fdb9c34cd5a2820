"""PostgreSQL and Valkey: those of DATABASE_URL and REDIS_URL, or embedded ones."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import dj_database_url

from devrag.core.connection_pool import try_again
from devrag.core.service_urls import check_database_url, check_redis_url
from devrag.runtime.endpoints import read_endpoints
from devrag.runtime.layout import Home
from devrag.settings.environment import DEVRAG_HOME, env

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
