"""Of which types an object may be: what a path of names, attributes and calls gives.

A path is written as the targets of references are (`Client.pool.take()`): its root is a
type, variable or function as its file sees it; each step is an attribute or a call. Of
what a step leads to only written and plainly inferred types are known (`value_types`),
each in the terms of the file that says it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from devrag.navigation.types import TYPES, NameUsage, SymbolCandidate

CALL = "()"
# What a result is that is of the same type as the object it is asked of.
_SELF = "Self"
# `Outer.this` of Java.
_THIS = "this"
_VARIABLES = frozenset({"variable", "constant"})
_MOST_STEPS = 12
_MOST_DEPTH = 12


@dataclass(frozen=True, slots=True)
class Receiver:
    """A type that an object has. is_exact: it was made of it, so of no subtype."""

    type: SymbolCandidate
    is_exact: bool = False


# None stands for a value of unknown type.
Values = tuple[Receiver | None, ...]
_UNKNOWN: Values = (None,)


class Names(Protocol):
    """What names mean, as the resolver decides it."""

    def type_named(self, use: NameUsage, name: str) -> SymbolCandidate | None:
        """Return the type of that name as the use sees it."""

    def symbol_named(self, use: NameUsage, name: str) -> SymbolCandidate | None:
        """Return the definition that a name surely means."""

    def member(self, owner: SymbolCandidate, last: str) -> SymbolCandidate | None:
        """Return the member of a type or of what it inherits from."""

    def lineage(self, owner: SymbolCandidate) -> Iterator[SymbolCandidate]:
        """Yield the type and what it inherits from, the nearest first."""


class Receivers:
    """Follows paths within one version."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._values: dict[tuple[int, str], Values] = {}
        self._roots: dict[tuple[int, str, tuple[str, ...]], tuple[Values, int]] = {}
        self._depth = 0

    def of(self, use: NameUsage, path: str) -> Values:
        """Return what the path may give where the use stands."""
        if self._depth > _MOST_DEPTH:
            return _UNKNOWN
        self._depth += 1
        found = _each(self._follow(use, each) for each in path.split("|"))
        self._depth -= 1
        return found

    def _follow(self, use: NameUsage, path: str) -> Values:
        steps = path.split(".")
        if len(steps) > _MOST_STEPS:
            return _UNKNOWN
        found, count = self._root(use, steps)
        for step in steps[count:]:
            found = _each(self._step(each, step) for each in found)
            if not any(found):
                return _UNKNOWN
        return found

    def _root(self, use: NameUsage, steps: list[str]) -> tuple[Values, int]:
        """Return what the longest name at the path's start gives, and its length."""
        plain = next((i for i, s in enumerate(steps, 1) if s.endswith(CALL)), None)
        place = (use.file, use.type_name, tuple(steps[:plain]))
        if place not in self._roots:
            self._roots[place] = self._find_root(use, steps, plain)
        return self._roots[place]

    def _find_root(
        self, use: NameUsage, steps: list[str], plain: int | None
    ) -> tuple[Values, int]:
        for count in range(plain or len(steps), 0, -1):
            whole = ".".join(steps[:count])
            name = whole.removesuffix(CALL)
            named = self._names.type_named(use, name)
            if named is not None:
                return (Receiver(named, whole != name),), count
            symbol = self._names.symbol_named(use, name)
            if symbol is not None and symbol.kind != "module":
                return self._value(symbol, whole != name, None), count
        return _UNKNOWN, len(steps)

    def _step(self, receiver: Receiver | None, step: str) -> Values:
        if receiver is None:
            return _UNKNOWN
        if step == _THIS:
            return (receiver,)
        name = step.removesuffix(CALL)
        if name == step:
            for each in self._names.lineage(receiver.type):
                if name in each.value_types:
                    return self._held(each, name, receiver)
        member = self._names.member(receiver.type, name)
        return self._value(member, name != step, receiver) if member else _UNKNOWN

    def _value(
        self, symbol: SymbolCandidate, is_called: bool, receiver: Receiver | None
    ) -> Values:
        """Return what a definition is, holds, or returns when it is called."""
        if symbol.kind in TYPES:
            return (Receiver(symbol, is_called),)
        if "" not in symbol.value_types or is_called == (symbol.kind in _VARIABLES):
            return _UNKNOWN
        return self._held(symbol, "", receiver)

    def _held(
        self, symbol: SymbolCandidate, name: str, receiver: Receiver | None
    ) -> Values:
        path, place = symbol.value_types[name], (symbol.key, name)
        around = symbol.qualified_name if symbol.kind in TYPES else symbol.owner
        if path == _SELF:
            if receiver is not None:
                return (receiver,)
            path = around
        if place not in self._values:
            # What goes round in circles says nothing.
            self._values[place] = _UNKNOWN
            self._values[place] = self.of(_within(symbol, around), path)
        return self._values[place]


def _within(symbol: SymbolCandidate, around: str) -> NameUsage:
    """Return the place of a definition, for names that it writes."""
    return NameUsage(
        file=symbol.file,
        module=symbol.module,
        language=symbol.language,
        name="",
        type_name=around,
        source=symbol.source,
    )


def _each(found: Iterable[Values]) -> Values:
    """Join what several ways give, each type once."""
    return tuple(dict.fromkeys(each for one in found for each in one))
