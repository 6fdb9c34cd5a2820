"""The rows of the configuration page on the settings that a question names."""

from __future__ import annotations

import pytest

from devrag.ask.from_wiki.pages import FoundSection
from devrag.ask.from_wiki.settings import (
    asks_for_setting,
    asks_for_variables,
    sections_on_settings,
)
from devrag.wiki.models import Page

HEAD = ("| Setting | By default |", "| --- | --- |")
LINES = (
    "They are set by `shop.set()`. [1](cite:1)",
    "",
    *HEAD,
    "| `trust proxy` [2](cite:2) | `false` |",
    "| `proxy` [3](cite:3) | `none` |",
    "| `--exit-code` [4](cite:4) | `1` |",
    "| `MAX_ROWS` [5](cite:5) | `20` |",
)


def rows_on(question: str) -> list[str]:
    page = Page(title="Configuration")
    section = FoundSection(page, "Settings", "Settings", 2, "/wiki", LINES)
    found = sections_on_settings(question, [section])
    assert all(each.lines[:4] == LINES[:4] for each in found)
    return [row for each in found for row in each.lines[4:]]


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ('What is the default of "trust proxy"?', 0),
        ("How do I enable trust proxy?", 0),
        ("trust proxy のデフォルトは何ですか", 0),
        ("What is the default of `proxy`?", 1),
        ("What does the option --exit-code default to?", 2),
        ("What is the default exit code?", 2),
        ("max_rows の初期値は？", 3),
    ],
)
def test_a_setting_is_told_by_its_row(question: str, row: int) -> None:
    assert rows_on(question) == [LINES[4 + row]]


@pytest.mark.parametrize(
    "question",
    [
        "How do I enable a proxy?",  # a word of the language
        "What is the default of max_rows_per_page?",
        "What is the default timeout?",
    ],
)
def test_other_names_have_no_row(question: str) -> None:
    assert rows_on(question) == []


@pytest.mark.parametrize(
    ("question", "is_asked"),
    [
        ("What is the default of `proxy`?", True),
        ("trust proxy を有効にするには？", True),
        ("Where is the trust proxy setting read?", False),
        ("How do I add a new setting?", False),
        ("How does the trust proxy work?", False),
    ],
)
def test_only_questions_on_how_it_is_set_are_asked(
    question: str, is_asked: bool
) -> None:
    assert asks_for_setting(question) is is_asked


def test_environment_variables_may_be_all_that_is_asked() -> None:
    assert asks_for_variables("Which environment variables does it read?")
    assert asks_for_variables("環境変数の一覧は？")
    assert not asks_for_variables("Which settings does it read?")
