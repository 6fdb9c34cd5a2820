"""What the variables and fields of Java and C# hold."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from devrag.parsing.code.spec import Held
from devrag.parsing.code.text import first_named, node_text
from devrag.parsing.source import SourceText

NameOf = Callable[[SourceText, Node], str]
_INFERRED = {"var", "val"}
_ARGUMENTS = re.compile(r"\s*<.*>", re.DOTALL)
_WRAPPED = re.compile(r"(?:Task|ValueTask)<(.*)>\??", re.DOTALL)
_MADE = {"object_creation_expression"}
_CALLED = {"method_invocation", "invocation_expression"}
_READ = {"identifier", "field_access", "member_access_expression"}
_AROUND = {"parenthesized_expression", "await_expression"}
_CASTS = {"cast_expression", "as_expression"}


def value_type(written: str) -> str:
    """Return the type without its arguments, and what a task gives."""
    text = written.strip()
    if task := _WRAPPED.fullmatch(text):
        text = task[1].strip()
    return _ARGUMENTS.sub("", text).rstrip("?")


def typed(
    source: SourceText,
    declared: Node | None,
    named: Node,
    value: Node | None,
    name_of: NameOf,
    *,
    is_local: bool,
) -> Held:
    """Return what a variable of a written or, with `var`, inferred type holds."""
    text = node_text(source, declared) if declared is not None else ""
    name = node_text(source, named)
    if text and text not in _INFERRED:
        return Held(name, declared=text, is_local=is_local)
    if value is not None and value.type in _CASTS:
        cast = value.child_by_field_name("type") or value.child_by_field_name("right")
        written = node_text(source, cast) if cast is not None else ""
        return Held(name, declared=written, is_local=is_local)
    found = _value(source, value, name_of) if value is not None else ""
    return Held(name, value=found, is_local=is_local)


def _value(source: SourceText, node: Node, name_of: NameOf) -> str:
    if node.type in _AROUND:
        inner = first_named(node)
        return _value(source, inner, name_of) if inner is not None else ""
    if node.type in _READ:
        text = node_text(source, node)
        return text if text.replace(".", "").isidentifier() else ""
    if node.type in _MADE or node.type in _CALLED:
        name = name_of(source, node)
        return f"{name}()" if name else ""
    return ""
