"""YAML as plain data with line numbers, by its grammar; anchors are not followed."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

from tree_sitter import Node

from devrag.parsing.code.tree import parse_tree
from devrag.parsing.located_values import MAX_DEPTH, NOTHING, Placed
from devrag.parsing.source import SourceText

_WRAPPERS = {"stream", "document", "block_node", "flow_node"}
_MAPPINGS = {"block_mapping", "flow_mapping"}
_SEQUENCES = {"block_sequence", "flow_sequence"}
_PAIRS = {"block_mapping_pair", "flow_pair"}
_SKIPPED = {"comment", "anchor", "tag"}


def load_yaml(source: SourceText) -> Placed | None:
    """Return the first document, or None when it is empty or broken."""
    tree = parse_tree(source, "yaml")
    if tree.root_node.has_error:
        return None
    return _value(source, tree.root_node, 0)


def require_yaml(source: SourceText) -> Placed:
    """Return the first document, nothing for an empty one; ValueError when broken."""
    root = parse_tree(source, "yaml").root_node
    if root.has_error:
        raise ValueError(f"not readable as YAML from line {_first_error(root)} on")
    return _value(source, root, 0) or NOTHING


def _first_error(node: Node) -> int:
    """Return the line of the first node that the grammar could not place."""
    while not (node.is_error or node.is_missing):
        broken = next((child for child in node.children if child.has_error), None)
        if broken is None:
            break
        node = broken
    return node.start_point.row + 1


def _value(source: SourceText, node: Node | None, depth: int) -> Placed | None:
    while node is not None and node.type in _WRAPPERS:
        inner = [child for child in node.named_children if child.type not in _SKIPPED]
        node = inner[0] if inner else None
    if node is None or depth > MAX_DEPTH:
        return None
    start, end = node.start_point.row + 1, _end_line(node)
    if node.type in _MAPPINGS:
        return Placed(_mapping(source, node, depth), start, end)
    if node.type in _SEQUENCES:
        found = [_value(source, item, depth + 1) for item in _sequence_items(node)]
        return Placed([item for item in found if item is not None], start, end)
    return Placed(_scalar(source, node), start, end)


def _end_line(node: Node) -> int:
    row, column = node.end_point
    return max(row if column == 0 else row + 1, node.start_point.row + 1)


def _sequence_items(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        if child.type == "block_sequence_item":
            yield from (c for c in child.named_children if c.type not in _SKIPPED)
        elif child.type not in _SKIPPED:
            yield child


def _mapping(source: SourceText, node: Node, depth: int) -> dict[str, Placed]:
    found: dict[str, Placed] = {}
    for pair in node.named_children:
        if pair.type not in _PAIRS:
            continue
        key = _value(source, pair.child_by_field_name("key"), depth + 1)
        value = _value(source, pair.child_by_field_name("value"), depth + 1)
        start, end = pair.start_point.row + 1, _end_line(pair)
        if key is not None and isinstance(key.value, str):
            found[key.value] = Placed("" if value is None else value.value, start, end)
    return found


def _scalar(source: SourceText, node: Node) -> str:
    text = source.data[node.start_byte : node.end_byte].decode("utf-8", "replace")
    if node.type == "block_scalar":
        return dedent(text.partition("\n")[2]).strip("\n")
    if node.type == "double_quote_scalar":
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    if node.type == "single_quote_scalar":
        return text[1:-1].replace("''", "'")
    return " ".join(text.split())
