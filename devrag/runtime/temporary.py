"""Throw-away services for tests: a keeper process owns them and cleans up for certain.

The keeper runs until its standard input ends, which happens however the process that
started it ends. Run as `python -m devrag.runtime.temporary <root>`.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from devrag.core.errors import DevragError, ServiceError
from devrag.runtime.endpoints import Endpoints
from devrag.runtime.layout import Home
from devrag.runtime.postgres import EmbeddedPostgres
from devrag.runtime.services import EmbeddedServices
from devrag.runtime.valkey import EmbeddedValkey

# Nothing here has to survive a power failure, and passwords live for minutes: to check
# one usually takes longer than all else of a connection.
_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "128MB",
    "max_wal_size": "256MB",
    # Nothing to send to others or to show by ps.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "update_process_title": "off",
    "scram_iterations": "1",
}


@contextmanager
def temporary_services(root: Path) -> Iterator[Endpoints]:
    """Yield a fresh PostgreSQL and Valkey; stop them and remove their data at the end.

    root: a folder of the caller's own, used as DEVRAG_HOME of the services.
    """
    keeper = subprocess.Popen(
        [sys.executable, "-m", __name__, str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        text=True,
    )
    with keeper:
        if keeper.stdout is None:
            raise ServiceError("The keeper of the temporary services has no output.")
        first = keeper.stdout.readline()
        if not first:
            raise ServiceError(
                "The temporary services did not start; see the error above."
            )
        yield Endpoints(**json.loads(first))
        # Leaving the block closes its standard input and waits for it.


def _keep(root: Path) -> None:
    home = Home(root).ensure()
    postgres = EmbeddedPostgres(home, settings=_SETTINGS)
    services = EmbeddedServices(home, postgres, EmbeddedValkey(home))
    data = postgres.folder
    try:
        endpoints = services.start(_ignore)
        sys.stdout.write(json.dumps(asdict(endpoints)) + "\n")
        sys.stdout.flush()
        _wait_for_parent(os.getppid())
    finally:
        services.stop(_ignore)
        for folder in (data, home.valkey, home.run):
            shutil.rmtree(folder, ignore_errors=True)


def _wait_for_parent(parent: int) -> None:
    # A forked child of the parent may hold the pipe open after its death, so the
    # parent's pid is looked at as well.
    while os.getppid() == parent:
        if select.select([sys.stdin], [], [], 1.0)[0]:
            return


def _ignore(_message: str) -> None:
    """Take progress that nobody reads."""


if __name__ == "__main__":
    # A SystemExit lets the keeper clean up; Ctrl-C does not come here (own session).
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(0))
    with contextlib.suppress(BrokenPipeError):
        try:
            _keep(Path(sys.argv[1]))
        except DevragError as error:
            sys.exit(str(error))
