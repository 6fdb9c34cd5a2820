"""Names of definitions in a file's lines, as links to what is known of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from sys import maxsize

from django.utils.html import escape, format_html

# Decorators and annotations stand before the name.
_LINES_BEFORE_NAME = 8


@dataclass(frozen=True, slots=True)
class LinkedDefinition:
    """What begins on a line. url: what is known of it."""

    line: int
    name: str
    url: str


def link_names(
    html_lines: Sequence[str], first: int, definitions: Iterable[LinkedDefinition]
) -> list[str]:
    """Return highlighted lines in which the names of what they define are links.

    html_lines: from line `first` on. The outline has the same links for the keyboard.
    """
    linked = list(html_lines)
    wanted = list(definitions)
    begins = sorted({each.line for each in wanted})
    after = dict(pairwise(begins))
    for each in wanted:
        end = min(each.line + _LINES_BEFORE_NAME, after.get(each.line, maxsize))
        for place in range(max(0, each.line - first), min(end - first, len(linked))):
            line = _link(linked[place], each)
            if line != linked[place]:
                linked[place] = line
                break
    return linked


def _link(line: str, definition: LinkedDefinition) -> str:
    """Link the first token that is the name, unless it is one already."""
    name = re.escape(escape(definition.name))
    start = format_html(
        '<a class="definition" href="{url}" hx-get="{url}" tabindex="-1">',
        url=definition.url,
    )
    token = rf'(?<!">)<span class="\w+">{name}</span>'
    return re.sub(token, lambda match: f"{start}{match[0]}</a>", line, count=1)
