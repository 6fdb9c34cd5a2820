"""The symbols and imports of a whole version in memory, for resolving many uses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from devrag.navigation.resolution import NameUsage, SymbolCandidate


class SymbolTable:
    """A Lookup. supertypes: key of a type → its inherit and implement uses.

    slots: the uses of that kind.
    """

    def __init__(
        self,
        symbols: Iterable[SymbolCandidate],
        imports: Iterable[NameUsage],
        supertypes: Mapping[int, Sequence[NameUsage]],
        slots: Iterable[NameUsage] = (),
    ) -> None:
        self._symbols: dict[str, list[SymbolCandidate]] = defaultdict(list)
        self._imports: dict[str, list[NameUsage]] = defaultdict(list)
        self._supertypes = supertypes
        self._slots: dict[str, list[NameUsage]] = defaultdict(list)
        for use in slots:
            self._slots[use.target].append(use)
        for symbol in symbols:
            last = symbol.qualified_name.rpartition(".")[2]
            self._symbols[last].append(symbol)
        for item in imports:
            self._imports[item.target.rpartition(".")[2]].append(item)

    def definitions(self, last_name: str) -> Sequence[SymbolCandidate]:
        """Return the symbols of that name."""
        return self._symbols.get(last_name, ())

    def re_exports(self, last_name: str) -> Sequence[NameUsage]:
        """Return the imports of that name."""
        return self._imports.get(last_name, ())

    def supertypes(self, symbol: SymbolCandidate) -> Sequence[NameUsage]:
        """Return what the type is written to inherit from and implement."""
        return self._supertypes.get(symbol.key, ())

    def members(self, symbol: SymbolCandidate) -> Sequence[SymbolCandidate]:
        """Return what is defined directly within a symbol."""
        return self._members.get((symbol.file, symbol.qualified_name), ())

    def slots(self, place: str) -> Sequence[NameUsage]:
        """Return the names that tables put into a field."""
        return self._slots.get(place, ())

    @cached_property
    def _members(self) -> dict[tuple[int, str], list[SymbolCandidate]]:
        found: dict[tuple[int, str], list[SymbolCandidate]] = defaultdict(list)
        for symbols in self._symbols.values():
            for symbol in symbols:
                if symbol.owner:
                    found[symbol.file, symbol.owner].append(symbol)
        return dict(found)
