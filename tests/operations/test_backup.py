"""Backups: what is refused before anything changes, and a database put back."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from devrag.core.errors import (
    ConfigurationError,
    Conflict,
    DevragError,
    InvalidInput,
)
from devrag.operations.backup import (
    forget_derived,
    read_manifest,
    restore_backup,
    write_backup,
)
from devrag.runtime.layout import Home
from devrag.runtime.pg_tools import Database
from devrag.runtime.postgres import EmbeddedPostgres
from devrag.sources.api import new_upload

MIGRATIONS = {"products.0001_initial", "wiki.0001_initial"}


@pytest.fixture
def database(session_postgres: Home) -> Iterator[Database]:
    """A database with one word in it, in a server that runs."""
    url = EmbeddedPostgres(session_postgres).start(print)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE django_migrations (word text)")
        connection.execute("INSERT INTO django_migrations VALUES ('former')")
    yield Database.at(session_postgres, psycopg.conninfo.conninfo_to_dict(url))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP TABLE django_migrations")


@pytest.fixture
def packed(database: Database, tmp_path: Path) -> Path:
    """A backup of the database and a secret."""
    home = Home(tmp_path / "home").ensure()
    (home.run / "secret_key").write_text("of the former home")
    write_backup(tmp_path / "a.devrag", home, database, MIGRATIONS)
    return tmp_path / "a.devrag"


def word(database: Database, change: str = "") -> str:
    """Return the word in the database, after changing it if one is given."""
    place = psycopg.conninfo.make_conninfo(**database.place)
    with psycopg.connect(place, autocommit=True) as connection:
        if change:
            connection.execute("UPDATE django_migrations SET word = %s", [change])
        row = connection.execute("SELECT word FROM django_migrations").fetchone()
    assert row is not None
    return str(row[0])


def repack(path: Path, change: Callable[[str, bytes], bytes | None]) -> None:
    """Write a backup again with other contents of its parts."""
    with zipfile.ZipFile(path) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    with zipfile.ZipFile(path, "w") as packed:
        for name, content in parts.items():
            if (new := change(name, content)) is not None:
                packed.writestr(name, new)


def test_a_backup_brings_database_and_secrets_to_another_home(
    packed: Path, database: Database, tmp_path: Path
) -> None:
    assert packed.stat().st_mode & 0o777 == 0o600
    assert not database.is_empty()
    word(database, "later")
    other = Home(tmp_path / "other").ensure()
    read_manifest(packed, MIGRATIONS)
    restore_backup(packed, other, database)
    assert word(database) == "former"
    secret = other.run / "secret_key"
    assert secret.read_text() == "of the former home"
    assert secret.stat().st_mode & 0o777 == 0o600


def test_a_backup_never_replaces_a_file(packed: Path, database: Database) -> None:
    with pytest.raises(Conflict, match="already"):
        write_backup(packed, database.home, database, MIGRATIONS)


def test_a_dump_that_breaks_off_leaves_all_as_it_was(
    packed: Path, database: Database
) -> None:
    def cut(name: str, content: bytes) -> bytes:
        return content[:-300] if name == "database.dump" else content

    repack(packed, cut)
    word(database, "present")
    with pytest.raises(DevragError, match=r"Cannot read the database dump|failed"):
        restore_backup(packed, database.home, database)
    assert word(database) == "present"


@pytest.mark.slow
def test_a_database_in_use_is_not_taken_away(packed: Path, database: Database) -> None:
    word(database, "present")
    place = psycopg.conninfo.make_conninfo(**database.place)
    with (
        psycopg.connect(place),
        pytest.raises(Conflict, match="in use; nothing was changed"),
    ):
        restore_backup(packed, database.home, database)
    assert word(database) == "present"


@contextmanager
def _as_administrator(database: Database, name: str) -> Iterator[psycopg.Connection]:
    """Yield a connection that may do anything."""
    state = json.loads((database.home.run / "postgres.json").read_text())
    place = {**database.place, "user": "postgres", "dbname": name}
    place["password"] = state["superuser_password"]
    made = psycopg.conninfo.make_conninfo(**place)
    with psycopg.connect(made, autocommit=True) as connection:
        yield connection


@pytest.fixture
def role_of_ones_own(database: Database) -> Iterator[None]:
    """A role that may make no databases."""
    with _as_administrator(database, "postgres") as server:
        server.execute("ALTER ROLE devrag NOCREATEDB")
        yield
        server.execute("ALTER ROLE devrag CREATEDB")


@pytest.fixture
def server_of_ones_own(database: Database) -> Iterator[None]:
    """A server that has pgvector, but not in every new database."""
    with _as_administrator(database, "template1") as template:
        template.execute("DROP EXTENSION vector")
    yield
    with _as_administrator(database, "template1") as template:
        template.execute("CREATE EXTENSION vector")


@pytest.mark.usefixtures("role_of_ones_own")
def test_a_role_that_may_make_no_database_is_told_what_it_needs(
    packed: Path, database: Database
) -> None:
    word(database, "present")
    with pytest.raises(ConfigurationError, match=r"CREATE DATABASE .*have CREATEDB"):
        restore_backup(packed, database.home, database)
    assert word(database) == "present"


@pytest.mark.usefixtures("server_of_ones_own")
def test_an_extension_that_cannot_be_made_is_named(
    packed: Path, database: Database
) -> None:
    word(database, "present")
    with pytest.raises(ConfigurationError, match=r"devrag cannot make .* vector in"):
        restore_backup(packed, database.home, database)
    assert word(database) == "present"


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """What looks like a backup from outside; its dump is never opened."""
    fields = {
        "kind": "devrag-backup",
        "format": 1,
        "version": "9.9",
        "createdAt": "2026-01-01",
        "migrations": [],
        "secrets": ["secret_key"],
    }
    path = tmp_path / "b.devrag"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("devrag-backup.json", json.dumps(fields))
        packed.writestr("secrets/secret_key", "s")
        packed.writestr("database.dump", "d" * 1000)
    return path


@pytest.mark.parametrize("text", [b"", b"PK\x03\x04 nothing more", b"# Read me\n"])
def test_a_foreign_file_is_refused(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "x").write_bytes(text)
    with pytest.raises(InvalidInput, match="not a devrag backup"):
        read_manifest(tmp_path / "x", MIGRATIONS)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="File not found"):
        read_manifest(tmp_path / "x", MIGRATIONS)


def test_a_damaged_file_is_refused(plain: Path) -> None:
    content = plain.read_bytes().replace(b"ddd", b"dxd", 1)
    plain.write_bytes(content)
    with pytest.raises(InvalidInput, match=r"damaged: database\.dump"):
        read_manifest(plain, MIGRATIONS)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"kind": "other"}, "not a devrag backup"),
        ({"format": 3}, "created by devrag 9.9, which is newer"),
        ({"migrations": ["wiki.0099_later"]}, "Upgrade devrag first"),
        ({"secrets": ["../../etc/passwd"]}, "its parts do not match"),
        ({"unheard": 1}, "not a devrag backup"),
    ],
)
def test_what_is_not_ours_to_read_is_refused(
    plain: Path, fields: dict[str, object], said: str
) -> None:
    def change(name: str, content: bytes) -> bytes:
        is_manifest = name == "devrag-backup.json"
        return (
            json.dumps(json.loads(content) | fields).encode()
            if is_manifest
            else content
        )

    repack(plain, change)
    with pytest.raises(InvalidInput, match=said):
        read_manifest(plain, MIGRATIONS)


def test_what_was_built_from_former_rows_goes(tmp_path: Path) -> None:
    (tmp_path / "lexical" / "old").mkdir(parents=True)
    for name in ("lexical", "never made"):
        forget_derived(tmp_path / name)
    assert list((tmp_path / "lexical").iterdir()) == []


def test_uploads_are_in_a_backup_and_unfinished_ones_are_not(
    database: Database, tmp_path: Path
) -> None:
    home, other = Home(tmp_path / "home").ensure(), Home(tmp_path / "other").ensure()
    with new_upload(home.uploads) as made:
        (made.folder / "content/設計").mkdir(parents=True)
        (made.folder / "content/設計/a.md").write_text("# Tea")
        (made.folder / "listing").write_text("made again")
        made.is_kept = True
    with new_upload(other.uploads) as former:
        former.is_kept = True
    target = tmp_path / "b.devrag"
    with new_upload(home.uploads) as unfinished:
        (unfinished.folder / "content").mkdir()
        (unfinished.folder / "content/half.md").write_text("h")
        write_backup(target, home, database, MIGRATIONS)
    read_manifest(target, MIGRATIONS)
    restore_backup(target, other, database)
    files = [path for path in other.uploads.rglob("*") if path.is_file()]
    assert files == [other.uploads / made.id / "content/設計/a.md"]
    assert files[0].read_text() == "# Tea"
    assert not former.folder.exists()


def test_a_backup_with_a_file_elsewhere_is_refused(packed: Path) -> None:
    with zipfile.ZipFile(packed, "a") as archive:
        archive.writestr(f"uploads/{'a' * 32}/content/../../../x", "x")
    with pytest.raises(InvalidInput, match="damaged"):
        read_manifest(packed, MIGRATIONS)
