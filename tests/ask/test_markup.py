"""What Markdown an answer may have."""

from __future__ import annotations

import pytest

from devrag.ask.writing.markup import (
    diagram_markup_problem,
    markup_problem,
    plain_markdown,
    with_paired_emphasis,
    without_links,
)

EVIDENCE = "See https://shop.example/docs or write to tea@shop.example."


@pytest.mark.parametrize(
    "text",
    [
        "It calls `List<String>` and `a[0](b)`.",
        "It is at https://shop.example/docs.",
        "See [the docs](https://shop.example/docs) and [a page](page.md).",
        "Write to tea@shop.example.",
        "A \\<b> is escaped.",
        "1 < 2 and 3 > 2",
    ],
)
def test_what_stays(text: str) -> None:
    assert markup_problem(text, EVIDENCE) == ""


@pytest.mark.parametrize(
    "text",
    [
        "![x](https://shop.example/docs)",
        "![x][1]",
        "[1]: https://shop.example/docs",
        "[^1]: a footnote",
        "<img src=x>",
        "<!-- a comment -->",
        "A <https://shop.example/docs> link",
        "[x](https://evil.example)",
        "[x](//evil.example/?q=1 'title')",
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,AAAA)",
        "Go to https://evil.example/?q=secret now",
        "Go to `https://evil.example` now",
        "Go to www.evil.example now",
        "Write to mailto:me@evil.example",
        "Write to me@evil.example",
        "[x](page.md 'a title')",
        "[x][ref]",
        "An `open span",
        "a ``` fence",
    ],
)
def test_what_goes(text: str) -> None:
    assert markup_problem(text, EVIDENCE)


def test_links_become_their_labels_and_addresses_code() -> None:
    text = "See [the docs](https://shop.example/docs), https://shop.example/docs."
    assert without_links(text) == "See the docs, `https://shop.example/docs`."
    assert without_links("`https://shop.example/docs` is code") == (
        "`https://shop.example/docs` is code"
    )


def test_wrappers_quotation_marks_and_cite_links_are_taken_off() -> None:
    text = "```markdown\n> It adds [1](cite:1) tax.\n>\n> - one"
    assert plain_markdown(text) == "It adds tax.\n\n- one"


def test_what_stands_behind_the_language_of_code_is_taken_off() -> None:
    assert plain_markdown("```c# title=a\nx\n```") == "```c\nx\n```"


@pytest.mark.parametrize(
    "label",
    ["<img src=x>", "a<br/>b", "//evil.example/x.png", "https://evil.example", "<b"],
)
def test_a_diagram_leads_nowhere(label: str) -> None:
    assert diagram_markup_problem(f'flowchart LR\n a["{label}"] --> b')


def test_arrows_of_a_diagram_are_no_markup() -> None:
    text = 'flowchart LR\n a["x / y"] <--> b\n classDiagram\n A <|-- B'
    assert diagram_markup_problem(text) == ""


def test_code_within_a_list_begins_at_the_margin() -> None:
    text = "- one\n\n  ```sh\n  make\n    deep\n  ```\n- two"
    assert plain_markdown(text) == "- one\n\n```sh\nmake\n  deep\n```\n- two"
    assert plain_markdown("- one\n  ```sh\n  make") == "- one\n```sh\nmake"


def test_emphasis_without_an_end_goes_and_code_keeps_its_stars() -> None:
    assert with_paired_emphasis("It **calls `f(**args)`") == "It calls `f(**args)`"
    assert with_paired_emphasis("**It** calls `f(**args)`") == (
        "**It** calls `f(**args)`"
    )
