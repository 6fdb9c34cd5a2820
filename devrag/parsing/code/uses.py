"""The names a file uses: calls, types, decorators, imports, each with its owner."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from devrag.parsing.code.binding import Binder, Bound
from devrag.parsing.code.definitions import CALLABLE, TYPES, Definition, Owners
from devrag.parsing.code.inferred_types import Holder, Holding, collect_holdings
from devrag.parsing.code.spec import Import, LanguageSpec, Named, Slot
from devrag.parsing.code.text import node_text
from devrag.parsing.code.tree import Captures
from devrag.parsing.source import SourceText
from devrag.parsing.types import ReferenceFacts


@dataclass(frozen=True, slots=True)
class NameUse:
    """One use of a name; node: the name's node, for detectors that read on."""

    kind: str
    name: str
    line: int
    owner: Definition | None
    node: Node


@dataclass
class Uses:
    """All uses of a file, and the imports that each definition touches.

    values: of names of the file's own definitions, for themselves.
    """

    imports: list[Import]
    uses: list[NameUse] = field(default_factory=list)
    values: list[NameUse] = field(default_factory=list)
    touched: dict[int, dict[str, None]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    import_owners: list[Definition | None] = field(default_factory=list)
    locals: set[tuple[int, str]] = field(default_factory=set)
    generic: set[str] = field(default_factory=set)
    holdings: dict[Holder, Holding] = field(default_factory=dict)
    slots: list[Slot] = field(default_factory=list)
    _by_ending: dict[tuple[str, str], list[NameUse]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        bound = [item for item in self.imports if item.alias]
        self._targets = {item.alias: item.target for item in bound}
        self._paths = {item.alias: item.path for item in reversed(bound)}
        self._via = {item.alias: item.via for item in bound}

    def ending(self, kind: str, last: str) -> list[NameUse]:
        """Return the uses of a kind whose name ends in `last` (`a.b.last`)."""
        if not self._by_ending:
            for use in self.uses:
                key = (use.kind, use.name.rpartition(".")[2])
                self._by_ending.setdefault(key, []).append(use)
        return self._by_ending.get((kind, last), [])

    def imports_from(self, *packages: str) -> bool:
        """Return whether anything of these top-level packages is imported."""
        return any(item.path.partition(".")[0] in packages for item in self.imports)

    def resolve(self, name: str) -> str:
        """Return the name with its first part replaced by what is imported as it."""
        root, dot, rest = name.partition(".")
        return self._targets.get(root, root) + dot + rest

    def imported_via(self, root: str) -> str:
        """Return how an import binds this first part of names, '' if none does."""
        return self._via.get(root, "")

    def is_local(self, owner: Definition, name: str) -> bool:
        """Return whether the owner has a variable of its own by that name."""
        return (owner.ordinal, name) in self.locals

    def is_generic(self, name: str) -> bool:
        """Return whether a type parameter of the file has that name."""
        return name in self.generic

    def touch(self, owner: Definition | None, name: str) -> None:
        """Note that the owner uses the import behind the name's root, if any."""
        if owner is not None:
            path = self._paths.get(name.partition(".")[0])
            if path is not None:
                self.touched[owner.ordinal][path] = None


def collect_uses(
    spec: LanguageSpec,
    source: SourceText,
    captures: Captures,
    definitions: list[Definition],
) -> Uses:
    """Gather the captured uses in source order of each kind."""
    owners = Owners(definitions)
    found = Uses(
        [i for n in captures.get("import", ()) for i in spec.imports(source, n)]
    )
    for item in found.imports:
        owner = owners.at(item.start)
        found.import_owners.append(owner)
        if owner is not None:
            found.touched[owner.ordinal][item.path] = None
    _collect_decorators(spec, source, captures, owners, found)
    _collect_types(spec, source, captures, owners, found)
    data = source.data
    for node in captures.get("use", ()):
        name = data[node.start_byte : node.end_byte].decode("utf-8", "replace")
        found.touch(owners.at(node.start_byte), name)
    found.values = list(_values(spec, source, captures, definitions))
    for node in captures.get("local", ()):
        owner = owners.at(node.start_byte)
        if owner is not None:
            found.locals.add((owner.ordinal, node_text(source, node)))
    found.holdings = collect_holdings(spec, source, captures, owners)
    found.slots = [s for n in captures.get("table", ()) for s in spec.slots(source, n)]
    return found


def _collect_decorators(
    spec: LanguageSpec,
    source: SourceText,
    captures: Captures,
    owners: Owners,
    found: Uses,
) -> None:
    """Add decorators, and the calls that are not a decorator's own."""
    own_calls = set()
    for node in captures.get("decorator", ()):
        inner = next(iter(node.named_children), None)
        if inner is None:
            continue
        own_calls.add(inner.start_byte)
        called = inner.child_by_field_name("function") or inner
        _add(found, "decorator", spec.name_of(source, called), called, owners)
    for node in captures.get("call", ()):
        if node.start_byte not in own_calls:
            _add(found, "call", spec.name_of(source, node), node, owners)


def _collect_types(
    spec: LanguageSpec,
    source: SourceText,
    captures: Captures,
    owners: Owners,
    found: Uses,
) -> None:
    data = source.data
    own = {node.start_byte for node in captures.get("type.own", ())}
    generic = {node_text(source, node) for node in captures.get("type.parameter", ())}
    found.generic = generic
    for node in captures.get("type", ()):
        if node.start_byte in own:
            continue
        text = data[node.start_byte : node.end_byte].decode("utf-8", "replace")
        for name in spec.type_names(text):
            if name not in generic:
                _add(found, "type", name, node, owners)


def _values(
    spec: LanguageSpec,
    source: SourceText,
    captures: Captures,
    definitions: list[Definition],
) -> Iterator[NameUse]:
    """Yield where definitions are named without being called.

    Before a dot only functions and types count: a variable stands there all the time.
    """
    owners = Owners(definitions)
    prototypes = {node.start_byte for node in captures.get("constructor", ())}
    known = {d.about.name: d.kind for d in definitions if d.kind != "method"}
    whole = {name for name, kind in known.items() if kind in CALLABLE | TYPES}
    for capture, names in (("value", known.keys()), ("object", whole)):
        for node in captures.get(capture, ()):
            name = node_text(source, node)
            if name not in names or node.start_byte in prototypes:
                continue
            if not spec.is_parameter(source, node):
                owner = owners.at(node.start_byte)
                line = node.start_point.row + 1
                yield NameUse("value", name, line, owner, node)


def _add(found: Uses, kind: str, name: str, node: Node, owners: Owners) -> None:
    if not name:
        return
    owner = owners.at(node.start_byte)
    found.uses.append(NameUse(kind, name, node.start_point.row + 1, owner, node))
    found.touch(owner, name)


def reference_facts(
    spec: LanguageSpec, definitions: list[Definition], found: Uses, binder: Binder
) -> list[ReferenceFacts]:
    """Return the references of a file, by line."""
    references = [
        _reference(use.kind, use.name, use.line, use.owner, _bound(binder, use))
        for use in found.uses
        if use.kind != "type" or use.name not in spec.builtins
    ]
    references.extend(
        _reference(use.kind, use.name, use.line, use.owner, bound)
        for use in found.values
        if (bound := binder.bind(use.name, use.owner))[1] == "file"
    )
    references.extend(
        _reference("import", item.path, item.line, owner, (item.path, item.via))
        for item, owner in zip(found.imports, found.import_owners, strict=True)
    )
    references.extend(
        _reference(
            kind, name, line, definition, binder.bind_type(name, definition.parent)
        )
        for definition in definitions
        for kind, names in _supertypes(definition)
        for name, line in names
    )
    for slot in found.slots:
        line = slot.node.start_point.row + 1
        bound = binder.bind(slot.name, None)
        references.append(_reference("assign", slot.name, line, None, bound))
        held = (slot.place, "slot")
        references.append(_reference("slot", slot.name, line, None, held))
    references.sort(key=lambda reference: reference.line)
    return references


def _bound(binder: Binder, use: NameUse) -> Bound:
    bind = binder.bind_type if use.kind == "type" else binder.bind
    return bind(use.name, use.owner)


def _supertypes(definition: Definition) -> tuple[tuple[str, tuple[Named, ...]], ...]:
    about = definition.about
    return ("inherit", about.bases), ("implement", about.interfaces)


def _reference(
    kind: str, name: str, line: int, owner: Definition | None, bound: Bound
) -> ReferenceFacts:
    return ReferenceFacts(kind, name, line, _ordinal(owner), *bound)


def _ordinal(owner: Definition | None) -> int | None:
    return owner.ordinal if owner is not None else None
