"""A pool that lost its database has it again as soon as it is back."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
from psycopg_pool import ConnectionPool, PoolTimeout

from devrag.core.connection_pool import try_again
from devrag.runtime.layout import Home
from devrag.runtime.postgres import EmbeddedPostgres
from tests.waiting import wait_until


@pytest.fixture
def postgres() -> Iterator[EmbeddedPostgres]:
    with tempfile.TemporaryDirectory(prefix="devrag-pool-") as folder:
        Path(folder).chmod(0o711)
        made = EmbeddedPostgres(Home(Path(folder) / "home").ensure(), {"fsync": "off"})
        made.start(print)
        yield made
        made.stop()


@pytest.mark.slow
def test_who_waits_is_served_when_the_database_is_back(
    postgres: EmbeddedPostgres,
) -> None:
    pid = postgres.pid
    assert pid is not None
    options = {"timeout": 30, "reconnect_timeout": 0.25, "reconnect_failed": try_again}
    with ConnectionPool(postgres.url or "", min_size=2, max_size=4, **options) as pool:
        pool.wait()
        os.kill(pid, signal.SIGQUIT)
        wait_until(lambda: not psutil.pid_exists(pid), 30, "the end of PostgreSQL")
        for _ in range(2):  # what was idle is found lost
            with contextlib.suppress(psycopg.OperationalError), pool.connection() as c:
                c.execute("SELECT 1")
        served = threading.Event()

        def ask() -> None:
            with pool.connection() as connection:
                connection.execute("SELECT 1")
                served.set()

        waiting = threading.Thread(target=ask)
        waiting.start()
        assert not served.wait(1.5)
        postgres.start(print)
        began = time.monotonic()
        waiting.join(30)
        assert served.is_set()
        assert time.monotonic() - began < 5


def test_a_pool_without_a_database_refuses_in_time() -> None:
    options = {"timeout": 1, "reconnect_timeout": 0.25, "reconnect_failed": try_again}
    # Port 9 refuses at once.
    nowhere = "host=127.0.0.1 port=9 dbname=none user=none"
    with ConnectionPool(nowhere, min_size=1, max_size=2, **options) as pool:
        began = time.monotonic()
        with pytest.raises(PoolTimeout), pool.connection():
            pass
        assert time.monotonic() - began < 5
