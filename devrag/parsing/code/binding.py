"""What a used name stands for, as far as one file can tell.

The nearest meaning wins, as in the language: the object itself, local variables (whose
values nobody knows, so that they stay open), parameters, what is defined around and in
the file, then what is imported. A name that is none of these is left open: whoever
knows the other files goes on from there.
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
_OPEN: Bound = ("", "")
_LOCAL: Bound = ("", "local")
_COMPOUND = re.compile(r"[\[({]|\.\.\.")


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

    def bind(self, name: str, owner: Definition | None) -> Bound:
        """Return what the name means inside the owner; ('', '') when that is open."""
        root, _, rest = name.partition(".")
        if "(" in rest or "[" in rest:
            return _OPEN
        if root in self._spec.receivers:
            return self._member(owner, rest)
        if root in self._spec.supers:
            target, via = self._member(owner, rest)
            return (target, "super") if via == "member" else _OPEN
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
                    return self._of_type(parameter.type, rest, owner)
            if is_holder and (bound := self._held_by(around, root, rest)) is not None:
                return bound
            if (bound := self._held(around, root, rest)) is not None:
                return bound
            around = around.parent
        return None

    def _held_by(self, around: Definition | None, root: str, rest: str) -> Bound | None:
        """Bind a member of a variable or, where they go by themselves, an attribute."""
        if around is None or around.kind not in TYPES:
            holder: Holder = (around.ordinal if around else None, root)
        elif self._spec.is_self_implicit:
            holder = (around.type_name, root)
        else:
            return None
        holding = self._holdings.get(holder)
        return self._of_holding(holding, rest) if holding and rest else None

    def _of_holding(self, holding: Holding, rest: str) -> Bound:
        held, owner = holding.held, holding.owner
        if held.given and owner is not None:
            for parameter in owner.about.parameters:
                if parameter.name == held.given:
                    return self._of_type(parameter.type, rest, owner)
        if not held.made:
            return self._of_type(held.declared, rest, owner)
        if "." in rest:
            return _LOCAL
        target, via = self.bind(held.made, owner)
        if via == "import" or (via == "file" and target in self._types):
            return f"{target}.{rest}", "type"
        return _LOCAL

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
        return (self._names.resolve(name), via) if via else _OPEN

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
        if root in self._types and name.count(".") == root.count(".") + 1:
            return name, "member"
        return _OPEN

    def _member(self, owner: Definition | None, rest: str) -> Bound:
        """Bind `self.rest`; of longer chains the type in the middle is not known."""
        while owner is not None and not owner.type_name:
            owner = owner.parent
        if owner is None or not rest:
            return _OPEN
        attribute, dot, last = rest.partition(".")
        if not dot:
            return f"{owner.type_name}.{rest}", "member"
        holding = self._holdings.get((owner.type_name, attribute))
        bound = self._of_holding(holding, last) if holding else _OPEN
        return _OPEN if bound == _LOCAL else bound

    def _of_type(self, declared: str, rest: str, owner: Definition | None) -> Bound:
        """Bind `parameter.rest` through the type that is written, when it is plain.

        An array's or a function's members are not those of the type it is made of.
        """
        is_plain = bool(declared and rest) and not _COMPOUND.search(declared)
        names = self._spec.type_names(declared) if is_plain else ()
        names = tuple(name for name in names if name != "None")
        if len(names) != 1 or "." in rest or names[0] in self._spec.builtins:
            return _LOCAL
        if self._names.is_generic(names[0]):
            return _LOCAL
        target, via = self.bind_type(names[0], owner.parent if owner else None)
        if via == "file" or not via:
            return f"{target or names[0]}.{rest}", "type"
        return f"{target}.{rest}", "type"
