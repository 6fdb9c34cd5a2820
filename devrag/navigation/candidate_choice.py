"""Which of several definitions of one name is meant, if it is clear: pure."""

from __future__ import annotations

from collections.abc import Iterable

from devrag.navigation.types import TYPES, Resolution, SymbolCandidate, family

# There the same name may have several definitions that are called differently.
_OVERLOADING = frozenset(["java", "csharp", "c", "swift"])
_MOST_OVERLOADS = 12


def choose_only(found: Iterable[SymbolCandidate], by: str) -> Resolution:
    """Take the one that is left; of several none."""
    pool = list(found)
    if len(pool) > 1:
        kept = {_place(each): each for each in sorted(pool, key=_rank, reverse=True)}
        pool = list(kept.values())
    if len(pool) == 1:
        return Resolution(pool[0], by, 1)
    # Which of the overloads is called its arguments say.
    is_one = len({(each.file, each.qualified_name) for each in pool}) == 1
    possible = tuple(pool) if is_one and len(pool) <= _MOST_OVERLOADS else ()
    return Resolution(candidates=len(pool), possible=possible)


def _place(symbol: SymbolCandidate) -> tuple[object, ...]:
    """Return what two definitions of the same thing share."""
    kin = family(symbol.language)
    is_type = symbol.kind in TYPES
    if kin in _OVERLOADING and not is_type:
        return (symbol.key,)
    # A type may be written in parts in several files, a module once for each system.
    is_spread = kin != "c" and (is_type or symbol.module)
    file = 0 if is_spread else symbol.file
    return (symbol.source, symbol.module, file, symbol.qualified_name)


def _rank(symbol: SymbolCandidate) -> tuple[bool, bool, int]:
    """Order definitions of one name: a type before what extends it, a file last."""
    return symbol.kind == "module", symbol.kind == "extension", symbol.key
