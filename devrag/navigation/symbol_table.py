"""The symbols and imports of a whole version in memory, for resolving many uses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from devrag.navigation.resolution import Candidate, Usage


class SymbolTable:
    """A Lookup. supertypes: key of a type → its inherit and implement uses."""

    def __init__(
        self,
        symbols: Iterable[Candidate],
        imports: Iterable[Usage],
        supertypes: Mapping[int, Sequence[Usage]],
    ) -> None:
        self._symbols: dict[str, list[Candidate]] = defaultdict(list)
        self._imports: dict[str, list[Usage]] = defaultdict(list)
        self._supertypes = supertypes
        for symbol in symbols:
            last = symbol.qualified_name.rpartition(".")[2]
            self._symbols[last].append(symbol)
        for item in imports:
            self._imports[item.target.rpartition(".")[2]].append(item)

    def definitions(self, last_name: str) -> Sequence[Candidate]:
        """Return the symbols of that name."""
        return self._symbols.get(last_name, ())

    def re_exports(self, last_name: str) -> Sequence[Usage]:
        """Return the imports of that name."""
        return self._imports.get(last_name, ())

    def supertypes(self, symbol: Candidate) -> Sequence[Usage]:
        """Return what the type is written to inherit from and implement."""
        return self._supertypes.get(symbol.key, ())
