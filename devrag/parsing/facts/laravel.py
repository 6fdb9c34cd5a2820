"""Laravel's way to write handlers of routes and prefixes of their groups."""

from __future__ import annotations

import re

from tree_sitter import Node

from devrag.parsing.code.text import node_text
from devrag.parsing.facts.calls import Call, literal_text, read_arguments, written_name

_ACTION = re.compile(r"[\w\\]+@\w+")
_CHAIN_LIMIT = 8


def laravel_handler(call: Call) -> str:
    """Return `Class.method` of `[Class::class, "method"]` or `"Class@method"`."""
    last = call.positional[-1]
    text = literal_text(call.source, last)
    if text is not None:
        action = re.sub(r"[@\\]+", ".", text)
        return action if _ACTION.fullmatch(text) else ""
    if last.type != "array_creation_expression":
        return written_name(call.source, last).removesuffix(".class")
    parts = [item.named_children[-1] for item in last.named_children]
    method = literal_text(call.source, parts[-1]) if len(parts) == 2 else None
    name = written_name(call.source, parts[0]) if method else ""
    return f"{name.removesuffix('.class')}.{method}" if name else ""


def laravel_prefix(group: Call) -> str:
    """Return the path of `prefix("x")->group(…)` or `group(["prefix" => "x"], …)`."""
    at: Node | None = group.node
    for _ in range(_CHAIN_LIMIT):
        name = at.child_by_field_name("name") if at is not None else None
        if at is None or name is None:
            break
        if node_text(group.source, name) == "prefix":
            return read_arguments(group.source, at).text(0) or ""
        at = at.child_by_field_name("object")
    options = group.argument(0)
    for item in options.named_children if options is not None else ():
        parts = item.named_children
        if len(parts) == 2 and literal_text(group.source, parts[0]) == "prefix":
            return literal_text(group.source, parts[1]) or ""
    return ""
