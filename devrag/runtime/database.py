"""Roles, database and extensions inside the embedded PostgreSQL.

The application's role is no superuser. The extensions go into template1 as well, so
that the databases the role creates (those of tests) have them.
"""

from __future__ import annotations

import psycopg
from psycopg import sql

from devrag.core.errors import ServiceError
from devrag.runtime.cluster import Cluster
from devrag.runtime.ports import LOOPBACK

ROLE = "devrag"
DATABASE = "devrag"
_EXTENSIONS = ("vector", "pg_trgm")


def ensure_database(port: int, superuser_password: str, password: str) -> None:
    """Create what is missing and bring extensions to the installed version."""
    try:
        with _connect("template1", port, superuser_password) as template:
            exists = template.execute(
                "SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]
            ).fetchone()
            if not exists:
                _update_extensions(template)
                _create_role(template, password)
                template.execute(
                    sql.SQL("CREATE DATABASE {} OWNER {}").format(
                        sql.Identifier(DATABASE), sql.Identifier(ROLE)
                    )
                )
        with _connect(DATABASE, port, superuser_password) as database:
            _update_extensions(database)
    except psycopg.Error as error:
        raise ServiceError(
            f"Cannot prepare the database {DATABASE} on {LOOPBACK}:{port}: {error}. "
            "If its password was changed, run `server stop`, delete run/postgres.json "
            "in DEVRAG_HOME and start the server again; it then sets a new password."
        ) from error


def reset_passwords(cluster: Cluster, superuser_password: str, password: str) -> None:
    """Set new passwords in a stopped cluster whose old ones are lost."""
    cluster.run_single(
        f"ALTER ROLE postgres PASSWORD '{superuser_password}';\n"
        "DO $$BEGIN IF EXISTS (SELECT FROM pg_roles"
        f" WHERE rolname = '{ROLE}') THEN"
        f" ALTER ROLE {ROLE} PASSWORD '{password}'; END IF; END$$;\n"
    )


def _connect(
    database: str, port: int, password: str
) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(
        host=LOOPBACK,
        port=port,
        user="postgres",
        password=password,
        dbname=database,
        connect_timeout=20,
        autocommit=True,
    )


def _update_extensions(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    rows = connection.execute(
        "SELECT name, installed_version IS NULL FROM pg_available_extensions WHERE"
        " name = ANY(%s) AND installed_version IS DISTINCT FROM default_version",
        [list(_EXTENSIONS)],
    ).fetchall()
    for name, is_missing in rows:
        verb = "CREATE EXTENSION {}" if is_missing else "ALTER EXTENSION {} UPDATE"
        connection.execute(sql.SQL(verb).format(sql.Identifier(str(name))))


def _create_role(
    connection: psycopg.Connection[tuple[object, ...]], password: str
) -> None:
    exists = connection.execute(
        "SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]
    ).fetchone()
    verb = "ALTER ROLE {} PASSWORD {}"
    if not exists:
        verb = "CREATE ROLE {} LOGIN CREATEDB PASSWORD {}"
    connection.execute(
        sql.SQL(verb).format(sql.Identifier(ROLE), sql.Literal(password))
    )
