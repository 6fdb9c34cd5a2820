"""Tables and heads of Markdown files in what a hit shows."""

from __future__ import annotations

import pytest

from devrag.web.pages.hit_excerpts import excerpt_prose
from devrag.web.pages.hit_reasons import details_of, reason_of
from devrag.web.pages.hit_tables import excerpt_table
from tests.search.hits import make_hit

TABLE = """## Names

| Resource | Convention |
| --- | --- |
| S3 bucket | `{env}-{name}` |
| VPC | **{env}-vpc** \\| {env} |
"""


def test_a_hit_in_a_table_shows_its_head_and_the_matching_rows() -> None:
    hit = make_hit(text=TABLE, language="markdown", matched_terms=("VPC",))
    table = excerpt_table(hit)
    assert table is not None
    assert table.head == ("Resource", "Convention")
    assert table.rows == (("<mark>VPC</mark>", "{env}-<mark>vpc</mark> | {env}"),)


def test_a_few_words_above_a_table_stay() -> None:
    text = "All VPC names.\n\n" + TABLE
    hit = make_hit(text=text, language="markdown", matched_terms=("VPC",))
    table = excerpt_table(hit)
    assert table is not None
    assert table.before.startswith("All VPC names.")
    assert [row[0] for row in table.rows] == ["<mark>VPC</mark>"]


def test_an_empty_first_cell_keeps_its_column() -> None:
    text = "| name | kind | note |\n|---|---|---|\n||vpc||\n"
    hit = make_hit(text=text, language="markdown", matched_terms=("vpc",))
    table = excerpt_table(hit)
    assert table is not None
    assert table.rows == (("", "<mark>vpc</mark>", ""),)


def test_markup_in_a_cell_stays_text() -> None:
    text = "| a |\n| --- |\n| x < y & vpc |\n"
    hit = make_hit(text=text, language="markdown", matched_terms=("vpc",))
    table = excerpt_table(hit)
    assert table is not None
    assert table.rows == (("x &lt; y &amp; <mark>vpc</mark>",),)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Words. " * 50 + "VPC\n\n" + TABLE, "markdown"),
        ("| VPC | x |\n", "markdown"),
        (TABLE, "rst"),
        ("", "markdown"),
    ],
)
def test_elsewhere_there_is_no_table(text: str, language: str) -> None:
    hit = make_hit(text=text, language=language, matched_terms=("VPC",))
    assert excerpt_table(hit) is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("---\nsidebarDepth: 4\ntitle: Java\n---\n", ""),
        ("---\nlayout: x\ndescription: 'Rules for Java'\n---\n", "Rules for Java"),
        ("---\ntitle: Java\n---\n\nUse names.\n", "Use names."),
    ],
)
def test_the_head_of_a_file_is_no_excerpt(text: str, shown: str) -> None:
    hit = make_hit(text=text, language="markdown", file_kind="doc")
    assert excerpt_prose(hit, "snippet") == shown


@pytest.mark.parametrize(
    ("fields", "reason", "details"),
    [
        (
            {
                "why": ("matches the definition", "name matches"),
                "symbol_name": "charge",
                "matched_terms": ("charge",),
            },
            "Defines charge",
            ("name matches", "contains charge"),
        ),
        (
            {"why": ("uses this name",), "matched_terms": ("charge",)},
            "Uses charge",
            ("contains charge",),
        ),
        (
            {"matched_terms": ("tax",), "lexical_rank": 2},
            "Contains tax",
            ("2nd in keyword search",),
        ),
        (
            {
                "why": ("name matches",),
                "matched_terms": ("check",),
                "translated": (("check", "検証"),),
            },
            "Contains check (検証)",
            ("contains check (検証)",),
        ),
        ({"semantic_rank": 1}, "Similar in meaning", ("1st in semantic search",)),
        ({}, "", ()),
    ],
)
def test_one_reason_is_given_and_the_others_follow(
    fields: dict[str, object], reason: str, details: tuple[str, ...]
) -> None:
    hit = make_hit(**fields)
    assert (reason_of(hit), details_of(hit)) == (reason, details)
