"""Which symbol a used name means, decided over one version of a source.

In the order of certainty: its own file, what it imports, the type around it or written
at a parameter, its package, and the only definition of that name. What could mean two
things means none; the answer counts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

TYPES = frozenset({"class", "interface", "enum", "extension", "type"})
_FAMILIES = (
    ("javascript", "typescript", "tsx", "jsx", "vue", "svelte"),
    ("java", "kotlin", "scala", "groovy"),
    ("c", "cpp", "objc"),
)
_FAMILY = {name: names[0] for names in _FAMILIES for name in names}
# There a bare name may be defined in any file of the program, without an import.
_GLOBAL = frozenset(["c", "php", "ruby", "bash", "lua", "swift"])
# There a bare call may mean a method of the type around it.
_IMPLICIT = frozenset(["java", "csharp", "cpp", "swift", "ruby", "php"])
_MOST_HOPS = 8


def family(language: str) -> str:
    """Return what languages that use each other's definitions have in common."""
    return _FAMILY.get(language, language)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A symbol that a name may mean. key: whatever the caller finds it by."""

    key: int
    file: int
    module: str
    language: str
    kind: str
    qualified_name: str

    @property
    def full_name(self) -> str:
        """The name by which other files import it."""
        if self.kind == "module" or not self.module:
            return self.qualified_name
        return f"{self.module}.{self.qualified_name}"


@dataclass(frozen=True, slots=True)
class Usage:
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


@dataclass(frozen=True, slots=True)
class Resolution:
    """The symbol that is meant or None, by which rule, and how many it could be."""

    symbol: Candidate | None = None
    by: str = ""
    candidates: int = 0


UNRESOLVED = Resolution()


class Lookup(Protocol):
    """What a version holds, asked by the last part of names."""

    def definitions(self, last_name: str) -> Sequence[Candidate]:
        """Return the symbols of that name."""

    def re_exports(self, last_name: str) -> Sequence[Usage]:
        """Return the imports of that name: a module passes on what it imports."""

    def supertypes(self, symbol: Candidate) -> Sequence[Usage]:
        """Return what the type is written to inherit from and implement."""


class Resolver:
    """Resolves uses with one lookup."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._climbed: set[int] = set()

    def resolve(self, use: Usage) -> Resolution:
        """Return the symbol that is surely meant."""
        if use.via == "file":
            return _only(self._in_file(use, use.target), "file")
        if use.via == "import":
            return self._imported(use, use.target, _MOST_HOPS)
        if use.via in {"member", "type"}:
            head, _, last = use.target.rpartition(".")
            return self._through(self._type(use, head), last, use.via)
        return UNRESOLVED if use.via == "local" else self._open(use)

    def _named(self, use: Usage, name: str) -> Iterator[Candidate]:
        """Yield definitions whose last name is the name's, in languages that fit."""
        wanted = family(use.language)
        for each in self._lookup.definitions(name.rpartition(".")[2]):
            if family(each.language) == wanted:
                yield each

    def _in_file(self, use: Usage, name: str) -> list[Candidate]:
        return [
            each
            for each in self._named(use, name)
            if each.file == use.file and each.qualified_name == name
        ]

    def _full(self, use: Usage, name: str) -> list[Candidate]:
        """Return what has the full name: exactly, or else as the end of it or of ours.

        Folders above a package are in a file's module and not in imports; a host is in
        imports of Go and not in modules.
        """
        found = list(self._named(use, name))
        exact = [each for each in found if each.full_name == name]
        return exact or [each for each in found if _is_end(each.full_name, name)]

    def _imported(self, use: Usage, name: str, hops: int) -> Resolution:
        found = self._full(use, name)
        if found:
            return _only(found, "import")
        head, _, last = name.rpartition(".")
        if not head or not hops:
            return UNRESOLVED
        owner = self._imported(use, head, hops - 1).symbol
        if owner is not None and owner.kind in TYPES:
            return self._through(owner, last, "import")
        return self._passed_on(use, head, last, hops)

    def _passed_on(self, use: Usage, module: str, last: str, hops: int) -> Resolution:
        """Follow a name through the module that imports it for others."""
        onward = {
            each.target
            for each in self._lookup.re_exports(last)
            if each.file != use.file
            and family(each.language) == family(use.language)
            and (each.module == module or _is_end(each.module, module))
        } - {f"{module}.{last}"}
        if len(onward) != 1:
            return Resolution(candidates=len(onward))
        return self._imported(use, onward.pop(), hops - 1)

    def _type(self, use: Usage, name: str) -> Candidate | None:
        """Return the type of that name as the use sees it."""
        for found in (self._in_file(use, name), self._packaged(use, name)):
            types = [each for each in found if each.kind in TYPES]
            # An extension stands beside the type itself.
            if types:
                return min(types, key=lambda each: each.kind == "extension")
        if "." in name:
            symbol = self._imported(use, name, _MOST_HOPS).symbol
            return symbol if symbol and symbol.kind in TYPES else None
        return None

    def _packaged(self, use: Usage, name: str) -> list[Candidate]:
        """Return what files of the same module or package define by that name."""
        if not use.module and family(use.language) not in _GLOBAL:
            return []
        return [
            each
            for each in self._named(use, name)
            if each.module == use.module and each.qualified_name == name
        ]

    def _through(self, owner: Candidate | None, last: str, by: str) -> Resolution:
        """Find a member of a type or of what it inherits from, the nearest first."""
        level = [owner] if owner else []
        seen = {each.key for each in level}
        for _ in range(_MOST_HOPS):
            found = [m for each in level for m in self._members(each, last)]
            if found:
                return _only(found, by)
            above = [s for each in level for s in self._above(each)]
            level = [each for each in above if each.key not in seen]
            seen.update(each.key for each in level)
        return UNRESOLVED

    def _members(self, owner: Candidate, last: str) -> Iterator[Candidate]:
        name = f"{owner.qualified_name}.{last}"
        for each in self._lookup.definitions(last):
            is_near = (
                each.module == owner.module
                if owner.module
                else (each.file == owner.file or family(each.language) in _GLOBAL)
            )
            if is_near and each.qualified_name == name:
                yield each

    def _above(self, symbol: Candidate) -> Iterator[Candidate]:
        # `class C(C.Base)`: what it inherits from is not in what it inherits.
        if symbol.key in self._climbed:
            return
        self._climbed.add(symbol.key)
        for use in self._lookup.supertypes(symbol):
            found = self.resolve(use).symbol
            if found is not None and found.kind in TYPES and found.key != symbol.key:
                yield found
        self._climbed.discard(symbol.key)

    def _open(self, use: Usage) -> Resolution:
        """Resolve a name that its file says nothing about."""
        head, _, last = use.name.rpartition(".")
        if head:
            owner = self._type(use, head) if _is_plain(head) else None
            return self._through(owner, last, "package")
        if family(use.language) in _IMPLICIT and use.type_name:
            around = self._type(use, use.type_name)
            inherited = self._through(around, last, "member")
            if inherited.symbol or inherited.candidates:
                return inherited
        found = self._packaged(use, last)
        if found:
            return _only(found, "package")
        if family(use.language) not in _GLOBAL:
            return UNRESOLVED
        everywhere = [e for e in self._named(use, last) if e.kind != "method"]
        return _only(everywhere, "unique")


def _only(found: Iterable[Candidate], by: str) -> Resolution:
    """Take the one that is left; of several none."""
    keys = {each.key: each for each in found}
    if len(keys) == 1:
        return Resolution(next(iter(keys.values())), by, 1)
    return Resolution(candidates=len(keys))


def _is_end(one: str, other: str) -> bool:
    """Say whether the shorter dotted name, of two parts at least, ends the longer."""
    short, long = sorted((one, other), key=len)
    return "." in short and long.endswith(f".{short}")


def _is_plain(name: str) -> bool:
    return "(" not in name and "[" not in name
