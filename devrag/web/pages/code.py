"""A file's lines in blocks: a page sends one, the others come as one reads on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, starmap
from uuid import UUID

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from devrag.core.highlight import MAX_LINE_CHARACTERS, split_lines
from devrag.sources.models import File, Symbol
from devrag.web.pages.definition_links import LinkedDefinition, link_names
from devrag.web.pages.highlighted import highlight_block
from devrag.web.pages.outline import KINDS

# What a page sends at once, of lines and of their text.
BLOCK_LINES = 600
BLOCK_CHARACTERS = 30_000
# So many lines are laid out together; the rest of a block waits until it is near.
_STRIP_LINES = 100
_MOST_SCOPES = 500
_COLUMNS = ("start_line", "end_line", "name", "kind", "scope", "uuid")
_AROUND, _MOST_WINDOW = 12, 80


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    html: str


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Lines first..last of a file. html: empty where they are not sent yet.

    scopes: JSON of the definitions around its lines, [[first, last, name], …].
    is_plain: its colours follow, because they take long.
    """

    first: int
    last: int
    html: str = ""
    scopes: str = "[]"
    is_plain: bool = False


def get_blocks(
    file: File, line: int, to_url: Callable[[UUID], str] | None = None
) -> tuple[CodeBlock, ...]:
    """Return all blocks of a file, the one with the line filled. Queries: 1.

    to_url: the address of a symbol's page; None in a version that has none.
    """
    lines = split_lines(file.text)
    ranges = cut_blocks(lines)
    at = next((i for i, (_, last) in enumerate(ranges) if line <= last), 0)
    return tuple(
        _fill(file, lines, ranges, i, to_url) if i == at else CodeBlock(*each)
        for i, each in enumerate(ranges)
    )


def get_window(file: File, first: int, last: int) -> tuple[Line, ...]:
    """Return some lines with a few around them, as far as their block goes."""
    lines = split_lines(file.text)
    ranges = cut_blocks(lines)
    at = next((i for i, (_, end) in enumerate(ranges) if first <= end), 0)
    html, _ = _show(file, lines, ranges, at)
    begin = ranges[at][0]
    start = max(0, first - begin - _AROUND)
    end = min(last, first + _MOST_WINDOW) - begin + 1 + _AROUND
    return number_lines(html[start:end], begin + start)


def get_block_html(file: File, line: int) -> tuple[int, list[str], bool]:
    """Return a block's first line, the HTML of its lines, and whether it has colours.

    line: one of the block.
    """
    lines = split_lines(file.text)
    ranges = cut_blocks(lines)
    at = next((i for i, (_, last) in enumerate(ranges) if line <= last), 0)
    html, is_coloured = _show(file, lines, ranges, at)
    return ranges[at][0], html, is_coloured


def number_lines(html_lines: Iterable[str], start: int = 1) -> tuple[Line, ...]:
    return tuple(starmap(Line, enumerate(html_lines, start)))


def cut_blocks(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return the first and last line of each block."""
    ranges, first, size = [], 1, 0
    for number, line in enumerate(lines, start=1):
        size += min(len(line), MAX_LINE_CHARACTERS)
        is_full = number - first >= BLOCK_LINES or size > BLOCK_CHARACTERS
        if is_full and number > first:
            ranges.append((first, number - 1))
            first, size = number, min(len(line), MAX_LINE_CHARACTERS)
    return [*ranges, (first, len(lines))]


def _fill(
    file: File,
    lines: list[str],
    ranges: list[tuple[int, int]],
    at: int,
    to_url: Callable[[UUID], str] | None,
) -> CodeBlock:
    first, last = ranges[at]
    html, is_coloured = _show(file, lines, ranges, at)
    symbols = _symbols(file, first, last)
    if to_url:
        html = link_names(html, first, _definitions(symbols, first, to_url))
    return CodeBlock(
        *(first, last, _render(html, first), _scopes(symbols)),
        is_plain=not is_coloured,
    )


def _show(
    file: File, lines: list[str], ranges: list[tuple[int, int]], at: int
) -> tuple[list[str], bool]:
    """Return a block's HTML, very long lines cut, and whether it has its colours."""
    first, last = ranges[at]
    html, is_coloured = highlight_block(file, lines, ranges, at)
    shown = [
        _cut(line) if len(line) > MAX_LINE_CHARACTERS else html[i]
        for i, line in enumerate(lines[first - 1 : last])
    ]
    return shown, is_coloured


def _cut(line: str) -> str:
    rest = len(line) - MAX_LINE_CHARACTERS
    note = gettext("%(number)s more characters") % {"number": f"{rest:,}"}
    shown = line[:MAX_LINE_CHARACTERS]
    return format_html('{}<span class="line-cut">… {}</span>', shown, note)


def _render(html_lines: Sequence[str], first: int) -> SafeString:
    """Return lines as the page's HTML. Joined here: a template takes ten times as long.

    html_lines: escaped or highlighted.
    """
    strips = []
    for begin in range(0, len(html_lines), _STRIP_LINES):
        strip = html_lines[begin : begin + _STRIP_LINES]
        inside = "".join(map(_line, count(first + begin), strip))
        strips.append(f'<div class="code-block">{inside}</div>')
    return mark_safe("".join(strips))  # noqa: S308  each line is escaped


def _line(number: int, html: str) -> str:
    return (
        f'<div class="code-line"><a class="line-number" id="L{number}" '
        f'href="#L{number}" tabindex="-1">{number}</a><code>{html}</code></div>'
    )


def _symbols(file: File, first: int, last: int) -> list[Symbol]:
    """Return the definitions that lines stand in, the outer ones first."""
    rows = Symbol.objects.filter(file=file, start_line__lte=last, end_line__gte=first)
    found = rows.exclude(kind="module").order_by("start_line", "-end_line", "ordinal")
    return list(found.only(*_COLUMNS)[:_MOST_SCOPES])


def _scopes(symbols: Iterable[Symbol]) -> str:
    spans = ((each.start_line, each.end_line, each.name) for each in symbols)
    return json.dumps([span for span in spans if span[1] > span[0]])


def _definitions(
    symbols: Iterable[Symbol], first: int, to_url: Callable[[UUID], str]
) -> Iterator[LinkedDefinition]:
    """Yield those that begin here and that an outline lists."""
    for each in symbols:
        is_listed = each.kind in KINDS and each.scope != "local"
        if each.start_line >= first and is_listed:
            yield LinkedDefinition(each.start_line, each.name, to_url(each.uuid))
