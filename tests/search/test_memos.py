"""Entries of notes and changelogs: the newest, their tags, and their ids."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from devrag.search.memos import (
    Memo,
    count_tags,
    current_memos,
    read_memos,
    recent_memos,
)
from devrag.search.service import search
from devrag.sources.models import Source
from tests.conftest import Repository
from tests.search.test_search import ask

pytestmark = pytest.mark.django_db

_NOTE = """---
title: How to brew
date: 2024-05-01
tags: [tea, water]
---

# How to brew

Boil the water.

## Then

Wait for three minutes.
"""
_RELEASES = "\n\n".join(
    f"## 1.{number}.0 - 2024-04-{number:02}\n\n- Change {number}"
    for number in range(1, 31)
)


@pytest.fixture(scope="module")
def more_files() -> dict[str, str | bytes | None]:
    return {
        "notes/brew.md": _NOTE,
        "docs/guide.md": "---\ntitle: Guide\n---\n\n# Guide\n\nHow to guide.\n",
        "CHANGES.md": f"# Changes\n\n{_RELEASES}\n",
        "days.rst": "Day\n===\n\n2024年3月1日\n------------\n\nTea.\n\n"
        "2024-03-01\n----------\n\nMore tea.\n",
    }


def _sources() -> list[int]:
    return [Source.objects.get().pk]


def _titles(memos: list[Memo]) -> list[str]:
    return [memo.title for memo in memos]


def test_the_newest_come_from_notes_and_changelogs(indexed: Repository) -> None:
    found = recent_memos(_sources(), 100)
    assert _titles(found[:3]) == ["How to brew", "1.30.0", "1.29.0"]
    assert _titles(found[-2:]) == ["2024年3月1日", "2024-03-01"]
    assert "Guide" not in _titles(found)


def test_the_text_of_a_memo_has_no_title(indexed: Repository) -> None:
    brew, release = recent_memos(_sources(), 2)
    assert brew.text.startswith("Boil the water.\n\n## Then")
    assert release.text == "- Change 30"


def test_tags_are_counted_once_a_note(indexed: Repository) -> None:
    assert count_tags(_sources()) == [("tea", 1), ("water", 1)]


def test_of_a_long_changelog_only_what_is_asked_for_is_read(
    indexed: Repository, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    ids = list(current_memos(_sources()).values_list("pk", flat=True))
    with django_assert_num_queries(2):
        found = read_memos(ids[:3])
    assert [memo.chunk_id for memo in found] == ids[:3]


def test_each_memo_has_an_id_of_its_own(indexed: Repository) -> None:
    found = recent_memos(_sources(), 100)
    assert len({memo.id for memo in found}) == len(found) == 33


def test_a_note_is_found_once(indexed: Repository) -> None:
    hits = search(ask("boil the water wait minutes", mode="keyword", limit=50)).hits
    assert [hit.kind for hit in hits if hit.path == "notes/brew.md"] == ["entry"]
