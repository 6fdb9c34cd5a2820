"""The embedded PostgreSQL of a DEVRAG_HOME: place, port, passwords, life cycle."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path

from devrag.core.errors import ConfigurationError, ServiceError
from devrag.core.hashing import sha256_hex
from devrag.runtime.binaries import SHARED_ROOT, make_shared, postgres_binaries
from devrag.runtime.cluster import Cluster
from devrag.runtime.database import DATABASE, ROLE, ensure_database, reset_passwords
from devrag.runtime.layout import Home, Say
from devrag.runtime.os_user import OsAccount, service_account
from devrag.runtime.ports import LOOPBACK, choose_port, is_port_free
from devrag.runtime.state_files import read_json, write_json

_START_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class _State:
    """What `run/postgres.json` keeps (0600); `folder` is relative inside the home."""

    folder: str
    port: int
    superuser_password: str
    password: str


class EmbeddedPostgres:
    """One server for one home; `settings` are further postgresql.conf values."""

    def __init__(
        self,
        home: Home,
        settings: Mapping[str, str] | None = None,
        shared_root: Path = SHARED_ROOT,
    ) -> None:
        self._home = home
        self._settings = dict(settings or {})
        self._shared_root = shared_root
        self._state_path = home.run / "postgres.json"

    @property
    def folder(self) -> Path:
        """The folder that holds `data`: DEVRAG_HOME/postgres where that is reachable.

        The place is written down, so that a home that moves keeps its data.
        """
        if (state := self._read_state()) is not None:  # an absolute path stays itself
            return self._home.root / state.folder
        if self._account.can_enter(self._home.root):
            return self._home.postgres
        return self._shared_root / sha256_hex(str(self._home.root))[:16]

    @property
    def pid(self) -> int | None:
        """The postmaster's pid, None when it does not run."""
        server = self._cluster.postmaster() if self._state_path.exists() else None
        return None if server is None else server.pid

    @property
    def url(self) -> str | None:
        """The application's database URL, None before the first start."""
        state = self._read_state()
        if state is None:
            return None
        return (
            f"postgresql://{ROLE}:{state.password}@{LOOPBACK}:{state.port}/{DATABASE}"
        )

    def start(self, say: Say) -> str:
        """Start (or adopt a running) server; return the application's URL."""
        cluster = self._cluster
        state = self._prepare(cluster, say)
        if (server := cluster.postmaster()) is not None:
            say(f"PostgreSQL is already running (pid {server.pid})")
            cluster.wait_ready(say)
            state = replace(state, port=server.port)
        if cluster.postmaster() is None:
            say("starting PostgreSQL")
            state = replace(state, port=self._start(cluster, state.port, say))
        self._write_state(state)
        ensure_database(state.port, state.superuser_password, state.password)
        return str(self.url)

    def stop(self) -> None:
        """Stop the server if it runs, whoever started it."""
        if self._state_path.exists():
            self._cluster.stop()

    @cached_property
    def _account(self) -> OsAccount:
        return service_account(self._home.postgres / "data")

    @cached_property
    def _cluster(self) -> Cluster:
        return Cluster(
            binaries=postgres_binaries(self._account, self._shared_root),
            account=self._account,
            data=self.folder / "data",
            log=self._home.log / "postgres.log",
            settings=self._settings,
        )

    def _prepare(self, cluster: Cluster, say: Say) -> _State:
        """Make sure that data and passwords are there and belong together."""
        folder = cluster.data.parent
        if not folder.is_dir():
            make_shared(folder.parent)
            folder.mkdir(0o700)
        self._account.hand_over(folder)
        known = self._read_state()
        if not self._account.can_enter(folder):
            raise ConfigurationError(
                f"The user that runs PostgreSQL has no access to {folder}. Allow "
                "others to traverse its parent folders (chmod o+x), or move "
                "DEVRAG_HOME."
            )
        state = known or self._new_state(folder)
        if not (cluster.data / "PG_VERSION").exists():
            say(f"creating the PostgreSQL data directory {cluster.data}")
            self._write_state(state)
            cluster.initialise(state.superuser_password)
        cluster.check_version()
        if known is None and self._read_state() is None:
            say("setting new PostgreSQL passwords because run/postgres.json is missing")
            cluster.stop()
            reset_passwords(cluster, state.superuser_password, state.password)
            self._write_state(state)
        return state

    def _new_state(self, folder: Path) -> _State:
        inside = folder.is_relative_to(self._home.root)
        place = folder.relative_to(self._home.root) if inside else folder
        return _State(str(place), choose_port(None), _password(), _password())

    def _start(self, cluster: Cluster, kept: int, say: Say) -> int:
        cluster.clear_leftovers()
        port = choose_port(kept)
        for attempt in range(1, _START_ATTEMPTS + 1):
            try:
                cluster.start(port, say)
            except ServiceError:
                # Somebody may have taken the port since it was looked at.
                if attempt == _START_ATTEMPTS or is_port_free(LOOPBACK, port):
                    raise
                port = choose_port(None)
            else:
                break
        return port

    def _read_state(self) -> _State | None:
        state = read_json(self._state_path)
        return None if state is None else _State(**state)

    def _write_state(self, state: _State) -> None:
        if state != self._read_state():
            write_json(self._state_path, asdict(state))


def _password() -> str:
    return secrets.token_urlsafe(24)
