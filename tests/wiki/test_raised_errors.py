"""Errors with a message are found in several languages."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.raised_errors import errors_with_messages, raised_errors

LOOKUP = """var err = new Error('No book "' + name + '" in ' + dirs);
err.view = view;
return done(err);
"""


@pytest.mark.parametrize(
    ("code", "name", "message"),
    [
        (
            'raise ValueError("The order is empty.")',
            "ValueError",
            "The order is empty.",
        ),
        (
            'raise shop.Empty(\n    f"No {book} in stock"\n)',
            "Empty",
            "No {book} in stock",
        ),
        ('throw new Error("No book in stock")', "Error", "No book in stock"),
        ('throw new Error("No book named " + name)', "Error", "No book named…"),
        (
            """throw new Error('Module "' + mod + '" does not provide it.')""",
            "Error",
            'Module "…" does not provide it.',
        ),
        (
            "throw new Error('No book ' +\n  'is here: ' + a.b)",
            "Error",
            "No book is here:…",
        ),
        ('return fmt.Errorf("no book %q here", n)', "", "no book %q here"),
        ('bail!("no book is here")', "", "no book is here"),
    ],
)
def test_an_error_has_name_and_message(code: str, name: str, message: str) -> None:
    lines = code.split("\n")
    (error,) = raised_errors(lines, 1, len(lines))
    assert (error.name, error.message) == (name, message)


@pytest.mark.parametrize("code", ['raise ValueError("bad")', "raise", "raise Empty()"])
def test_an_error_without_a_sentence_tells_nothing(code: str) -> None:
    assert raised_errors([code], 1, 1) == []


def test_only_the_given_lines_count() -> None:
    lines = ['raise A("one two three")', 'raise B("four five six")']
    assert [e.name for e in raised_errors(lines, 2, 2)] == ["B"]
    assert raised_errors(lines, 2, 2)[0].line == 2


def test_strings_side_by_side_are_one_message() -> None:
    lines = [
        "raise ValueError(",
        '    "Proxy keys should use proper URLs rather "',
        "    f'than {key!r}.'",
        ")",
    ]
    (error,) = raised_errors(lines, 1, 4)
    assert error.message == "Proxy keys should use proper URLs rather than {key!r}."
    assert (error.line, error.end_line) == (1, 3)


@pytest.mark.parametrize(
    ("code", "message", "receiver"),
    [
        ("next(new TypeError('No book here'));", "No book here", "next"),
        (
            LOOKUP,
            'No book "…" in…',
            "done",
        ),
        (
            "const gone = new Error('Request aborted')\nself.callback(gone)",
            "Request aborted",
            "self.callback",
        ),
        ("throw new Error('No book here')", "No book here", ""),
    ],
)
def test_an_error_for_a_callback_is_found(
    code: str, message: str, receiver: str
) -> None:
    lines = code.split("\n")
    (error,) = errors_with_messages(lines, 1, len(lines))
    assert (error.message, error.passed_to) == (message, receiver)


def test_an_error_that_is_only_logged_is_not_passed_on() -> None:
    lines = ["var err = new Error('No book here');", "debug(err);"]
    assert errors_with_messages(lines, 1, 2) == []
