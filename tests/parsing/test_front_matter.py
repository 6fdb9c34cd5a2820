"""What documents say about themselves, however they write it."""

from __future__ import annotations

import math

import pytest

from devrag.parsing.documents.front_matter import FrontMatter, read_front_matter
from devrag.parsing.source import SourceText


def _read(text: str) -> FrontMatter:
    return read_front_matter(SourceText("a.md", "", math.inf), text)


@pytest.mark.parametrize(
    "tags",
    [
        "[tea, water]",
        "tea, water",
        "\n  - tea\n  - water",
        '["#tea", "#water"]',
        "[tea, water, tea]",
        "[tea, null, '', water]",
    ],
)
def test_ways_to_write_tags(tags: str) -> None:
    assert _read(f"tags: {tags}").tags == ("tea", "water")


@pytest.mark.parametrize("tags", ["", "null", "None", "~", "[]", "{a: b}", "[[a]]"])
def test_no_tags(tags: str) -> None:
    assert _read(f"tags: {tags}\ntitle: T") == FrontMatter(title="T")


@pytest.mark.parametrize(
    ("lines", "date"),
    [
        ("date: 2024-05-01", "2024-05-01"),
        ("Date: '2024-05-01 10:20:00 +0900'", "2024-05-01"),
        ("date: 2024年5月1日", "2024-05-01"),
        ("created: 2024-05-01\nupdated: 2024-06-01", "2024-05-01"),
        ("date: soon\npublished: 2024-05-01", "2024-05-01"),
        ("lastmod: 2024-05-01", ""),
        ("published: true", ""),
        ("date: 2024-13-45", ""),
        ("date: [2024-05-01]", ""),
        ("date:", ""),
        ("date: null", ""),
    ],
)
def test_dates(lines: str, date: str) -> None:
    assert _read(lines).date == date


def test_lines_of_other_keys_are_the_rest() -> None:
    found = _read("title: T\nlayout: post\ntags: [a]\nlinks:\n  - x\n  - y\n")
    assert found.rest == "layout: post\nlinks:\n  - x\n  - y"


def test_of_broken_yaml_simple_lines_count() -> None:
    text = "title: Tea: hot or cold\ndate: 2024-05-01\ntags: tea, water\n- broken: ["
    found = _read(text)
    assert (found.title, found.date) == ("Tea: hot or cold", "2024-05-01")
    assert found.tags == ("tea", "water")
    assert found.rest == text


@pytest.mark.parametrize(
    ("front", "is_memo"),
    [
        (FrontMatter(title="T", rest="layout: post"), False),
        (FrontMatter(date="2024-05-01"), True),
        (FrontMatter(tags=("a",)), True),
    ],
)
def test_a_title_alone_makes_no_memo(front: FrontMatter, is_memo: bool) -> None:
    assert front.is_memo is is_memo
