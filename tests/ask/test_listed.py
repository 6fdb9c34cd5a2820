"""Which passages an answer without a model lists."""

from __future__ import annotations

from dataclasses import replace

import pytest

from devrag.ask.listed import choose_listed
from devrag.ask.reasons import read_words
from devrag.ask.types import Passage, PassageKind

from .test_extractive import passage


def listed(*passages: Passage, question: str = "How is an order paid?") -> list[str]:
    asked = read_words(question)
    found = choose_listed(passages, asked, question, has_tests=False)
    return [each.title or each.path for each in found]


def lines(number: int, first: int, last: int, text: str) -> Passage:
    found = replace(passage(number, "definition", ""), start_line=first, end_line=last)
    return replace(found, path="lib/a.js", text=text)


def test_a_comment_leads_to_the_definition_below_it() -> None:
    above = lines(1, 1, 5, "/**\n * Pays the order.\n *\n * @public\n */")
    used = replace(lines(2, 7, 9, "pay()"), title="pay", kind="callee")
    used = replace(used, why="Used by buy")
    asked = read_words("pay")
    other = passage(3, "definition", "buy")
    (first, second) = choose_listed((above, other, used), asked, "pay", has_tests=False)
    assert (first.title, first.kind, first.why) == (
        "pay",
        "definition",
        "Pays the order.",
    )
    assert second.title == "buy"


def test_lines_far_from_a_definition_stay() -> None:
    above = lines(1, 1, 5, "x = 1")
    far = replace(lines(2, 20, 29, "pay()"), title="pay")
    assert listed(above, far) == ["lib/a.js", "pay"]


@pytest.mark.parametrize(
    ("question", "is_listed"),
    [
        ("How is an order paid?", False),
        ("What changed in version 2?", True),
        ("1.2 で何が変わりましたか？", True),
    ],
)
def test_what_releases_changed_is_listed_when_it_is_asked(
    question: str, *, is_listed: bool
) -> None:
    news = replace(passage(1, "documentation", "1.0"), path="CHANGES.md")
    code = passage(2, "definition", "pay")
    assert ("1.0" in listed(news, code, question=question)) == is_listed


def test_a_changelog_alone_is_better_than_nothing() -> None:
    news = replace(passage(1, "documentation", "1.0"), path="docs/History.rst")
    assert listed(news) == ["1.0"]


@pytest.mark.parametrize(
    ("kind", "path", "text", "is_listed"),
    [
        ("test", "tests/a.py", "order is paid", True),
        ("test", "tests/a.py", "nothing of it", False),
        ("callee", "tests/a.py", "order", False),
        ("callee", "shop/a.py", "nothing", True),
    ],
)
def test_tests_are_listed_by_half_of_the_words(
    kind: PassageKind, path: str, text: str, *, is_listed: bool
) -> None:
    found = replace(passage(1, kind, "t"), path=path, text=text)
    assert bool(listed(found)) == is_listed
