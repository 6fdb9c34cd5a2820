"""What changed between two commits, told without listing either."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from devrag.sources.connectors import Entry, Removed, Revision, Unlisted
from devrag.sources.connectors.types import Connector, Unversioned
from devrag.sources.paths import TOO_LONG
from tests.sources.repositories import Connect, Repository

Listing = dict[str, tuple[str, int] | str]


def apply(listing: Listing, items: Iterable[Entry | Unlisted | Removed]) -> Listing:
    """Path → digest and size, or the reason why it is left out."""
    for item in items:
        if isinstance(item, Removed):
            del listing[item.path]
        elif isinstance(item, Unlisted):
            listing[item.path] = item.reason
        else:
            listing[item.path] = (item.digest, item.size)
    return listing


def at(commit: str) -> Revision:
    return Revision(commit, "main", "branch")


def changes(connector: Connector, old: str, new: str) -> Listing:
    found = connector.changes(old, at(new))
    assert found is not None
    return apply({}, found)


def test_additions_modifications_and_removals(
    repository: Repository, connect: Connect
) -> None:
    old = repository.git("rev-parse", "HEAD")
    new = repository.commit({"README.md": "longer\n", "new.py": "x = 1", "a/b": ""})
    last = repository.commit({"a/b": None})
    connector = connect(repository)
    connector.resolve()
    blob = repository.git("rev-parse", "HEAD:README.md")
    assert changes(connector, old, new).keys() == {"README.md", "new.py", "a/b"}
    assert changes(connector, old, new)["README.md"] == (blob, 7)
    found = connector.changes(new, at(last))
    assert found is not None
    assert list(found) == [Removed("a/b")]
    assert changes(connector, new, new) == {}


def test_a_rename_is_a_removal_and_an_addition(
    repository: Repository, connect: Connect
) -> None:
    old = repository.git("rev-parse", "HEAD")
    repository.git("mv", "src/app.py", "src/main.py")
    connector = connect(repository)
    new = repository.commit({})
    connector.resolve()
    found = list(connector.changes(old, at(new)) or ())
    assert {type(item).__name__: item.path for item in found} == {
        "Removed": "src/app.py",
        "Entry": "src/main.py",
    }


def test_a_change_of_mode_alone_is_none(
    repository: Repository, connect: Connect
) -> None:
    old = repository.git("rev-parse", "HEAD")
    (repository.path / "src/app.py").chmod(0o755)
    new = repository.commit({})
    connector = connect(repository)
    connector.resolve()
    assert changes(connector, old, new) == {}


def test_a_file_that_becomes_something_else(
    repository: Repository, connect: Connect
) -> None:
    old = repository.commit({"to_link": "README.md", "to_module": "x", "to_tree": "x"})
    (repository.path / "to_link").unlink()
    (repository.path / "to_link").symlink_to("README.md")  # the same bytes
    repository.commit({"to_tree": None, "to_module": None})
    repository.commit({"to_tree/inner": "x"})
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{old},to_module")
    repository.git("commit", "-q", "-m", "module")
    new = repository.git("rev-parse", "HEAD")
    connector = connect(repository)
    connector.resolve()
    there = list(connector.changes(old, at(new)) or ())
    back = list(connector.changes(new, at(old)) or ())
    assert Unlisted("to_link", "symlink") in there
    assert Unlisted("to_module", "submodule") in there
    assert {Removed("to_tree")} < set(there)
    assert {item.path for item in back if isinstance(item, Entry)} == {
        "to_link",
        "to_module",
        "to_tree",
    }


NAMES = [
    b"a.py",
    b"dir/b.py",
    b"dir/deep/c.md",
    b"dir.py",
    b"two\nlines",
    b"tab\there",
    b":100644 x",
    "日本/語.md".encode(),
    b"caf\xe9",
    b"-rf",
]


def shuffle(repository: Repository, dice: random.Random) -> str:
    """Commit a tree of random files, links and modules; return the commit."""
    some_commit = repository.git("rev-parse", "HEAD")
    repository.git("read-tree", "--empty")
    for name in NAMES:
        mode = dice.choice(["100644", "100755", "120000", "160000", "", ""])
        (repository.path / "blob").write_text(dice.choice(["", "1", "22", "a.py"]))
        blob = repository.git("hash-object", "-w", "blob")
        what = some_commit if mode == "160000" else blob
        if mode:
            info = f"{mode},{what},".encode() + name
            repository.git("update-index", "--add", "--cacheinfo", info)
    repository.git("commit", "-q", "--allow-empty", "-m", "random")
    return repository.git("rev-parse", "HEAD")


@pytest.mark.slow
def test_listing_plus_changes_is_the_next_listing(
    repository: Repository, connect: Connect
) -> None:
    dice = random.Random(7)
    commits = [shuffle(repository, dice) for _ in range(12)]
    connector = connect(repository)
    connector.resolve()
    listings = {commit: apply({}, connector.list(at(commit))) for commit in commits}
    pairs = [(a, b) for a in commits[:4] for b in commits]
    for old, new in pairs:
        found = connector.changes(old, at(new))
        assert found is not None
        assert apply(dict(listings[old]), found) == listings[new]


def test_more_changes_than_git_is_asked_about_at_once(
    repository: Repository, connect: Connect
) -> None:
    old = repository.git("rev-parse", "HEAD")
    new = repository.commit({f"many/{n}": "x" * n for n in range(200)})
    connector = connect(repository)
    connector.resolve()
    found = changes(connector, old, new)
    assert [found[f"many/{n}"][1] for n in range(200)] == list(range(200))


@pytest.mark.parametrize("since", ["0" * 40, "f" * 64, "", "--all", "HEAD"])
def test_an_unknown_beginning_tells_nothing(
    repository: Repository, connect: Connect, since: str
) -> None:
    connector = connect(repository)
    assert connector.changes(since, connector.resolve()) is None


def test_names_of_refs_are_known_after_resolving(
    repository: Repository, connect: Connect
) -> None:
    repository.git("branch", "topic/x")
    repository.git("tag", "v1")
    connector = connect(repository)
    assert connector.ref_names() is None
    connector.resolve()
    assert connector.ref_names() == {"main", "topic/x", "v1"}
    repository.git("branch", "-D", "topic/x")
    connector.resolve()
    assert connector.ref_names() == {"main", "v1"}


def test_ancestors_are_told_from_strangers(
    repository: Repository, connect: Connect
) -> None:
    old = repository.git("rev-parse", "HEAD")
    repository.git("checkout", "-q", "-b", "topic")
    side = repository.commit({"side": "1"})
    repository.git("checkout", "-q", "main")
    new = repository.commit({"b": "1"})
    connector = connect(repository)
    connector.resolve()
    assert connector.is_ancestor(old, new)
    assert connector.is_ancestor(new, new)
    assert not connector.is_ancestor(new, old)
    assert not connector.is_ancestor(side, new)
    assert not connector.is_ancestor("0" * 40, new)
    assert not connector.is_ancestor("--all", new)


def test_many_blobs_are_read_in_order(repository: Repository, connect: Connect) -> None:
    repository.commit({f"many/{n}": str(n) for n in range(300)})
    connector = connect(repository)
    version = connector.resolve()
    entries = [e for e in connector.list(version) if e.path.startswith("many/")]
    read = connector.read(version, (e for e in entries if isinstance(e, Entry)))
    assert all(entry.path == f"many/{data.decode()}" for entry, data in read)


def test_two_readers_do_not_disturb_each_other(
    repository: Repository, connect: Connect
) -> None:
    repository.commit({f"f{n}": str(n) * 1000 for n in range(200)})
    connector = connect(repository)
    version = connector.resolve()
    entries = [e for e in connector.list(version) if isinstance(e, Entry)]
    first, second = connector.read(version, entries), connector.read(version, entries)
    for (entry, data), (same, again) in zip(first, second, strict=True):
        assert (entry, data) == (same, again)


def test_reading_leaves_no_process(repository: Repository, connect: Connect) -> None:
    connector = connect(repository)
    version = connector.resolve()
    entries = [e for e in connector.list(version) if isinstance(e, Entry)]
    before = children()
    next(connector.read(version, entries))
    assert children() <= before


def children() -> set[str]:
    path = Path(f"/proc/self/task/{os.getpid()}/children")
    return set(path.read_text().split())


def test_a_source_without_versions_tells_nothing() -> None:
    source = Unversioned()
    assert source.changes("a", at("b")) is None
    assert source.ref_names() is None
    assert not source.is_ancestor("a", "b")


def test_a_path_too_long_for_the_database_comes_and_goes_by_one_name(
    repository: Repository, connect: Connect
) -> None:
    """No checkout could hold it: the tree is made by hand."""
    blob = repository.git("hash-object", "-w", "README.md")
    names = [f"{length:x<{length}}" for length in (1_999, 2_001, 200_000)]
    tree = make_tree(repository, [f"100644 blob {blob}\t{name}" for name in names])
    before = repository.git("rev-parse", "HEAD")
    commit = repository.git("commit-tree", "-m", "long", "-p", before, tree)
    repository.git("update-ref", "HEAD", commit)
    connector = connect(repository)
    version = connector.resolve()
    listed = {item.path: item for item in connector.list(version)}
    assert isinstance(listed.pop(names[0]), Entry)
    assert len(listed) == 2
    for path, item in listed.items():
        assert isinstance(item, Unlisted)
        assert item.reason == TOO_LONG
        assert len(path.encode()) < 300
    found = connector.changes(commit, at(before))
    removed = {item.path for item in found or () if isinstance(item, Removed)}
    assert removed == {*listed, names[0]}


def make_tree(repository: Repository, entries: list[str]) -> str:
    done = subprocess.run(
        ["git", "mktree"],
        cwd=repository.path,
        input="\n".join(entries),
        text=True,
        capture_output=True,
        check=True,
    )
    return done.stdout.strip()
