"""Tables in code: many lines that differ in nothing but their literals: pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_LITERAL = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\b\d[\d._]*\b")
_WORD = re.compile(r"\w+")
_FEWEST, _SHARE = 24, 0.6  # lines of a shape, and of all lines, that make a table
_SHOWN = 4  # lines of a table


def without_repeated(lines: Sequence[str]) -> list[str]:
    """Return lines up to the first rows of a table of literals, all where none is.

    Translations and generated tables tell nothing more by their other rows.
    """
    shapes = [_shape(line) for line in lines]
    filled = sum(bool(line.strip()) for line in lines)
    counted = Counter(shape for shape in shapes if shape)
    shape, count = next(iter(counted.most_common(1)), ("", 0))
    if count < _FEWEST or count < _SHARE * filled:
        return list(lines)
    rows = [n for n, each in enumerate(shapes) if each == shape]
    return list(lines[: rows[_SHOWN - 1] + 1])


def _shape(line: str) -> str:
    """Return a line without its literals and words, '' for one without literals."""
    bare, literals = _LITERAL.subn("\0", line.strip())
    return _WORD.sub("w", bare) if literals else ""
