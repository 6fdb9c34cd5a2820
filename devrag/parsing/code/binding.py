"""What a used name stands for, as far as one file can tell.

The nearest meaning wins, as in the language: the object itself, local variables,
parameters, what is defined around and in the file, then what is imported. Where a
variable's type is known, its members are bound through it; else they stay open. A name
that is none of these is left open: whoever knows the other files goes on from there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

from devrag.parsing.code.definitions import CALLABLE, TYPES, Definition
from devrag.parsing.code.inferred_types import Holder, Holding
from devrag.parsing.code.spec import LanguageSpec

# (target, via) of ReferenceFacts.
Bound = tuple[str, str]
# What a result is that is of the same type as the object it is asked of.
SELF = "Self"
_OPEN: Bound = ("", "")
_LOCAL: Bound = ("", "local")
_COMPOUND = re.compile(r"[\[({]|\.\.\.")
_CALL = "()"
# A member that nothing has, to bind what stands before it.
_ANY = ".?"
# Beyond these nothing is known: a chain of choices would double with each step.
_MOST_VALUES = 4
_MOST_STEPS = 12


class BoundNames(Protocol):
    """What names are imported into a file, and are local in its functions."""

    def resolve(self, name: str) -> str:
        """Return the name with its first part replaced by what is imported as it."""

    def imported_via(self, root: str) -> str:
        """Return how an import binds this first part of names, '' if none does."""

    def is_local(self, owner: Definition, name: str) -> bool:
        """Return whether the owner has a variable of its own by that name."""

    @property
    def holdings(self) -> Mapping[Holder, Holding]:
        """What is known of variables and attributes."""

    def is_generic(self, name: str) -> bool:
        """Return whether a type parameter of the file has that name."""


class Binder:
    """Binds the names of one file."""

    def __init__(
        self, spec: LanguageSpec, names: BoundNames, definitions: list[Definition]
    ) -> None:
        self._spec = spec
        self._names = names
        self._holdings = names.holdings
        self._holders = {name for _, name in self._holdings}
        self._known = {definition.qualified_name for definition in definitions}
        self._types = {
            d.qualified_name for d in definitions if d.type_name and d.kind != "method"
        }
        self._bound: dict[int, Bound] = {}

    def bind(self, name: str, owner: Definition | None) -> Bound:
        """Return what the name means inside the owner; ('', '') when that is open."""
        root, _, rest = name.partition(".")
        if "[" in name:
            return _OPEN
        if root in self._spec.receivers:
            return self._member(owner, rest)
        if root in self._spec.exported and rest:
            return self._in_file(rest, rest.partition(".")[0])
        if root in self._spec.supers:
            target, via = self._member(owner, rest)
            return (target, "super") if via == "member" else _OPEN
        if root.endswith(_CALL):
            return self._result(root.removesuffix(_CALL), rest, owner)
        bound = self._around(root, rest, owner)
        if bound is None and root in self._holders:
            bound = self._held_by(None, root, rest)
        return bound or self._outside(name, root)

    def bind_type(self, name: str, owner: Definition | None) -> Bound:
        """Return what a type's name means; variables of that name hide no type."""
        root, _, rest = name.partition(".")
        around = owner
        while around is not None:
            if (bound := self._held(around, root, rest)) is not None:
                return bound
            around = around.parent
        return self._outside(name, root)

    def bind_holding(self, holding: Holding) -> Bound:
        """Return what a variable or attribute holds; ('', 'local') when unknown."""
        if id(holding) not in self._bound:
            # `x = x.next` asks for itself.
            self._bound[id(holding)] = _LOCAL
            bounds = [each for one in holding.all for each in self._bind_held(one)]
            self._bound[id(holding)] = _joined(bounds)
        return self._bound[id(holding)]

    def bind_result(self, definition: Definition) -> Bound:
        """Return what a function is written to return."""
        written = definition.about.return_type
        if self._spec.value_type(written) == SELF:
            return SELF, "type"
        return self.bind_declared(written, definition.parent)

    def bind_declared(self, declared: str, scope: Definition | None) -> Bound:
        """Return the type that is written inside the scope, when it is plain.

        An array's or a function's members are not those of the type it is made of.
        """
        written = self._spec.value_type(declared)
        if written == SELF and scope is not None and scope.type_name:
            return scope.type_name, "type"
        is_plain = written and not _COMPOUND.search(written)
        names = self._spec.type_names(written) if is_plain else ()
        names = tuple(name for name in names if name != "None")
        if len(names) != 1 or names[0] in self._spec.builtins:
            return _LOCAL
        if self._names.is_generic(names[0]):
            return _LOCAL
        target, via = self.bind_type(names[0], scope)
        return target or names[0], "foreign" if via == "foreign" else "type"

    def _bind_held(self, holding: Holding) -> list[Bound]:
        held, owner = holding.held, holding.owner
        if held.declared:
            return [self.bind_declared(held.declared, owner)]
        return [self._value(value, owner) for value in held.value.split("|")]

    def _value(self, name: str, owner: Definition | None) -> Bound:
        """Return what a name's value is, or what its call returns."""
        if not name:
            return _LOCAL
        mark = _CALL if name.endswith(_CALL) else ""
        called = name.removesuffix(mark) + ("" if mark else _ANY)
        target, via = self.bind(called, owner)
        if via in {"local", "path", "super"}:
            return _LOCAL
        path = (target or called).removesuffix(_ANY) + mark
        return path, "foreign" if via == "foreign" else "type"

    def _around(self, root: str, rest: str, owner: Definition | None) -> Bound | None:
        """Look among parameters and definitions, from the innermost outwards."""
        around = owner
        is_holder = root in self._holders
        while around is not None:
            if self._names.is_local(around, root) and not is_holder:
                return _LOCAL
            if root == around.about.receiver:
                return self._member(around, rest)
            for parameter in around.about.parameters:
                if parameter.name == root:
                    declared = self.bind_declared(parameter.type, around.parent)
                    return _with(declared, rest)
            if is_holder and (bound := self._held_by(around, root, rest)) is not None:
                return bound
            if (bound := self._held(around, root, rest)) is not None:
                return bound
            around = around.parent
        return None

    def _held_by(self, around: Definition | None, root: str, rest: str) -> Bound | None:
        """Bind a member of a variable or, where they go by themselves, an attribute."""
        holding = self._holdings.get((around.ordinal if around else None, root))
        is_inside = around is not None and around.kind in TYPES
        if holding is None and around and is_inside and self._spec.is_self_implicit:
            holding = self._holdings.get((around.type_name, root))
        if holding is not None and rest:
            return _with(self.bind_holding(holding), rest)
        # There variables and methods have names of their own.
        if around is None or around.kind in TYPES or self._spec.is_self_implicit:
            return None
        is_hidden = holding is not None or self._names.is_local(around, root)
        return _LOCAL if is_hidden else None

    def _held(self, around: Definition, root: str, rest: str) -> Bound | None:
        itself = self._itself(around, root, rest)
        return itself or self._defined(around, root, rest)

    def _itself(self, around: Definition, root: str, rest: str) -> Bound | None:
        """Look at a type's own name and, from a method elsewhere, at its members."""
        if not self._spec.is_self_implicit or not around.type_name:
            return None
        whole = around.type_name
        if whole.rpartition(".")[2] != root:
            whole = f"{whole}.{root}"
            if not around.about.owner or whole not in self._known:
                return None
        return self._in_file(f"{whole}.{rest}" if rest else whole, whole)

    def _outside(self, name: str, root: str) -> Bound:
        if root in self._known:
            return self._in_file(name, root)
        via = self._names.imported_via(root)
        if not via:
            return _OPEN
        is_walk = via == "import" and _CALL in name
        return self._names.resolve(name), "type" if is_walk else via

    def _defined(self, around: Definition, root: str, rest: str) -> Bound | None:
        """Look among what a function, namespace or (where that is so) type holds."""
        is_visible = around.kind in CALLABLE or around.kind == "namespace"
        if not is_visible and not self._spec.is_self_implicit:
            return None
        whole = f"{around.qualified_name}.{root}"
        if around.kind in TYPES and root == around.about.name:
            # The type itself, though its constructor may go by the same name.
            whole = around.qualified_name
        if whole not in self._known:
            return None
        return self._in_file(f"{whole}.{rest}" if rest else whole, whole)

    def _in_file(self, name: str, root: str) -> Bound:
        """A definition, or a member of a type, which may be inherited."""
        if name in self._known:
            return name, "file"
        steps = name.count(".") - root.count(".")
        if root in self._types and steps == 1:
            return name, "member"
        return (name, "type") if steps else _OPEN

    def _result(self, called: str, rest: str, owner: Definition | None) -> Bound:
        """Bind `called().rest`."""
        target, via = self.bind(called, owner)
        if via in {"local", "path", "super"} or "(" in called or not rest:
            return _LOCAL
        path = f"{target or called}{_CALL}.{rest}"
        return path, "foreign" if via == "foreign" else "type"

    def _member(self, owner: Definition | None, rest: str) -> Bound:
        """Bind `self.rest`."""
        while owner is not None and not owner.type_name:
            owner = owner.parent
        if owner is None or not rest:
            return _OPEN
        return f"{owner.type_name}.{rest}", "type" if "." in rest else "member"


def _joined(bounds: list[Bound]) -> Bound:
    """Return several values as one, unless of one nothing is known."""
    (via, *others) = dict.fromkeys(via for _, via in bounds)
    paths = dict.fromkeys(path for target, _ in bounds for path in target.split("|"))
    if others or via == "local" or len(paths) > _MOST_VALUES:
        return _LOCAL
    return "|".join(paths), via


def _with(bound: Bound, rest: str) -> Bound:
    """Return a member of what is bound."""
    path, via = bound
    paths = [f"{each}.{rest}" for each in path.split("|")]
    is_long = any(each.count(".") > _MOST_STEPS for each in paths)
    if via == "local" or not rest or is_long:
        return _LOCAL
    return "|".join(paths), via
