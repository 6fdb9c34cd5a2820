"""Where a long name may be broken: after dots, slashes, underscores, before capitals.

A break is a `<wbr>`: what is copied or searched for is the name as it is.
"""

from __future__ import annotations

import re

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

_NAME = re.compile(r"[\w./:\\]{16,}", re.ASCII)
_PLACE = re.compile(
    r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[._/\\:])(?=[A-Za-z0-9_])"
)
_LEAST = 3  # characters on either side
_SPAN = re.compile(r"(?<!\\)(`++)(.+?)(?<!`)\1(?!`)")


def with_breaks(text: str) -> SafeString:
    """Return text as HTML whose long names may be broken at sensible places."""
    pieces: list[str] = []
    at = 0
    for name in _NAME.finditer(text):
        pieces.append(escape(text[at : name.start()]))
        pieces.append("<wbr>".join(map(escape, split_name(name[0]))))
        at = name.end()
    pieces.append(escape(text[at:]))
    return mark_safe("".join(pieces))  # noqa: S308 - escaped above


def split_name(name: str) -> list[str]:
    """Return the pieces of a name between which a line may end."""
    pieces, at = [], 0
    for place in _PLACE.finditer(name):
        here = place.start()
        if here - at >= _LEAST and len(name) - here >= _LEAST:
            pieces.append(name[at:here])
            at = here
    return [*pieces, name[at:]]


def with_code(text: str) -> SafeString:
    """Return a line of Markdown as HTML: what stands in backticks as code."""
    pieces: list[str] = []
    at = 0
    for span in _SPAN.finditer(text):
        pieces += [with_breaks(text[at : span.start()]), as_code(span[2])]
        at = span.end()
    pieces.append(with_breaks(text[at:]))
    return mark_safe("".join(pieces))  # noqa: S308 - escaped above


def without_ticks(text: str) -> str:
    """Return a line of Markdown without its backticks, for titles and attributes."""
    return _SPAN.sub(lambda span: span[2].strip(), text)


def as_code(text: str) -> SafeString:
    """Return text as `<code>` with places where its names may be broken."""
    code = f"<code>{with_breaks(text.strip() or text)}</code>"
    return mark_safe(code)  # noqa: S308 - escaped above
