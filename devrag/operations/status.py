"""How the instance is, for its health page: what is quick to ask, unlike the doctor."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import redis
from django.db import connection
from django.utils.translation import gettext, ngettext

from devrag import __version__
from devrag.core.environments import minimal_environment
from devrag.core.principal import Principal
from devrag.jobs.api import (
    QueueDepth,
    count_open_jobs,
    last_failures,
    measure_queues,
    open_broker,
)
from devrag.jobs.models import Job
from devrag.operations.consistency_checks.keyword import behind_now
from devrag.operations.doctor import (
    describe_chat_key,
    describe_disk,
    describe_embeddings,
    describe_schema,
    describe_service,
)
from devrag.operations.findings import DoctorFinding
from devrag.operations.health import describe_health

_FAILURES = 5


@dataclass(frozen=True, slots=True)
class Status:
    """Parts with their state, work that waits, versions, and what failed last."""

    parts: tuple[DoctorFinding, ...]
    queues: tuple[QueueDepth, ...]
    running_jobs: int
    pending_jobs: int
    versions: tuple[tuple[str, str], ...]
    failures: tuple[Job, ...]

    @property
    def is_sound(self) -> bool:
        return all(part.state != "broken" for part in self.parts)


def describe_status(principal: Principal) -> Status:
    """Return the state as the caller may see it. Needs the database."""
    health = describe_health()
    parts = [
        describe_service(part, health[part])
        for part in ("database", "broker", "worker")
    ]
    parts += [_follower(), describe_disk(), describe_schema(), describe_embeddings()]
    parts += describe_chat_key()
    running, pending = count_open_jobs()
    return Status(
        parts=tuple(parts),
        queues=tuple(measure_queues()),
        running_jobs=running,
        pending_jobs=pending,
        versions=tuple(list_versions()),
        failures=tuple(last_failures(principal, limit=_FAILURES)),
    )


def _follower() -> DoctorFinding:
    """Return whether the keyword index of this host has what was activated."""
    behind = len(behind_now())
    if not behind:
        return DoctorFinding(
            "follower", "ok", gettext("the keyword index is up to date")
        )
    text = ngettext(
        "%(n)s source is not in the keyword index yet",
        "%(n)s sources are not in the keyword index yet",
        behind,
    )
    advice = gettext(
        "This usually takes seconds. If it does not, see log/follower.log."
    )
    return DoctorFinding("follower", "note", text % {"n": behind}, advice)


def list_versions() -> Sequence[tuple[str, str]]:
    """Return the name and version of each part. Queries: 2."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        postgres = str(cursor.fetchone()[0]).split()[0]
        cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        row = cursor.fetchone()
    return [
        ("devrag", __version__),
        ("Python", platform.python_version()),
        ("PostgreSQL", postgres),
        ("pgvector", row[0] if row else "–"),
        ("Valkey", _broker_version()),
        ("Git", _git_version()),
    ]


def _broker_version() -> str:
    try:
        with open_broker() as broker:
            said = broker.info("server")
    except redis.RedisError:
        return "–"
    return str(said.get("valkey_version") or said.get("redis_version"))


@lru_cache(maxsize=1)
def _git_version() -> str:
    """Ask git once a process; the doctor says what to do without it."""
    try:
        done = subprocess.run(
            ["git", "--version"],
            env=minimal_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        return "–"
    return done.stdout.strip().removeprefix("git version ")
