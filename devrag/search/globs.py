"""Patterns of paths as agents write them, as PostgreSQL reads them. Pure."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"(?P<globstar>\*\*/)|(?P<star>\*+)|(?P<any>\?)"
    r"|\[(?P<negated>!?)(?P<members>\]?[^\]]*)\]|(?P<literal>.)",
    re.DOTALL,
)
_SPECIAL = re.compile(r"([^\w/ ])", re.ASCII)


def path_regex(pattern: str) -> str:
    """Return what whole paths match: `**/` is any folders or none, `*` any letters.

    Without a slash a pattern is of the file's name.

    >>> path_regex("src/**/*.py")
    '^src/(.*/)?.*\\\\.py$'
    """
    body = "".join(map(_translate, _TOKEN.finditer(pattern)))
    return f"^{body}$" if "/" in pattern else f"^(.*/)?{body}$"


def _translate(token: re.Match[str]) -> str:
    if token["globstar"]:
        return "(.*/)?"
    if token["star"]:
        return ".*"
    if token["any"]:
        return "."
    if token["members"]:
        return _one_of(token["members"], "^" if token["negated"] else "")
    return _escape(token[0])


def _one_of(members: str, negated: str) -> str:
    """Return a bracket expression; a range that runs backwards is taken literally."""
    inner = re.sub(r"([\\\[\]^])", r"\\\1", members)
    try:
        re.compile(f"[{inner}]")
    except re.error:
        return _escape(f"[{members}]")
    return f"[{negated}{inner}]"


def _escape(text: str) -> str:
    # Letters beyond ASCII mean themselves; a backslash before one is an error there.
    return _SPECIAL.sub(lambda found: _backslashed(found[0]), text)


def _backslashed(char: str) -> str:
    return f"\\{char}" if char.isascii() else char
