"""A folder as a source."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from devrag.core.errors import InvalidInput, NotFound, PermissionDenied, SourceError
from devrag.core.hashing import sha256_hex
from devrag.sources.connectors import (
    ConnectorContext,
    Entry,
    Revision,
    Unlisted,
    open_connector,
)
from devrag.sources.connectors.local import listing as listing_module
from devrag.sources.connectors.types import Connector

OPENED = ExitStack()


@pytest.fixture(autouse=True)
def close_connectors() -> Iterator[None]:
    yield
    OPENED.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "a.txt").write_bytes(b"alpha")
    (root / "sub/日本 語.md").write_bytes(b"# x\n")
    return root


def connect(root: Path, max_files: int = 1000) -> Connector:
    context = ConnectorContext(
        repos_dir=root.parent / "repos", is_local_user=True, max_files=max_files
    )
    connector = open_connector("local", {"path": str(root)}, context)
    return OPENED.enter_context(closing(connector))


def listing(root: Path) -> tuple[dict[str, Entry], dict[str, str]]:
    connector = connect(root)
    found = list(connector.list(connector.resolve()))
    entries = {entry.path: entry for entry in found if isinstance(entry, Entry)}
    reasons = {skip.path: skip.reason for skip in found if isinstance(skip, Unlisted)}
    return entries, reasons


def test_lists_files_with_their_hashes(folder: Path) -> None:
    entries, reasons = listing(folder)
    assert sorted(entries) == ["a.txt", "sub/日本 語.md"]
    assert entries["a.txt"].digest == sha256_hex(b"alpha")
    assert entries["a.txt"].size == 5
    assert reasons == {}


def test_the_version_follows_paths_and_contents_only(folder: Path) -> None:
    first = connect(folder).resolve()
    os.utime(folder / "a.txt", (1, 1))
    assert connect(folder).resolve() == first
    (folder / "a.txt").write_bytes(b"ALPHA")
    second = connect(folder).resolve()
    (folder / "a.txt").rename(folder / "b.txt")
    assert len({first, second, connect(folder).resolve()}) == 3
    assert (first.ref_name, first.ref_kind) == ("current", "current")


def test_the_version_is_the_hash_of_the_sorted_paths_and_hashes(folder: Path) -> None:
    for name in ["a/x", "a-b", "a0", "a.b/c", "Z", "a/-", "sub/é"]:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(name)
    connector = connect(folder)
    version = connector.resolve()
    found = [e for e in connector.list(version) if isinstance(e, Entry)]
    pairs = sorted((entry.path, entry.digest) for entry in found)
    assert [entry.path for entry in found] == [path for path, _ in pairs]
    lines = "".join(f"{path}\0{digest}\n" for path, digest in pairs)
    assert version.identifier == sha256_hex(lines)


def test_a_settled_file_is_not_hashed_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing_module, "_SETTLED_NS", 0)
    version = connect(folder).resolve()
    monkeypatch.setattr(listing_module, "_hash", None)
    assert connect(folder).resolve() == version


def test_a_file_that_had_just_changed_is_hashed_again(folder: Path) -> None:
    connect(folder).resolve()
    (kept,) = (folder.parent / "repos/folders").iterdir()
    # As if the next write had come within the same tick of the clock.
    forged = kept.read_text().replace(sha256_hex(b"alpha"), "0" * 64)
    kept.write_text(forged)
    entries, _ = listing(folder)
    assert entries["a.txt"].digest == sha256_hex(b"alpha")


@pytest.mark.parametrize("text", ["", "{", "[]\n", '{"path": "a.txt"}\n', "\x00"])
def test_a_damaged_memory_costs_nothing_but_time(folder: Path, text: str) -> None:
    version = connect(folder).resolve()
    (kept,) = (folder.parent / "repos/folders").iterdir()
    kept.write_text(text)
    assert connect(folder).resolve() == version


def test_too_many_files_are_refused_with_their_count(folder: Path) -> None:
    for number in range(20):
        (folder / f"{number}.txt").touch()
    with pytest.raises(InvalidInput, match=r"contains 22 files; the limit is 5"):
        connect(folder, max_files=5).resolve()
    assert list((folder.parent / "repos/folders").iterdir()) == []


def test_a_folder_has_no_refs(folder: Path) -> None:
    with pytest.raises(InvalidInput, match="no branches"):
        connect(folder).resolve("main")
    with pytest.raises(InvalidInput, match="no branches"):
        connect(folder).resolve(None, "0" * 40)


def test_reads_what_is_asked_for(folder: Path) -> None:
    connector = connect(folder)
    version = connector.resolve()
    entries = [e for e in connector.list(version) if isinstance(e, Entry)]
    read = {entry.path: data for entry, data in connector.read(version, entries)}
    assert read == {"a.txt": b"alpha", "sub/日本 語.md": b"# x\n"}


def test_reading_tells_the_hash_of_what_was_read(folder: Path) -> None:
    connector = connect(folder)
    version = connector.resolve()
    entries = [e for e in connector.list(version) if isinstance(e, Entry)]
    (folder / "a.txt").write_bytes(b"newer")
    (folder / "sub/日本 語.md").unlink()
    ((entry, data),) = connector.read(version, entries)
    assert (entry.digest, data) == (sha256_hex(b"newer"), b"newer")


def test_an_entry_cannot_name_a_file_outside(folder: Path) -> None:
    (folder.parent / "secret").write_text("x")
    connector = connect(folder)
    forged = Entry("../secret", "0", 1, 0o644)
    assert list(connector.read(connector.resolve(), [forged])) == []


def test_symlinks_to_files_inside_count(folder: Path) -> None:
    (folder / "link.txt").symlink_to("a.txt")
    entries, _ = listing(folder)
    assert entries["link.txt"].digest == entries["a.txt"].digest


def test_other_symlinks_do_not(folder: Path) -> None:
    (folder.parent / "outside").mkdir()
    (folder.parent / "outside/x").touch()
    (folder / ".git").mkdir()
    (folder / ".git/config").touch()
    (folder / "out").symlink_to(folder.parent / "outside/x")
    (folder / "out_dir").symlink_to("../outside")
    (folder / "self").symlink_to(".")
    (folder / "gone").symlink_to("nowhere")
    (folder / "loop").symlink_to("loop")
    (folder / "inner").symlink_to(".git/config")
    entries, reasons = listing(folder)
    assert sorted(entries) == ["a.txt", "sub/日本 語.md"]
    assert reasons == {
        "out": "symlink to outside the folder",
        "out_dir": "symlink to outside the folder",
        "self": "symlink to a folder",
        "gone": "broken symlink",
        "loop": "broken symlink",
        "inner": "symlink into .git",
    }


def test_what_is_no_file_is_reported(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9")).touch()
    _, reasons = listing(folder)
    assert reasons == {
        "pipe": "not a regular file",
        "caf\\xe9": "name is not valid UTF-8",
    }


@pytest.fixture
def as_nobody(folder: Path) -> Iterator[Path]:
    """Give up root's right to read everything, for the test's duration."""
    locked = folder / "locked"
    locked.mkdir(mode=0)
    (folder / "a.txt").chmod(0)
    repos = folder.parent / "repos"
    repos.mkdir()
    repos.chmod(0o777)
    parents = [folder, *folder.parents[:-2]]
    modes = {parent: parent.stat().st_mode for parent in parents}
    user = os.geteuid()
    if user == 0:
        for parent in parents:
            parent.chmod(modes[parent] | 0o555)
        os.seteuid(65534)
    yield folder
    os.seteuid(user)
    for parent in parents:
        parent.chmod(modes[parent])
    locked.chmod(0o700)


def test_unreadable_files_are_reported(as_nobody: Path) -> None:
    _, reasons = listing(as_nobody)
    assert reasons == dict.fromkeys(
        ["a.txt", "locked"], "unreadable: Permission denied"
    )


def test_a_folder_that_changes_between_steps_is_noticed(folder: Path) -> None:
    version = connect(folder).resolve()
    assert len(list(connect(folder).list(version))) == 2
    (folder / "a.txt").unlink()
    with pytest.raises(SourceError, match="changed while it was being read") as caught:
        list(connect(folder).list(version))
    assert not caught.value.permanent


def test_a_vanished_folder_is_not_an_empty_one(folder: Path) -> None:
    connector = connect(folder)
    folder.rename(folder.parent / "elsewhere")
    with pytest.raises(SourceError, match="No such file"):
        connector.resolve()


def test_an_empty_folder_is_a_version(tmp_path: Path) -> None:
    assert connect(tmp_path).resolve() == Revision(sha256_hex(""), "current", "current")


def test_folders_outside_the_roots_are_refused(folder: Path) -> None:
    context = ConnectorContext(repos_dir=folder, source_roots=(folder / "sub",))
    with pytest.raises(PermissionDenied):
        open_connector("local", {"path": str(folder)}, context)


@pytest.mark.parametrize("metadata", [{}, {"path": ""}, {"path": None}])
def test_a_missing_path_is_refused(
    tmp_path: Path, metadata: dict[str, str | None]
) -> None:
    with pytest.raises(InvalidInput):
        open_connector("local", metadata, ConnectorContext(repos_dir=tmp_path))


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="nowhere"):
        connect(tmp_path / "nowhere")


def test_unknown_kinds_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="Unknown source type 'svn'"):
        open_connector("svn", {}, ConnectorContext(repos_dir=tmp_path))
