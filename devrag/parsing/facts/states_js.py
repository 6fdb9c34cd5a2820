"""State machines of JavaScript and TypeScript: XState, and tables of an enumeration."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.facts.calls import literal_text, read_call
from devrag.parsing.facts.states import Machine, pairs_of
from devrag.parsing.facts.states_table import TABLE, tables
from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts

_MAKERS = ("createMachine", "Machine")


def js_states(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield the machines of a file."""
    if any(
        item.path.startswith(("xstate", "@xstate")) for item in analysis.uses.imports
    ):
        yield from _xstate(analysis)
    if re.search(r"\[\s*[A-Z]\w*\.\w+\s*\]\s*:", analysis.source.text):
        yield from tables(analysis, TABLE[analysis.language])


def _xstate(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Read the outermost states of what `createMachine` is given."""
    source = analysis.source
    for use in (u for word in _MAKERS for u in analysis.uses.ending("call", word)):
        call = read_call(source, use)
        first = call.argument(0)
        cells = _cells(source, first)
        name = literal_text(source, cells.get("id")) or _bound(source, call.node)
        machine = Machine(
            "xstate", initial=literal_text(source, cells.get("initial")) or ""
        )
        states = _cells(source, cells.get("states"))
        machine.states = list(states)
        for state, node in states.items():
            _steps(source, state, node, machine)
        yield from machine.fact(name or use.name, call.start_line, call.end_line)


def _cells(source: SourceText, node: Node | None) -> dict[str, Node]:
    """Return an object's values by their keys, nothing for other nodes."""
    if node is None or node.type != "object":
        return {}
    return {
        literal_text(source, key) or node_text(source, key): value
        for key, value in pairs_of(source, node)
    }


def _steps(source: SourceText, state: str, node: Node, machine: Machine) -> None:
    inner = _cells(source, node)
    steps = [*_cells(source, inner.get("on")).items()]
    steps += [
        (f"after {delay}", value)
        for delay, value in _cells(source, inner.get("after")).items()
    ]
    if "always" in inner:
        steps.append(("", inner["always"]))
    for event, value in steps:
        for target in _targets(source, value):
            bare = target.rpartition(".")[2].lstrip("#") if "#" in target else target
            # What begins with a dot is a state inside this one.
            if bare in machine.states:
                machine.add([state], bare, event)


def _targets(source: SourceText, node: Node) -> Iterator[str]:
    """Yield where a transition leads: `"b"`, `{ target: "b" }`, or a list of such."""
    for item in node.named_children if node.type == "array" else [node]:
        target = _cells(source, item).get("target", item)
        if text := literal_text(source, target):
            yield text


def _bound(source: SourceText, call: Node) -> str:
    """Return the variable that is given what a call returns, '' for none."""
    above = call.parent
    name = above.child_by_field_name("name") if above is not None else None
    is_bound = above is not None and above.type == "variable_declarator"
    return node_text(source, name) if is_bound and name is not None else ""
