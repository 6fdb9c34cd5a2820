"""Makes one line of a paragraph's lines, as Japanese and other languages write it."""

from __future__ import annotations

import re
from itertools import pairwise

_ITEM = re.compile(r"^\s*([-*+]|\d+[.)])\s+")
_BREAK = re.compile(r"(  +|\\)$")
_JAPANESE_WORD = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff）」]$")
# Without a stop, as in `…すること`: the line that follows a break is another sentence.
_ENDS_AS_SENTENCE = re.compile(r"[\u3041-\u309f]{2}[）)]?$")
_WIDE = re.compile(r"[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]")
_LONGEST_TITLE = 24  # characters of an item's own line that its text explains


def ends_with_break(line: str) -> bool:
    """Return whether Markdown ends a line of text where this one ends."""
    return bool(_BREAK.search(line))


def join_lines(lines: list[str]) -> str:
    """Return the lines of a paragraph as one.

    A short Japanese line that ends with a break is the title of what follows it.
    """
    first = _bare(_ITEM.sub("", lines[0]))
    rest = ""
    for before, line in pairwise(lines):
        rest = _joined(rest, _bare(line), is_apart=_is_apart(before))
    is_title = (
        bool(ends_with_break(lines[0]) and _ITEM.match(lines[0]) and rest)
        and bool(_JAPANESE_WORD.search(first))
        and len(first) <= _LONGEST_TITLE
    )
    marks = _ITEM.match(lines[0])
    head = (marks.group() if marks else "") + first
    if is_title:
        return f"{head}：{rest}"
    return _joined(head, rest, is_apart=_is_apart(lines[0])).rstrip()


def _bare(line: str) -> str:
    return line.strip().removesuffix("\\").rstrip()


def _is_apart(line: str) -> bool:
    """Return whether a line ends with a break, and so a sentence without its stop."""
    return bool(ends_with_break(line) and _ENDS_AS_SENTENCE.search(_bare(line)))


def _joined(one: str, other: str, *, is_apart: bool) -> str:
    """Return two lines as one; Japanese has no blank in between."""
    if is_apart and one and other:
        return f"{one}。{other}"
    is_close = _WIDE.match(one[-1:]) and _WIDE.match(other[:1])
    return f"{one}{other}" if is_close or not one else f"{one} {other}"
