"""What is seen while an increment is half done: exactly the old state, then the new."""

from __future__ import annotations

import json
from typing import Any

import pytest

from devrag.parsing.types import FACTS_VERSION

from .conftest import Calm
from .contents import assert_same, read_contents
from .ground import Site, caught
from .works import Works

_NEWER = "devrag.parsing.types:FACTS_VERSION=1000"
_MANIFEST = """
    SELECT f.path, f.content_hash, f.facts_version FROM sources_reffile m
    JOIN sources_file f ON f.id = m.file_id WHERE m.until IS NULL ORDER BY 1, 2, 3
"""
_VERSIONS = """
    SELECT DISTINCT f.facts_version FROM sources_file f
    JOIN sources_reffile m ON m.file_id = f.id WHERE m.until IS NULL
"""


def finds(site: Site, words: str) -> list[str]:
    """Return the paths of what a keyword search finds, in order."""
    site.run("follower", "--once")
    found = json.loads(site.run("search", words, "--mode", "keyword", "--json"))
    assert not found["lexicalBehind"]
    return [hit["path"] for hit in found["hits"]]


@pytest.mark.slow
def test_search_serves_the_old_version_until_the_new_one_is_active(
    site: Site, works: Works, calm: Calm
) -> None:
    site.worker()
    folder = works.copy(site.root / "works")
    site.wait_job(site.index(folder))
    manifest, old = site.ask(_MANIFEST), finds(site, "step_1 part")
    works.move_on(folder)
    # All files and chunks of the new version are stored; only the switch is left.
    with caught(site, folder, "sources_reffile") as job:
        assert site.ask(_MANIFEST) == manifest
        assert finds(site, "step_1 part") == old
    site.wait_job(job)
    assert_same(read_contents(site.database), calm.second)
    assert "moved/part_001.py" in finds(site, "step_1 part")


@pytest.mark.slow
def test_another_parser_builds_beside_and_switches(site: Site, works: Works) -> None:
    former = site.worker(has_embed=True)
    folder = works.copy(site.root / "works")
    site.wait_vectors(site.wait_job(site.index(folder)))
    old = finds(site, "step_1 part")
    live = live_vectors(site)
    former.kill()
    site.worker(has_embed=True, program=("-m", "tests.recovery.changed", _NEWER))
    with caught(site, folder, "sources_reffile") as job:
        assert site.ask(_VERSIONS) == [(FACTS_VERSION,)]
        assert finds(site, "step_1 part") == old
        assert live_vectors(site) == live
    report = site.wait_job(job)
    assert site.ask(_VERSIONS) == [(1000,)]
    embedded = site.wait_vectors(report)
    assert embedded["embedded"] == 0  # every text was known
    assert live_vectors(site) == live
    assert sorted(finds(site, "step_1 part")) == sorted(old)


def live_vectors(site: Site) -> list[tuple[Any, ...]]:
    return site.ask(
        "SELECT f.path, c.ordinal, e.text_hash FROM search_embedding e "
        "JOIN sources_chunk c ON c.id = e.chunk_id "
        "JOIN sources_file f ON f.id = c.file_id WHERE e.is_live ORDER BY 1, 2"
    )
