"""Members of types, their own and inherited ones, within one version."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from devrag.navigation.candidate_choice import choose_only
from devrag.navigation.types import (
    TYPES,
    UNRESOLVED,
    Lookup,
    NameUsage,
    Resolution,
    SymbolCandidate,
    family,
)

_MOST_LEVELS = 8


class TypeMembers:
    """Finds members. meaning: returns what the name of a supertype surely means."""

    def __init__(
        self,
        lookup: Lookup,
        meaning: Callable[[NameUsage], SymbolCandidate | None],
    ) -> None:
        self._lookup, self._meaning = lookup, meaning
        self._climbed: set[int] = set()
        self._supertypes: dict[int, Sequence[SymbolCandidate]] = {}

    @property
    def is_climbing(self) -> bool:
        """Whether a supertype is being looked for: what is found now is not all."""
        return bool(self._climbed)

    def find(
        self, owner: SymbolCandidate | None, last: str, by: str, is_above: bool = False
    ) -> Resolution:
        """Find a member of a type or of what it inherits from, the nearest first."""
        if owner is None:
            return UNRESOLVED
        for depth, level in enumerate(self._levels([owner])):
            if is_above and not depth:
                continue
            found = [m for each in level for m in self._members(each, last)]
            if found:
                return choose_only(found, by)
        return UNRESOLVED

    def lineage(self, owner: SymbolCandidate) -> Iterator[SymbolCandidate]:
        """Yield the type and what it inherits from, the nearest first."""
        for level in self._levels([owner]):
            yield from level

    def _levels(self, level: list[SymbolCandidate]) -> Iterator[list[SymbolCandidate]]:
        """Yield types, then what they inherit from, and so on, each once."""
        seen = {each.key for each in level}
        for _ in range(_MOST_LEVELS):
            if not level:
                return
            yield level
            above = [s for each in level for s in self._above(each)]
            level = list({e.key: e for e in above if e.key not in seen}.values())
            seen.update(each.key for each in level)

    def _members(self, owner: SymbolCandidate, last: str) -> Iterator[SymbolCandidate]:
        name = f"{owner.qualified_name}.{last}"
        kin = family(owner.language)
        for each in self._lookup.definitions(last):
            if each.qualified_name != name or family(each.language) != kin:
                continue
            is_near = each.module == owner.module and each.source == owner.source
            if each.file == owner.file or is_near:
                yield each

    def _above(self, symbol: SymbolCandidate) -> Sequence[SymbolCandidate]:
        if symbol.key in self._supertypes:
            return self._supertypes[symbol.key]
        # `class C(C.Base)`: what it inherits from is not in what it inherits.
        if symbol.key in self._climbed:
            return ()
        is_whole = not self._climbed
        self._climbed.add(symbol.key)
        found = []
        for use in self._lookup.supertypes(symbol):
            # What a type inherits from is not looked for in what it inherits.
            meant = self._meaning(replace(use, type_name=""))
            if meant is not None and meant.kind in TYPES and meant.key != symbol.key:
                found.append(meant)
        self._climbed.discard(symbol.key)
        if is_whole:
            self._supertypes[symbol.key] = found
        return found
