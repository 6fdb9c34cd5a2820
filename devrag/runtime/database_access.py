"""The database as the settings name it; the embedded one is started for a moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from devrag.runtime.layout import Home, Say
from devrag.runtime.pg_tools import Database
from devrag.runtime.postgres import EmbeddedPostgres


def own_home() -> Home:
    """Return this installation's DEVRAG_HOME with its folders."""
    return Home(Path(settings.DEVRAG_HOME)).ensure()


@contextmanager
def reached_database(home: Home, say: Say) -> Iterator[Database]:
    """Yield the database; an embedded one that did not run is stopped again.

    Django uses it too meanwhile, wherever the settings looked for it.
    """
    if not settings.IS_EMBEDDED_DATABASE:
        yield Database.at(home, connection.get_connection_params())
        return
    postgres = EmbeddedPostgres(home)
    was_running = postgres.pid is not None
    url = postgres.start(say)
    place = psycopg.conninfo.conninfo_to_dict(url)
    _connect_django_to(place)
    try:
        yield Database.at(home, place)
    finally:
        connection.close()
        if not was_running:
            postgres.stop()


def _connect_django_to(place: Mapping[str, object]) -> None:
    names = {"HOST": "host", "PORT": "port", "USER": "user", "PASSWORD": "password"}
    connection.close()
    for setting, name in {**names, "NAME": "dbname"}.items():
        connection.settings_dict[setting] = place[name]


def known_migrations() -> set[str]:
    """Return `app.name` of every migration that this version of devrag has."""
    loader = MigrationLoader(None)
    return {f"{app}.{name}" for app, name in loader.disk_migrations or {}}


def applied_migrations() -> set[str]:
    """Return those of `known_migrations` that the database has had."""
    applied = MigrationRecorder(connection).applied_migrations()
    return {f"{app}.{name}" for app, name in applied} & known_migrations()
