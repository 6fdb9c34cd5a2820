"""TOML as plain data with line numbers; what is no TOML raises ValueError."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable

from tree_sitter import Node

from devrag.parsing.code.text import node_text
from devrag.parsing.code.tree import parse_tree
from devrag.parsing.located_values import MAX_DEPTH, Placed
from devrag.parsing.source import SourceText

_TABLES = {"table", "table_array_element"}
_KEYS = {"bare_key", "quoted_key"}


def load_toml(source: SourceText) -> Placed:
    """Return the file's table."""
    root = parse_tree(source, "toml").root_node
    if root.has_error:
        tomllib.loads(source.text)  # its message says what is wrong, and where
    top: dict[str, Placed] = {}
    for node in root.named_children:
        if node.type == "pair":
            _put(source, top, node, 0)
        elif node.type in _TABLES:
            _add_table(source, top, node)
    return Placed(top, 1, max(len(source.lines), 1))


def _add_table(source: SourceText, top: dict[str, Placed], node: Node) -> None:
    head, *pairs = _parts(node)
    line = node.start_point.row + 1
    *path, last = _keys(source, head) or [""]
    holder = _below(top, path, line)
    if node.type == "table_array_element":
        items = holder.setdefault(last, Placed([], line, line)).listed()
        table: dict[str, Placed] = {}
        items.append(Placed(table, line, _last_line(node)))
    else:
        table = _below(holder, [last], line)
        holder[last] = Placed(table, line, _last_line(node))
    for pair in pairs:
        if pair.type == "pair":
            _put(source, table, pair, 0)


def _below(
    holder: dict[str, Placed], path: Iterable[str], line: int
) -> dict[str, Placed]:
    """Return the table under a path; of an array of tables that is its last one."""
    for key in path:
        found = holder.setdefault(key, Placed({}, line, line)).value
        if isinstance(found, list) and found:
            found = found[-1].value
        holder = found if isinstance(found, dict) else {}
    return holder


def _put(source: SourceText, holder: dict[str, Placed], pair: Node, depth: int) -> None:
    head, value = _parts(pair)[:2]
    line = pair.start_point.row + 1
    *path, last = _keys(source, head) or [""]
    placed = _value(source, value, depth + 1)
    _below(holder, path, line)[last] = Placed(placed.value, line, placed.end_line)


def _keys(source: SourceText, node: Node) -> list[str]:
    """Return the parts of a dotted key, however deep the grammar nests them."""
    found: list[str] = []
    waiting = [node]
    while waiting:
        item = waiting.pop()
        if item.type in _KEYS:
            text = node_text(source, item)
            found.append(_string(text) if item.type == "quoted_key" else text)
        waiting += reversed(item.named_children)
    return found


def _value(source: SourceText, node: Node, depth: int) -> Placed:
    start, end = node.start_point.row + 1, node.end_point.row + 1
    if depth > MAX_DEPTH:
        return Placed("", start, end)
    if node.type == "array":
        items = [_value(source, child, depth + 1) for child in _parts(node)]
        return Placed(items, start, end)
    if node.type == "inline_table":
        table: dict[str, Placed] = {}
        for pair in node.named_children:
            if pair.type == "pair":
                _put(source, table, pair, depth + 1)
        return Placed(table, start, end)
    text = node_text(source, node)
    return Placed(_string(text) if node.type == "string" else text, start, end)


def _parts(node: Node) -> list[Node]:
    return [c for c in node.named_children if c.type not in {"comment", "ERROR"}]


def _string(text: str) -> str:
    if "\\" in text or text.startswith(('"""', "'''")):
        return str(tomllib.loads(f"text = {text}")["text"])
    return text[1:-1]


def _last_line(node: Node) -> int:
    """Return the line of the last character; a table's node runs to the next one."""
    return _parts(node)[-1].end_point.row + 1
