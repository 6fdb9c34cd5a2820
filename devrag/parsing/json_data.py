"""JSON as plain data with line numbers; what is no JSON raises ValueError."""

from __future__ import annotations

import json

from tree_sitter import Node

from devrag.parsing.code.text import node_text
from devrag.parsing.code.tree import parse_tree
from devrag.parsing.located_values import MAX_DEPTH, NOTHING, Placed
from devrag.parsing.source import SourceText


def load_json(source: SourceText) -> Placed:
    """Return the value of the file; comments are passed over."""
    root = parse_tree(source, "json").root_node
    if root.has_error:
        json.loads(source.text)  # its message says what is wrong, and where
    found = (_value(source, child, 0) for child in root.named_children)
    return next((value for value in found if value is not None), NOTHING)


def _value(source: SourceText, node: Node, depth: int) -> Placed | None:
    if node.type in {"comment", "ERROR"} or depth > MAX_DEPTH:
        return None
    start, end = node.start_point.row + 1, node.end_point.row + 1
    if node.type == "object":
        return Placed(_members(source, node, depth + 1), start, end)
    if node.type == "array":
        items = (_value(source, child, depth + 1) for child in node.named_children)
        return Placed([item for item in items if item is not None], start, end)
    text = "" if node.type == "null" else node_text(source, node)
    return Placed(_unquoted(text) if node.type == "string" else text, start, end)


def _members(source: SourceText, node: Node, depth: int) -> dict[str, Placed]:
    found: dict[str, Placed] = {}
    for pair in node.named_children:
        key = pair.child_by_field_name("key")
        value = pair.child_by_field_name("value")
        placed = _value(source, value, depth) if value is not None else None
        if key is not None and placed is not None:
            line = pair.start_point.row + 1
            name = _unquoted(node_text(source, key))
            found[name] = Placed(placed.value, line, placed.end_line)
    return found


def _unquoted(text: str) -> str:
    # Line ends have no place in a string, yet editors let them in.
    return str(json.loads(text, strict=False)) if "\\" in text else text[1:-1]
