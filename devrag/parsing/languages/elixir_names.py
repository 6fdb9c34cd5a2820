"""Names in Elixir: calls, aliases, modules."""

from __future__ import annotations

import re

from tree_sitter import Node

from devrag.parsing.code.spec import Import
from devrag.parsing.code.text import node_text
from devrag.parsing.source import SourceText

_PLAIN = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*[?!]?")
_MODULE = re.compile(r"[A-Z][\w.]*")
_OWN_MODULE = "__MODULE__."
_SPEC = re.compile(rb"\s*@(spec|type|typep|opaque|callback|macrocallback)\b")
_HEAD = re.compile(rb"\s*def\w*[ (]\s*")
# Forms of the language that look like calls, and types that do.
_FORM_WORDS = (
    "def defp defmacro defmacrop defdelegate defguard defguardp defmodule defprotocol "
    "defimpl defstruct defexception defoverridable alias import require use if unless "
    "case cond with for try receive quote unquote unquote_splicing fn super raise "
    "when and or not in any term integer boolean atom binary keyword map list pid "
    "timeout non_neg_integer pos_integer no_return module struct tuple iodata mfa"
)
_FORMS = frozenset(_FORM_WORDS.split())
_NAME_LIMIT = 300
_CHAIN_LIMIT = 50


def name_of(source: SourceText, node: Node) -> str:
    """Return the called function, `Mod.fun` or `fun`; '' for forms and types."""
    target = node.child_by_field_name("target")
    if target is None or _is_declared(source, node):
        return ""
    if target.type == "dot" and _is_field(node, target):
        return ""
    text = node_text(source, target) if _length(target) <= _NAME_LIMIT else ""
    name = text if _PLAIN.fullmatch(text) else _chain(source, target)
    name = name.removeprefix(_OWN_MODULE)
    return "" if name in _FORMS or name.endswith(".t") else name


def _length(node: Node) -> int:
    return node.end_byte - node.start_byte


def _is_declared(source: SourceText, node: Node) -> bool:
    """Return whether it is an attribute, head of a definition, or part of a spec."""
    start = node.start_byte
    if source.data[start - 1 : start] == b"@":
        return True
    line = source.data.rfind(b"\n", 0, start) + 1
    is_head = _HEAD.fullmatch(source.data, line, start)
    return bool(is_head or _SPEC.match(source.data, line, start))


def _is_field(call: Node, target: Node) -> bool:
    """Return whether `a.b` without arguments reads a field: no module stands before."""
    left = target.child_by_field_name("left")
    return call.named_child_count == 1 and (left is None or left.type != "alias")


def _chain(source: SourceText, node: Node) -> str:
    parts: list[str] = []
    at: Node | None = node
    for _ in range(_CHAIN_LIMIT):
        if at is None:
            return ""
        if at.type in {"identifier", "alias"}:
            parts.append(node_text(source, at))
            name = ".".join(reversed(parts))
            return name if len(name) <= _NAME_LIMIT else ""
        if at.type == "call":
            at = at.child_by_field_name("target")
            if parts:
                parts[-1] = f"().{parts[-1]}"
            continue
        right = at.child_by_field_name("right") if at.type == "dot" else None
        if right is None:
            return ""
        parts.append(node_text(source, right))
        at = at.child_by_field_name("left")
    return ""


def import_items(source: SourceText, node: Node) -> list[Import]:
    """Return what `alias`, `import`, `require` and `use` bring in."""
    form = node.child_by_field_name("target")
    arguments = arguments_of(node)
    if form is None or not arguments:
        return []
    is_alias = node_text(source, form) == "alias"
    given_name = _option(source, arguments, "as")
    line, start = node.start_point.row + 1, node.start_byte
    found = []
    for path in _modules(source, arguments[0]):
        alias = given_name or (path.rpartition(".")[2] if is_alias else "")
        found.append(Import(path, alias, path if alias else "", line, start))
    return found


def arguments_of(call: Node) -> list[Node]:
    """Return the arguments of a call, with or without parentheses."""
    for child in call.named_children:
        if child.type == "arguments":
            return child.named_children
    return []


def _modules(source: SourceText, node: Node) -> list[str]:
    """Return the modules of `A.B` and `A.{B, C}`."""
    if node.type == "alias":
        return [node_text(source, node)]
    left, right = (node.child_by_field_name(side) for side in ("left", "right"))
    if node.type != "dot" or left is None or right is None or left.type != "alias":
        return []
    prefix = node_text(source, left)
    return [
        f"{prefix}.{node_text(source, child)}"
        for child in right.named_children
        if child.type == "alias"
    ]


def _option(source: SourceText, arguments: list[Node], key: str) -> str:
    value = option_node(source, arguments, key)
    return node_text(source, value) if value is not None else ""


def option_node(source: SourceText, arguments: list[Node], key: str) -> Node | None:
    """Return the value of `key:` among a call's arguments."""
    for keywords in arguments:
        if keywords.type == "keywords":
            for pair in keywords.named_children:
                name = pair.child_by_field_name("key")
                if name is not None and node_text(source, name).strip() == f"{key}:":
                    return pair.child_by_field_name("value")
    return None


def type_names(text: str) -> tuple[str, ...]:
    """Return the module of a struct or a `Mod.t()`; a spec's types are no modules."""
    return (text,) if _MODULE.fullmatch(text) else ()
