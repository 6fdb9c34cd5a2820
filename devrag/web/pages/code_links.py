"""Links from the names that code uses to their definitions, for a block of lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.core.cache import cache
from django.urls import reverse

from devrag.core.page_urls import file_url
from devrag.navigation.symbols import ResolvedUse, symbols_by_key, uses_in_lines
from devrag.sources.models import File, GitRef, Symbol
from devrag.web.pages.code import get_block_html
from devrag.web.pages.name_places import code_of_line, find_names, utf16_column

_SECONDS_KEPT = 24 * 3600
_RULES = 1  # raise it when equal lines get other links


@dataclass(frozen=True, slots=True)
class LinkedUse:
    """A name in a line. column, length: in UTF-16 units. target: key of a symbol.

    is_possible: it may mean something else when the program runs.
    """

    line: int
    column: int
    length: int
    target: int
    is_possible: bool


def get_code_links(
    ref: GitRef, names: tuple[str, str, str], file: File, line: int
) -> dict[str, Any]:
    """Return the links in the block with a line, as its script takes them.

    names: of addresses. targets: where a definition stands and its card; uses: line,
    column, length, index of the target, and whether it is only possible. Queries: 3
    and what resolving takes, none for what was asked before.
    """
    first, html, is_coloured = get_block_html(file, line)
    key = f"links-{_RULES}-{ref.pk}-{ref.sequence}-{file.pk}-{first}-{len(html)}"
    known = cache.get(key)
    if known is None:
        known = _find_links(ref, file, first, html)
        if is_coloured:  # comments and strings are known
            cache.set(key, known, _SECONDS_KEPT)
    targets, uses = known
    return {
        "first": first,
        "targets": [_addresses(names, *target) for target in targets],
        "uses": uses,
    }


def _addresses(
    names: tuple[str, str, str], path: str, line: int, uuid: str
) -> tuple[str, str]:
    card = reverse("web:symbol_card", args=[*names, uuid])
    return file_url(*names, path, line), card


def _find_links(
    ref: GitRef, file: File, first: int, html: list[str]
) -> tuple[list[tuple[str, int, str]], list[tuple[int, int, int, int, int]]]:
    resolved = uses_in_lines(ref, file.pk, first, first + len(html) - 1)
    links = list(place_uses(resolved, first, html))
    symbols = symbols_by_key({link.target for link in links})
    order = {key: number for number, key in enumerate(symbols)}
    targets = [_target(symbol) for symbol in symbols.values()]
    uses = [
        (each.line, each.column, each.length, order[each.target], int(each.is_possible))
        for each in links
        if each.target in order
    ]
    return targets, uses


def _target(symbol: Symbol) -> tuple[str, int, str]:
    return symbol.file.path, symbol.start_line, str(symbol.uuid)


def place_uses(
    uses: Iterable[ResolvedUse], first: int, html: list[str]
) -> Iterable[LinkedUse]:
    """Yield the uses that mean a definition with their places. Pure.

    html: highlighted lines from line `first` on.
    """
    for line, group in groupby(uses, key=lambda each: each.use.line):
        if not 0 <= line - first < len(html):
            continue
        code = code_of_line(html[line - first])
        on_line = list(group)
        places = find_names(code, [each.use.usage.name for each in on_line])
        for use, place in zip(on_line, places, strict=True):
            target, is_possible = _meant(use)
            if place is None or target is None:
                continue
            start, end = (utf16_column(code, column) for column in place)
            yield LinkedUse(line, start, end - start, target, is_possible)


def _meant(use: ResolvedUse) -> tuple[int | None, bool]:
    """Return the key of what a use means, and whether that is only possible."""
    meaning = use.meaning
    if meaning.symbol is not None:
        return meaning.symbol.key, False
    if len(meaning.possible) == 1:
        return meaning.possible[0].key, True
    return None, False
