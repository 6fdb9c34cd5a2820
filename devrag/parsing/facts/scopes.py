"""Calls whose blocks give what stands in them a prefix: groups of routes, of tests."""

from __future__ import annotations

from typing import Generic, TypeVar

from tree_sitter import Node

_Value = TypeVar("_Value")


# What a scope adds to all that stands in it stays short, however it is written.
SCOPE_LIMIT = 300


class Scopes(Generic[_Value]):
    """The scopes around a node; nodes come in source order."""

    def __init__(self) -> None:
        self._open: list[tuple[int, _Value]] = []

    def add(self, node: Node, value: _Value) -> None:
        """Open a scope that ends where the node ends."""
        self._close(node.start_byte)
        self._open.append((node.end_byte, value))

    def around(self, node: Node) -> list[_Value]:
        """Return the values of the scopes around a node, the outermost first."""
        self._close(node.start_byte)
        return [value for _, value in self._open]

    def _close(self, start: int) -> None:
        while self._open and self._open[-1][0] <= start:
            self._open.pop()
