"""Where in highlighted lines the names stand that an index knows by their line alone.

Pure. Columns count UTF-16 code units, as scripts of a browser do.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

# Token classes of comments and strings; names in them are no uses.
_COMMENTS = ("c", "ch", "cm", "cpf", "c1", "cs")
_STRINGS = ("s", "sa", "sb", "sc", "dl", "sd", "s2", "se", "sh", "sx", "sr", "s1", "ss")
_TEXTS = frozenset([*_COMMENTS, *_STRINGS])
_PIECE = re.compile(r'<span class="([\w-]+)">(.*?)</span>|(<[^>]*>)|([^<]+)')
_BETWEEN = r"\s*(?:\.|::|->|\?\.)\s*"
_SEPARATOR = re.compile(r"\.|::|->|\?\.")
_BEFORE, _AFTER = r"(?<![\w$])", r"(?![\w$])"
_MOST_PARTS = 6

Place = tuple[int, int]


def code_of_line(line_html: str) -> str:
    """Return a highlighted line as text, blanks for comments and strings.

    >>> code_of_line('x = <span class="s2">&quot;x&quot;</span>')
    'x =    '
    """
    parts = []
    for css, inner, _, plain in _PIECE.findall(line_html):
        text = html.unescape(inner or plain)
        parts.append(" " * len(text) if css in _TEXTS else text)
    return "".join(parts)


def find_names(code: str, names: list[str]) -> list[Place | None]:
    """Return start and end of each name's last part, None for what is not there.

    names: as written, with dots between their parts, in the order of the line. A name
    that stands there several times is found once for each time it is asked for.
    """
    taken: set[Place] = set()
    found: list[Place | None] = []
    for name in names:
        place = next((p for p in _candidates(code, name) if p not in taken), None)
        if place is not None:
            taken.add(place)
        found.append(place)
    return found


def _candidates(code: str, name: str) -> Iterator[Place]:
    """Yield the places of the whole name, then those of its last part alone."""
    parts = [part for part in _SEPARATOR.split(name) if part][-_MOST_PARTS:]
    if not parts:
        return
    *before, last = parts
    head = _BETWEEN.join(re.escape(part) for part in before)
    whole = f"{head}{_BETWEEN}({re.escape(last)})" if head else f"({re.escape(last)})"
    patterns = [f"{_BEFORE}{whole}{_AFTER}", f"{_BEFORE}({re.escape(last)}){_AFTER}"]
    for pattern in patterns:
        for match in re.finditer(pattern, code):
            yield match.span(1)


def utf16_column(text: str, column: int) -> int:
    """Return a column in UTF-16 code units.

    >>> utf16_column("🐙x", 1)
    2
    """
    before = text[:column]
    return column if before.isascii() else len(before.encode("utf-16-le")) // 2
