"""A backup: one zip file with the database and the secrets that go with it.

Uploaded files are in it too. With a passphrase the zip file is encrypted
(`encrypted.py`). Everything else under DEVRAG_HOME is built again from these.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import zipfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from devrag import __version__
from devrag.core.errors import Conflict, InvalidInput
from devrag.operations.encrypted import EncryptedReader, EncryptedWriter, is_encrypted
from devrag.operations.uploads import is_upload_name, read_uploads, write_uploads
from devrag.runtime.api import Database
from devrag.runtime.layout import Home
from devrag.runtime.state_files import write_private

KIND, FORMAT = "devrag-backup", 2
_MANIFEST, _DUMP, _SECRETS = "devrag-backup.json", "database.dump", "secrets/"
# What an embedded installation made for itself: without them its credentials stay
# encrypted and nobody can sign in.
_CREDENTIALS_KEY = "credentials_key"
_FILES = (
    *("secret_key", "secret_key.old", _CREDENTIALS_KEY, f"{_CREDENTIALS_KEY}.old"),
    *("admin_password", "admin_password.shown"),
)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says of itself. migrations: `app.name` of all that were applied."""

    kind: str
    format: int
    version: str
    createdAt: str  # noqa: N815
    migrations: tuple[str, ...]
    secrets: tuple[str, ...]


def write_backup(
    target: Path,
    home: Home,
    database: Database,
    migrations: Iterable[str],
    *,
    passphrase: str | None = None,
) -> Manifest:
    """Write a backup, 0600, whole or not at all; devrag may run meanwhile.

    passphrase: what it is encrypted with; None: it is not.
    Conflict when the file is there: a backup never replaces another.
    """
    if target.exists():
        raise Conflict(f"{target} already exists. Choose another name.")
    kept = [home.run / name for name in _FILES if (home.run / name).is_file()]
    manifest = Manifest(
        kind=KIND,
        format=FORMAT,
        version=__version__,
        createdAt=datetime.now(UTC).isoformat(timespec="seconds"),
        migrations=tuple(sorted(migrations)),
        secrets=tuple(path.name for path in kept),
    )
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        with (
            os.fdopen(descriptor, "w+b") as file,
            _sealed(file, passphrase) as stream,
            zipfile.ZipFile(stream, "w") as packed,
        ):
            packed.writestr(_MANIFEST, json.dumps(asdict(manifest), indent=1))
            for path in kept:
                packed.writestr(f"{_SECRETS}{path.name}", path.read_bytes())
            with packed.open(_DUMP, "w", force_zip64=True) as dump:
                database.dump(dump)
            # After the rows: those of a later upload need no files.
            write_uploads(packed, home.uploads)
        draft.rename(target)
    except OSError as error:
        raise InvalidInput(
            f"Cannot write {target}: {error.strerror}. Choose another location."
        ) from error
    finally:
        draft.unlink(missing_ok=True)
    return manifest


@contextmanager
def _sealed(file: IO[bytes], passphrase: str | None) -> Iterator[IO[bytes]]:
    if passphrase is None:
        yield file
        return
    with EncryptedWriter(file, passphrase) as writer:
        yield writer  # type: ignore[misc]  # RawIOBase lacks only what zipfile does


@contextmanager
def _opened(path: Path, passphrase: str | None) -> Iterator[IO[bytes]]:
    if not is_encrypted(path):
        with path.open("rb") as file:
            if passphrase is not None:
                raise InvalidInput(
                    f"{path} is not encrypted, so its origin cannot be verified. To "
                    "restore it anyway, run the command without a passphrase."
                )
            yield file
        return
    if passphrase is None:
        raise InvalidInput(f"{path} is encrypted. Enter its passphrase.")
    with io.BufferedReader(EncryptedReader(path, passphrase)) as reader:
        yield reader


def read_manifest(
    path: Path, known_migrations: Collection[str], *, passphrase: str | None = None
) -> Manifest:
    """Return what a file says of itself, having read all of it.

    InvalidInput when it is no backup, is damaged, was made by a newer devrag, or is
    encrypted with another passphrase or, where one is given, not at all.
    """
    try:
        with _opened(path, passphrase) as file, zipfile.ZipFile(file) as packed:
            fields = json.loads(packed.read(_MANIFEST))
            damaged = packed.testzip()
            names = set(packed.namelist())
    except FileNotFoundError as error:
        raise InvalidInput(f"File not found: {path}.") from error
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise InvalidInput(
            f"{path} is not a devrag backup, or it is incomplete."
        ) from error
    manifest = _manifest(path, fields)
    expected = {_MANIFEST, _DUMP, *(f"{_SECRETS}{n}" for n in manifest.secrets)}
    names = {name for name in names if not is_upload_name(name)}
    if damaged or names != expected or not set(manifest.secrets) <= set(_FILES):
        raise InvalidInput(f"{path} is damaged: {damaged or 'its parts do not match'}.")
    if manifest.format > FORMAT or not set(manifest.migrations) <= set(
        known_migrations
    ):
        raise InvalidInput(
            f"{path} was created by devrag {manifest.version}, which is newer than "
            f"this version ({__version__}). Upgrade devrag first."
        )
    return manifest


def restore_backup(
    path: Path,
    home: Home,
    database: Database,
    *,
    passphrase: str | None = None,
    is_ending_others: bool = False,
) -> None:
    """Put a backup in the place of what is there; read_manifest() has looked at it.

    is_ending_others: as `Database.replace` takes it.
    """
    with _opened(path, passphrase) as file, zipfile.ZipFile(file) as packed:
        with packed.open(_DUMP) as dump:
            database.check(dump)
        with packed.open(_DUMP) as dump:
            database.replace(dump, is_ending_others=is_ending_others)
        for name in packed.namelist():
            if name.startswith(_SECRETS):
                text = packed.read(name).decode("ascii")
                write_private(home.run / name.removeprefix(_SECRETS), text)
        read_uploads(packed, home.uploads)


def credentials_key(home: Home) -> str | None:
    """Return the key that an embedded installation made for its credentials, if any."""
    path = home.run / _CREDENTIALS_KEY
    return path.read_text(encoding="ascii").strip() if path.is_file() else None


def forget_derived(folder: Path) -> None:
    """Empty what was built from the former rows; it is built again from the new."""
    if folder.is_dir():
        shutil.rmtree(folder)
        folder.mkdir(0o700)


def _manifest(path: Path, fields: Any) -> Manifest:
    try:
        made = Manifest(**fields)
    except TypeError as error:
        raise InvalidInput(f"{path} is not a devrag backup.") from error
    if made.kind != KIND:
        raise InvalidInput(f"{path} is not a devrag backup.")
    return made
