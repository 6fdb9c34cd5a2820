"""Definitions of a name by where they lie: file, module, package, opened modules."""

from __future__ import annotations

from collections.abc import Container, Iterator

from devrag.navigation.candidate_choice import choose_only
from devrag.navigation.types import (
    UNRESOLVED,
    Lookup,
    NameUsage,
    Resolution,
    SymbolCandidate,
    family,
    nearest,
)


class DefinedNames:
    """Finds definitions for the file that uses a name, within one version."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup

    def named(self, use: NameUsage, name: str) -> Iterator[SymbolCandidate]:
        """Yield definitions whose last name is the name's, in languages that fit."""
        wanted = family(use.language)
        for each in self._lookup.definitions(name.rpartition(".")[2]):
            if family(each.language) == wanted:
                yield each

    def in_file(self, use: NameUsage, name: str) -> list[SymbolCandidate]:
        return [
            each
            for each in self.named(use, name)
            if each.file == use.file and each.qualified_name == name
        ]

    def packaged(self, use: NameUsage, name: str) -> list[SymbolCandidate]:
        """Return what files of the same module or package define by that name.

        In C# that goes on to the namespaces around it.
        """
        named = [e for e in self.named(use, name) if e.source == use.source]
        module = use.module
        while True:
            whole = f"{module}.{name}" if module else name
            found = [
                each
                for each in named
                if each.module in {module, ""} and each.full_name == whole
            ]
            if found or not module or use.language != "csharp":
                return found
            module = module.rpartition(".")[0]

    def in_spaces(
        self, use: NameUsage, last: str, spaces: Container[str]
    ) -> Resolution:
        """Find what lies directly in modules whose every name is imported."""
        if not spaces:
            return UNRESOLVED
        found = [each for each in self.named(use, last) if each.space in spaces]
        return choose_only(nearest(use, found), "import")
