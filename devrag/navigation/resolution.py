"""Which symbol a used name means, decided over one version of a source.

In the order of certainty: its own file, what it imports, the type of the object before
the dot, its package, modules that are imported whole, and the only definition of that
name. What could mean two things means none; the answer counts them. Where several
sources are looked at together, a name's own source comes first. What a call may reach
besides, through an interface or an override, the answer names as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from devrag.navigation.candidate_choice import choose_only
from devrag.navigation.common_methods import COMMON_METHODS
from devrag.navigation.defined_names import DefinedNames
from devrag.navigation.implementations import Implementations
from devrag.navigation.import_names import ImportNames
from devrag.navigation.opened_modules import OpenedModules
from devrag.navigation.receivers import Receiver, Receivers, Values
from devrag.navigation.type_members import TypeMembers
from devrag.navigation.types import (
    IMPLICIT,
    TYPES,
    UNRESOLVED,
    Lookup,
    NameUsage,
    Resolution,
    SymbolCandidate,
    family,
    nearest,
)

__all__ = [
    "TYPES",
    "Lookup",
    "NameUsage",
    "Resolution",
    "Resolver",
    "SymbolCandidate",
    "family",
]

# There a bare name may be defined in any file of the program, without an import.
_GLOBAL = frozenset(["c", "php", "ruby", "bash", "lua", "swift"])
# There functions are put into the fields of structs.
_TABLES = frozenset(["c", "cpp"])
# Beside a type of the same name: its alias, what extends it.
_AFTER = {"type": 1, "extension": 2}
# How names are bound that are no symbols of the version.
_NOT_HERE = frozenset(["foreign", "path"])
_MOST_HOPS = 8
# By which rule the only method of a name is possible.
BY_NAME = "name"
# As tables write them: see SymbolFacts and Slot.
FIELDS = "#"
ANY_FIELD = "*"


Meaning = tuple[Resolution, tuple[SymbolCandidate, ...]]
_NOTHING: Meaning = (UNRESOLVED, ())


class Resolver:
    """Resolves uses with one lookup."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._known: dict[tuple[int, str], Resolution] = {}
        self._names = DefinedNames(lookup)
        self._members = TypeMembers(lookup, self._supertype)
        self._imports = ImportNames(lookup)
        self._opened = OpenedModules(lookup)
        self._receivers = Receivers(self)
        self._implementations = Implementations(lookup, self)

    def resolve(self, use: NameUsage) -> Resolution:
        """Return the symbol that is surely meant, and what may run instead."""
        last = (use.target or use.name).rpartition(".")[2]
        if use.via in _NOT_HERE:
            return UNRESOLVED
        if use.language not in _TABLES and not self._lookup.definitions(last):
            return UNRESOLVED
        meaning, declared = self._meaning(use)
        if meaning.symbol is None and use.via == "type" and use.language in _TABLES:
            meaning = replace(meaning, possible=self._in_tables(use))
        if meaning.symbol is None and not meaning.possible:
            return self._guess(use, meaning, last)
        below = (m for each in declared for m in self._implementations.of(each, last))
        possible = dict.fromkeys((*meaning.possible, *below))
        if meaning.symbol is not None:
            possible.pop(meaning.symbol, None)
        return replace(meaning, possible=tuple(possible)) if possible else meaning

    def type_named(self, use: NameUsage, name: str) -> SymbolCandidate | None:
        """Return the type of that name as the use sees it."""
        return self._type(use, name)

    def symbol_named(self, use: NameUsage, name: str) -> SymbolCandidate | None:
        """Return the definition that a name surely means."""
        if not self._lookup.definitions(name.rpartition(".")[2]):
            return None
        if found := self._names.in_file(use, name):
            return choose_only(found, "file").symbol
        if "." in name:
            return self._imported(use, name, _MOST_HOPS).symbol
        return self._open(replace(use, name=name, target=name, via=""))[0].symbol

    def member(self, owner: SymbolCandidate, last: str) -> SymbolCandidate | None:
        """Return the member of a type or of what it inherits from."""
        return self._members.find(owner, last, "member").symbol

    def implementations(self, declared: SymbolCandidate) -> list[SymbolCandidate]:
        """Return the types that satisfy an interface without naming it."""
        return self._implementations.types_of(declared)

    def lineage(self, owner: SymbolCandidate) -> Iterator[SymbolCandidate]:
        """Yield the type and what it inherits from, the nearest first."""
        return self._members.lineage(owner)

    def _supertype(self, use: NameUsage) -> SymbolCandidate | None:
        return self._meaning(use)[0].symbol

    def _meaning(self, use: NameUsage) -> Meaning:
        """Return what is meant, and the types whose subtypes may be called instead."""
        if use.via == "local":
            return UNRESOLVED, ()
        if use.via == "file":
            found = choose_only(self._names.in_file(use, use.target), "file")
            return found, self._around(use, found)
        if use.via == "import":
            found = self._imported(use, use.target, _MOST_HOPS)
            if found.symbol or found.candidates or "." not in use.target:
                return found, ()
            return self._of_value(use, use.target)
        if use.via == "super":
            head, _, last = use.target.rpartition(".")
            return self._members.find(self._type(use, head), last, "super", True), ()
        if use.via in {"member", "type"}:
            found, declared = self._of_value(use, use.target)
            if use.via == "member" and not (found.symbol or found.candidates):
                # `res.send = function () { this.end(); }`: no type, but its members.
                found = choose_only(self._names.in_file(use, use.target), "member")
            return found, declared
        return self._open(use)

    def _around(self, use: NameUsage, found: Resolution) -> tuple[SymbolCandidate, ...]:
        """Return the type around a bare call of one of its methods."""
        symbol = found.symbol
        if symbol is None or symbol.kind != "method" or "." in use.name:
            return ()
        owner = self._type(use, symbol.owner)
        return (owner,) if owner is not None else ()

    def _of_value(self, use: NameUsage, target: str) -> Meaning:
        """Find a member of what the name before the last dot may be."""
        last = target.rpartition(".")[2]
        values = self._values(use, target)
        known = [each for each in values if each is not None]
        by = use.via if use.via == "member" else "type"
        found = [self._members.find(each.type, last, by) for each in known]
        declared = tuple(each.type for each in known if not each.is_exact)
        if len(found) == 1 and len(values) == 1:
            return found[0], declared
        symbols = tuple(dict.fromkeys(m.symbol for m in found if m.symbol is not None))
        is_sure = len(symbols) == 1 and len(found) == len(values)
        if is_sure and all(each.symbol for each in found):
            return Resolution(symbols[0], by, 1), declared
        return Resolution(None, "", len(symbols), symbols), declared

    def _values(self, use: NameUsage, target: str) -> Values:
        """Return what the names before the last dot may be."""
        heads = [each.rpartition(".")[0] for each in target.split("|")]
        if use.via != "member":
            return tuple(v for head in heads for v in self._receivers.of(use, head))
        owner = self._type(use, heads[0])
        return (Receiver(owner) if owner is not None else None,)

    def _in_tables(self, use: NameUsage) -> tuple[SymbolCandidate, ...]:
        """Return the functions that tables put into the field that is called."""
        steps = use.target.split(".")
        for count in range(len(steps) - 1, 0, -1):
            field = steps[count]
            for each in self._receivers.of(use, ".".join(steps[:count])):
                if each is not None:
                    return tuple(dict.fromkeys(self._put_into(each.type, field)))
        return ()

    def _put_into(
        self, struct: SymbolCandidate, field: str
    ) -> Iterator[SymbolCandidate]:
        name = struct.qualified_name
        fields = struct.value_types.get(FIELDS, "").split(",")
        places = [f"{name}.{field}", f"{name}.{ANY_FIELD}"]
        if field in fields:
            places.append(f"{name}.{fields.index(field)}")
        for use in (use for place in places for use in self._lookup.slots(place)):
            symbol = self.symbol_named(use, use.name)
            if symbol is not None and symbol.kind == "function":
                yield symbol

    def _guess(self, use: NameUsage, meaning: Resolution, last: str) -> Resolution:
        """Return the only method of that name as possible for an unknown object."""
        is_unknown = use.via in {"", "local", "type"} and not meaning.candidates
        if not is_unknown or "." not in use.name or last in COMMON_METHODS:
            return meaning
        named = [each for each in self._names.named(use, last) if each.kind == "method"]
        if len(named) != 1:
            return meaning
        return Resolution(None, BY_NAME, 1, (named[0],))

    def _imported(self, use: NameUsage, name: str, hops: int) -> Resolution:
        """Return what an imported name means; in one file it is always the same."""
        if hops < _MOST_HOPS or self._members.is_climbing:
            return self._find_imported(use, name, hops)
        place = (use.file, name)
        if place not in self._known:
            self._known[place] = self._find_imported(use, name, hops)
        return self._known[place]

    def _find_imported(self, use: NameUsage, name: str, hops: int) -> Resolution:
        found = self._imports.meant(use, name, self._names.named(use, name))
        if found:
            return choose_only(found, "import")
        head, _, last = name.rpartition(".")
        if not head or not hops:
            return UNRESOLVED
        owner = self._imported(use, head, hops - 1).symbol
        if owner is not None and owner.kind in TYPES:
            return self._members.find(owner, last, "import")
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
            return self._names.in_spaces(use, last, spaces)
        if len(onward) > 1:
            return Resolution(candidates=len(onward))
        target, through = onward.popitem()
        return self._imported(through, target, hops - 1)

    def _type(self, use: NameUsage, name: str) -> SymbolCandidate | None:
        """Return the type of that name as the use sees it."""
        for found in (self._names.in_file(use, name), self._names.packaged(use, name)):
            types = [each for each in found if each.kind in TYPES]
            # An extension stands beside the type itself.
            if types:
                return min(types, key=lambda e: _AFTER.get(e.kind, 0))
        if "." in name:
            symbol = self._imported(use, name, _MOST_HOPS).symbol
        else:
            symbol = self._names.in_spaces(use, name, self._opened.by(use)).symbol
        return symbol if symbol and symbol.kind in TYPES else None

    def _open(self, use: NameUsage) -> Meaning:
        """Resolve a name that its file says nothing about."""
        head, _, last = use.name.rpartition(".")
        if head:
            if "(" in head and "[" not in head:
                return self._of_value(use, use.name)
            return self._dotted(use, head, last) if _is_plain(head) else _NOTHING
        kin = family(use.language)
        if kin in IMPLICIT and use.type_name:
            around = self._type(use, use.type_name)
            inherited = self._members.find(around, last, "member")
            if inherited.symbol or inherited.candidates:
                return inherited, (around,) if around is not None else ()
        if found := self._names.packaged(use, last):
            return choose_only(found, "package"), ()
        opened = self._names.in_spaces(use, last, self._opened.by(use))
        if opened.symbol or opened.candidates or kin not in _GLOBAL:
            return opened, ()
        everywhere = [e for e in self._names.named(use, last) if e.kind != "method"]
        if kin == "php":
            # What is not found in its namespace is looked for outside all of them.
            everywhere = [each for each in everywhere if each.full_name == last]
        return choose_only(nearest(use, everywhere), "unique"), ()

    def _dotted(self, use: NameUsage, head: str, last: str) -> Meaning:
        """Resolve a member of something that is neither imported nor local."""
        if found := self._names.packaged(use, use.name):
            return choose_only(found, "package"), ()
        if (owner := self._type(use, head)) is not None:
            return self._members.find(owner, last, "package"), ()
        if use.language == "rust":
            return self._imported(use, use.name, _MOST_HOPS), ()
        path = use.name
        if family(use.language) in IMPLICIT and use.type_name:
            # A field that is inherited.
            path = f"{use.type_name}.{path}"
        return self._of_value(use, path)


def _is_plain(name: str) -> bool:
    return "(" not in name and "[" not in name
