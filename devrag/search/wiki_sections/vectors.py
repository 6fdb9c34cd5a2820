"""Analysed text as PostgreSQL's search types, past its own parsers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

from devrag.search.lexical.analyser import analyse

# Nothing is side by side with what stands in another field.
_GAP = 2
# What PostgreSQL still tells apart.
_MAX_POSITION = 16_383


def vector_of(fields: Iterable[tuple[str, str]]) -> str:
    """Return texts with their weights, `A` to `D`, as a tsvector.

    >>> vector_of([("Basket", "A"), ("read it", "D")])
    "'basket':1A 'read':4D 'it':5D"
    """
    places: dict[str, list[str]] = {}
    positions = count(1)
    for text, weight in fields:
        for token in analyse(text).split():
            at = min(next(positions), _MAX_POSITION)
            places.setdefault(token, []).append(f"{at}{weight}")
        for _ in range(_GAP):
            next(positions)
    return " ".join(f"{quote(token)}:{','.join(at)}" for token, at in places.items())


def phrase_of(text: str) -> str:
    """Return what finds the tokens of a text side by side, '' without one."""
    return " <-> ".join(map(quote, analyse(text).split()))


def any_of(tokens: Sequence[str]) -> str:
    """Return what finds one of the tokens or more."""
    return " | ".join(tokens)


def quote(token: str) -> str:
    """Return a token as a lexeme that no parser takes apart."""
    escaped = token.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
