"""Tags of JSDoc and its like."""

from __future__ import annotations

import pytest

from devrag.core.doc_tags import read_types, to_markdown
from devrag.core.docstrings import render_docstring


@pytest.mark.parametrize(
    ("line", "markdown"),
    [
        ("@param {String} name - of the field", "- `name` (`String`): of the field"),
        ("@param {{a: number}} [size=1]", "- `size` (`{a: number}`)"),
        ("@param name of the field", "- `name`: of the field"),
        ("\\param size: how many", "- `size`: how many"),
        ("@return {this}", "- **Returns** (`this`)"),
        ("@throws {TypeError} if empty", "- **Throws** (`TypeError`): if empty"),
        ("@see {@link Router}", "- **See**: `Router`"),
        ("@see {@code  run() } first", "- **See**: `run()` first"),
        ("@deprecated", "- **Deprecated**"),
        ("@public", ""),
        ("   @public", ""),
        ("@memberof Router.prototype", ""),
        ("@typedef {Object} Options", ""),
        ("@module reads the settings", "reads the settings"),
        ("@type {string} of the file", "of the file"),
        ("    @static", None),
        ("    @param name of the field", None),
        ("@media print", None),
        ("mail@param.org", None),
    ],
)
def test_a_tag_becomes_an_item(line: str, markdown: str | None) -> None:
    assert to_markdown(line) == markdown


def test_many_blanks_in_an_unfinished_tag_stay_text() -> None:
    line = "@param x {@code" + " " * 20_000
    assert to_markdown(line) == f"- `x`: {{@code{' ' * 20_000}"


def test_types_are_those_of_the_comment() -> None:
    found = read_types(
        "Set it.\n\n@param {Boolean|String|Function} val\n@param other\n@return {app}"
    )
    assert found.parameters == {"val": "Boolean|String|Function"}
    assert found.returned == "app"


def test_tags_are_set_as_a_list() -> None:
    html = render_docstring("Set it.\n\n@param {String} val\n  the value\n@public")
    assert "<code>val</code> (<code>String</code>)" in html
    assert "<li>" in html
    assert "@p" not in html


@pytest.mark.parametrize(
    "line", ["@type t :: integer", "@export var speed = 3", "@static"]
)
def test_indented_samples_keep_their_lines(line: str) -> None:
    html = render_docstring(f"Read it.\n\nSo:\n\n    {line}\n    run()\n\nDone.")
    assert f"{line}\nrun()" in html


def test_a_sentence_behind_a_tag_stays() -> None:
    html = render_docstring("@module reads the settings of the server")
    assert html == "<p>reads the settings of the server</p>\n"


def test_types_of_an_indented_comment_are_read() -> None:
    assert read_types("\n    Set it.\n    @param {URL} a").parameters == {"a": "URL"}


def test_an_example_is_code() -> None:
    html = render_docstring("Sum.\n@example\nadd(1, 2) // 3\n@return {number}")
    assert '<pre class="code"' in html
    assert "add(1, 2)" in html
    assert "<strong>Returns</strong>" in html
