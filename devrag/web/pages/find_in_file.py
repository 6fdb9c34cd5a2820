"""Where a text stands in a file, also in lines that the page has not loaded yet."""

from __future__ import annotations

import re
from dataclasses import dataclass

from devrag.core.highlight import split_lines
from devrag.web.pages.name_places import utf16_column

MOST_PLACES = 2_000


@dataclass(frozen=True, slots=True)
class FoundPlaces:
    """places: line, column and length of each, in UTF-16 units. is_cut: more."""

    places: tuple[tuple[int, int, int], ...]
    is_cut: bool


def find_places(text: str, wanted: str, *, is_case_exact: bool = False) -> FoundPlaces:
    """Return where a text stands in the lines of another; lines count from 1. Pure.

    >>> find_places("Tea\\ntea, tea", "tea").places
    ((1, 0, 3), (2, 0, 3), (2, 5, 3))
    """
    if not wanted:
        return FoundPlaces((), is_cut=False)
    pattern = re.compile(re.escape(wanted), 0 if is_case_exact else re.IGNORECASE)
    places: list[tuple[int, int, int]] = []
    for number, line in enumerate(split_lines(text), start=1):
        for match in pattern.finditer(line):
            if len(places) == MOST_PLACES:
                return FoundPlaces(tuple(places), is_cut=True)
            start, end = (utf16_column(line, column) for column in match.span())
            places.append((number, start, end - start))
    return FoundPlaces(tuple(places), is_cut=False)
