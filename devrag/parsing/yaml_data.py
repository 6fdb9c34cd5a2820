"""YAML as plain data with line numbers, by its grammar; anchors are not followed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

from tree_sitter import Node

from devrag.parsing.code.tree import parse_tree
from devrag.parsing.source import Source

_MAX_DEPTH = 60
_WRAPPERS = {"stream", "document", "block_node", "flow_node"}
_MAPPINGS = {"block_mapping", "flow_mapping"}
_SEQUENCES = {"block_sequence", "flow_sequence"}
_PAIRS = {"block_mapping_pair", "flow_pair"}
_SKIPPED = {"comment", "anchor", "tag"}


@dataclass(frozen=True, slots=True)
class Yaml:
    """A value: text, list or mapping of Yaml; lines are 1-based and inclusive."""

    value: str | list[Yaml] | dict[str, Yaml]
    start_line: int
    end_line: int

    def get(self, key: str) -> Yaml | None:
        """Return the value under a key, None when there is none."""
        return self.value.get(key) if isinstance(self.value, dict) else None

    def items(self) -> Iterator[tuple[str, Yaml]]:
        """Yield the pairs of a mapping, nothing for other values."""
        if isinstance(self.value, dict):
            yield from self.value.items()

    def plain(self) -> Any:
        """Return the value as str, list and dict."""
        if isinstance(self.value, list):
            return [item.plain() for item in self.value]
        if isinstance(self.value, dict):
            return {key: item.plain() for key, item in self.value.items()}
        return self.value

    def texts(self) -> list[str]:
        """Return the value as a list of texts: one, or a sequence's scalars."""
        if isinstance(self.value, str):
            return [self.value] if self.value else []
        if isinstance(self.value, list):
            return [item.value for item in self.value if isinstance(item.value, str)]
        return []

    def text(self) -> str:
        """Return a scalar's text, '' for other values."""
        return self.value if isinstance(self.value, str) else ""


def load_yaml(source: Source) -> Yaml | None:
    """Return the first document, or None when it is empty or broken."""
    tree = parse_tree(source, "yaml")
    if tree.root_node.has_error:
        return None
    return _value(source, tree.root_node, 0)


def _value(source: Source, node: Node | None, depth: int) -> Yaml | None:
    while node is not None and node.type in _WRAPPERS:
        inner = [child for child in node.named_children if child.type not in _SKIPPED]
        node = inner[0] if inner else None
    if node is None or depth > _MAX_DEPTH:
        return None
    start, end = node.start_point.row + 1, _end_line(node)
    if node.type in _MAPPINGS:
        return Yaml(_mapping(source, node, depth), start, end)
    if node.type in _SEQUENCES:
        found = [_value(source, item, depth + 1) for item in _sequence_items(node)]
        return Yaml([item for item in found if item is not None], start, end)
    return Yaml(_scalar(source, node), start, end)


def _end_line(node: Node) -> int:
    row, column = node.end_point
    return max(row if column == 0 else row + 1, node.start_point.row + 1)


def _sequence_items(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        if child.type == "block_sequence_item":
            yield from (c for c in child.named_children if c.type not in _SKIPPED)
        elif child.type not in _SKIPPED:
            yield child


def _mapping(source: Source, node: Node, depth: int) -> dict[str, Yaml]:
    found: dict[str, Yaml] = {}
    for pair in node.named_children:
        if pair.type not in _PAIRS:
            continue
        key = _value(source, pair.child_by_field_name("key"), depth + 1)
        value = _value(source, pair.child_by_field_name("value"), depth + 1)
        start, end = pair.start_point.row + 1, _end_line(pair)
        if key is not None and isinstance(key.value, str):
            found[key.value] = Yaml("" if value is None else value.value, start, end)
    return found


def _scalar(source: Source, node: Node) -> str:
    text = source.data[node.start_byte : node.end_byte].decode("utf-8", "replace")
    if node.type == "block_scalar":
        return dedent(text.partition("\n")[2]).strip("\n")
    if node.type == "double_quote_scalar":
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    if node.type == "single_quote_scalar":
        return text[1:-1].replace("''", "'")
    return " ".join(text.split())
