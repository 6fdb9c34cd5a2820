"""Run the web process: `python -m devrag.web_server --host H --port P`."""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import threading

import uvicorn

# Before the settings: it decides that this process keeps a pool of connections.
from devrag.asgi import application

# isort: split
from django.conf import settings

from devrag.http_server.protocol import LimitedProtocol
from devrag.use_cases.deletion.leftover_files import tidy_uploads

_MAX_CONNECTIONS = 1_000
# How long a thread may compute while others wait, by default five times as long: each
# query of a page ends in such a wait where answers to questions are put together.
_SWITCH_SECONDS = 0.001


def main() -> None:
    """Serve until a signal ends the process."""
    parser = argparse.ArgumentParser(prog="python -m devrag.web_server")
    parser.add_argument("--host", default=settings.HTTP_HOST)
    parser.add_argument("--port", type=int, default=settings.HTTP_PORT)
    options = parser.parse_args()
    sys.setswitchinterval(_SWITCH_SECONDS)
    LimitedProtocol.max_connections = choose_connection_limit()
    # Bodies of requests too: /tmp is memory on many systems.
    settings.UPLOAD_TEMP_DIR.mkdir(0o700, parents=True, exist_ok=True)
    tempfile.tempdir = str(settings.UPLOAD_TEMP_DIR)
    threading.Thread(target=tidy_uploads, daemon=True).start()
    uvicorn.run(
        application,
        host=options.host,
        port=options.port,
        http=LimitedProtocol,
        forwarded_allow_ips=settings.TRUSTED_PROXIES,
        server_header=False,
        access_log=False,
        timeout_graceful_shutdown=10,
    )


def choose_connection_limit() -> int:
    """Return how many connections fit into half of this process's descriptors.

    The other half is for files, the database and the broker.
    """
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return _MAX_CONNECTIONS
    return max(16, min(_MAX_CONNECTIONS, soft // 2))


if __name__ == "__main__":
    main()
