"""Which definitions a call of a method may reach below the type it is written for.

Those of subtypes, and of what satisfies an interface by having all of its methods, as
in Go and with Python's protocols. They are possible, not sure: which one runs depends
on the object.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from devrag.navigation.types import TYPES, Lookup, SymbolCandidate, family

# A name that more methods have says too little.
_MOST_METHODS = 300
_PROTOCOL = "Protocol"


class Hierarchy(Protocol):
    """What types inherit, as the resolver decides it."""

    def lineage(self, owner: SymbolCandidate) -> Iterator[SymbolCandidate]:
        """Yield the type and what it inherits from, the nearest first."""

    def member(self, owner: SymbolCandidate, last: str) -> SymbolCandidate | None:
        """Return the member of a type or of what it inherits from."""


class Implementations:
    """Finds implementations within one version."""

    def __init__(self, lookup: Lookup, hierarchy: Hierarchy) -> None:
        self._lookup = lookup
        self._hierarchy = hierarchy
        self._found: dict[tuple[int, str], tuple[SymbolCandidate, ...]] = {}
        self._below: dict[tuple[int, int], bool] = {}
        self._above: dict[int, frozenset[int]] = {}
        self._required: dict[int, frozenset[str]] = {}

    def of(self, declared: SymbolCandidate, last: str) -> tuple[SymbolCandidate, ...]:
        """Return the methods of that name in types below the declared one."""
        place = (declared.key, last)
        if place not in self._found:
            self._found[place] = tuple(self._find(declared, last))
        return self._found[place]

    def types_of(self, declared: SymbolCandidate) -> list[SymbolCandidate]:
        """Return the types that have all methods of a structural interface.

        A type that is written to be a subtype is none of them.
        """
        if not self._is_structural(declared):
            return []
        methods = (
            method
            for name in sorted(self._methods(declared))
            for method in self.of(declared, name)
        )
        owners = dict.fromkeys(o for each in methods for o in self._owners(each))
        return [
            owner
            for owner in owners
            if owner.kind != "interface"
            and declared.key not in self._ancestors(owner)
            and self._is_below(owner, declared)
        ]

    def _find(self, declared: SymbolCandidate, last: str) -> Iterator[SymbolCandidate]:
        kin = family(declared.language)
        named = [
            each
            for each in self._lookup.definitions(last)
            if each.kind == "method" and family(each.language) == kin
        ]
        if len(named) > _MOST_METHODS:
            return
        for each in named:
            owners = [o for o in self._owners(each) if o.kind != "interface"]
            if any(self._is_below(owner, declared) for owner in owners):
                yield each

    def _owners(self, method: SymbolCandidate) -> list[SymbolCandidate]:
        """Return the type that a method belongs to, in each of its parts."""
        name = method.owner
        found = [
            each
            for each in self._lookup.definitions(name.rpartition(".")[2])
            if each.qualified_name == name
            and each.kind in TYPES
            and each.source == method.source
            and (each.file == method.file or each.module == method.module)
        ]
        # An `impl` of another file says nothing of this one's methods.
        return [
            each
            for each in found
            if each.kind != "extension" or each.file == method.file
        ]

    def _is_below(self, owner: SymbolCandidate, declared: SymbolCandidate) -> bool:
        if owner.key == declared.key:
            return False
        place = (owner.key, declared.key)
        if place not in self._below:
            self._below[place] = declared.key in self._ancestors(owner) or (
                self._is_structural(declared) and self._satisfies(owner, declared)
            )
        return self._below[place]

    def _ancestors(self, owner: SymbolCandidate) -> frozenset[int]:
        if owner.key not in self._above:
            above = self._hierarchy.lineage(owner)
            self._above[owner.key] = frozenset(each.key for each in above)
        return self._above[owner.key]

    def _is_structural(self, declared: SymbolCandidate) -> bool:
        if declared.language == "go":
            return declared.kind == "interface"
        return declared.language == "python" and any(
            use.name.rpartition(".")[2] == _PROTOCOL
            for use in self._lookup.supertypes(declared)
        )

    def _satisfies(self, owner: SymbolCandidate, declared: SymbolCandidate) -> bool:
        required = self._methods(declared)
        return bool(required) and all(
            self._hierarchy.member(owner, name) is not None for name in required
        )

    def _methods(self, declared: SymbolCandidate) -> frozenset[str]:
        if declared.key not in self._required:
            self._required[declared.key] = frozenset(
                member.qualified_name.rpartition(".")[2]
                for each in self._hierarchy.lineage(declared)
                for member in self._lookup.members(each)
                if member.kind == "method"
            )
        return self._required[declared.key]
