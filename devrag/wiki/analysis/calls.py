"""Which symbol uses which: references resolved to symbols.

A call on an object whose type is unknown (`x.save()`) is left out: a missing edge costs
a sentence, a wrong one costs the reader's trust. What a call may reach through an
interface, an override or a table is an edge of its own that is marked as possible.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from devrag.navigation.import_names import ImportNames
from devrag.navigation.resolution import (
    BY_NAME,
    TYPES,
    NameUsage,
    Resolver,
    SymbolCandidate,
)
from devrag.navigation.symbol_table import SymbolTable
from devrag.wiki.analysis.survey import (
    Survey,
    SurveyFile,
    SurveyReference,
    SurveySymbol,
)

_NO_USES = frozenset({"import", "slot"})


@dataclass(frozen=True, slots=True)
class ResolvedUse:
    """A resolved reference: `source` (None = module level of `file`) uses `target`.

    is_possible: the target is one of several that may run there, such as an
    implementation of the method that is called.
    """

    file: int
    source: int | None
    target: int
    kind: str
    line: int
    is_possible: bool = False


class CallSymbols:
    """Finds the symbol that a reference of the survey means."""

    def __init__(self, survey: Survey) -> None:
        self._files = {file.id: file for file in survey.files}
        self._symbols = {symbol.id: symbol for symbol in survey.symbols}
        names = dict.fromkeys(file.source for file in survey.files)
        self._sources = {name: number for number, name in enumerate(names)}
        self._type_around = cache(self._find_type_around)
        self._imports: dict[int, list[str]] = defaultdict(list)
        table = self._table(survey)
        self._resolver = Resolver(table)
        self.import_names = ImportNames(table)

    def target(self, reference: SurveyReference) -> SurveySymbol | None:
        """Return the symbol that is surely meant, else None."""
        return self._found(self.usage(reference))

    def targets(
        self, reference: SurveyReference
    ) -> tuple[SurveySymbol | None, list[SurveySymbol]]:
        """Return the symbol that is surely meant, and those that may run besides.

        A guess by nothing but the name is none of them.
        """
        found = self._resolver.resolve(self.usage(reference))
        possible = () if found.by == BY_NAME else found.possible
        sure = self._symbols[found.symbol.key] if found.symbol is not None else None
        return sure, [self._symbols[each.key] for each in possible]

    def implementations(self, symbol: SurveySymbol) -> list[SurveySymbol]:
        """Return the types that satisfy an interface without naming it."""
        found = self._resolver.implementations(self._candidate(symbol))
        return [self._symbols[each.key] for each in found]

    def imported(self, file: int, name: str, language: str) -> SurveySymbol | None:
        """Return what a file of the language would import by that full name."""
        at = self._files[file]
        source = self._sources[at.source]
        use = NameUsage(file, "", language, name, name, "import", source=source)
        return self._found(use)

    def named(self, file: int, name: str) -> SurveySymbol | None:
        """Return what a name stands for that only its file's imports can tell."""
        root, dot, rest = name.partition(".")
        paths = {p for p in self._imports[file] if p.rpartition(".")[2] == root}
        if len(paths) != 1:
            return None
        language = self._files[file].language
        return self.imported(file, paths.pop() + dot + rest, language)

    def _found(self, use: NameUsage) -> SurveySymbol | None:
        found = self._resolver.resolve(use).symbol
        return self._symbols[found.key] if found is not None else None

    def _table(self, survey: Survey) -> SymbolTable:
        imports, slots = [], []
        supertypes: dict[int, list[NameUsage]] = defaultdict(list)
        for reference in survey.references:
            if reference.kind == "import":
                imports.append(self.usage(reference))
                self._imports[reference.file].append(reference.name)
            elif reference.kind == "slot":
                slots.append(self.usage(reference))
            elif reference.kind in {"inherit", "implement"} and reference.symbol:
                supertypes[reference.symbol].append(self.usage(reference))
        candidates = map(self._candidate, survey.symbols)
        return SymbolTable(candidates, imports, supertypes, slots)

    def _candidate(self, symbol: SurveySymbol) -> SymbolCandidate:
        file = self._files[symbol.file]
        return SymbolCandidate(
            key=symbol.id,
            file=symbol.file,
            module=file.module,
            language=file.language,
            kind=symbol.kind,
            qualified_name=symbol.qualified_name,
            source=self._sources[file.source],
            value_types=symbol.value_types,
        )

    def usage(self, reference: SurveyReference) -> NameUsage:
        """Return the reference as the resolver takes it."""
        file = self._files[reference.file]
        return NameUsage(
            file=reference.file,
            module=file.module,
            language=file.language,
            name=reference.name,
            target=reference.target or reference.name,
            via=reference.via,
            type_name=self._type_around(reference.symbol),
            source=self._sources[file.source],
        )

    def _find_type_around(self, symbol_id: int | None) -> str:
        while symbol_id is not None:
            symbol = self._symbols[symbol_id]
            if symbol.kind in TYPES:
                return symbol.qualified_name
            symbol_id = symbol.parent
        return ""


def resolve_uses(survey: Survey, symbols: CallSymbols) -> list[ResolvedUse]:
    """Resolve calls, base classes, types and decorators to symbols of the product."""
    modules = {symbol.id for symbol in survey.symbols if symbol.kind == "module"}
    uses = []
    for reference in survey.references:
        if reference.kind in _NO_USES:
            continue
        sure, possible = symbols.targets(reference)
        source = None if reference.symbol in modules else reference.symbol
        place = (reference.kind, reference.line)
        for target in filter(None, (sure, *possible)):
            if target.id != reference.symbol and target.id not in modules:
                is_possible = target is not sure
                edge = (reference.file, source, target.id)
                uses.append(ResolvedUse(*edge, *place, is_possible))
    return uses


def members_of(
    symbols: Iterable[SurveySymbol], files: Mapping[int, SurveyFile]
) -> dict[int, list[SurveySymbol]]:
    """Return type → its members, also those that stand apart from it.

    In Go and Rust methods are defined beside the type, in its module.
    """
    found: dict[int, list[SurveySymbol]] = defaultdict(list)
    types: dict[tuple[str, str, str], int] = {}
    apart: list[SurveySymbol] = []
    for symbol in symbols:
        home = _home(files[symbol.file])
        if symbol.kind in TYPES and symbol.kind != "extension":
            types.setdefault((*home, symbol.qualified_name), symbol.id)
        if symbol.parent is not None:
            found[symbol.parent].append(symbol)
        if symbol.kind == "method":
            apart.append(symbol)
    for symbol in apart:
        owner = symbol.qualified_name.rpartition(".")[0]
        key = (*_home(files[symbol.file]), owner)
        known = types.get(key)
        if known is not None and known != symbol.parent:
            found[known].append(symbol)
    return dict(found)


def _home(file: SurveyFile) -> tuple[str, str]:
    """Return the source and what stands together: a directory of Go, else a file."""
    return file.source, file.directory if file.language == "go" else file.path


def use_edges(uses: Iterable[ResolvedUse]) -> dict[int, dict[int, float]]:
    """Return symbol → symbol → number of uses; module-level uses have no source."""
    edges: dict[int, dict[int, float]] = defaultdict(dict)
    for use in uses:
        if use.source is not None:
            known = edges[use.source]
            known[use.target] = known.get(use.target, 0.0) + 1
    return dict(edges)
