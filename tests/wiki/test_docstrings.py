"""Docstrings of every form become prose and explained names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.wiki.analysis.docstrings import (
    descriptions_of,
    is_code,
    parameters_of,
    read_docstring,
)

GOOGLE = """Send it.

Args:
    url (str): Where
        it goes.
    retries: How often.

Raises:
    ValueError: If it is empty.
"""
NUMPY = """Send it.

Parameters
----------
url : str
    Where it goes.
retries : int, optional
    How often.

Raises
------
ValueError
    If it is empty.
"""
REST = """Send it.

:param str url: Where it goes.
:param retries: How often.
:raises ValueError: If it is empty.
"""
JAVADOC = """Send it.

@param url Where
    it goes.
@param retries How often.
@throws ValueError If it is empty.
@since 1.2
"""
JSDOC = """Send it.

@param {string | URL} url - Where it goes.
@param {number} [retries=3] - How often.
@throws {ValueError} If it is empty.
"""
BOLD = """Send it.

**Parameters:**

* **url** - Where it goes.
* **retries** - How often.

**Raises:**

* **ValueError** - If it is empty.
"""


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, REST, JAVADOC, JSDOC, BOLD])
def test_parameters_and_errors_are_found_in(text: str) -> None:
    docstring = read_docstring(text)
    assert docstring.body == "Send it."
    assert [(n.kind, n.name, n.text) for n in docstring.names] == [
        ("parameter", "url", "Where it goes."),
        ("parameter", "retries", "How often."),
        ("raises", "ValueError", "If it is empty."),
    ]


def test_plain_lines_count_where_the_signature_has_the_name() -> None:
    text = "Reads rows.\nreader: Where from.\nNote: rows are short."
    signature = "public Rows(TextReader reader)"
    docstring = read_docstring(text, parameters_of(signature))
    assert docstring.body == "Reads rows.\n\nNote: rows are short."
    assert [n.name for n in docstring.names] == ["reader"]


def test_a_parameter_without_words_is_no_prose() -> None:
    text = "Adds a value\nname:\nvalue:\nNothing is kept."
    names = parameters_of("public void Add(string name, object value)")
    docstring = read_docstring(text, names)
    assert [b.text for b in docstring.blocks] == ["Adds a value", "Nothing is kept."]
    assert docstring.names == ()


def test_html_becomes_paragraphs_items_and_samples() -> None:
    text = (
        "One.\n<p>Two &gt; one.\n<ul>\n<li>first\n</ul>\n<pre>{@code\n  run();\n}</pre>"
    )
    kinds = [(b.kind, b.text) for b in read_docstring(text).blocks]
    assert kinds == [
        ("text", "One."),
        ("text", "Two > one."),
        ("item", "first"),
        ("code", "run();"),
    ]


def test_a_session_of_the_interpreter_is_a_sample() -> None:
    blocks = read_docstring("Adds.\n\n>>> add(1, 2)\n3\n").blocks
    assert [(b.kind, b.text) for b in blocks] == [
        ("text", "Adds."),
        ("code", ">>> add(1, 2)\n3"),
    ]


@pytest.mark.parametrize("body", ["add(1)", "```ts\nadd(1)\n```"])
def test_an_example_is_a_sample_with_or_without_fences(body: str) -> None:
    docstring = read_docstring(f"Adds.\n\n@example\n{body}\n@param a One.", ["a"])
    assert [(b.kind, b.text) for b in docstring.blocks][1:] == [("code", "add(1)")]
    assert [n.name for n in docstring.names] == ["a"]


def test_a_note_is_prose() -> None:
    assert (
        "keeps sockets" in read_docstring("Sends.\n\nNote:\n    It keeps sockets.").body
    )


@pytest.mark.parametrize(
    "docstring",
    [
        "Open it.\n\n@param path where it\n  is kept\n@return the box",
        "Open it.\n\n:param str path: where it is kept\n:returns: the box",
        "Open.\n\nArgs:\n    path (str): where it\n        is kept\n\nReturns: a box",
        "Open.\n\nParameters\n----------\npath : str\n    where it is kept\n\nReturns",
        "Open it.\n\n**Parameters:**\n\n* **path** - *(optional)* where it is kept",
        "Open it.\npath: where it is kept",
    ],
    ids=["javadoc", "rest", "google", "numpy", "markdown", "plain"],
)
def test_a_parameter_has_its_description(docstring: str) -> None:
    assert descriptions_of(docstring, ["path"]) == {"path": "where it is kept"}


def test_words_that_are_no_parameters_describe_none() -> None:
    assert descriptions_of("Note: it is slow.\npath - kept", ["other"]) == {}


def test_names_of_a_signature_leave_defaults_out() -> None:
    assert parameters_of("def get(url, *, wait=LONG)") == ["url", "wait"]
    assert parameters_of("class Box") == []


@pytest.mark.parametrize(
    ("docstring", "code"),
    [
        ('url = URL("x")\n', True),
        (">>> get()", True),
        ("get(url)\n", True),
        ("Opens a box.", False),
        ("get(url) opens it.", False),
    ],
)
def test_a_docstring_may_begin_with_code(docstring: str, code: bool) -> None:
    assert is_code(docstring) is code


@given(st.text(alphabet="ab:@-*\n `<>{}()", max_size=80))
def test_any_text_is_read(text: str) -> None:
    docstring = read_docstring(text, ["a"])
    assert all(name.text for name in docstring.names)


def test_an_item_on_a_parameter_goes_on_in_the_next_line() -> None:
    found = read_docstring(
        "Send a request.\n\n**Parameters:**\n\n* **params** - Sent in the URL, as a\n"
        "string or dictionary.\n* **auth** - Who asks.\n\nReturns nothing else.",
        ["params", "auth"],
    )
    assert [(each.name, each.text) for each in found.names] == [
        ("params", "Sent in the URL, as a string or dictionary."),
        ("auth", "Who asks."),
    ]
    assert found.body.endswith("Returns nothing else.")


def test_an_aligned_list_of_names_has_colons() -> None:
    text = "Send it.\n\n  - `root`     folder of files\n  - `dotfiles` serve them\n"
    assert [b.text for b in read_docstring(text).blocks][1:] == [
        "`root`: folder of files",
        "`dotfiles`: serve them",
    ]


LINES, BLANKS = "\n" * 100_000, " " * 100_000


@pytest.mark.parametrize(
    ("text", "body"),
    [
        (f"One.{LINES}Two.", f"One.{LINES}Two."),
        (f"One.\n- `a`  b{LINES}Two.", f"One.\n- `a`: b{LINES}Two."),
        (f"One. &amp;{BLANKS}two.", f"One. &{BLANKS}two."),
        (f"One.\nArgs{BLANKS}x", f"One.\nArgs{BLANKS}x"),
        (f"One.\na{BLANKS}(", f"One.\na{BLANKS}("),
    ],
    ids=["lines", "aligned", "html", "section", "entry"],
)
def test_many_blanks_stay_what_they_are(text: str, body: str) -> None:
    assert read_docstring(text).body == body


@pytest.mark.parametrize("tag", ["@param", ":param"])
def test_many_blanks_behind_a_tag_name_nothing(tag: str) -> None:
    assert read_docstring(f"One.\n{tag}{BLANKS}(").names == ()
