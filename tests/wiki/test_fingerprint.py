"""What counts as the same page, before and after it is written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from devrag.core.masking import mask_secrets
from devrag.wiki.analysis.graph import deciles, in_steps, pagerank
from devrag.wiki.evidence.citations import ClaimDraft
from devrag.wiki.evidence.location import NormalisedLines
from devrag.wiki.planning.plan import PlannedPage
from devrag.wiki.reuse.fingerprint import (
    have_ranks_moved,
    have_sizes_moved,
    reading_fingerprint,
)
from tests.wiki.shop import COMMIT

PAGE = PlannedPage("features/a.md", "feature", "a", (1,), "index.md", 2, 0)
CLAIM = ClaimDraft(
    1, "It adds.", "shop", "a.py", 4, 5, COMMIT, "f" * 64, "def a():\n x"
)
OTHER = replace(CLAIM, ordinal=2, path="b.py", excerpt="def b(): y")
TEXT = "# A\n\n- It adds [1](cite:1).\n- It takes [2](cite:2).\n\nIt has 100 lines.\n"


def reading(markdown: str = TEXT, *claims: ClaimDraft, version: int = 1) -> str:
    given = claims or (CLAIM, OTHER)
    made_by: dict[str, Any] = {"writer": "structural", "writer_version": version}
    return reading_fingerprint(PAGE, markdown, given, **made_by)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (TEXT.replace("100", "101"), ()),
        (TEXT, (replace(CLAIM, start_line=9, end_line=12), OTHER)),
        (TEXT, (replace(CLAIM, content_hash="e" * 64), OTHER)),
        (TEXT, (replace(CLAIM, excerpt="def a():\n\n      x"), OTHER)),
        (
            "# A\n\n- It takes [1](cite:1).\n- It adds [2](cite:2).\n\nIt has 9 lines.",
            (replace(OTHER, ordinal=1), replace(CLAIM, ordinal=2)),
        ),
    ],
    ids=["size", "lines", "rest of the file", "layout", "order"],
)
def test_a_page_that_says_the_same_is_the_same(
    text: str, claims: tuple[ClaimDraft, ...]
) -> None:
    assert reading(text, *claims) == reading()


@pytest.mark.parametrize(
    "other",
    [
        reading(TEXT.replace("adds", "counts")),
        reading(TEXT, replace(CLAIM, excerpt="def a():\n z"), OTHER),
        reading(TEXT, replace(CLAIM, path="c.py"), OTHER),
        reading(TEXT.replace("cite:1", "cite:2").replace("[1]", "[2]")),
        reading(version=2),
    ],
    ids=["words", "evidence", "place", "citation", "writer"],
)
def test_a_page_that_says_something_else_is_another(other: str) -> None:
    assert other != reading()


@pytest.mark.parametrize(("decile", "moved"), [(4, False), (6, False), (7, True)])
def test_ranks_count_from_two_deciles_on(decile: int, moved: bool) -> None:
    before = {"shop/a.py": ("x", 5), "shop/b.py": ("y", 0)}
    now = {"shop/a.py": ("x", decile), "shop/c.py": ("z", 9)}
    assert have_ranks_moved(before, now) is moved


@pytest.mark.parametrize(("lines", "moved"), [("1,040", False), ("1,100", True)])
def test_stated_sizes_count_from_a_twentieth_on(lines: str, moved: bool) -> None:
    assert have_sizes_moved("It has 1,000 lines.", f"It has {lines} lines.") is moved


def test_another_file_moves_no_step_of_rank() -> None:
    edges = {n: {n // 3: 1.0} for n in range(1, 400)}
    before = in_steps(pagerank(range(400), edges))
    after = in_steps(pagerank(range(401), {**edges, 400: {7: 1.0}}))
    moved = [n for n in before if round(before[n], 9) != round(after[n], 9)]
    assert len(moved) <= 4  # file 7 and what it leads to


def test_deciles_are_shared_by_equals() -> None:
    assert deciles({1: 0.5, 2: 0.1, 3: 0.1, 4: 0.1}) == {1: 8, 2: 3, 3: 3, 4: 3}
    assert deciles({}) == {}


TWICE = "def a():\n    pass\n\n\ndef b():\n    pass\n"


@pytest.mark.parametrize(
    ("excerpt", "near", "found"),
    [
        ("def b():\n  pass", 1, (5, 6)),
        ("    pass", 2, (2, 2)),
        ("    pass", 7, (6, 6)),
        ("pass\n\ndef b():", 1, (2, 5)),
        ("def c():", 1, None),
        (" \n", 1, None),
    ],
)
def test_an_excerpt_is_found_where_it_is_nearest(
    excerpt: str, near: int, found: tuple[int, int] | None
) -> None:
    assert NormalisedLines(TWICE).locate(excerpt, near) == found


def test_an_excerpt_with_a_masked_secret_is_found_again() -> None:
    lines = NormalisedLines(mask_secrets('a = 1\nTOKEN = "abcdefghijklmnop"\n'))
    excerpt = lines.excerpt(2, 2)
    assert "abcdefghijklmnop" not in excerpt
    assert lines.locate(excerpt, 1) == (2, 2)
