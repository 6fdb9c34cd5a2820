"""Why a hit is where it is, in words."""

from __future__ import annotations

from devrag.search.types import Hit

_TERMS = 8


def explain(hit: Hit) -> tuple[str, ...]:
    """Return the rules that applied, then the place in each list that brought it."""
    return (*hit.why, *_places(hit))


def _places(hit: Hit) -> list[str]:
    terms = "" if hit.matched_lines else ", ".join(hit.matched_terms[:_TERMS])
    places = []
    if hit.lexical_rank is not None:
        places.append(f"{ordinal(hit.lexical_rank)} by words")
    if hit.semantic_rank is not None:
        places.append(f"{ordinal(hit.semantic_rank)} by meaning")
    return [*places, *([f"has {terms}"] if terms else [])]


def ordinal(number: int) -> str:
    """Return `1st`, `2nd`, `11th`.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 22, 113)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd', '113th']
    """
    last_two, last = number % 100, number % 10
    ending = {1: "st", 2: "nd", 3: "rd"}.get(last, "th")
    return f"{number}{'th' if 11 <= last_two <= 13 else ending}"
