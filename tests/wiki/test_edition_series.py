"""Which documents are editions of one another, and in which order."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.edition_series import series_of, version_in
from tests.wiki.shop import analyse

RULE = "## Rule {0}\n\nNames of kind {0} are short and say what they hold.\n\n"
RULES = "".join(map(RULE.format, ("one", "two", "three", "four")))
README = {"README.md": "# Rules\n\nThe rules of the shop.\n"}
FILLER = {
    f"java/{name}.md": f"# {name}\n\nHow {name} are kept in the shop.\n"
    for name in ("stock", "orders", "bills")
}


def _series(tree: dict[str, str]) -> list[list[str]]:
    analysis = analyse({**README, **FILLER, **tree})
    return [
        [file.name for file in files]
        for index in range(len(analysis.topics))
        for files in series_of(analysis, index)
    ]


def _rules(title: str, more: str = "") -> str:
    return f"# {title}\n\n{RULES}{more}"


def test_editions_are_in_the_order_of_their_versions() -> None:
    tree = {
        "guide/a11.md": _rules("Rules for Java11"),
        "guide/a8.md": _rules("Rules for Java8"),
        "guide/a.md": _rules("Rules"),
    }
    assert _series(tree) == [["a8.md", "a11.md", "a.md"]]


def test_editions_for_products_are_a_series() -> None:
    tree = {
        "sql/o.md": _rules("SQL の規約（Oracle）"),
        "sql/p.md": _rules("SQL の規約（PostgreSQL）"),
    }
    assert _series(tree) == [["o.md", "p.md"]]


def test_documents_of_one_template_are_no_editions() -> None:
    text = "# Meeting {0}\n\n## Present\n\nPerson {0}.\n\n## Agenda\n\nPoint {0}.\n\n"
    last = "## Decisions\n\nIt was decided on matter {0} as follows in {0}.\n"
    tree = {f"minutes/m{n}.md": (text + last).format(n) for n in (1, 2, 3)}
    assert _series(tree) == []


def test_documents_on_different_matters_are_no_editions() -> None:
    tree = {"guide/a.md": _rules("Names"), "guide/b.md": _rules("Errors")}
    assert _series(tree) == []


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("OpenAPI 3.0.3規約", (3, 0, 3)),
        ("Rules for Java17", (17,)),
        ("guide_v2.md", (2,)),
        ("第２版", (2,)),
        ("Rules", ()),
    ],
)
def test_the_version_in_a_title(text: str, version: tuple[int, ...]) -> None:
    assert version_in(text) == version
