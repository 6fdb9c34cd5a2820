"""What a `return` gives back: its whole expression, of a conditional one both values.

An expression may take several lines. One that cannot be told whole is not told at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.conditions import depth_of
from devrag.wiki.analysis.remarks import without_remarks

_RETURN = re.compile(r"^(?:if\b.*[):]\s*)?return\b\s*(?P<what>.*)$")
_UNFINISHED = re.compile(r"(?:[{(\[,\\+*/&|=?:.<>-]|\b(?:and|or|not|in|if|else))$")
_GOES_ON = re.compile(r"^(?:[.+*/&|?:=<>)\]}]|-(?!-)|(?:and|or|if|else)\b)")
# Blanks are single outside strings.
_INSIDE = re.compile(
    r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<=[(\[])[ ]|[ ](?=[)\]]|\.\w)"""
)
_MORE_LINES = 6
_LONGEST, _LONGEST_PART = 60, 80
_TERNARY = (" ? ", " : ")
_MARKS = {
    **dict.fromkeys(("javascript", "typescript", "tsx", "jsx", "vue"), _TERNARY),
    **dict.fromkeys(("java", "c", "cpp", "csharp", "php", "ruby", "dart"), _TERNARY),
    "python": (" if ", " else "),
}
_OPENS, _CLOSES, _QUOTES = "([{", ")]}", "\"'"


@dataclass(frozen=True, slots=True)
class ReturnedValue:
    """What is returned: text, or otherwise where the test fails, '' without one."""

    text: str
    line: int
    end_line: int
    test: str = ""
    otherwise: str = ""


def returned_value(
    lines: Sequence[str], line: int, last: int, language: str
) -> ReturnedValue | None:
    """Return what a line returns, None if it returns nothing that can be told whole.

    last: the last line of the function.
    """
    match = _RETURN.match(lines[line - 1].strip())
    if match is None:
        return None
    text, end = _whole(lines, line, last, match["what"], language)
    if not text or "`" in text or not _is_balanced(text):
        return None
    parts = _branches(text, _MARKS.get(language))
    if parts is None:
        is_shown = len(text) <= _LONGEST and not _UNFINISHED.search(text)
        return ReturnedValue(text, line, end) if is_shown else None
    is_shown = all(0 < len(part) <= _LONGEST_PART for part in parts)
    test, text, other = parts
    return ReturnedValue(text, line, end, test, other) if is_shown else None


def _whole(
    lines: Sequence[str], line: int, last: int, said: str, language: str
) -> tuple[str, int]:
    """Return an expression with the lines that it goes on in, and its last line.

    '' where a string of it does not end in its line.
    """
    text, end = without_remarks(said, language), line
    while text and end < min(last, line + _MORE_LINES, len(lines)):
        below = lines[end]
        is_below = depth_of(below) > depth_of(lines[line - 1])
        is_more = is_below and _GOES_ON.match(below.strip())
        is_open = not _is_balanced(text) or bool(_UNFINISHED.search(text))
        if not (is_open or is_more):
            break
        more = without_remarks(below.strip(), language)
        text = None if more is None else f"{text} {more}".strip()
        end += 1
    return _INSIDE.sub(r"\1", text or "").rstrip("; "), end


def _branches(text: str, marks: tuple[str, str] | None) -> tuple[str, str, str] | None:
    """Return the test and the two values of a conditional expression.

    Values are '' where the expression is not whole, or one of several conditions.
    """
    if marks is None:
        return None
    asks, parts = split_outermost(text, marks[0]), split_outermost(text, marks[1])
    if len(asks) == 1:
        return None
    is_of_tuple = len(split_outermost(text, ",")) > 1  # `a if b else c, d` is a pair
    if len(asks) != 2 or len(parts) != 2 or is_of_tuple:
        return "", "", ""
    if marks is _TERNARY:
        return asks[0], parts[0].removeprefix(asks[0] + marks[0]), parts[1]
    return parts[0].removeprefix(asks[0] + marks[0]), asks[0], parts[1]


def split_outermost(text: str, mark: str) -> list[str]:
    """Return what a mark divides that stands in no bracket and no string."""
    found, start = [], 0
    for place in _outermost(text):
        if place >= start and text.startswith(mark, place):
            found.append(text[start:place].strip())
            start = place + len(mark)
    return [*found, text[start:].strip()]


def _is_balanced(text: str) -> bool:
    return all(
        text.count(a) == text.count(b) for a, b in zip(_OPENS, _CLOSES, strict=True)
    )


def _outermost(text: str) -> Iterator[int]:
    """Yield the places of a text that are in no bracket and no string."""
    depth, quote = 0, ""
    for place, character in enumerate(text):
        if quote:
            quote = "" if character == quote and text[place - 1] != "\\" else quote
        elif character in _QUOTES:
            quote = character
        elif character in _OPENS:
            depth += 1
        elif character in _CLOSES:
            depth -= 1
        elif depth == 0:
            yield place
