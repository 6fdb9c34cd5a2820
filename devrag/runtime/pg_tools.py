"""PostgreSQL's own dump and restore, from the wheel that brings the server."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from shutil import copyfileobj
from typing import IO

import psycopg
from psycopg import sql

from devrag.core.environments import minimal_environment
from devrag.core.errors import (
    ConfigurationError,
    Conflict,
    InvalidInput,
    ServiceError,
)
from devrag.runtime.binaries import postgres_binaries
from devrag.runtime.layout import Home
from devrag.runtime.os_user import service_account

_VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
}
# What the dump makes; a role of one's own may not be allowed to.
_EXTENSIONS = ["vector", "pg_trgm"]
_LACKING = """
SELECT wanted FROM unnest(%s::text[]) AS wanted WHERE NOT EXISTS (
    SELECT FROM pg_available_extension_versions AS v
    WHERE v.name = wanted AND (
        v.installed OR v.trusted OR NOT v.superuser
        OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
    )
)
"""
_NEW, _OLD = "{}_restored", "{}_before"


@dataclass(frozen=True, slots=True)
class Database:
    """A database with the programs that read and write it whole.

    place: what libpq needs (host, port, user, password, dbname, sslmode, …).
    """

    home: Home
    place: Mapping[str, str]

    @classmethod
    def at(cls, home: Home, params: Mapping[str, object]) -> Database:
        """Take from a driver's parameters what libpq knows."""
        found = {key: str(params[key]) for key in _VARIABLES if params.get(key)}
        return cls(home, found)

    def is_empty(self) -> bool:
        """Return whether nothing of devrag has ever been in it."""
        with self._connect() as connection:
            row = connection.execute("SELECT to_regclass('django_migrations')")
            return row.fetchone() == (None,)

    def dump(self, target: IO[bytes]) -> None:
        """Write everything as it is at this moment; nobody has to stop for it."""
        argv = ["--format=custom", "--compress=gzip:1", "--no-owner", "--no-privileges"]
        with tempfile.TemporaryFile() as said:
            with self._popen("pg_dump", *argv, output=said) as tool:
                copyfileobj(_pipe(tool.stdout), target)
            _check("pg_dump", tool, said)

    def check(self, source: IO[bytes]) -> None:
        """Refuse what pg_restore cannot read to the end of its list."""
        with tempfile.TemporaryFile() as said:
            tool = self._feed(source, said, "--list")
            if tool.returncode:
                raise InvalidInput(
                    f"Cannot read the database dump in it: {_last(said)}"
                )

    def replace(self, source: IO[bytes], *, is_ending_others: bool = False) -> None:
        """Restore beside the present database, then let it take its name.

        Until then nothing has changed, whatever fails. is_ending_others: whoever is
        connected loses the connection; otherwise that is a Conflict.
        """
        name = self.place["dbname"]
        new, old = _NEW.format(name), _OLD.format(name)
        with self._connect("postgres") as server:
            for left in (new, old):
                _execute(server, "DROP DATABASE IF EXISTS {}", left)
            _execute(server, "CREATE DATABASE {}", new)
            try:
                self._check_extensions(new)
                self._restore(source, new)
                with self._connect(new) as restored:
                    restored.execute("ANALYZE")  # plans are bad without
                if is_ending_others:
                    _end_connections(server, name)
                _execute(server, "ALTER DATABASE {} RENAME TO {}", name, old)
            except BaseException:
                _execute(server, "ALTER DATABASE {} ALLOW_CONNECTIONS true", name)
                _execute(server, "DROP DATABASE {}", new)
                raise
            _execute(server, "ALTER DATABASE {} RENAME TO {}", new, name)
            _execute(server, "DROP DATABASE {}", old)

    def _check_extensions(self, name: str) -> None:
        """Raise ConfigurationError for those that are not there and cannot be made."""
        with self._connect(name) as connection:
            found = connection.execute(_LACKING, [_EXTENSIONS]).fetchall()
        if found:
            lacking = ", ".join(str(extension) for (extension,) in found)
            raise ConfigurationError(
                f"The role {self.place.get('user')} cannot make the extension "
                f"{lacking} in a new database; nothing was changed. Let an "
                "administrator of the server make it in template1 (`CREATE EXTENSION`, "
                "where pgvector is installed), then restore again."
            )

    def _restore(self, source: IO[bytes], name: str) -> None:
        # Extensions are there already; their comments belong to who made them.
        argv = ["--exit-on-error", "--no-owner", "--no-privileges", "--no-comments"]
        with tempfile.TemporaryFile() as said:
            _check(
                "pg_restore", self._feed(source, said, *argv, f"--dbname={name}"), said
            )

    def _feed(
        self, source: IO[bytes], said: IO[bytes], *argv: str
    ) -> subprocess.Popen[bytes]:
        """Run pg_restore over a stream; it may stop reading before the end."""
        with self._popen("pg_restore", *argv, output=said, is_fed=True) as tool:
            fed = _pipe(tool.stdin)
            # Whether it wanted all of it is told by its exit code.
            with suppress(BrokenPipeError):
                copyfileobj(source, fed)
            with suppress(BrokenPipeError):
                fed.close()
        return tool

    def _popen(
        self, name: str, *argv: str, output: IO[bytes], is_fed: bool = False
    ) -> subprocess.Popen[bytes]:
        account = service_account(self.home.postgres / "data")
        program = postgres_binaries(account).tool(name)
        secret = {_VARIABLES[key]: value for key, value in self.place.items()}
        return subprocess.Popen(
            [program, *argv],
            stdin=subprocess.PIPE if is_fed else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if is_fed else subprocess.PIPE,
            stderr=output,
            env=minimal_environment() | secret,
        )

    def _connect(self, name: str = "") -> psycopg.Connection[tuple[object, ...]]:
        place = {**self.place, **({"dbname": name} if name else {})}
        try:
            return psycopg.connect(
                psycopg.conninfo.make_conninfo(**place), autocommit=True
            )
        except psycopg.OperationalError as error:
            raise ServiceError(
                f"Cannot use the database on {place.get('host')}: {error}"
            ) from error


def _end_connections(server: psycopg.Connection[tuple[object, ...]], name: str) -> None:
    """Let nobody in any more, and end the connections that there are."""
    _execute(server, "ALTER DATABASE {} ALLOW_CONNECTIONS false", name)
    server.execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
        "WHERE datname = %s",
        [name],
    )


def _execute(
    server: psycopg.Connection[tuple[object, ...]], statement: str, *names: str
) -> None:
    query = sql.SQL(statement).format(*map(sql.Identifier, names))
    try:
        server.execute(query)
    except psycopg.errors.ObjectInUse as error:
        raise Conflict(
            f"The database {names[0]} is in use; nothing was changed. Stop every "
            "devrag server that uses it, then restore again."
        ) from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise ConfigurationError(
            f"PostgreSQL rejected '{statement.format(*names)}': {error}; nothing was "
            "changed. The role must own the database and have CREATEDB."
        ) from error
    except psycopg.Error as error:
        raise ServiceError(
            f"PostgreSQL rejected '{statement.format(*names)}': {error}"
        ) from error


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ServiceError("The PostgreSQL tool has no stream to write or read.")
    return stream


def _check(name: str, tool: subprocess.Popen[bytes], said: IO[bytes]) -> None:
    if tool.returncode:
        raise ServiceError(f"{name} failed; nothing was changed. {_last(said)}")


def _last(said: IO[bytes]) -> str:
    said.seek(0)
    return said.read().decode(errors="replace").strip()[-500:]
