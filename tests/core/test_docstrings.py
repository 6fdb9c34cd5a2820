"""Docstrings as HTML."""

from __future__ import annotations

import pytest

from devrag.core.docstrings import render_docstring


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Uses :class:`~httpx.Client`.", "Uses <code>Client</code>."),
        ("See :py:func:`run <app.run>`.", "See <code>run</code>."),
        ("A `guide <https://x.org/a>`_.", 'href="https://x.org/a"'),
        ("A [guide][1].\n\n[1]: https://x.org/b", 'href="https://x.org/b"'),
        ("The [Foo][app.Foo] class.", "The Foo class."),
        (":param int size: how many", "<code>size</code>: how many"),
        ("Args:\n    size (int): how many", "<code>size (int)</code>: how many"),
        ("Parameters\n----------\nsize : int", "<code>size</code>: int"),
        ("So::\n\n    a  =  1\n\nEnd.", "a  =  1\n</code></pre>"),
        ("# Title\n\nText.", "<strong>Title</strong>"),
        ("- *one*\n- two", "<li><em>one</em></li>"),
        (">>> f(1)\n2", '<pre class="code"'),
    ],
)
def test_markup_is_set(text: str, html: str) -> None:
    assert html in render_docstring(text)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "`x <javascript:alert(1)>`_",
        "<img src=x onerror=alert(1)>",
    ],
)
def test_nothing_in_it_runs(text: str) -> None:
    html = render_docstring(text)
    assert "<script" not in html
    assert "<img" not in html
    assert 'href="javascript' not in html


def test_links_within_a_repository_are_only_their_words() -> None:
    assert render_docstring("See [this](../x.md).") == "<p>See this.</p>\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            ".. versionchanged:: 8.0\n    Added ``x``,\n    and y.",
            "<strong>Changed in version 8.0:</strong> Added <code>x</code>,",
        ),
        (
            ".. deprecated:: 7.1 Use :func:`y`.",
            "<strong>Deprecated since version 7.1:</strong> Use <code>y</code>.",
        ),
        (".. versionadded:: 2.0", "<strong>Added in version 2.0</strong>"),
        (".. note::\n\n    Look out.", "<strong>Note:</strong> Look out."),
    ],
)
def test_directives_of_sphinx_read_as_sentences(text: str, shown: str) -> None:
    html = render_docstring("Do it.\n\n" + text)
    assert shown in html
    assert "::" not in html


def test_code_in_a_note_is_a_block() -> None:
    html = render_docstring(
        ".. note::\n\n    .. code-block:: python\n\n        x = 1\n"
    )
    assert "<strong>Note</strong>" in html
    assert "<pre" in html


@pytest.mark.parametrize(
    "text",
    [
        ".. note:: " * 1_000 + "Look out.",
        "\n".join(f"{' ' * depth}.. note::" for depth in range(400)) + " Look out.",
    ],
)
def test_notes_nested_deeply_are_read(text: str) -> None:
    assert "Look out." in render_docstring(f"Do it.\n\n{text}")
