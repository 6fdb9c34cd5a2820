"""What the variables, fields and results of JavaScript and TypeScript hold."""

from __future__ import annotations

import re

from tree_sitter import Node

from devrag.parsing.code.spec import RESULT, Held
from devrag.parsing.code.text import first_named, node_text
from devrag.parsing.languages.ecmascript_names import name_of
from devrag.parsing.source import SourceText

_AROUND = {"parenthesized_expression", "await_expression", "non_null_expression"}
_MODIFIERS = {"accessibility_modifier", "readonly"}
_CASTS = {"as_expression", "satisfies_expression"}
_READ = {"identifier", "member_expression"}
_EITHER = {"||", "??"}
_NOTHING = {"null", "undefined"}
_WRAPPED = re.compile(
    r"(?:Promise|Readonly|Partial|Required|NonNullable|Awaited)<(.*)>", re.DOTALL
)
_ARGUMENTS = re.compile(r"([\w$.]+)\s*<.*>", re.DOTALL)


def held(source: SourceText, node: Node) -> list[Held]:
    """Read variables, fields, parameters that are fields, and what is returned."""
    if node.type == "return_statement":
        given = first_named(node)
        return [Held(RESULT, value=_value(source, given))] if given else []
    if node.type == "assignment_expression":
        return _assigned(source, node)
    name = (
        node.child_by_field_name("name")
        or node.child_by_field_name("property")
        or node.child_by_field_name("pattern")
    )
    if name is None or name.type.endswith("_pattern"):
        return []
    text = node_text(source, name)
    declared = node.child_by_field_name("type")
    if node.type == "required_parameter" and declared is not None:
        return _parameter(source, node, text, node_text(source, declared))
    if declared is not None:
        return [Held(text, declared=node_text(source, declared).lstrip(": "))]
    value = node.child_by_field_name("value")
    if value is None or value.type in _NOTHING:
        return []
    return [_given(source, text, value)]


def _parameter(source: SourceText, node: Node, name: str, declared: str) -> list[Held]:
    """Read a parameter of any function; with a modifier it is a field as well."""
    declared = declared.lstrip(": ")
    found = [Held(name, declared=declared, is_local=True)]
    if any(child.type in _MODIFIERS for child in node.children):
        found.append(Held(f"this.{name}", declared=declared))
    return found


def _assigned(source: SourceText, node: Node) -> list[Held]:
    """Read `x = value` and `this.x = value`."""
    left = node.child_by_field_name("left")
    right = node.child_by_field_name("right")
    if left is None or right is None or right.type in _NOTHING:
        return []
    text = node_text(source, left) if left.type in _READ else ""
    word, dot, rest = text.rpartition(".")
    if not text or (dot and (word != "this" or not rest)):
        return []
    return [_given(source, text, right)]


def _given(source: SourceText, name: str, value: Node) -> Held:
    if value.type in _CASTS:
        written = value.named_children[-1] if value.named_child_count > 1 else None
        return Held(name, declared=node_text(source, written) if written else "")
    return Held(name, value=_value(source, value))


def _value(source: SourceText, node: Node) -> str:
    """Return the names of what a value may be, joined; '' when one has none."""
    kind = node.type
    if kind in _AROUND:
        inner = first_named(node)
        return _value(source, inner) if inner is not None else ""
    if kind in _READ:
        return name_of(source, node)
    if kind == "this":
        return "this"
    if kind in {"new_expression", "call_expression"}:
        called = node.child_by_field_name("constructor")
        called = called or node.child_by_field_name("function")
        name = name_of(source, called) if called is not None else ""
        return f"{name}()" if name else ""
    return "|".join(_either(source, node))


def _either(source: SourceText, node: Node) -> list[str]:
    sides: tuple[str, ...] = ()
    if node.type == "ternary_expression":
        sides = ("consequence", "alternative")
    elif node.type == "binary_expression":
        operator = node.child_by_field_name("operator")
        if operator is not None and operator.type in _EITHER:
            sides = ("left", "right")
    parts = [node.child_by_field_name(side) for side in sides]
    names = [_value(source, p) for p in parts if p is not None and p.type != "null"]
    return names if all(names) else []


def value_type(written: str) -> str:
    """Return the type without what says that it may be missing, and its arguments."""
    text = written.strip()
    if "|" in text:
        parts = [part.strip() for part in text.split("|")]
        text = "|".join(part for part in parts if part not in {*_NOTHING, ""})
    while wrapped := _WRAPPED.fullmatch(text):
        text = value_type(wrapped[1])
    if text == "this":
        return "Self"
    match = _ARGUMENTS.fullmatch(text)
    return match[1] if match else text
