"""Where the statements of an SQL script begin and end, whatever its dialect.

No grammar knows all dialects; quotes, comments and blocks are enough to find the ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from devrag.parsing.source import SourceText

# Each quoted piece may run to the end of the file, so that the search stays linear.
_DELIMITER = r"^[ \t]*DELIMITER[ \t]+(?P<delimiter>\S+)[ \t]*$"
_FLAGS = re.IGNORECASE | re.DOTALL | re.MULTILINE
_TOKEN = re.compile(
    r"--[^\n]*|/\*.*?(?:\*/|\Z)|^\#[^\n]*"
    r"|'\\'(?!')|'(?:[^'\\]|\\.)*+(?:'|\Z)|\"[^\"]*+(?:\"|\Z)|`[^`]*+(?:`|\Z)"
    r"|\$(?P<tag>\w{0,60})\$|(?P<end>;)|^[ \t]*(?P<go>GO|/)[ \t]*$"
    rf"|{_DELIMITER}"
    r"|\b(?P<word>BEGIN|CASE|END(?:[ \t]+(?:IF|LOOP|WHILE|REPEAT|FOR))?)\b",
    _FLAGS,
)
_COMMENTS = ("--", "/*", "#")
_ROUTINE = re.compile(
    r"CREATE\b.{0,200}?\b(?:FUNCTION|PROCEDURE|TRIGGER|PACKAGE|EVENT)\b",
    re.IGNORECASE | re.DOTALL,
)
_COPY = re.compile(r"COPY\b[^;]{1,2000}\bFROM\s+stdin\b", re.IGNORECASE)
_WORD = re.compile(r"\S")


@dataclass(frozen=True, slots=True)
class Statement:
    """The offsets of a statement, without the comments above it."""

    start: int
    end: int


def split_statements(source: SourceText) -> Iterator[Statement]:
    """Yield the statements of a script in order."""
    return _Splitter(source).statements()


class _Splitter:
    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._text = source.text
        self._start: int | None = None
        self._delimiter = ";"
        self._depth = 0

    def statements(self) -> Iterator[Statement]:
        position = 0
        while token := self._next(position):
            self._source.check_deadline()
            is_comment = token[0].startswith(_COMMENTS)
            self._open(position, token.start() if is_comment else token.end())
            end = None if is_comment else self._end(token)
            position = self._after(token)
            if end is not None and self._start is not None:
                end = self._data_end(self._start, end)
                if end > self._start:
                    yield Statement(self._start, end)
                position = max(position, end)
                self._start = None
                self._depth = 0
        self._open(position, len(self._text))
        if self._start is not None:
            yield Statement(self._start, len(self._text.rstrip()))

    def _next(self, position: int) -> re.Match[str] | None:
        """Return the next token; under another delimiter only that one ends."""
        if self._delimiter == ";":
            return _TOKEN.search(self._text, position)
        mark = re.escape(self._delimiter)
        pattern = (
            rf"(?P<end>{mark})|{_DELIMITER}|(?P<tag>\b\B)(?P<go>\b\B)(?P<word>\b\B)"
        )
        return re.compile(pattern, _FLAGS).search(self._text, position)

    def _open(self, start: int, end: int) -> None:
        """Begin a statement at the first word in a stretch without comments."""
        if self._start is None and (found := _WORD.search(self._text, start, end)):
            self._start = found.start()

    def _end(self, token: re.Match[str]) -> int | None:
        """Return where the statement ends if the token ends it."""
        if token["delimiter"]:
            self._delimiter = token["delimiter"]
            return token.start()
        if token["go"]:
            return token.start()
        if token["word"] and self._start is not None and self._is_routine():
            word = token["word"].upper()
            if word in {"BEGIN", "CASE"}:
                self._depth += 1
            elif word == "END":
                self._depth -= 1
        if token["end"] and (self._depth <= 0 or self._delimiter != ";"):
            return token.end()
        return None

    def _is_routine(self) -> bool:
        return _ROUTINE.match(self._text, self._start or 0) is not None

    def _after(self, token: re.Match[str]) -> int:
        """Return where the search goes on: behind the token and what it opens."""
        if token["tag"] is not None:
            end = self._text.find(token[0], token.end())
            return token.end() if end < 0 else end + len(token[0])
        return token.end()

    def _data_end(self, start: int, end: int) -> int:
        """Return the end of the rows below `COPY … FROM stdin;`, which hold no SQL."""
        if not _COPY.match(self._text, start, end):
            return end
        mark = self._text.find("\n\\.\n", end - 1)
        return end if mark < 0 else mark + 3
