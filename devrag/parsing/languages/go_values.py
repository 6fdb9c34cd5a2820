"""What Go's variables, fields and results hold."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.spec import Held
from devrag.parsing.code.text import first_named, node_text
from devrag.parsing.languages.go_names import name_of
from devrag.parsing.source import SourceText

_NAMED = re.compile(r"\*?\s*([^\W\d]\w*(?:\.\w+)?)(?:\[.*\])?", re.DOTALL)
_LAST = re.compile(r"\w+$")
_CALLED = {"call_expression", "type_conversion_expression"}
_READ = {"identifier", "selector_expression"}
_AROUND = {"parenthesized_expression", "unary_expression"}


def held(source: SourceText, node: Node) -> list[Held]:
    """Read fields, variables, and the parameters of function literals."""
    declared = node.child_by_field_name("type")
    names = [node_text(source, n) for n in node.children_by_field_name("name")]
    if declared is not None:
        written = node_text(source, declared)
        # An embedded field goes by the name of its type.
        embedded = _LAST.search(written.partition("[")[0])
        if node.type == "field_declaration" and not names and embedded:
            names = [embedded[0]]
        return [Held(name, declared=written) for name in names]
    left, values = node.child_by_field_name("left"), "right"
    if left is not None:
        names = [
            node_text(source, n) if n.type == "identifier" else ""
            for n in left.named_children
        ]
    else:
        values = "value"
    listed = node.child_by_field_name(values)
    if listed is None:
        return []
    given = [value for value in listed.named_children if value.type != "comment"]
    return list(_paired(source, names, given))


def _paired(source: SourceText, names: list[str], values: list[Node]) -> Iterator[Held]:
    """Yield each name with its value; of several results only the first is known."""
    is_spread = len(values) == 1 and len(names) > 1
    for at, name in enumerate(names):
        is_known = at < len(values) and name not in {"", "_"}
        if name in {"", "_"}:
            continue
        if not is_known or (is_spread and at):
            yield Held(name)
            continue
        value = values[at]
        if value.type == "type_assertion_expression":
            target = value.child_by_field_name("type")
            yield Held(name, declared=node_text(source, target) if target else "")
        else:
            yield Held(name, value=_value(source, value))


def _value(source: SourceText, node: Node) -> str:
    """Return the name of a value: a composite literal is a call of its type."""
    kind = node.type
    if kind in _AROUND:
        inner = node.child_by_field_name("operand") or first_named(node)
        return _value(source, inner) if inner is not None else ""
    if kind == "composite_literal":
        made = node.child_by_field_name("type")
        written = value_type(node_text(source, made)) if made is not None else ""
        return f"{written}()" if written else ""
    if kind in _READ:
        return name_of(source, node)
    if kind not in _CALLED:
        return ""
    called = node.child_by_field_name("function") or node.child_by_field_name("type")
    name = name_of(source, called) if called is not None else ""
    arguments = node.child_by_field_name("arguments")
    if name == "new" and arguments is not None and arguments.named_children:
        name = value_type(node_text(source, arguments.named_children[0]))
    return f"{name}()" if name else ""


def value_type(written: str) -> str:
    """Return the type of a value, or of the first of several results."""
    text = written.strip()
    if text.startswith("("):
        text = text[1:].partition(",")[0].rstrip(")").strip()
        # `(found *Cup, err error)` names its results.
        text = text.rpartition(" ")[2]
    match = _NAMED.fullmatch(text)
    return match[1] if match else ""
