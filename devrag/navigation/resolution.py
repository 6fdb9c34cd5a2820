"""Which symbol a used name means, decided over one version of a source.

In the order of certainty: its own file, what it imports, the type around it or written
at a parameter, its package, modules that are imported whole, and the only definition of
that name. What could mean two things means none; the answer counts them. Where several
sources are looked at together, a name's own source comes first.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace

from devrag.navigation.import_names import ImportNames
from devrag.navigation.opened_modules import OpenedModules
from devrag.navigation.types import (
    TYPES,
    UNRESOLVED,
    Lookup,
    NameUsage,
    Resolution,
    SymbolCandidate,
    family,
    nearest,
)

__all__ = ["TYPES", "Lookup", "NameUsage", "Resolution", "Resolver", "SymbolCandidate"]

# There a bare name may be defined in any file of the program, without an import.
_GLOBAL = frozenset(["c", "php", "ruby", "bash", "lua", "swift"])
# There a bare call may mean a method of the type around it.
_IMPLICIT = frozenset(["java", "csharp", "c", "swift", "ruby", "php"])
# There the same name may have several definitions that are called differently.
_OVERLOADING = frozenset(["java", "csharp", "c", "swift"])
# How names are bound that are no symbols of the version.
_CLOSED = frozenset(["local", "foreign", "path"])
_MOST_HOPS = 8


class Resolver:
    """Resolves uses with one lookup."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._climbed: set[int] = set()
        self._imports = ImportNames(lookup)
        self._opened = OpenedModules(lookup)

    def resolve(self, use: NameUsage) -> Resolution:
        """Return the symbol that is surely meant."""
        last = (use.target or use.name).rpartition(".")[2]
        if use.via in _CLOSED or not self._lookup.definitions(last):
            return UNRESOLVED
        if use.via == "file":
            return _only(self._in_file(use, use.target), "file")
        if use.via == "import":
            return self._imported(use, use.target, _MOST_HOPS)
        if use.via in {"member", "super", "type"}:
            head, _, last = use.target.rpartition(".")
            is_above = use.via == "super"
            return self._through(self._type(use, head), last, use.via, is_above)
        return self._open(use)

    def _named(self, use: NameUsage, name: str) -> Iterator[SymbolCandidate]:
        """Yield definitions whose last name is the name's, in languages that fit."""
        wanted = family(use.language)
        for each in self._lookup.definitions(name.rpartition(".")[2]):
            if family(each.language) == wanted:
                yield each

    def _in_file(self, use: NameUsage, name: str) -> list[SymbolCandidate]:
        return [
            each
            for each in self._named(use, name)
            if each.file == use.file and each.qualified_name == name
        ]

    def _imported(self, use: NameUsage, name: str, hops: int) -> Resolution:
        found = self._imports.meant(use, name, self._named(use, name))
        if found:
            return _only(found, "import")
        head, _, last = name.rpartition(".")
        if not head or not hops:
            return UNRESOLVED
        owner = self._imported(use, head, hops - 1).symbol
        if owner is not None and owner.kind in TYPES:
            return self._through(owner, last, "import")
        if use.language == "rust":
            return self._passed_on(use, self._imports.written(use, head), last, hops)
        if owner is not None and owner.kind == "module":
            return self._passed_on(use, (owner.qualified_name,), last, hops)
        return UNRESOLVED

    def _passed_on(
        self, use: NameUsage, modules: Iterable[str], last: str, hops: int
    ) -> Resolution:
        """Follow a name through the modules that import it for others."""
        spaces = frozenset().union(*map(self._opened.behind, modules))
        holders = spaces.union(modules)
        onward = {
            each.target: each
            for each in self._lookup.re_exports(last)
            if each.module in holders
            and each.file != use.file
            and family(each.language) == family(use.language)
            and each.target != f"{each.module}.{last}"
        }
        if not onward:
            return self._in_spaces(use, last, spaces)
        if len(onward) > 1:
            return Resolution(candidates=len(onward))
        target, through = onward.popitem()
        return self._imported(through, target, hops - 1)

    def _in_spaces(
        self, use: NameUsage, last: str, spaces: Container[str]
    ) -> Resolution:
        """Find what lies directly in modules whose every name is imported."""
        if not spaces:
            return UNRESOLVED
        found = [each for each in self._named(use, last) if each.space in spaces]
        return _only(nearest(use, found), "import")

    def _type(self, use: NameUsage, name: str) -> SymbolCandidate | None:
        """Return the type of that name as the use sees it."""
        for found in (self._in_file(use, name), self._packaged(use, name)):
            types = [each for each in found if each.kind in TYPES]
            # An extension stands beside the type itself.
            if types:
                return min(types, key=lambda each: each.kind == "extension")
        if "." in name:
            symbol = self._imported(use, name, _MOST_HOPS).symbol
        else:
            symbol = self._in_spaces(use, name, self._opened.by(use)).symbol
        return symbol if symbol and symbol.kind in TYPES else None

    def _packaged(self, use: NameUsage, name: str) -> list[SymbolCandidate]:
        """Return what files of the same module or package define by that name.

        In C# that goes on to the namespaces around it.
        """
        named = [e for e in self._named(use, name) if e.source == use.source]
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

    def _through(
        self, owner: SymbolCandidate | None, last: str, by: str, is_above: bool = False
    ) -> Resolution:
        """Find a member of a type or of what it inherits from, the nearest first."""
        level = [owner] if owner else []
        if is_above:
            level = [above for each in level for above in self._above(each)]
        seen = {each.key for each in level}
        for _ in range(_MOST_HOPS):
            found = [m for each in level for m in self._members(each, last)]
            if found:
                return _only(found, by)
            above = [s for each in level for s in self._above(each)]
            level = [each for each in above if each.key not in seen]
            seen.update(each.key for each in level)
        return UNRESOLVED

    def _members(self, owner: SymbolCandidate, last: str) -> Iterator[SymbolCandidate]:
        name = f"{owner.qualified_name}.{last}"
        kin = family(owner.language)
        for each in self._lookup.definitions(last):
            if each.qualified_name != name or family(each.language) != kin:
                continue
            is_near = each.module == owner.module and each.source == owner.source
            if each.file == owner.file or is_near:
                yield each

    def _above(self, symbol: SymbolCandidate) -> Iterator[SymbolCandidate]:
        # `class C(C.Base)`: what it inherits from is not in what it inherits.
        if symbol.key in self._climbed:
            return
        self._climbed.add(symbol.key)
        for use in self._lookup.supertypes(symbol):
            # What a type inherits from is not looked for in what it inherits.
            found = self.resolve(replace(use, type_name="")).symbol
            if found is not None and found.kind in TYPES and found.key != symbol.key:
                yield found
        self._climbed.discard(symbol.key)

    def _open(self, use: NameUsage) -> Resolution:
        """Resolve a name that its file says nothing about."""
        head, _, last = use.name.rpartition(".")
        if head:
            return self._dotted(use, head, last) if _is_plain(head) else UNRESOLVED
        kin = family(use.language)
        if kin in _IMPLICIT and use.type_name:
            around = self._type(use, use.type_name)
            inherited = self._through(around, last, "member")
            if inherited.symbol or inherited.candidates:
                return inherited
        if found := self._packaged(use, last):
            return _only(found, "package")
        opened = self._in_spaces(use, last, self._opened.by(use))
        if opened.symbol or opened.candidates or kin not in _GLOBAL:
            return opened
        everywhere = [e for e in self._named(use, last) if e.kind != "method"]
        if kin == "php":
            # What is not found in its namespace is looked for outside all of them.
            everywhere = [each for each in everywhere if each.full_name == last]
        return _only(nearest(use, everywhere), "unique")

    def _dotted(self, use: NameUsage, head: str, last: str) -> Resolution:
        """Resolve a member of something that is neither imported nor local."""
        if found := self._packaged(use, use.name):
            return _only(found, "package")
        if (owner := self._type(use, head)) is not None:
            return self._through(owner, last, "package")
        if use.language == "rust":
            return self._imported(use, use.name, _MOST_HOPS)
        return UNRESOLVED


def _only(found: Iterable[SymbolCandidate], by: str) -> Resolution:
    """Take the one that is left; of several none."""
    pool = list(found)
    if len(pool) > 1:
        kept = {_place(each): each for each in sorted(pool, key=_rank, reverse=True)}
        pool = list(kept.values())
    if len(pool) == 1:
        return Resolution(pool[0], by, 1)
    return Resolution(candidates=len(pool))


def _place(symbol: SymbolCandidate) -> tuple[object, ...]:
    """Return what two definitions of the same thing share."""
    kin = family(symbol.language)
    is_type = symbol.kind in TYPES
    if kin in _OVERLOADING and not is_type:
        return (symbol.key,)
    # A type may be written in parts in several files, a module once for each system.
    is_spread = kin != "c" and (is_type or symbol.module)
    file = 0 if is_spread else symbol.file
    return (symbol.source, symbol.module, file, symbol.qualified_name)


def _rank(symbol: SymbolCandidate) -> tuple[bool, int]:
    """Order definitions of one thing: the type itself before what extends it."""
    return symbol.kind == "extension", symbol.key


def _is_plain(name: str) -> bool:
    return "(" not in name and "[" not in name
