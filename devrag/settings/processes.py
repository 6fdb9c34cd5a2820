"""What `server start` supervises: name, arguments after the interpreter, niceness."""

from __future__ import annotations

from devrag.core import installation
from devrag.settings.environment import DEVRAG_HOME
from devrag.settings.jobs import HOST_NAME, INDEX_WORKERS
from devrag.settings.logs import LOG_LEVEL

# How a command of this installation is run, after the interpreter.
MANAGE = installation.MANAGE
_celery = ("-m", "celery", "-A", "devrag", "--quiet")
_worker = ("worker", "--without-gossip", "--without-mingle", "-l", LOG_LEVEL)
SERVER_PREPARE = (*MANAGE, "prepare")
SERVER_PROCESSES: tuple[tuple[str, tuple[str, ...], int], ...] = (
    (
        "web",
        ("-m", "devrag.web_server", "--host", "{host}", "--port", "{port}"),
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
    ("watch", (*MANAGE, "watch", "--service"), 10),
)
