"""What a graph of calls is made of: definitions, and calls that lead to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from devrag.navigation.resolution import BY_NAME
from devrag.navigation.stored_references import WrittenUse
from devrag.navigation.types import Resolution, SymbolCandidate

# Why a call only may lead to a definition. "" for one that surely does.
# name: no other method has the name that is called; guess: few others have it.
Uncertainty = Literal[
    "", "implementation", "overload", "table", "type", "name", "guess"
]
# call: of a function or class. construct: from a class to its constructor.
# override: from a method to one that runs instead of it.
EdgeKind = Literal["call", "construct", "override"]
CONSTRUCTORS = ("__init__", "__new__", "constructor", "initialize", "__construct")
_C = frozenset({"c", "cpp"})


@dataclass(frozen=True, slots=True)
class Definition:
    """A symbol as the graph needs it. ordinal, parent: within its file."""

    key: int
    file: int
    path: str
    module: str
    language: str
    ordinal: int
    parent: int | None
    kind: str
    name: str
    qualified_name: str
    start_line: int
    end_line: int
    uuid: UUID


@dataclass(frozen=True, slots=True)
class CallEdge:
    """A call. line: of the call, in the caller's file.

    uncertainty: why it may lead elsewhere. choices: how many definitions may run.
    named: the definition that the call names, where another one runs.
    """

    caller: int
    callee: int
    line: int
    kind: EdgeKind = "call"
    uncertainty: Uncertainty = ""
    choices: int = 1
    named: int | None = None

    @property
    def is_possible(self) -> bool:
        return self.uncertainty != ""


def is_constructor(own: Definition) -> bool:
    """Return whether a method makes objects of the type around it."""
    owner = own.qualified_name.rpartition(".")[0].rpartition(".")[2]
    return own.kind == "method" and (own.name in CONSTRUCTORS or own.name == owner)


def construction(owner: Definition, constructor: int, choices: int) -> CallEdge:
    """Return the edge from a type to one of so many constructors."""
    uncertainty: Uncertainty = "overload" if choices > 1 else ""
    return CallEdge(
        owner.key, constructor, owner.start_line, "construct", uncertainty, choices
    )


def uncertainty_of(
    use: WrittenUse, meaning: Resolution, each: SymbolCandidate
) -> Uncertainty:
    """Return why a use may lead elsewhere than to one of its possible meanings."""
    if meaning.symbol is not None:
        return "implementation"
    if meaning.by == BY_NAME:
        return "name"
    same = [
        other
        for other in meaning.possible
        if (other.file, other.qualified_name) == (each.file, each.qualified_name)
    ]
    if len(same) > 1:
        return "overload"
    if use.usage.language in _C and each.kind == "function":
        return "table"
    return "implementation" if len(meaning.possible) == 1 else "type"


def keep_best(edges: dict[int, CallEdge], edge: CallEdge, *, by: int) -> None:
    """Keep of several calls between two definitions the first sure one."""
    if edge.caller == edge.callee:
        return
    known = edges.get(by)
    if known is None or _order(edge) < _order(known):
        edges[by] = edge


def _order(edge: CallEdge) -> tuple[bool, int, int]:
    return edge.is_possible, edge.choices if edge.is_possible else 0, edge.line
