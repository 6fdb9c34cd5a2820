"""Names that are used and symbols they may mean, as the resolver sees both."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

TYPES = frozenset({"class", "interface", "enum", "extension", "type"})
# Families where a bare name may mean a member of the type around it.
IMPLICIT = frozenset({"java", "csharp", "c", "swift", "ruby", "php"})
_FAMILIES = (
    ("javascript", "typescript", "tsx", "jsx", "vue", "svelte"),
    ("java", "kotlin", "scala", "groovy"),
    ("c", "cpp", "objc"),
)
_FAMILY = {name: names[0] for names in _FAMILIES for name in names}


def family(language: str) -> str:
    """Return what languages that use each other's definitions have in common."""
    return _FAMILY.get(language, language)


def languages_of(families: Collection[str]) -> set[str]:
    """Return the languages of these families."""
    members = {name for name, first in _FAMILY.items() if first in families}
    return members.union(families)


@dataclass(frozen=True, slots=True)
class SymbolCandidate:
    """A symbol that a name may mean.

    key: whatever the caller finds it by. source: where several are looked at together,
    the one it is in. value_types: as in SymbolFacts.
    """

    key: int
    file: int
    module: str
    language: str
    kind: str
    qualified_name: str
    source: int = 0
    value_types: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def full_name(self) -> str:
        """The name by which other files import it."""
        if self.kind == "module" or not self.module:
            return self.qualified_name
        return f"{self.module}.{self.qualified_name}"

    @property
    def space(self) -> str:
        """What holds it: the full name without its last part."""
        return self.full_name.rpartition(".")[0]

    @property
    def owner(self) -> str:
        """The qualified name of what it is a member of, '' for none."""
        return self.qualified_name.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class NameUsage:
    """A use in its place; type_name: the qualified name of the type around it.

    target, via: as in ReferenceFacts, the target filled in where it is the name.
    """

    file: int
    module: str
    language: str
    name: str
    target: str = ""
    via: str = ""
    type_name: str = ""
    source: int = 0


@dataclass(frozen=True, slots=True)
class Resolution:
    """The symbol that is meant or None, by which rule, and how many it could be.

    possible: what may run instead, or where nothing is sure at all: implementations of
    what is called, each value that the object may have, the only method of that name.
    """

    symbol: SymbolCandidate | None = None
    by: str = ""
    candidates: int = 0
    possible: tuple[SymbolCandidate, ...] = ()


UNRESOLVED = Resolution()


class Lookup(Protocol):
    """What a version holds, asked by the last part of names."""

    def definitions(self, last_name: str) -> Sequence[SymbolCandidate]:
        """Return the symbols of that name."""

    def re_exports(self, last_name: str) -> Sequence[NameUsage]:
        """Return the imports of that name: a module passes on what it imports.

        Those of everything in a module have the name `*`.
        """

    def supertypes(self, symbol: SymbolCandidate) -> Sequence[NameUsage]:
        """Return what the type is written to inherit from and implement."""

    def members(self, symbol: SymbolCandidate) -> Sequence[SymbolCandidate]:
        """Return what is defined directly within a symbol."""

    def slots(self, place: str) -> Sequence[NameUsage]:
        """Return the names that tables put into a field: `struct.field`."""


def nearest(
    use: NameUsage, found: Sequence[SymbolCandidate]
) -> Sequence[SymbolCandidate]:
    """Return those of the use's own source, or of none there all of them."""
    return [each for each in found if each.source == use.source] or found
