"""One ground for the whole folder, a new installation for each test."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .contents import Contents, read_contents
from .ground import Ground, Site
from .works import Works


@dataclass(frozen=True, slots=True)
class Calm:
    """What an undisturbed run leaves after each version, and what it reported.

    first_written: bytes of changes that the run over the first version wrote.
    """

    first: Contents
    second: Contents
    first_report: dict[str, Any]
    second_report: dict[str, Any]
    first_written: int


@pytest.fixture(scope="session")
def ground() -> Iterator[Ground]:
    # PostgreSQL runs as another user when we are root: it must be able to pass.
    with tempfile.TemporaryDirectory(prefix="devrag-recovery-") as folder:
        root = Path(folder)
        root.chmod(0o711)
        (root / "models").mkdir()
        made = Ground(root, root / "models")
        try:
            yield made
        finally:
            made.close()


@pytest.fixture(scope="session")
def works(tmp_path_factory: pytest.TempPathFactory) -> Works:
    return Works(tmp_path_factory.mktemp("works") / "works")


@pytest.fixture
def site(ground: Ground, request: pytest.FixtureRequest) -> Iterator[Site]:
    made = ground.site(request.node.originalname)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(scope="session")
def calm(ground: Ground, works: Works) -> Calm:
    """Index both versions with one worker and nothing else happening."""
    return _run_calmly(ground, works, has_vectors=False)


@pytest.fixture(scope="session")
def calm_vectors(ground: Ground, works: Works) -> Calm:
    """The same with every text embedded."""
    return _run_calmly(ground, works, has_vectors=True)


def _run_calmly(ground: Ground, works: Works, *, has_vectors: bool) -> Calm:
    site = ground.site("calm")
    try:
        site.worker(has_embed=has_vectors)
        folder = works.copy(site.root / "works")
        runs = []
        for _ in range(2):
            before = site.written()
            report = site.wait_job(site.index(folder))
            if has_vectors:
                site.wait_vectors(report)
            written = site.written() - before
            runs.append((read_contents(site.database), report, written))
            works.move_on(folder)
    finally:
        site.close()
    (first, first_report, first_written), (second, second_report, _) = runs
    return Calm(first, second, first_report, second_report, first_written)
