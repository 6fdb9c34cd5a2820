"""The doctor's questions, each a small function with its advice."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext, gettext_noop, ngettext

from devrag.core.environments import minimal_environment
from devrag.llm.prices import price_note
from devrag.operations.findings import DoctorFinding
from devrag.operations.health import describe_health
from devrag.operations.model_keys import CHAT, EMBEDDING, missing_key
from devrag.operations.repair import describe_chores, examine
from devrag.operations.secret_keys import describe_old_keys
from devrag.search.api import active_spec, unready_sources
from devrag.search.models import EmbeddingSpec
from devrag.spending.language_model import (
    is_model_set,
    model_endpoint,
    model_name,
    model_price,
    model_provider,
)

_LOW_DISK_BYTES = 2_000_000_000


def diagnose(*, is_repairing: bool = False) -> Iterator[DoctorFinding]:
    """Yield findings from the ground up; questions of the database come last."""
    yield _home()
    yield describe_disk()
    yield _git()
    yield _language_model()
    health = describe_health()
    for part in ("database", "broker", "worker"):
        yield describe_service(part, health[part])
    if health["database"] == "ok":
        yield from _database_questions(is_repairing=is_repairing)


def _home() -> DoctorFinding:
    home = settings.DEVRAG_HOME
    if home.exists() and not os.access(home, os.W_OK):
        advice = "Set DEVRAG_HOME to a folder this user can write to."
        return DoctorFinding("home", "broken", f"{home} is not writable", advice)
    return DoctorFinding("home", "ok", str(home))


def describe_disk() -> DoctorFinding:
    """Say how much room is left where devrag keeps its data."""
    home = settings.DEVRAG_HOME
    folder = next(path for path in (home, *home.parents) if path.exists())
    free = shutil.disk_usage(folder).free
    said = {"free": filesizeformat(free), "folder": folder}
    detail = gettext("%(free)s free at %(folder)s") % said
    if free < _LOW_DISK_BYTES:
        advice = gettext("Free some space, or move DEVRAG_HOME.")
        return DoctorFinding("disk", "broken", detail, advice)
    return DoctorFinding("disk", "ok", detail)


def _git() -> DoctorFinding:
    if shutil.which("git") is None:
        return DoctorFinding("git", "broken", "not on PATH", "Install git.")
    command = ["git", "--version"]
    found = subprocess.run(
        command, env=minimal_environment(), capture_output=True, text=True, check=False
    )
    return DoctorFinding("git", "ok", found.stdout.strip())


def _language_model() -> DoctorFinding:
    if not is_model_set():
        advice = (
            "To have a model write the wiki, choose one under Settings → Models, or "
            "set LLM_PROVIDER and its key. This is optional."
        )
        return DoctorFinding(
            "wiki writer", "ok", "structural (no model, no key)", advice
        )
    endpoint = model_endpoint()
    if endpoint.lacks_key:
        advice = (
            "Enter it under Settings → Models."
            if endpoint.is_stored
            else f"Set {endpoint.key_setting}."
        )
        return DoctorFinding("wiki writer", "broken", "its API key is not set", advice)
    name = f"{model_provider()}/{model_name()}"
    advice = "" if model_price() else price_note(model_name())
    return DoctorFinding("wiki writer", "ok", name, advice)


def describe_service(part: str, state: str) -> DoctorFinding:
    """Say how a part of /health is, and what to do when it is away."""
    kind = {
        "database": gettext_noop("embedded")
        if settings.IS_EMBEDDED_DATABASE
        else "DATABASE_URL",
        "broker": "embedded" if settings.IS_EMBEDDED_BROKER else "REDIS_URL",
        "worker": "celery",
    }[part]
    if state == "ok":
        return DoctorFinding(part, "ok", gettext(kind))
    if kind.endswith("_URL"):
        text = gettext("Check %(setting)s and that the server it refers to is running.")
        advice = text % {"setting": kind}
    else:
        text = gettext("Run `devrag server start`; the logs are in %(folder)s.")
        advice = text % {"folder": settings.DEVRAG_HOME / "log"}
    return DoctorFinding(part, "broken", f"{kind}: {state}", advice)


def _database_questions(*, is_repairing: bool) -> Iterator[DoctorFinding]:
    try:
        yield describe_schema()
        yield describe_embeddings()
        yield from describe_chat_key()
        yield from describe_old_keys()
        yield from examine(is_repairing=is_repairing)
        yield describe_chores()
    except DatabaseError as error:
        advice = "Run `devrag prepare`."
        yield DoctorFinding(
            "schema", "broken", f"unreadable ({type(error).__name__})", advice
        )


def describe_schema() -> DoctorFinding:
    """Return whether the tables are those of this version."""
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        text = ngettext(
            "%(n)s pending migration", "%(n)s pending migrations", len(waiting)
        )
        advice = gettext("Run `devrag prepare`.")
        return DoctorFinding("schema", "broken", text % {"n": len(waiting)}, advice)
    return DoctorFinding("schema", "ok", gettext("all migrations applied"))


def describe_chat_key() -> Iterator[DoctorFinding]:
    """Yield a finding if the server lacks the language model's key.

    The settings of this process say nothing about it: only this one may have the key.
    """
    if (missing := missing_key(CHAT)) is not None:
        yield DoctorFinding("language model", "broken", missing.problem, missing.advice)


def describe_embeddings() -> DoctorFinding:
    """Say which model makes vectors, and whether another is being prepared."""
    spec = active_spec()
    if spec is None:
        advice = gettext("Run `devrag prepare`.")
        return DoctorFinding("embeddings", "broken", gettext("no model yet"), advice)
    if (missing := missing_key(EMBEDDING)) is not None:
        return DoctorFinding("embeddings", "broken", missing.problem, missing.advice)
    upcoming = EmbeddingSpec.objects.filter(is_next=True).first()
    if upcoming is None:
        return DoctorFinding("embeddings", "ok", str(spec))
    said = {"spec": spec, "next": upcoming, "left": len(unready_sources(upcoming))}
    text = gettext("%(spec)s; %(next)s is being prepared, %(left)s sources remaining")
    advice = gettext("See `devrag embeddings status`.")
    return DoctorFinding("embeddings", "note", text % said, advice)
