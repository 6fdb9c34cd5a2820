"""Is everything there: database, broker, worker, keyword index."""

from __future__ import annotations

from collections.abc import Callable

import redis
from django.db import connection
from django.utils.translation import gettext

from devrag import __version__
from devrag.core.errors import DevragError, ServiceError
from devrag.core.unavailable import DATABASE_FAILURES
from devrag.jobs.api import has_heartbeat
from devrag.operations.model_keys import missing_on_server

Check = Callable[[], str]


def check_database() -> str:
    """Return 'ok', or say what is wrong."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return "ok"


def check_broker() -> str:
    """Return 'ok', or say what is wrong."""
    has_heartbeat()
    return "ok"


def check_worker() -> str:
    """Return 'ok' when a worker did a tick within the last half minute."""
    if not has_heartbeat():
        raise ServiceError(
            gettext("no worker has responded for 30 s; see log/worker.log")
        )
    return "ok"


CHECKS: dict[str, Check] = {
    "database": check_database,
    "broker": check_broker,
    "worker": check_worker,
}


def describe_health() -> dict[str, str]:
    """Return status 'ok' or 'degraded' with each part's state.

    models: what the server lacks to ask the models in use. No part of the status: the
    server answers, by keywords at least.
    """
    parts = {name: _state(check) for name, check in CHECKS.items()}
    is_ok = all(state == "ok" for state in parts.values())
    return {
        "status": "ok" if is_ok else "degraded",
        "version": __version__,
        **parts,
        "models": _state(check_models),
    }


def check_models() -> str:
    """Return 'ok', or which keys the server lacks."""
    return "; ".join(each.problem for each in missing_on_server()) or "ok"


def _state(check: Check) -> str:
    try:
        return check()
    except DevragError as error:
        return error.message
    except (*DATABASE_FAILURES, redis.RedisError) as error:
        # Addresses and passwords stay out: this answer needs no sign-in.
        return gettext("unreachable (%(error)s)") % {"error": type(error).__name__}
