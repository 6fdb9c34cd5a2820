"""The statements of an example program that its author explains, each with its words.

A statement is what stands at the left edge of a file with all that is indented below
it. What explains it is the comment right above, or comments inside of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.inner_comments import InnerComment, inner_comments, is_remark

_FEWEST_WORDS, _FEWEST_WORDS_INSIDE = 4, 9
_MOST_LINES, _MOST_LINES_OF_PROGRAM = 24, 36
_LONGEST = 800  # characters of a comment
_SHOWN = 5
_DECORATOR = re.compile(r"^[@#]\[?\w")
_GOES_ON = re.compile(r"^(?:[)\]}]|(?:else|elif|except|finally|catch)\b|end\b)")
_COMMENT = re.compile(r"^(?://|#(?!\[|include|define|if|endif|else)|--|<!--)")
# How to call it from a shell, and what stands in for something else.
_OF_SHELL = re.compile(r"\$ \w|\bcurl\b|(?:^|\s)(?:npm|pip) install|https?://localhost")
_OF_TOOLS = re.compile(
    r"^(?:(?:import|from|require|use|using|package|#include)\b|.*=\s*require\([^)]*\)$)"
)


@dataclass(frozen=True, slots=True)
class ExamplePart:
    """A statement. text: of the comment above, '' where comments inside explain it.

    said: the lines of that comment. start, end: the lines of the statement.
    """

    text: str
    said: tuple[int, int]
    start: int
    end: int


def example_parts(lines: Sequence[str]) -> list[ExamplePart]:
    """Return the explained statements of a file that are short enough to be shown.

    Of many those that are explained at most length.
    """
    comments = inner_comments(
        lines, 0, len(lines), least_words=_FEWEST_WORDS, longest=_LONGEST
    )
    told = [c for c in comments if _explains(c)]
    found = [
        part
        for start, end in _statements(lines)
        if (part := _part(lines, start, end, told)) is not None
    ]
    longest = sorted(found, key=lambda part: -_words(part, told))[:_SHOWN]
    return sorted(longest, key=lambda part: part.start)


def whole_program(lines: Sequence[str]) -> ExamplePart | None:
    """Return all of a program that is short enough to be read at once."""
    last = max((n for n, text in enumerate(lines, 1) if text.strip()), default=0)
    is_short = 0 < last <= _MOST_LINES_OF_PROGRAM
    return ExamplePart("", (1, 1), 1, last) if is_short else None


def _words(part: ExamplePart, comments: Sequence[InnerComment]) -> int:
    """Return how many words explain a statement."""
    held = (c for c in comments if part.said[0] <= c.start_line <= part.end)
    return sum(len(each.text.split()) for each in held)


def _part(
    lines: Sequence[str], start: int, end: int, comments: Sequence[InnerComment]
) -> ExamplePart | None:
    if end - start >= _MOST_LINES or _OF_TOOLS.match(lines[start - 1]):
        return None
    last = start - 1
    while last and not lines[last - 1].strip():
        last -= 1
    above = next((c for c in comments if c.end_line == last), None)
    if above is not None:
        said = (above.start_line, above.end_line)
        return ExamplePart(above.text, said, start, end)
    is_told = any(
        start < c.start_line <= end and len(c.text.split()) >= _FEWEST_WORDS_INSIDE
        for c in comments
    )
    return ExamplePart("", (start, start), start, end) if is_told else None


def _explains(comment: InnerComment) -> bool:
    return not _OF_SHELL.search(comment.text) and not is_remark(comment.text)


def _statements(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each statement at the left edge, from 1."""
    start = end = 0
    for number, line in enumerate(_without_comments(lines), 1):
        if not line.strip():
            continue
        goes_on = start and (
            line[0].isspace()
            or _GOES_ON.match(line)
            or all(map(_DECORATOR.match, lines[start - 1 : end]))
        )
        if not goes_on:
            if start:
                yield start, end
            start = number
        end = number
    if start:
        yield start, end


def _without_comments(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines, empty where a comment stands that begins at the left edge."""
    is_open = False
    for line in lines:
        is_open = is_open or line.startswith("/*")
        yield "" if is_open or _COMMENT.match(line) else line
        is_open = is_open and "*/" not in line
