"""What asks for lines: `exact:"text"` and `/regex/`, alone or beside filters.

Without quotes the text of `exact:` goes on to the filters behind it, or to the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.core.text import clean_text

_EXACT = re.compile(r'(?:^|(?<=\s))exact:(?:(?P<quote>")|(?=\S)|\s*$)')
_GAP = re.compile(r"\s+")
# Only what parse_query() takes: `a:b` may well be part of a text without quotes.
_FILTERS_BEHIND = re.compile(
    r'(?:(?:-?path|lang|language|kind|source|product):(?:"[^"]*"|[^\s"]+)(?:\s+|$))*'
)
_CLOSING = re.compile(r'"(?=\s|$)')
# A slash inside is written `\/`: `/api/v1/` is a path to look for, not a pattern.
_REGEX = re.compile(r"(?:^|(?<=\s))/((?:[^/\\]|\\.)+)/(i?)(?=\s|$)")
_FILTERS = re.compile(r'\s*(?:-?[a-z_]+:(?:"[^"]*"|[^\s"]+)(?:\s+|$))*')


@dataclass(frozen=True, slots=True)
class LinePattern:
    """A text that lines hold, or a PostgreSQL regular expression that they match."""

    text: str
    is_regex: bool = False
    ignores_case: bool = False

    @property
    def name(self) -> str:
        """Return the mode of search that it stands for."""
        return "regex" if self.is_regex else "exact"


def find_pattern(query: str) -> tuple[LinePattern, str] | None:
    r"""Return the pattern in a query and what else it holds: filters, or nothing.

    None when the query asks for no lines, or holds other words beside a pattern.

    >>> find_pattern('exact:"a b" lang:go')
    (LinePattern(text='a b', is_regex=False, ignores_case=False), 'lang:go')
    """
    found = _find_exact(query) or _find_regex(query)
    if found and "\n" in found[0].text.strip("\n"):
        raise InvalidInput(
            gettext(
                "%(mode)s search matches single lines, but the text contains a line "
                "break. Search for one of its lines."
            )
            % {"mode": found[0].name}
        )
    return found


def _find_exact(query: str) -> tuple[LinePattern, str] | None:
    opening = _EXACT.search(query)
    if opening is None:
        return None
    before, inside = query[: opening.start()], query[opening.end() :]
    text, after = _quoted(before, inside) if opening["quote"] else _unquoted(inside)
    rest = _rest(before, after)
    if rest is None:
        return None
    if text.strip('" ') == "":
        raise InvalidInput(
            gettext('exact: requires a text to search for, such as exact:"x = 1".')
        )
    return LinePattern(clean_text(text)), rest


def _quoted(before: str, inside: str) -> tuple[str, str]:
    """Return the text up to its closing quote, and what follows.

    A quote may stand in the text: the first that leaves only filters closes it. While
    it is still being typed, the end does.
    """
    for closing in _CLOSING.finditer(inside):
        after = inside[closing.end() :]
        if closing.start() and _rest(before, after) is not None:
            return inside[: closing.start()], after
    return inside, ""


def _unquoted(inside: str) -> tuple[str, str]:
    """Return the text up to the filters behind it, and these."""
    inside = inside.strip()
    for gap in _GAP.finditer(inside):
        if _FILTERS_BEHIND.fullmatch(inside, gap.end()):
            return inside[: gap.start()], inside[gap.end() :]
    return inside, ""


def _find_regex(query: str) -> tuple[LinePattern, str] | None:
    for found in _REGEX.finditer(query):
        rest = _rest(query[: found.start()], query[found.end() :])
        if rest is not None:
            return LinePattern(clean_text(found[1]), True, bool(found[2])), rest
    return None


def _rest(before: str, after: str) -> str | None:
    """Return the filters around a pattern, None when other words are there."""
    rest = f"{before.strip()} {after.strip()}".strip()
    return rest if _FILTERS.fullmatch(rest) else None
