"""Files parsed and joined, for what names across them mean."""

from __future__ import annotations

from collections.abc import Mapping

from devrag.navigation.resolution import (
    TYPES,
    NameUsage,
    Resolution,
    Resolver,
    SymbolCandidate,
)
from devrag.navigation.symbol_table import SymbolTable
from devrag.parsing.api import parse_file
from devrag.parsing.types import FileFacts


class Version:
    """Files parsed and joined, and the answers to their uses.

    A path may begin with the number of another source: `1:a.py`.
    """

    def __init__(self, files: Mapping[str, str]) -> None:
        symbols, imports, slots = [], [], []
        supertypes: dict[int, list[NameUsage]] = {}
        self._uses: dict[tuple[str, str], NameUsage] = {}
        for number, (path, text) in enumerate(files.items()):
            before, _, bare = path.rpartition(":")
            source = int(before or 0)
            facts = parse_file(bare, text)
            place = (number, facts.module, facts.language)
            for s in facts.symbols:
                key = number * 1000 + s.ordinal
                names = (s.kind, s.qualified_name)
                symbols.append(
                    SymbolCandidate(key, *place, *names, source, dict(s.value_types))
                )
            for r in facts.references:
                names = (r.name, r.target, r.via)
                around = _type_around(facts, r.symbol)
                use = NameUsage(*place, *names, around, source)
                self._uses.setdefault((path, f"{r.kind} {r.name}"), use)
                if r.kind == "import":
                    imports.append(use)
                elif r.kind == "slot":
                    slots.append(use)
                elif r.kind in {"inherit", "implement"}:
                    key = number * 1000 + (r.symbol or 0)
                    supertypes.setdefault(key, []).append(use)
        self._symbols = {each.full_name: each for each in symbols}
        self._resolver = Resolver(SymbolTable(symbols, imports, supertypes, slots))

    def resolve(self, path: str, use: str) -> Resolution:
        return self._resolver.resolve(self._uses[path, use])

    def __call__(self, path: str, use: str) -> str:
        found = self.resolve(path, use)
        return f"{found.by} {found.symbol.full_name}" if found.symbol else ""

    def possible(self, path: str, use: str) -> list[str]:
        return [each.full_name for each in self.resolve(path, use).possible]

    def implementations(self, name: str) -> list[str]:
        found = self._resolver.implementations(self._symbols[name])
        return [each.full_name for each in found]


def _type_around(facts: FileFacts, ordinal: int | None) -> str:
    while ordinal is not None:
        symbol = facts.symbols[ordinal]
        if symbol.kind in TYPES:
            return symbol.qualified_name
        ordinal = symbol.parent
    return ""
