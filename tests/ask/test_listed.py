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


@pytest.mark.parametrize(
    "text",
    [
        "# Paying\n\nPlease refer to [Orders](orders.md) for details.\n",
        "# 支払い\n\n詳しくは注文の章を参照してください。\n",
    ],
)
def test_a_document_that_only_leads_to_another_is_not_listed(text: str) -> None:
    stub = replace(passage(1, "documentation", "Paying"), text=text)
    told = "# Paying\n\nSee the till. An order is paid there, in cash.\n"
    assert listed(stub, passage(2, "definition", "buy")) == ["buy"]
    assert listed(replace(stub, text=told)) == ["Paying"]


def test_a_licence_at_the_head_of_a_file_is_not_listed() -> None:
    head = "// Copyright 2013 The Authors\n//\n// Licensed under the X License\n"
    pays = passage(2, "definition", "buy")
    assert listed(lines(1, 1, 40, head), pays) == ["buy"]
    assert listed(lines(1, 2, 40, head), pays) == ["lib/a.js", "buy"]


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
