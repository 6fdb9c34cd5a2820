"""The statement below a comment, where it is short enough to be shown with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.conditions import Condition, condition_of, depth_of
from devrag.wiki.analysis.remarks import has_remark

_LONGEST = 70
_OPENS = re.compile(r"^if\b.*(?:\{|:|\bthen)$")
_UNFINISHED = re.compile(r"(?:[{(\[,\\+*/&|=?:.<>-]|\b(?:and|or|not|in|else))$")
_GOES_ON = re.compile(r"^(?:[.+*/&|?=<>]|-(?!-)|(?:and|or|else|elif)\b|\} ?else)")
_TELLS_NOTHING = re.compile(
    r"^(?:(?:(?:var|let|const)\s+)?[\w.]+(?:\s*:?=\s*(?:this|self)(?:\.\w+)?)?"
    r"|(?:return|break|continue|pass|throw|raise|yield)\b.*|[})\]].*"
    r"|(?:if|for|while|switch|case|with|try|do|else|elif|match|defer|go)\b.*"
    r"|(?:function|def|class|func|fn|async|import|from|use|#)\b(?!\.).*)$"
)
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"))


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of one line. condition: what it alone is under."""

    text: str
    line: int
    condition: Condition | None = None


def statement_below(
    lines: Sequence[str], comment: int, top: int, language: str
) -> Statement | None:
    """Return what stands below a comment: a whole statement, or one below an `if`.

    comment: the last line of the comment, from 1. top: the line of the definition.
    None: it takes several lines, is long, or says no more than a comment does.
    """
    line = comment + 1
    if line > len(lines):
        return None
    if not _OPENS.match(lines[line - 1].strip()):
        text = _statement(lines, line, language)
        return Statement(text, line) if text else None
    inside = line + 1
    if inside >= len(lines) or not _is_alone(lines, line, inside):
        return None
    text = _statement(lines, inside, language)
    condition = condition_of(lines, inside, top)
    is_shown = condition is not None and condition.text
    return Statement(text, inside, condition) if text and is_shown else None


def _is_alone(lines: Sequence[str], opening: int, line: int) -> bool:
    """Return whether a line is all that a block holds, without another branch."""
    depth = depth_of(lines[opening - 1])
    below = lines[line]
    is_inside = below.strip() and depth_of(below) > depth
    return not is_inside and not _GOES_ON.match(below.strip())


def _statement(lines: Sequence[str], line: int, language: str) -> str:
    """Return a line that is a whole statement, as it is shown, else ''."""
    text = lines[line - 1].strip().rstrip(";")
    below = lines[line].strip() if line < len(lines) else ""
    is_whole = all(text.count(a) == text.count(b) for a, b in _PAIRS)
    is_whole = is_whole and not _UNFINISHED.search(text)
    if not is_whole or not 0 < len(text) <= _LONGEST or "`" in text:
        return ""
    if _GOES_ON.match(below) and depth_of(lines[line]) > depth_of(lines[line - 1]):
        return ""
    is_bare = _TELLS_NOTHING.match(text) or has_remark(text, language)
    return "" if is_bare else text
