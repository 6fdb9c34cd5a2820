"""Patterns of paths, as PostgreSQL reads them, and filters before the ranking cuts."""

from __future__ import annotations

import pytest
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st

from devrag.core.principal import SYSTEM
from devrag.search.globs import path_regex
from devrag.search.service import search
from devrag.search.types import SearchQuery
from tests.conftest import Repository

_ENTRIES = "".join(
    f"* Tea {n} 2024-01-01\n  Tags: tea\n\n  Tea, tea.\n\n" for n in range(70)
)
_RARE = "* Stock taking 2020-01-01\n  Tags: stock, year\n\n  Everything but the tea.\n"


@pytest.fixture(scope="module")
def more_files() -> dict[str, str | bytes | None]:
    """Seventy files and entries that fit better than the one that is asked for."""
    many = {
        f"tea/brew_{n}.py": f"def brew_tea_{n}():\n    tea = 'tea'\n    return tea\n"
        for n in range(70)
    }
    rare = "def pour(cup):\n    # once there was tea\n    return cup\n"
    return {**many, "far/away/pour.py": rare, "notes.txt": _ENTRIES + _RARE}


def _matches(path: str, pattern: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s ~ %s", [path, path_regex(pattern)])
        return bool(cursor.fetchone()[0])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("pattern", "path", "is_match"),
    [
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/x/y/a.py", True),
        ("src/**/*.py", "lib/src/a.py", False),
        ("*_test.go", "x/cart_test.go", True),
        ("*_test.go", "cart_test.gox", False),
        ("till.p?", "shop/till.py", True),
        ("shop/till.py", "shop/tillxpy", False),
        ("**/till.py", "till.py", True),
        ("[a-c]*.md", "b.md", True),
        ("[!a-c]*.md", "b.md", False),
        ("[z-a].md", "[z-a].md", True),
        ("[]].md", "].md", True),
        ("[[:x].md", ":.md", True),
        ("a[.md", "a[.md", True),
        ("茶/*.md", "茶/案内.md", True),
        (r"a\d.md", "a1.md", False),
    ],
)
def test_a_pattern_matches_whole_paths(pattern: str, path: str, is_match: bool) -> None:
    assert _matches(path, pattern) == is_match


@pytest.mark.django_db
@settings(deadline=None)
@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_no_pattern_is_an_error(pattern: str) -> None:
    _matches("a/b.py", pattern)


def test_a_pattern_filters_before_the_ranking_cuts(indexed: Repository) -> None:
    query = SearchQuery("tea", principal=SYSTEM, kind="symbol", limit=1)
    (found,) = search(query).hits
    assert found.path.startswith("tea/")
    narrow = SearchQuery(
        "tea", principal=SYSTEM, kind="symbol", limit=1, pattern="far/**/*.py"
    )
    assert [hit.path for hit in search(narrow).hits] == ["far/away/pour.py"]


def test_tags_filter_before_the_ranking_cuts(indexed: Repository) -> None:
    query = SearchQuery(
        "tea", principal=SYSTEM, kind="entry", limit=1, tags=("stock", "year")
    )
    assert [hit.title for hit in search(query).hits] == ["Stock taking"]
