"""Which names are parameters of JavaScript's functions without a name."""

from __future__ import annotations

from tree_sitter import Node

from devrag.parsing.code.text import node_text
from devrag.parsing.source import SourceText

_FUNCTIONS = frozenset(
    [
        *("arrow_function", "function_expression", "generator_function"),
        *("function_declaration", "generator_function_declaration"),
        "method_definition",
    ]
)
_NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern"})
_MOST_AROUND = 200
_MOST_NODES = 500


def is_parameter(source: SourceText, name: Node) -> bool:
    """Return whether a function around a name has a parameter of that name."""
    written = node_text(source, name)
    around = name.parent
    for _ in range(_MOST_AROUND):
        if around is None:
            return False
        if around.type in _FUNCTIONS and _has_parameter(source, around, written):
            return True
        around = around.parent
    return False


def _has_parameter(source: SourceText, function: Node, name: str) -> bool:
    waiting = [
        *function.children_by_field_name("parameters"),
        *function.children_by_field_name("parameter"),
    ]
    for _ in range(_MOST_NODES):
        if not waiting:
            return False
        node = waiting.pop()
        if node.type in _NAMES and node_text(source, node) == name:
            return True
        waiting += node.named_children
    return False
