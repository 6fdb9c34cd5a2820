"""A folder of code, parsed and joined: the answers that resolution.py compares."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from devrag.navigation.resolution import (
    TYPES,
    NameUsage,
    Resolution,
    Resolver,
    SymbolCandidate,
)
from devrag.navigation.symbol_table import SymbolTable
from devrag.parsing.api import parse_file
from devrag.parsing.types import FileFacts, ReferenceFacts, SymbolFacts

# An empty target of these is no name.
_UNKNOWN = ("", "local")


class CodeGraph:
    """The files below a root, in the terms that a resolver takes."""

    def __init__(self, root: Path, paths: list[Path]) -> None:
        self.root = root
        self.files: dict[int, FileFacts] = {}
        self.symbols: dict[int, tuple[int, SymbolFacts]] = {}
        for number, path in enumerate(paths):
            text = path.read_text("utf-8", "replace")
            self.files[number] = parse_file(path.relative_to(root).as_posix(), text)
        self._numbers = {facts.path: n for n, facts in self.files.items()}
        self._resolver = Resolver(self._table())

    def resolve(self, facts: FileFacts, reference: ReferenceFacts) -> Resolution:
        """Return what a use means."""
        return self._resolver.resolve(self._usage(facts, reference))

    def references(self, kind: str) -> Iterator[tuple[FileFacts, ReferenceFacts]]:
        """Yield the uses of a kind."""
        for facts in self.files.values():
            for reference in facts.references:
                if reference.kind == kind:
                    yield facts, reference

    def stands_at(self, symbol: SymbolCandidate, path: str, line: int) -> bool:
        """Return whether a line is one of the symbol's."""
        number, found = self.symbols[symbol.key]
        is_there = found.start_line <= line <= found.end_line
        return self.files[number].path == path and is_there

    def _table(self) -> SymbolTable:
        candidates, imports, slots = [], [], []
        supertypes: dict[int, list[NameUsage]] = {}
        for number, facts in self.files.items():
            first = len(self.symbols)
            for symbol in facts.symbols:
                self.symbols[first + symbol.ordinal] = (number, symbol)
                candidates.append(self._candidate(number, facts, symbol, first))
            for reference in facts.references:
                use = self._usage(facts, reference)
                if reference.kind == "import":
                    imports.append(use)
                elif reference.kind == "slot":
                    slots.append(use)
                elif reference.kind in {"inherit", "implement"}:
                    key = first + (reference.symbol or 0)
                    supertypes.setdefault(key, []).append(use)
        return SymbolTable(candidates, imports, supertypes, slots)

    def _candidate(
        self, number: int, facts: FileFacts, symbol: SymbolFacts, first: int
    ) -> SymbolCandidate:
        return SymbolCandidate(
            key=first + symbol.ordinal,
            file=number,
            module=facts.module,
            language=facts.language,
            kind=symbol.kind,
            qualified_name=symbol.qualified_name,
            value_types=dict(symbol.value_types),
        )

    def _usage(self, facts: FileFacts, reference: ReferenceFacts) -> NameUsage:
        target = reference.target
        if reference.via not in _UNKNOWN:
            target = target or reference.name
        return NameUsage(
            file=self._numbers[facts.path],
            module=facts.module,
            language=facts.language,
            name=reference.name,
            target=target,
            via=reference.via,
            type_name=_type_around(facts, reference),
        )


def _type_around(facts: FileFacts, reference: ReferenceFacts) -> str:
    ordinal = reference.symbol
    while ordinal is not None:
        symbol = facts.symbols[ordinal]
        if symbol.kind in TYPES:
            return symbol.qualified_name
        ordinal = symbol.parent
    return ""
