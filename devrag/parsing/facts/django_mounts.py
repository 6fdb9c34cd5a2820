"""What the paths of a list of URL patterns begin with: where its file includes it."""

from __future__ import annotations

from tree_sitter import Node

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.facts.calls import (
    Call,
    read_arguments,
    read_call,
    written_name,
)
from devrag.parsing.source import SourceText

_DEEPEST, _MOST = 5, 20
_ASSIGNMENTS = {"assignment", "augmented_assignment"}


class Mounts:
    """The `path("x/", include(patterns))` of a file."""

    def __init__(self, analysis: CodeAnalysis) -> None:
        self._source = analysis.source
        self._by_name: dict[str, list[Call]] = {}
        self._by_list: dict[int, Call] = {}
        for use in analysis.uses.ending("call", "path"):
            self._add(read_call(self._source, use))

    def _add(self, call: Call) -> None:
        view = call.argument(1, "view")
        if view is None or not _is_include(self._source, view):
            return
        included = read_arguments(self._source, view).argument(0, "arg")
        if included is None:
            return
        if included.type == "tuple" and included.named_children:
            included = included.named_children[0]
        if included.type == "list":
            self._by_list[included.id] = call
        elif included.type == "identifier":
            name = node_text(self._source, included)
            self._by_name.setdefault(name, []).append(call)

    def prefixes(self, pattern: Node, depth: int = 0) -> list[str]:
        """Return what stands before a pattern's own path, once for each mount."""
        mounts = self._mounts(pattern.parent) if depth < _DEEPEST else []
        found = [
            prefix + own
            for mount in mounts
            if (own := mount.text(0, "route")) is not None
            for prefix in self.prefixes(mount.node, depth + 1)
        ]
        return found[:_MOST] or [""]

    def _mounts(self, listed: Node | None) -> list[Call]:
        if listed is None or listed.type != "list":
            return []
        if listed.id in self._by_list:
            return [self._by_list[listed.id]]
        holder = listed.parent
        if holder is None or holder.type not in _ASSIGNMENTS:
            return []
        name = holder.child_by_field_name("left")
        return self._by_name.get(node_text(self._source, name), []) if name else []


def is_mount(call: Call) -> bool:
    """Return whether other patterns hang below this one, so that it leads to no view.

    A router's `.urls` are such patterns too; those of an admin site begin with a page.
    """
    view = call.argument(1, "view")
    if view is None or _is_include(call.source, view):
        return view is not None
    name = written_name(call.source, view)
    return name.endswith(".urls") and not name.endswith("site.urls")


def _is_include(source: SourceText, view: Node) -> bool:
    if view.type != "call":
        return False
    function = view.child_by_field_name("function")
    name = written_name(source, function) if function is not None else ""
    return name.rpartition(".")[2] == "include"
