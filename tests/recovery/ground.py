"""Servers that may be killed, and installations on them: databases and real workers."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psutil
import psycopg
import redis
from celery import Celery
from kombu.exceptions import OperationalError
from psycopg import sql

from devrag.runtime.layout import Home
from devrag.runtime.postgres import EmbeddedPostgres
from devrag.runtime.temporary import temporary_services
from devrag.runtime.valkey import EmbeddedValkey
from tests.waiting import wait_until

CHECKOUT = Path(__file__).parents[2]
_TEMPLATE = "devrag"
_SETTINGS = {"fsync": "off", "shared_buffers": "128MB"}
_ENDED = ("completed", "failed", "cancelled", "skipped")
_BROKER_DATABASES = 16


def ignore(_message: str) -> None:
    """Take progress that nobody reads."""


class Ground:
    """A PostgreSQL and a Valkey of our own; databases are copies of a migrated one."""

    def __init__(self, root: Path, models: Path) -> None:
        self.root, self.models = root, models
        self._stack = ExitStack()
        endpoints = self._stack.enter_context(temporary_services(root / "services"))
        self.database_url = endpoints.database_url or ""
        self.redis_url = endpoints.redis_url or ""
        home = Home(root / "services")
        self.postgres = EmbeddedPostgres(home, settings=_SETTINGS)
        self.valkey = EmbeddedValkey(home)
        self._made = 0
        with psycopg.connect(self.database_url, autocommit=True) as connection:
            # What is committed stays committed, whatever dies.
            connection.execute("ALTER ROLE CURRENT_USER SET synchronous_commit = on")
        self.site("prepare", database=_TEMPLATE).run("prepare")

    def site(self, name: str, *, database: str = "") -> Site:
        """Return a new installation; its database is a copy of the migrated one."""
        self._made += 1
        if not database:
            database = f"site_{self._made}"
            with psycopg.connect(
                self._database("postgres"), autocommit=True
            ) as connection:
                connection.execute(
                    sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                        sql.Identifier(database), sql.Identifier(_TEMPLATE)
                    )
                )
        number = self._made % _BROKER_DATABASES
        broker = self.redis_url.rpartition("/")[0] + f"/{number}"
        with redis.Redis.from_url(broker) as client:
            client.flushdb()
        root = self.root / f"{self._made:02}-{name}"
        return Site(self, root, self._database(database), broker)

    def _database(self, name: str) -> str:
        return urlunsplit(urlsplit(self.database_url)._replace(path=f"/{name}"))

    def restart_postgres(self) -> None:
        """Stop PostgreSQL as a crash would (immediate mode) and start it again."""
        pid = self.postgres.pid
        assert pid is not None
        os.kill(pid, signal.SIGQUIT)
        wait_until(lambda: not psutil.pid_exists(pid), 30, "the end of PostgreSQL")
        self.postgres.start(ignore)

    def restart_valkey_empty(self) -> None:
        """Kill Valkey, throw its data away, start it again at the same port."""
        pid = self.valkey.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not psutil.pid_exists(pid), 30, "the end of Valkey")
        for path in (self.root / "services" / "valkey").rglob("*.*"):
            if path.is_file():
                path.unlink()
        self.valkey.start(ignore)

    def close(self) -> None:
        self._stack.close()


@dataclass
class Host:
    """Processes of one machine: a Celery worker, or a beat, in a session of its own."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    def kill(self) -> None:
        """Kill it and its children in the same moment, as a power failure would."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        wait_until(lambda: not any(map(_lives, children)), 30, "the worker's end")

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children()


class Site:
    """One installation: a database, a broker, hosts with a DEVRAG_HOME each."""

    def __init__(self, ground: Ground, root: Path, database: str, broker: str) -> None:
        self.ground, self.root = ground, root
        self.database, self.broker = database, broker
        self.hosts: list[Host] = []
        self._is_beating = False
        root.mkdir()
        self._celery = Celery(broker=broker, set_as_current=False)

    def env(self, host: str) -> dict[str, str]:
        home = self.root / f"home-{host}"
        home.mkdir(exist_ok=True)
        if not (home / "models").exists():
            (home / "models").symlink_to(self.ground.models)
        return {
            **{k: v for k, v in os.environ.items() if not k.startswith("GIT_")},
            "DEVRAG_HOME": str(home),
            "DATABASE_URL": self.database,
            "REDIS_URL": self.broker,
            "HOST_NAME": host,
            "INDEX_WORKERS": "2",
            "PYTHONPATH": str(CHECKOUT),
        }

    def run(self, *argv: str, host: str = "alpha") -> str:
        """Run `manage.py …` to its end, which must be a good one."""
        done = subprocess.run(
            [sys.executable, str(CHECKOUT / "manage.py"), *argv],
            cwd=self.root,
            env=self.env(host),
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def index(self, works: Path, *more: str) -> str:
        """Ask for an index run; return the job's id."""
        argv = ("index", str(works), "--product", "works", "--source", "works")
        asked = json.loads(self.run(*argv, "--no-wait", "--json", *more))
        return str(asked["jobID"])

    def worker(
        self,
        host: str = "alpha",
        *,
        has_embed: bool = False,
        processes: int = 2,
        program: tuple[str, ...] = ("-m", "celery"),
    ) -> Host:
        """Start a host's Celery worker."""
        queues = f"tick,plan,plan.{host},parse,wiki" + ",embed" * has_embed
        options = ("--without-gossip", "--without-mingle", "-l", "INFO")
        named = ("-c", str(processes), "-Q", queues, "-n", f"worker@{host}")
        return self._start(
            host, (*program, "-A", "devrag", "--quiet", "worker", *options, *named)
        )

    def beat(self, name: str) -> Host:
        """Start a beat with a schedule file of its own; only it ticks from now on."""
        self._is_beating = True
        schedule = ("-s", str(self.root / name), "--pidfile=")
        argv = ("-m", "celery", "-A", "devrag", "--quiet", "beat", *schedule)
        return self._start(name, argv)

    def _start(self, host: str, argv: tuple[str, ...]) -> Host:
        path = self.root / f"{host}-{len(self.hosts)}.log"
        with path.open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, *argv],
                cwd=self.root,
                env=self.env(host),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.hosts.append(Host(host, process, path))
        return self.hosts[-1]

    def tick(self) -> None:
        """Do what beat does, more often."""
        with contextlib.suppress(OperationalError):
            self._celery.send_task("jobs.tick", queue="tick", expires=5, retry=False)

    def ask(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Read or change rows; the connection is gone afterwards."""
        patience = "-c statement_timeout=60s"
        with psycopg.connect(
            self.database, autocommit=True, options=patience
        ) as connection:
            cursor = connection.execute(query.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def written(self) -> int:
        """Return how many bytes the whole server ever wrote to its log of changes."""
        return int(self.ask("SELECT pg_current_wal_insert_lsn() - '0/0'")[0][0])

    def heartbeat(self) -> str:
        """Return the host that did the last tick."""
        with redis.Redis.from_url(self.broker) as client:
            return (client.get("devrag:tick") or b"").decode()

    def wait(
        self, condition: Callable[[], Any], what: str, seconds: float = 120
    ) -> Any:
        """Poll with a tick each second; on failure show the jobs and the logs."""
        ticked = 0.0

        def holds() -> Any:
            nonlocal ticked
            if not self._is_beating and time.monotonic() - ticked > 1:
                ticked = time.monotonic()
                self.tick()
            assert not self._has_lost_a_host(), "a worker or beat ended by itself"
            return condition()

        try:
            return wait_until(holds, seconds, what)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.describe()}") from None

    def wait_job(self, job: str, seconds: float = 180) -> dict[str, Any]:
        """Return the report of a job that must complete."""
        query = "SELECT state, error, report FROM jobs_job WHERE id = %s"

        def ended() -> tuple[Any, ...] | None:
            with contextlib.suppress(psycopg.OperationalError):
                row = self.ask(query, job)[0]
                return row if row[0] in _ENDED else None
            return None

        state, error, report = self.wait(ended, f"the end of job {job}", seconds)
        assert state == "completed", f"{state}: {error}\n{self.describe()}"
        return dict(report)

    def wait_vectors(self, report: dict[str, Any]) -> dict[str, Any]:
        """Return the report of the embedding job that followed an index job."""
        return self.wait_job(report["embedJobID"])

    def describe(self) -> str:
        """Return jobs, batches, events and the ends of the logs."""
        parts = [
            str(self.ask(query))
            for query in (
                "SELECT kind, lane, state, phase, error FROM jobs_job",
                "SELECT phase, ordinal, state, attempts, worker, error FROM jobs_batch",
                "SELECT at, message FROM jobs_jobevent ORDER BY id DESC LIMIT 20",
            )
        ]
        ends = [f"{h.log.name}: {h.log.read_text()[-1500:]}" for h in self.hosts]
        return "\n".join(parts + ends)

    def _has_lost_a_host(self) -> bool:
        ended = [host for host in self.hosts if host.process.poll() is not None]
        return any(host.process.returncode != -signal.SIGKILL for host in ended)

    def close(self) -> None:
        """End what still runs; its databases go with the servers."""
        for host in self.hosts:
            if host.process.poll() is None:
                host.kill()
        self._celery.close()


def _lives(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@dataclass
class Door:
    """A table that nobody can write to for now, and who stands before it."""

    site: Site
    table: str

    def waiting(self) -> list[int]:
        """Return the process ids of clients that wait to write to the table."""
        rows = self.site.ask(
            "SELECT a.client_port FROM pg_locks l JOIN pg_stat_activity a USING (pid) "
            "WHERE l.relation = %s::regclass AND NOT l.granted",
            self.table,
        )
        ports = {row[0] for row in rows}
        if not rows:
            return []
        return [
            found.pid
            for found in psutil.net_connections("tcp4")
            if found.pid and found.laddr.port in ports
        ]


@contextmanager
def closed(site: Site, table: str) -> Iterator[Door]:
    """Close a table to writers: a worker stops in the middle of what it writes there.

    Reading goes on; the writer keeps its transaction and its locks.
    """
    with contextlib.closing(psycopg.connect(site.database)) as connection:
        connection.execute(
            sql.SQL("LOCK TABLE {} IN SHARE MODE").format(sql.Identifier(table))
        )
        yield Door(site, table)


@contextmanager
def caught(site: Site, works: Path, *tables: str) -> Iterator[str]:
    """Index until somebody stands before the last of the tables; yield the job.

    Each other table is opened only when the next is closed, so that a run can be caught
    at a table that asking for it writes to as well.
    """
    with ExitStack() as now:
        door = now.enter_context(closed(site, tables[0]))
        job = site.index(works)
        site.wait(door.waiting, f"somebody before {door.table}")
        for table in tables[1:]:
            former = now.pop_all()
            door = now.enter_context(closed(site, table))
            former.close()
            site.wait(door.waiting, f"somebody before {door.table}")
        yield job
