"""What asks for lines: `exact:"text"` and `/regex/`, alone or beside filters."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.core.text import clean_text

_EXACT = re.compile(r'(?:^|(?<=\s))exact:"')
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
                "%(mode)s search looks at single lines; the text holds a line break. "
                "Ask for one of its lines."
            )
            % {"mode": found[0].name}
        )
    return found


def _find_exact(query: str) -> tuple[LinePattern, str] | None:
    opening = _EXACT.search(query)
    if opening is None:
        return None
    inside = query[opening.end() :]
    if inside.strip('" ') == "":
        raise InvalidInput(
            gettext('exact: wants a text to look for, as in exact:"x = 1".')
        )
    # A quote may stand in the text: the first that leaves only filters closes it.
    for closing in _CLOSING.finditer(inside):
        rest = _rest(query[: opening.start()], inside[closing.end() :])
        if rest is not None and closing.start():
            return LinePattern(clean_text(inside[: closing.start()])), rest
    rest = _rest(query[: opening.start()], "")
    # Still being typed: the end closes it.
    return None if rest is None else (LinePattern(clean_text(inside)), rest)


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
