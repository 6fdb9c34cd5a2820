"""The symbols and imports of a whole version in memory, for resolving many uses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from devrag.navigation.resolution import NameUsage, SymbolCandidate


class SymbolTable:
    """A Lookup. supertypes: key of a type → its inherit and implement uses."""

    def __init__(
        self,
        symbols: Iterable[SymbolCandidate],
        imports: Iterable[NameUsage],
        supertypes: Mapping[int, Sequence[NameUsage]],
    ) -> None:
        self._symbols: dict[str, list[SymbolCandidate]] = defaultdict(list)
        self._imports: dict[str, list[NameUsage]] = defaultdict(list)
        self._supertypes = supertypes
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
