"""Steps that tell how something works that a question only describes."""

from __future__ import annotations

import pytest

from devrag.ask.from_wiki.pages import FoundSection
from devrag.ask.from_wiki.topics import choose_steps
from devrag.ask.reasons import read_words
from devrag.wiki.models import Page


def section(title: str, heading: str, *lines: str) -> FoundSection:
    return FoundSection(Page(title=title), heading, heading, 3, "/wiki", lines)


COMPLETE = section(
    "Shell completion",
    "ShellComplete.complete(), step by step",
    "1. It produces the completion for the shell. [1](cite:1)",
)
SECTIONS = (
    section("Shell completion", "Files", "The shell gets its completion. [1](cite:1)"),
    section("Commands", "Group.resolve(), step by step", "It parses arguments."),
    section("Arguments", "Command.main(), step by step", "It parses them."),
    COMPLETE,
)


def chosen(question: str) -> FoundSection | None:
    return choose_steps(read_words(question).telling, SECTIONS)


@pytest.mark.parametrize(
    "question",
    ["How does shell completion work?", "シェルの補完はどのように動きますか"],
)
def test_steps_with_all_words_are_chosen(question: str) -> None:
    assert chosen(question) is COMPLETE


@pytest.mark.parametrize(
    "question",
    [
        "How are arguments parsed?",  # mentioned, or only in the title of a page
        "How does completion of files work?",
        "How does it work?",
    ],
)
def test_steps_about_something_else_are_not_chosen(question: str) -> None:
    assert chosen(question) is None
