"""Text with its escapes replaced, so that `ghp\\_…` and `PASSWORD\\u003d…` are found.

JSON, HTML and Markdown write a character in several ways, and highlighted code has a
tag around each word. Readers of such files show the plain text.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from dataclasses import dataclass

from devrag.core.masking.scanned import Span

# Without regard for case the search would be several times as slow.
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
# It begins with a class: an alternation there would be several times as slow.
_ESCAPE = re.compile(
    rf"""[\\&<{_INVISIBLE}] (?:
      (?<=\\) (?: (?:u00|x)(?P<hex>[2-7][0-9a-fA-F]) | (?P<mark>[_=]) )
    | (?<=&) (?P<entity>\#\d{{2,3}}|\#[xX][2-7][0-9a-fA-F]|quot|apos|amp|lt|gt);
    | (?<=<) /?(?:span|b|i|em|strong|code|wbr|font|mark|tt)\b[^<>]{{0,200}}>
    | (?<=[{_INVISIBLE}]) )""",
    re.VERBOSE,
)
# Looking for words is many times as quick as the expression, and most texts have none
# of them: a character that is quick to find, and what begins with it.
_MARKS = (
    ("\\", ("\\u00", "\\x", "\\_", "\\=")),
    ("&", ("&#", "&quot;", "&apos;", "&amp;", "&lt;", "&gt;")),
    ("</", ("</span", "</b>", "</i>", "</em>", "</strong>", "</code>", "</font>")),
    ("</", ("</mark>", "</tt>")),
    ("<w", ("<wbr",)),
)
# What an escape can hide begins and ends within so many characters.
_AROUND = 600


@dataclass(frozen=True, slots=True)
class Unescaped:
    """The plain text, and where its pieces begin in it and in the original."""

    text: str
    starts: list[int]
    origins: list[int]

    def original(self, span: Span) -> Span:
        """Return the span of the original text that became this one."""
        return self._place(span[0]), self._place(span[1])

    def _place(self, position: int) -> int:
        piece = bisect_right(self.starts, position) - 1
        return self.origins[piece] + position - self.starts[piece]


def unescape(text: str) -> Unescaped | None:
    """Return what is around escapes, without them; None when there are none."""
    if not _has_mark(text):
        return None
    parts: list[str] = []
    starts, origins, last, length = [0], [0], 0, 0

    def leave_out(start: int, end: int) -> None:
        """Leave out text far from escapes: it was searched as it stands."""
        nonlocal last, length
        if end - start > 0:
            parts.extend((text[last:start], "\n"))
            length += start - last + 1
            last = end
            starts.append(length)
            origins.append(last)

    found = None
    for found in _ESCAPE.finditer(text):
        before = last + _AROUND if parts else 0
        leave_out(before, found.start() - _AROUND)
        plain = _plain(found)
        parts += (text[last : found.start()], plain)
        length += found.start() - last + len(plain)
        last = found.end()
        starts.append(length)
        origins.append(last)
    if found is None:
        return None
    return Unescaped("".join([*parts, text[last : last + _AROUND]]), starts, origins)


def _has_mark(text: str) -> bool:
    if any(
        first in text and any(mark in text for mark in marks) for first, marks in _MARKS
    ):
        return True
    return not text.isascii() and any(character in text for character in _INVISIBLE)


def _plain(found: re.Match[str]) -> str:
    if found["hex"]:
        return chr(int(found["hex"], 16))
    entity = found["entity"]
    return html.unescape(f"&{entity};") if entity else found["mark"] or ""
