"""Mirrors that are damaged, full or grown."""

from __future__ import annotations

import random
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from devrag.core.errors import DevragError, SourceError
from devrag.sources.connectors.git import mirror_path
from tests.sources.repositories import Connect, Repository, contents


@pytest.fixture
def mirror(repository: Repository, repos_dir: Path) -> Path:
    return mirror_path(repos_dir, str(repository.path))


def spoil(mirror: Path) -> None:
    """Overwrite the middle of every pack."""
    for pack in mirror.glob("objects/pack/*.pack"):
        data = bytearray(pack.read_bytes())
        data[12:-20] = bytes(len(data) - 32)
        pack.chmod(0o644)
        pack.write_bytes(data)


def test_a_damaged_mirror_is_fetched_anew_at_the_next_try(
    repository: Repository, connect: Connect, mirror: Path
) -> None:
    connector = connect(repository)
    version = connector.resolve()
    spoil(mirror)
    with pytest.raises(SourceError, match="cloned again") as caught:
        contents(connector, version)
    assert not caught.value.permanent
    again = connect(repository)
    assert len(contents(again, again.resolve())) == 2
    assert not mirror.with_suffix(".damaged").exists()


def test_a_mirror_that_cannot_take_a_fetch_is_fetched_anew(
    repository: Repository, connect: Connect, mirror: Path
) -> None:
    connect(repository).resolve()
    spoil(mirror)
    expected = repository.commit({"README.md": "# Hello again\n"})
    connector = connect(repository)
    version = connector.resolve()
    assert version.identifier == expected
    assert len(contents(connector, version)) == 2


def test_a_mirror_is_fetched_anew_only_once(
    repository: Repository, connect: Connect, mirror: Path
) -> None:
    connector = connect(repository)
    for is_permanent in (False, True):
        version = connector.resolve()
        spoil(mirror)
        with pytest.raises(SourceError, match="damaged") as caught:
            contents(connector, version)
        assert caught.value.permanent == is_permanent


def test_new_commits_let_it_be_mended_again(
    repository: Repository, connect: Connect, mirror: Path
) -> None:
    connector = connect(repository)
    for name in ("a", "b"):
        repository.commit({name: "1"})
        version = connector.resolve()
        spoil(mirror)
        with pytest.raises(SourceError, match="cloned again"):
            contents(connector, version)
        connector.resolve()


def test_a_mirror_stays_when_its_source_is_damaged_too(
    repository: Repository, connect: Connect, mirror: Path
) -> None:
    connector = connect(repository)
    connector.resolve()
    (mirror / "devrag-damaged").touch()
    for loose in (repository.path / ".git/objects").glob("??/*"):
        loose.unlink()
    with pytest.raises(DevragError) as caught:
        connect(repository).resolve()
    assert caught.value.permanent
    assert (mirror / "objects").is_dir()
    assert not mirror.with_suffix(".damaged").exists()


@contextmanager
def little_space(size: int) -> Iterator[None]:
    """No file that git writes grows over size bytes, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_without_space_leaves_the_mirror_as_it_was(
    repository: Repository, connect: Connect, mirror: Path
) -> None:
    connector = connect(repository)
    old = connector.resolve()
    (repository.path / "big").write_bytes(random.Random(1).randbytes(500_000))
    new = repository.commit({})
    with (
        little_space(100_000),
        pytest.raises(SourceError, match="Check free disk space") as caught,
    ):
        connector.resolve()
    assert not caught.value.permanent
    assert len(contents(connector, old)) == 2
    assert connector.resolve().identifier == new
    assert not list(mirror.glob("objects/pack/tmp_*"))


@pytest.mark.slow
def test_many_packs_become_one_and_old_commits_stay(
    repository: Repository, connect: Connect, mirror: Path
) -> None:
    connector = connect(repository)
    first = connector.resolve()
    repository.git("commit", "-q", "--amend", "-m", "rewritten")  # first is unreachable
    for number in range(32):
        repository.commit({"counter": str(number)})
        version = connector.resolve()
    packs = list(mirror.glob("objects/pack/*.pack"))
    assert len(packs) < 10
    assert len(contents(connector, first)) == 2
    assert contents(connector, version)["counter"] == b"31"
