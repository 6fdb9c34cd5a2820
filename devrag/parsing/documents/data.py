"""The keys of YAML, TOML and JSON, and the blocks they make.

Keys and values come from the grammars, nothing is evaluated: an alias of YAML stays a
word, and what is broken costs no more than its own lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from tree_sitter import Node

from devrag.parsing.documents.blocks import NamedLines
from devrag.parsing.source import SourceText

_MAX_DEPTH = 6
_KEY_LIMIT = 100
_MAPPINGS = {"object", "block_mapping", "flow_mapping"}
_SEQUENCES = {"array", "block_sequence", "flow_sequence"}
_PAIRS = {"pair", "block_mapping_pair", "flow_pair"}
_TABLES = {"table", "table_array_element"}
_WRAPPERS = {"block_node", "flow_node", "block_sequence_item", "document", "ERROR"}
_SKIPPED = {"comment", "anchor", "tag"}
_QUOTES = "\"'"


@dataclass(frozen=True, slots=True)
class Member:
    """A key with its value, or an item of a list (key ''); node: the whole of it."""

    key: str
    node: Node
    value: Node | None

    @property
    def start_line(self) -> int:
        return self.node.start_point.row + 1

    @property
    def end_line(self) -> int:
        row, column = self.node.end_point
        return max(row if column == 0 else row + 1, self.start_line)


def data_blocks(
    source: SourceText, found: list[Member], depth: int = 0
) -> list[NamedLines]:
    """Return the blocks of keys and items, each with those below it."""
    return [
        NamedLines(
            member.key,
            member.start_line,
            member.end_line,
            partial(_blocks_below, source, member.value, depth + 1),
        )
        for member in found
    ]


def _blocks_below(
    source: SourceText, value: Node | None, depth: int
) -> list[NamedLines]:
    if depth > _MAX_DEPTH:
        return []
    return data_blocks(source, members(source, value), depth)


def top_members(source: SourceText, root: Node) -> list[Member]:
    """Return the top-level keys, those of all documents of a YAML file."""
    if root.type == "document" and any(
        child.type in _TABLES or child.type == "pair" for child in root.named_children
    ):
        return list(_toml_members(source, root))
    found = []
    for child in [root] if root.type == "ERROR" else root.named_children:
        found += members(source, child)
    return found


def members(source: SourceText, value: Node | None) -> list[Member]:
    """Return the keys of a mapping or the items of a list; none for scalars."""
    node = _unwrapped(value)
    if node is None:
        return []
    if node.type in _TABLES:
        return list(_toml_members(source, node))
    if node.type in _MAPPINGS:
        return list(_pairs(source, node))
    if node.type in _SEQUENCES:
        return [
            Member("", child, child)
            for child in node.named_children
            if child.type not in _SKIPPED
        ]
    return []


def member(source: SourceText, value: Node | None, key: str) -> Node | None:
    """Return the value under a key of a mapping, None when there is none."""
    found = (item.value for item in members(source, value) if item.key == key)
    return next(found, None)


def scalar(source: SourceText, value: Node | None) -> str:
    """Return a scalar's text on one line, '' for anything else."""
    node = _unwrapped(value)
    if node is None or node.type in _MAPPINGS | _SEQUENCES:
        return ""
    text = _text(source, node)
    if node.type == "block_scalar":
        text = text.partition("\n")[2]
    elif text[:1] in _QUOTES and text[:1] == text[-1:]:
        text = text[1:-1]
    return " ".join(text.split())


def _unwrapped(node: Node | None) -> Node | None:
    while node is not None and node.type in _WRAPPERS:
        inner = [child for child in node.named_children if child.type not in _SKIPPED]
        node = inner[0] if inner else None
    return node


def _pairs(source: SourceText, node: Node) -> Iterator[Member]:
    for child in node.named_children:
        if child.type in _PAIRS:
            key = child.child_by_field_name("key")
            value = child.child_by_field_name("value")
            yield Member(scalar(source, key)[:_KEY_LIMIT], child, value)


def _toml_members(source: SourceText, node: Node) -> Iterator[Member]:
    for child in node.named_children:
        if child.type in _TABLES or child.type == "pair":
            parts = child.named_children
            value = child if child.type in _TABLES else parts[-1]
            yield Member(_text(source, parts[0])[:_KEY_LIMIT], child, value)


def _text(source: SourceText, node: Node) -> str:
    return source.data[node.start_byte : node.end_byte].decode("utf-8", "replace")
