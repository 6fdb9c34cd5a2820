"""Which file imports which: import references resolved to files of the product.

A name leads to the file that defines it; a module of many files (a package of Go, a
namespace of C#) to those of which the importing file uses something. What could be two
files is foreign and stays out, so that a diagram never shows a dependency that is not
there.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from devrag.navigation.resolution import family
from devrag.wiki.analysis.calls import CallSymbols, ResolvedUse
from devrag.wiki.analysis.survey import Survey, SurveyFile, SurveyReference

# What may be left out of a path that is imported.
_ENDINGS = {"ruby": ("", ".rb"), "php": ("",), "bash": ("",), "c": ("",)}
# There a file of that name may be in any folder that the build knows.
_SEARCHED = frozenset({"c", "ruby"})
# There only whole modules are imported, or one name of a module.
_LEAST_PARTS = {"go": 0, "javascript": 1}


@dataclass(frozen=True, slots=True)
class FileImport:
    """One resolved import. symbol: what a use leads to that needs no import."""

    file: int
    target: int
    name: str
    line: int
    symbol: int | None = None


def resolve_imports(
    survey: Survey, symbols: CallSymbols, uses: Iterable[ResolvedUse]
) -> list[FileImport]:
    """Resolve every import reference that names a file of the product."""
    files = _Files(survey, symbols, uses)
    return [
        FileImport(reference.file, target, reference.name, reference.line)
        for reference in survey.references
        if reference.kind == "import"
        for target in sorted(files.meant_by(reference))
    ]


def import_edges(imports: Iterable[FileImport]) -> dict[int, dict[int, float]]:
    """Return file → file → number of imports, without files importing themselves."""
    edges: dict[int, dict[int, float]] = defaultdict(dict)
    for item in imports:
        if item.file != item.target:
            known = edges[item.file]
            known[item.target] = known.get(item.target, 0.0) + 1
    return dict(edges)


class _Files:
    """Finds the files that imports lead to."""

    def __init__(
        self, survey: Survey, symbols: CallSymbols, uses: Iterable[ResolvedUse]
    ) -> None:
        self._symbols = symbols
        self._files = {file.id: file for file in survey.files}
        self._paths = {(file.source, file.path): file.id for file in survey.files}
        self._modules: dict[tuple[str, str, str], set[int]] = defaultdict(set)
        self._named: dict[tuple[str, str], list[SurveyFile]] = defaultdict(list)
        self._used: dict[int, set[int]] = defaultdict(set)
        for file in survey.files:
            kin = family(file.language)
            self._modules[file.source, kin, file.module].add(file.id)
            self._named[kin, file.name].append(file)
        places = {symbol.id: symbol.file for symbol in survey.symbols}
        for use in uses:
            self._used[use.file].add(places[use.target])
        for reference in survey.references:
            if reference.via == "import" and reference.kind == "call":
                self._used[reference.file] |= self._called_through(reference)

    def _called_through(self, reference: SurveyReference) -> set[int]:
        """Return the file of the variable a call goes through: `log.Std.Print()`.

        Elsewhere such a variable is imported by name.
        """
        if self._files[reference.file].language != "go":
            return set()
        owner = reference.target.rpartition(".")[0]
        found = self._symbols.imported(reference.file, owner, "go")
        return {found.file} if found is not None else set()

    def meant_by(self, reference: SurveyReference) -> set[int]:
        """Return the files that the import leads to."""
        file = self._files[reference.file]
        if reference.via == "path":
            return set(self._at_path(file, reference.name))
        if reference.via == "foreign":
            return set()
        target = self._symbols.target(reference)
        if target is not None:
            return {target.file}
        return self._in_module(file, reference)

    def _in_module(self, file: SurveyFile, reference: SurveyReference) -> set[int]:
        """Return a module's only file, else those of its files that are used."""
        use = self._symbols.usage(reference)
        kin = family(file.language)
        for name in _shorter(reference.name, _LEAST_PARTS.get(kin, 9)):
            symbol = self._symbols.imported(file.id, name, file.language)
            if symbol is not None and symbol.kind == "module":
                return {symbol.file}
            for module in self._symbols.import_names.written(use, name):
                found = self._modules.get((file.source, kin, module), set())
                if found:
                    return found if len(found) == 1 else found & self._used[file.id]
        return set()

    def _at_path(self, file: SurveyFile, name: str) -> Iterator[int]:
        kin = family(file.language)
        beside = posixpath.normpath(posixpath.join(file.directory, name))
        for base in (beside, name):
            for ending in _ENDINGS.get(kin, ("",)):
                target = self._paths.get((file.source, base + ending))
                if target is not None:
                    yield target
                    return
        if kin in _SEARCHED:
            yield from self._searched(file, kin, name)

    def _searched(self, file: SurveyFile, kin: str, name: str) -> Iterator[int]:
        """Look for the only file of that path in any folder, or in Ruby's `lib`."""
        path = name + _ENDINGS[kin][-1]
        end = f"/{path}" if kin == "c" or "/" in name else f"lib/{path}"
        found = [
            each
            for each in self._named[kin, posixpath.basename(path)]
            if f"/{each.path}".endswith(end)
        ]
        own = [each for each in found if each.source == file.source] or found
        if len(own) == 1:
            yield own[0].id


def _shorter(name: str, most: int) -> Iterator[str]:
    """Yield the name, then without its last parts: what they name is in a module."""
    name = name.removesuffix(".*")
    while name and most >= 0:
        yield name
        name = name.rpartition(".")[0]
        most -= 1
