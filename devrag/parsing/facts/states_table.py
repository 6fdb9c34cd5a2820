"""Tables from each member of an enumeration to those that may follow it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.facts.states import Machine, member, pairs_of
from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts

_FEWEST = 2
_WRAPPED = {"as_expression", "satisfies_expression", "parenthesized_expression"}
_LISTS = {"list", "tuple", "set", "array"}
_MAKERS = {"set", "frozenset", "list", "tuple", "Set"}


@dataclass(frozen=True, slots=True)
class Grammar:
    """Where a language keeps such a table: query, fields of name and value."""

    query: str
    name: str
    literal: str


_JS = Grammar("(variable_declarator value: (_)) @assigned", "name", "object")
TABLE: Mapping[str, Grammar] = {
    "python": Grammar(
        "(assignment right: (dictionary)) @assigned", "left", "dictionary"
    ),
    "javascript": _JS,
    "typescript": _JS,
    "tsx": _JS,
}


def tables(analysis: CodeAnalysis, grammar: Grammar) -> Iterator[FactFacts]:
    """Yield a machine per literal whose keys and values are members of one name."""
    source = analysis.source
    for node in analysis.find(grammar.query).get("assigned", ()):
        name = node.child_by_field_name(grammar.name)
        value = node.child_by_field_name("right") or node.child_by_field_name("value")
        while value is not None and value.type in _WRAPPED and value.named_children:
            value = value.named_children[0]
        if name is None or value is None or value.type != grammar.literal:
            continue
        machine = _machine(source, value)
        lines = node.start_point.row + 1, node.end_point.row + 1
        if machine is not None:
            yield from machine.fact(node_text(source, name), *lines)


def _machine(source: SourceText, table: Node) -> Machine | None:
    """Return the machine of a table; None if a key or value is another thing."""
    pairs = list(pairs_of(source, table))
    entries = [c for c in table.named_children if not c.type.endswith("comment")]
    enums: set[str] = set()
    machine = Machine("table")
    for key, value in pairs:
        enum, state = member(source, key)
        following = _members(source, value)
        if not state or following is None:
            return None
        enums |= {enum, *(e for e, _ in following)}
        machine.states.append(state)
        for _, target in following:
            machine.add([state], target, "")
    if len(pairs) < _FEWEST or len(pairs) != len(entries) or len(enums) != 1:
        return None
    machine.enum = enums.pop()
    return machine


def _members(source: SourceText, node: Node) -> list[tuple[str, str]] | None:
    """Return the members that a value names, None where it holds anything else."""
    if node.type in {"call", "new_expression"}:
        called = node.child_by_field_name("function")
        called = called or node.child_by_field_name("constructor")
        given = node.child_by_field_name("arguments")
        if called is None or node_text(source, called) not in _MAKERS:
            return None
        inner = given.named_children if given is not None else []
        return _members(source, inner[0]) if inner else []
    items = node.named_children if node.type in _LISTS else [node]
    found = [member(source, item) for item in items]
    return found if all(state for _, state in found) else None
