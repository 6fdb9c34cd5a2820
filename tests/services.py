"""A pytest plugin, loaded first: real PostgreSQL and Valkey of this run's own.

The controller starts them and hands their addresses to xdist's workers by the
environment, before Django's settings are read. Two runs share nothing.
"""

from __future__ import annotations

import contextlib
import gc
import os
import secrets
import sys
import tempfile
from pathlib import Path

import psutil

from devrag.runtime.temporary import temporary_services

# Keys of models: a test must not use those of whoever runs it.
KEYS = (
    *("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "LLM_API_KEY"),
    *("EMBEDDING_API_KEY", "RERANK_API_KEY", "RERANK_BASE_URL"),
)
_ROOMY_BYTES = 6_000_000_000
_stack = contextlib.ExitStack()


def _keep_bytecode() -> None:
    """Let workers and servers read what one of them compiled, whatever the caller set.

    Without it each of some hundred processes compiles the whole code again.
    """
    os.environ["PYTHONDONTWRITEBYTECODE"] = ""
    sys.dont_write_bytecode = False


def _write_to_memory() -> None:
    """Keep files of tests in memory where it is roomy: a disk syncs for milliseconds.

    On Linux, where scripts may run there; a TMPDIR that is set is used as it is.
    """
    place = Path("/dev/shm")
    if "TMPDIR" in os.environ or not os.access(place, os.W_OK):
        return
    space = os.statvfs(place)
    is_roomy = space.f_bavail * space.f_frsize >= _ROOMY_BYTES
    is_free = psutil.virtual_memory().available >= _ROOMY_BYTES
    if is_roomy and is_free and not space.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = str(place)
        tempfile.tempdir = None  # read TMPDIR again


def _start() -> None:
    # PostgreSQL runs as another user when we are root: it must be able to pass.
    folder = tempfile.TemporaryDirectory(
        prefix="devrag-test-", ignore_cleanup_errors=True
    )
    root = Path(_stack.enter_context(folder))
    root.chmod(0o711)
    endpoints = _stack.enter_context(temporary_services(root / "services"))
    (root / "home" / "static").mkdir(parents=True)  # WhiteNoise warns without it
    os.environ.update(
        DEVRAG_HOME=str(root / "home"),
        # Servers that tests start are not listed among those of the developer.
        XDG_STATE_HOME=str(root / "state"),
        XDG_CONFIG_HOME=str(root / "config"),
        DATABASE_URL=endpoints.database_url or "",
        REDIS_URL=endpoints.redis_url or "",
        SECRET_KEY=secrets.token_urlsafe(50),
        ALLOWED_HOSTS="localhost,127.0.0.1,[::1],testserver",
        HTTPS="false",
        OPEN_READING="true",
        **dict.fromkeys(KEYS, ""),
    )


# To look through all that collecting leaves, again and again, is a tenth of its time.
gc.disable()
if "PYTEST_XDIST_WORKER" not in os.environ:
    _keep_bytecode()
    _write_to_memory()
    _start()


def pytest_collection_finish() -> None:
    """Collect garbage again, though not among the tests and modules, which stay.

    And not with every 700 objects: that would be a tenth of the time of all tests.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


def pytest_unconfigure() -> None:
    """Stop the services when the controller ends."""
    _stack.close()
