"""Encrypted backups: read with their passphrase, refused when anything is off."""

from __future__ import annotations

import io
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from devrag.core.errors import InvalidInput
from devrag.operations.backup import read_manifest, restore_backup, write_backup
from devrag.operations.encrypted import EncryptedReader, EncryptedWriter, is_encrypted
from devrag.operations.passphrase import read_passphrase
from devrag.runtime.layout import Home
from devrag.runtime.pg_tools import Database
from tests.operations.test_backup import MIGRATIONS, database, word

__all__ = ["database"]  # a fixture

PASSPHRASE = "correct horse battery"
HEAD, SEALED = 54, 65_536 + 16


@pytest.fixture(autouse=True)
def cheap_key(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive keys at little cost, which a file names itself; one test pays in full."""
    if "database" not in request.fixturenames:
        monkeypatch.setattr("devrag.operations.encrypted._COST", 4)


def encrypt(path: Path, data: bytes) -> Path:
    with path.open("wb") as file, EncryptedWriter(file, PASSPHRASE) as writer:
        writer.write(data)
    return path


def decrypt(path: Path, passphrase: str = PASSPHRASE) -> bytes:
    with io.BufferedReader(EncryptedReader(path, passphrase)) as reader:
        return reader.read()


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])
def test_what_is_written_is_read_again(tmp_path: Path, size: int) -> None:
    data = bytes(range(256)) * (size // 256) + b"x" * (size % 256)

    path = encrypt(tmp_path / "a", data)

    assert is_encrypted(path)
    assert decrypt(path) == data
    assert size < 256 or data[:256] not in path.read_bytes()


def test_it_is_read_from_any_place(tmp_path: Path) -> None:
    data = b"".join(number.to_bytes(4, "big") for number in range(50_000))
    path = encrypt(tmp_path / "a", data)

    with io.BufferedReader(EncryptedReader(path, PASSPHRASE)) as reader:
        for place in (0, 65_530, 131_071, 199_999, 3):
            reader.seek(place)
            assert reader.read(20) == data[place : place + 20]
        assert reader.seek(-4, io.SEEK_END) == len(data) - 4
        assert reader.read() == data[-4:]


def test_two_files_of_equal_contents_differ(tmp_path: Path) -> None:
    first = encrypt(tmp_path / "a", b"tea").read_bytes()
    second = encrypt(tmp_path / "b", b"tea").read_bytes()

    assert first[HEAD:] != second[HEAD:]


def test_a_wrong_passphrase_is_told_from_damage(tmp_path: Path) -> None:
    path = encrypt(tmp_path / "a", b"tea")

    with pytest.raises(InvalidInput, match="Wrong passphrase"):
        decrypt(path, "another one entirely")


def _swapped(data: bytes) -> bytes:
    pieces = data[HEAD:]
    return (
        data[:HEAD]
        + pieces[SEALED : 2 * SEALED]
        + pieces[:SEALED]
        + pieces[2 * SEALED :]
    )


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "one bit": lambda data: data[:70_000] + bytes([data[70_000] ^ 1]) + data[70_001:],
    "the last byte is missing": lambda data: data[:-1],
    "the last piece is missing": lambda data: data[: HEAD + 2 * SEALED],
    "cut within a piece": lambda data: data[: HEAD + SEALED + 100],
    "only the head": lambda data: data[:HEAD],
    "half of the head": lambda data: data[:20],
    "pieces swapped": _swapped,
    "a piece repeated": lambda data: data[: HEAD + SEALED] + data[HEAD:],
    "something added": lambda data: data + b"more",
    "a piece added": lambda data: data + data[HEAD : HEAD + SEALED],
    "prefix of nonces": lambda data: data[:33] + bytes([data[33] ^ 1]) + data[34:],
    "an endless cost": lambda data: data[:14] + b"\xff" + data[15:],
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_is_refused(tmp_path: Path, damage: str) -> None:
    path = encrypt(tmp_path / "a", b"tea and cake " * 12_000)
    path.write_bytes(DAMAGES[damage](path.read_bytes()))

    with pytest.raises(InvalidInput, match="damaged or incomplete"):
        decrypt(path)


def test_a_writer_that_breaks_off_leaves_no_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with (
        path.open("wb") as file,
        suppress(RuntimeError),
        EncryptedWriter(file, PASSPHRASE) as writer,
    ):
        writer.write(b"tea" * 50_000)
        raise RuntimeError

    with pytest.raises(InvalidInput, match="damaged or incomplete"):
        decrypt(path)


def test_nothing_holds_the_whole_file(tmp_path: Path) -> None:
    tracemalloc.start()
    try:
        with (
            (tmp_path / "a").open("wb") as file,
            EncryptedWriter(file, PASSPHRASE) as writer,
        ):
            for _ in range(160):
                writer.write(bytes(100_000))
        with io.BufferedReader(EncryptedReader(tmp_path / "a", PASSPHRASE)) as reader:
            while reader.read(100_000):
                pass
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 4_000_000


@pytest.mark.slow
def test_an_encrypted_backup_is_restored_with_its_passphrase(
    database: Database, tmp_path: Path
) -> None:
    home = Home(tmp_path / "home").ensure()
    (home.run / "secret_key").write_text("of the former home")
    path = tmp_path / "a.devrag"
    write_backup(path, home, database, MIGRATIONS, passphrase=PASSPHRASE)
    word(database, "later")
    other = Home(tmp_path / "other").ensure()

    read_manifest(path, MIGRATIONS, passphrase=PASSPHRASE)
    restore_backup(path, other, database, passphrase=PASSPHRASE)

    assert word(database) == "former"
    assert (other.run / "secret_key").read_text() == "of the former home"
    assert b"of the former home" not in path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600


def test_an_encrypted_backup_asks_for_its_passphrase(tmp_path: Path) -> None:
    path = encrypt(tmp_path / "a", b"tea")

    with pytest.raises(InvalidInput, match=r"is encrypted\. Enter its passphrase"):
        read_manifest(path, MIGRATIONS)


def test_where_a_passphrase_is_given_a_plain_backup_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("devrag-backup.json", "{}")

    with pytest.raises(InvalidInput, match="is not encrypted"):
        read_manifest(path, MIGRATIONS, passphrase=PASSPHRASE)


def test_an_encrypted_file_that_is_no_backup_is_refused(tmp_path: Path) -> None:
    path = encrypt(tmp_path / "a", b"tea")

    with pytest.raises(InvalidInput, match="not a devrag backup"):
        read_manifest(path, MIGRATIONS, passphrase=PASSPHRASE)


def test_a_passphrase_comes_from_the_first_line_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "phrase"
    file.write_text("  with blanks around  \r\nnot this\n")

    assert read_passphrase(file, "", is_new=True) == "  with blanks around  "


def test_a_passphrase_comes_from_the_setting() -> None:
    assert read_passphrase(None, PASSPHRASE, is_new=True) == PASSPHRASE


def test_a_short_one_is_refused_for_a_new_backup_only() -> None:
    with pytest.raises(InvalidInput, match="at least 12 characters"):
        read_passphrase(None, "short", is_new=True)
    assert read_passphrase(None, "short", is_new=False) == "short"


def test_without_a_terminal_the_ways_to_give_one_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    with pytest.raises(InvalidInput, match="--passphrase-file FILE, set BACKUP_PASS"):
        read_passphrase(None, "", is_new=True)


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="Cannot read the passphrase from"):
        read_passphrase(tmp_path / "none", "", is_new=False)
