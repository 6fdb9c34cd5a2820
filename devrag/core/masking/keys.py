"""Private keys in their files' formats. Public keys and certificates are no secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.core.masking.rules import Found
from devrag.core.masking.scanned import Scanned, Span

_BEGIN = re.compile(
    r"-{4,5} ?BEGIN [A-Za-z0-9 ]{0,40}?"
    r"(?:PRIVATE KEY(?: BLOCK)?|Static key V1|PGP MESSAGE) ?-{4,5}"
)
# Between the lines of a key: blanks, escaped line ends, quotes, comment marks.
_BETWEEN = re.compile(
    r"""(?:\\+[nrt]|[\s"'`,;|>\#*.()&•]|\\(?=\s)|\+(?=[\s"'])|//(?=\s))*+"""
)
_LINE = re.compile(r"[A-Za-z0-9+/=_-]+")
_SHORTEST_LINE = 16
# `Proc-Type: 4,ENCRYPTED` and the like, before the first line.
_HEADER = re.compile(r"""[A-Z][A-Za-z]{1,15}(?:-[A-Za-z]{2,15})?: [^\n"\\]{0,200}""")
_MOST_HEADERS = 6

_PUTTY = re.compile(r"(?m)^Private-Lines: (\d{1,4})\r?\n")
_PUTTY_LINE = re.compile(r"[^\n]*\n?")
_JWK_PART = re.compile(r'"(?:d|p|q|dp|dq|qi|k)"\s{0,8}:\s{0,8}"([A-Za-z0-9_-]{16,})"')


PRIVATE_KEY = "private-key"


def find_private_keys(scanned: Scanned) -> Iterator[Found]:
    """Yield key material line by line, without the lines that name its kind."""
    for start, end in _find_keys(scanned):
        yield Found(start, end, PRIVATE_KEY)


def _find_keys(scanned: Scanned) -> Iterator[Span]:
    if b"BEGIN " in scanned.raw:
        last = 0
        for begin in _BEGIN.finditer(scanned.text):
            # What stands within the lines of another key was looked at with them.
            if begin.start() < last:
                continue
            for span in _armoured(scanned.text, begin.end()):
                yield span
                last = span[1]
    if b"private-lines:" in scanned.lower:
        yield from _putty(scanned.text)
    if b'"kty"' in scanned.raw:
        for part in _JWK_PART.finditer(scanned.text):
            yield part.span(1)


def _armoured(text: str, place: int) -> Iterator[Span]:
    """Yield the lines of base64 that follow; code that only names a key has none."""
    headers, is_within = 0, False
    while True:
        place = _end(_BETWEEN, text, place)
        line = _LINE.match(text, place)
        if line and line[0].startswith("-----"):
            return
        if line and (is_within or len(line[0]) >= _SHORTEST_LINE):
            yield line.span()
            is_within = len(line[0]) >= _SHORTEST_LINE
            place = line.end()
        elif (header := _HEADER.match(text, place)) and headers < _MOST_HEADERS:
            headers += 1
            place = header.end()
        else:
            return


def _putty(text: str) -> Iterator[Span]:
    place = 0
    while found := _PUTTY.search(text, place):
        place = found.end()
        for _ in range(int(found[1])):
            place = _end(_PUTTY_LINE, text, place)
        yield found.end(), place


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place
