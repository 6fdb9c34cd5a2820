"""A page of editions tells how they differ, cited on both sides."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from tests.wiki.written import write

HEAD = "# {0}\n\nThe rules for queries that run on {1}.\n\n"
SAME = "## Lengths\n\nA line has eighty characters. Tables have short names.\n\n"
LETTERS = "## Order\n\nQueries should have an order:\n\n```sql\n{0}\n```\n\n"
CASES = "## Reserved words\n\nReserved words must be in {0}. Write them in full.\n\n"
OWN = "## {0}\n\nThe clause {1} must have a number.\n\n"
ORACLE = (
    HEAD.format("SQL rules (Oracle)", "Oracle")
    + SAME
    + LETTERS.format("SELECT A FROM B ORDER BY A")
    + CASES.format("capitals")
    + OWN.format("Merging", "MERGE")
)
POSTGRES = (
    HEAD.format("SQL rules (PostgreSQL)", "PostgreSQL")
    + SAME
    + LETTERS.format("select a from b order by a")
    + CASES.format("small letters")
    + OWN.format("Limits", "LIMIT")
)
TREE = {
    "README.md": "# Rules\n\nThe rules of the shop.\n",
    "sql/index.md": "# SQL rules\n\nHow queries are written, for each database.\n",
    "sql/oracle.md": ORACLE,
    "sql/postgres.md": POSTGRES,
    **{
        f"java/{name}.md": f"# {name}\n\nHow {name} are kept in the shop.\n"
        for name in ("stock", "orders", "bills")
    },
}


def _pages(language: str) -> dict[str, str]:
    drafts = write(TREE, language=language)
    assert [d.findings for d in drafts.values() if d.findings] == []
    return {d.title: d.markdown for d in drafts.values()}


@pytest.fixture(scope="module")
def english() -> dict[str, str]:
    return _pages("en")


TITLE = "Differences between the editions"


def _bare(page: str) -> str:
    return re.sub(r"\s?\[\d+\]\(cite:\d+\)", "", page)


def test_sentences_that_differ_stand_beside_each_other_with_citations(
    english: dict[str, str],
) -> None:
    section = english[TITLE]
    (row,) = re.findall(r"^\| Reserved words .*$", section, re.MULTILINE)
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    cited = r"Reserved words must be in {0} ?\[\d+\]\(cite:\d+\)\."
    assert re.fullmatch(cited.format("capitals"), cells[1])
    assert re.fullmatch(cited.format("small letters"), cells[2])


def test_chapters_of_one_edition_are_listed_with_their_rules(
    english: dict[str, str],
) -> None:
    section = _bare(english[TITLE])
    only = "Only in SQL rules (PostgreSQL):\n\n- **Limits**: The clause LIMIT must"
    assert only in section
    assert "Only in SQL rules (Oracle):\n\n- **Merging**: The clause MERGE" in section


def test_what_differs_in_capital_letters_alone_is_not_called_the_same(
    english: dict[str, str],
) -> None:
    page = _bare(english["SQL rules"])
    assert "The same except for letter case: Order." in _bare(english[TITLE])
    counts = "the same in both: 1, the same except for letter case: 1, different: 2"
    assert f"Chapters: {counts} and in one only: 2." in page
    assert "The same as in SQL rules (Oracle): Lengths.\n" in page
    assert "The same as in SQL rules (Oracle) except for letter case: Order." in page


def test_the_topic_and_the_front_page_lead_to_the_comparison(
    english: dict[str, str],
) -> None:
    page = english["SQL rules"]
    link = f"[{TITLE}](../editions.md)"
    assert f"All changes, beside each other: {link}." in page
    assert page.index(f"## {TITLE}") < page.index("## SQL rules (Oracle)")
    (front,) = (text for text in english.values() if "## Topics" in text)
    assert f"How the editions differ: [{TITLE}](editions.md)" in front


def test_each_of_three_editions_is_compared_with_each() -> None:
    base = (
        "# Style for Java{0}\n\n" + SAME + "## Lists\n\nBuild lists by {1} alone.\n\n"
    )
    base += "## Names\n\nNames of classes are nouns.\n\n## Order\n\nSort by name.\n"
    said = {8: "asList", 11: "listOf", 17: "toList"}
    tree = {f"java/for_{n}.md": base.format(n, text) for n, text in said.items()}
    pages = {d.title: d.markdown for d in write({**TREE, **tree}).values()}
    heads = re.findall(r"^### (Style.*)$", pages[TITLE], re.MULTILINE)
    names = [f"Style for Java{n}" for n in said]
    assert heads == [f"{a} and {b}" for a, b in combinations(names, 2)]


def test_the_comparison_is_japanese_in_a_japanese_wiki() -> None:
    page = _bare(_pages("ja")["版による違い"])
    assert "大文字・小文字の違いを除いて同じ章：Order。" in page
