"""Mirrors that no source wants any longer."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.sources.connectors.git import mirror_path
from devrag.sources.connectors.git.lock import exclusive_lock
from devrag.sources.mirrors import delete_mirror, orphan_mirrors
from tests.sources.repositories import Connect, Repository


@pytest.fixture
def mirror(repository: Repository, repos_dir: Path) -> Path:
    return mirror_path(repos_dir, str(repository.path))


@pytest.mark.django_db
def test_an_orphan_is_removed_and_its_lock_file_stays(
    repository: Repository, connect: Connect, repos_dir: Path, mirror: Path
) -> None:
    connect(repository).resolve()
    assert orphan_mirrors(repos_dir) == [mirror]
    assert delete_mirror(mirror) > 500
    assert not mirror.exists()
    assert mirror.with_suffix(".lock").exists()
    assert connect(repository).resolve().ref_name == "main"


@pytest.mark.django_db
def test_a_mirror_put_aside_by_a_killed_fetch_is_an_orphan(
    repository: Repository, connect: Connect, repos_dir: Path, mirror: Path
) -> None:
    connect(repository).resolve()
    aside = mirror.rename(mirror.with_suffix(".damaged"))
    assert orphan_mirrors(repos_dir) == [aside]
    assert delete_mirror(aside) > 500
    assert not aside.exists()


@pytest.mark.django_db
def test_a_mirror_in_use_is_not_removed(
    repository: Repository, connect: Connect, mirror: Path
) -> None:
    connect(repository).resolve()
    lock = mirror.with_suffix(".lock")
    aside = mirror.with_suffix(".damaged")
    aside.mkdir()
    with exclusive_lock(lock, timeout_seconds=0, on_wait=lambda: None):
        assert [delete_mirror(mirror), delete_mirror(aside)] == [0, 0]
    assert (mirror.exists(), aside.exists()) == (True, True)
