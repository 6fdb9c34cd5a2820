"""Folders of hostile files: too large, growing, swapped while they are read."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from devrag.core.errors import DevragError, SourceError
from devrag.core.hashing import sha256_hex
from devrag.sources.confined_files import Beneath, Refused, read_bounded
from devrag.sources.connectors import ConnectorContext, Entry, Unlisted, open_connector
from devrag.sources.connectors.local import connector as connector_module
from devrag.sources.connectors.local import listing as listing_module
from devrag.sources.connectors.types import Connector
from devrag.sources.paths import MAX_PATH_BYTES, TOO_LONG
from devrag.sources.selection import Selection

LIMITS = Selection(max_bytes=1000, max_document_bytes=2000)
SPARSE_BYTES = 100 * 10**9


class Cancelled(Exception):
    """What a checkpoint raises."""


SECRET = b"what another product keeps"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "roots/root"
    root.mkdir(parents=True)
    (root / "a.txt").write_bytes(b"alpha")
    return root


def sparse(path: Path, size: int = SPARSE_BYTES) -> None:
    with path.open("wb") as file:
        file.truncate(size)


@contextmanager
def opened(
    root: Path,
    *,
    kind: str = "local",
    selection: Selection = LIMITS,
    checkpoint: Callable[[], None] = lambda: None,
) -> Iterator[Connector]:
    context = ConnectorContext(
        repos_dir=root.parent.parent / "repos",
        source_roots=(root.parent,),
        selection=selection,
        checkpoint=checkpoint,
    )
    with closing(open_connector(kind, {"path": str(root)}, context)) as connector:
        yield connector


def entries(connector: Connector) -> dict[str, Entry]:
    found = connector.list(connector.resolve())
    return {item.path: item for item in found if isinstance(item, Entry)}


@pytest.mark.parametrize("name", ["big.txt", "big.pdf", ".gitignore", "x.py"])
def test_a_file_that_is_too_large_is_not_read(folder: Path, name: str) -> None:
    sparse(folder / name)
    with opened(folder) as connector:
        found = entries(connector)[name]
        assert (found.digest, found.size) == ("", SPARSE_BYTES)
        assert list(connector.read(connector.resolve(), [found])) == []


def test_a_pdf_alone_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    sparse(tmp_path / "big.pdf")
    with opened(tmp_path / "big.pdf", kind="pdf") as connector:
        assert entries(connector)["big.pdf"].size == SPARSE_BYTES


def test_the_limit_itself_is_read(folder: Path) -> None:
    (folder / "b.txt").write_bytes(b"x" * 1000)
    (folder / "c.txt").write_bytes(b"x" * 1001)
    (folder / "d.pdf").write_bytes(b"x" * 1001)
    with opened(folder) as connector:
        found = entries(connector)
        assert [name for name, entry in found.items() if not entry.digest] == ["c.txt"]
        read = connector.read(connector.resolve(), found.values())
        assert [entry.path for entry, _ in read] == ["a.txt", "b.txt", "d.pdf"]


def test_the_version_follows_the_size_of_what_is_too_large(folder: Path) -> None:
    versions = set()
    for size in (1001, 1002, 1000):
        (folder / "b.txt").write_bytes(b"x" * size)
        with opened(folder) as connector:
            versions.add(connector.resolve())
    assert len(versions) == 3


def test_a_larger_limit_reads_what_a_settled_listing_left(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing_module, "_SETTLED_NS", 0)
    (folder / "b.txt").write_bytes(b"x" * 1500)
    with opened(folder) as connector:
        assert not entries(connector)["b.txt"].digest
    with opened(folder, selection=Selection(max_bytes=1500)) as connector:
        assert entries(connector)["b.txt"].digest == sha256_hex(b"x" * 1500)
    with opened(folder) as connector:
        assert not entries(connector)["b.txt"].digest


def test_a_file_that_grows_while_it_is_hashed_is_too_large(folder: Path) -> None:
    (folder / "log").write_bytes(b"x" * 900)

    def grow() -> None:
        with (folder / "log").open("ab") as file:
            file.write(b"x" * 900)

    with opened(folder, checkpoint=grow) as connector:
        found = entries(connector)["log"]
        assert found.digest == ""
        assert found.size > 1000


def test_a_file_that_grew_after_it_was_listed_is_left_out(folder: Path) -> None:
    with opened(folder) as connector:
        found = entries(connector)
        sparse(folder / "a.txt")
        assert list(connector.read(connector.resolve(), found.values())) == []


def test_a_file_without_a_size_is_read_to_the_limit() -> None:
    with open("/dev/zero", "rb", buffering=0) as endless:  # as files of /proc are
        assert read_bounded(endless, 5_000_000, lambda: None) is None


def test_a_cancel_comes_between_reads(folder: Path) -> None:
    sparse(folder / "big.txt")
    calls: list[int] = []

    def checkpoint() -> None:
        calls.append(1)
        if len(calls) == 20:
            raise Cancelled

    unlimited = Selection()
    with (
        opened(folder, selection=unlimited, checkpoint=checkpoint) as connector,
        pytest.raises(Cancelled),
    ):
        connector.resolve()


def bind(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


@pytest.mark.parametrize("make", [os.mkfifo, bind])
def test_what_is_put_in_place_of_a_listed_file_does_not_block(
    folder: Path, make: Callable[[Path], None]
) -> None:
    with opened(folder) as connector:
        version = connector.resolve()
        found = [item for item in connector.list(version) if isinstance(item, Entry)]
        (folder / "a.txt").unlink()
        make(folder / "a.txt")
        assert list(connector.read(version, found)) == []
    with opened(folder) as connector:
        (item,) = connector.list(connector.resolve())
        assert item == Unlisted("a.txt", "not a regular file")


def test_a_path_too_long_for_the_database_is_named_and_left_out(folder: Path) -> None:
    here = os.open(folder, os.O_RDONLY)
    for number in range(20):  # longer than one call could name
        os.mkdir(f"{number:0200}", dir_fd=here)
        below = os.open(f"{number:0200}", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("deep.txt", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    with opened(folder) as connector:
        listed = list(connector.list(connector.resolve()))
    (skip,) = [item for item in listed if isinstance(item, Unlisted)]
    assert skip.reason == TOO_LONG
    assert len(skip.path.encode()) < MAX_PATH_BYTES


# -- nothing leads out, whoever renames meanwhile


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder that looks like one of the root, with somebody else's text."""
    other = tmp_path / "other"
    (other / "sub").mkdir(parents=True)
    (other / "sub/a.txt").write_bytes(SECRET)
    (other / "a.txt").write_bytes(SECRET)
    return other


@contextmanager
def swapping(place: Path, target: Path) -> Iterator[None]:
    """Make a place by turns what it is and a symlink to the target."""
    done, problems = threading.Event(), list[BaseException]()
    own, link = place.with_name("own"), place.with_name("link")

    def swap() -> None:
        try:
            while not done.is_set():
                link.symlink_to(target)
                place.rename(own)
                link.rename(place)
                place.unlink()
                own.rename(place)
        except OSError as error:
            problems.append(error)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        assert not problems


def read_everything(root: Path) -> set[bytes]:
    """Return all texts, and the hashes of what was listed."""
    with opened(root) as connector:
        version = connector.resolve()
        found = [item for item in connector.list(version) if isinstance(item, Entry)]
        digests = {entry.digest.encode() for entry in found}
        return digests | {data for _, data in connector.read(version, found)}


@pytest.mark.parametrize("place", ["sub", "sub/a.txt", "."])
def test_a_race_of_swaps_reads_nothing_outside(
    folder: Path, outside: Path, place: str
) -> None:
    (folder / "sub").mkdir()
    (folder / "sub/a.txt").write_bytes(b"own")
    target = {"sub": outside / "sub", "sub/a.txt": outside / "a.txt", ".": outside}
    seen = set[bytes]()
    with swapping(folder / place, target[place]):
        for _ in range(150):
            # Just now the folder may be gone, or lead outside.
            with suppress(DevragError):
                seen |= read_everything(folder)
    assert SECRET not in seen
    assert sha256_hex(SECRET).encode() not in seen


def test_between_check_and_open_a_swap_reads_nothing_outside(
    folder: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The race at its worst: the swap comes right after the look."""
    (folder / "sub").mkdir()
    (folder / "sub/a.txt").write_bytes(b"own")
    look = Beneath._parent

    def swap(self: Beneath, path: str) -> tuple[int, str]:
        if path == "sub/a.txt" and not (folder / "sub").is_symlink():
            (folder / "sub").rename(folder / "own")
            (folder / "sub").symlink_to(outside / "sub")
        return look(self, path)

    monkeypatch.setattr(Beneath, "_parent", swap)
    assert SECRET not in read_everything(folder)


def test_the_root_itself_cannot_be_swapped(
    folder: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = connector_module.check_path

    def swap(path: str, *roots: object, **options: object) -> Path:
        real = check(path, *roots, **options)  # type: ignore[arg-type]
        folder.rename(folder.with_name("own"))
        folder.symlink_to(outside)
        return real

    monkeypatch.setattr(connector_module, "check_path", swap)
    with (
        opened(folder) as connector,
        pytest.raises(SourceError, match="Cannot read the folder"),
    ):
        connector.resolve()


@pytest.mark.parametrize("path", ["../other/a.txt", "/etc/passwd", "sub/../../x", ""])
def test_a_path_that_climbs_is_refused(folder: Path, path: str) -> None:
    with Beneath(folder) as beneath, pytest.raises(Refused):
        beneath.open(path)


def test_symlinks_count_when_they_stay_beneath(folder: Path, outside: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "relative").symlink_to("sub/../a.txt")
    (folder / "absolute").symlink_to(folder / "a.txt")
    (folder / "around").symlink_to(f"../{folder.name}/a.txt")
    (folder / "chain").symlink_to("relative")
    (folder / "through").symlink_to("../../other/back/a.txt")
    (outside / "back").symlink_to(folder)
    with opened(folder) as connector:
        found = entries(connector)
    assert set(found) == {
        "a.txt",
        "relative",
        "absolute",
        "around",
        "chain",
        "through",
    }
    assert {entry.digest for entry in found.values()} == {sha256_hex(b"alpha")}


def test_descriptors_are_given_back(folder: Path, outside: Path) -> None:
    (folder / "link").symlink_to(outside / "a.txt")
    (folder / "loop").symlink_to("loop")
    read_everything(folder)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        read_everything(folder)
    assert len(os.listdir("/proc/self/fd")) == before
