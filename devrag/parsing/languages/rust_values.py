"""What Rust's variables, fields and results hold."""

from __future__ import annotations

import re

from tree_sitter import Node

from devrag.parsing.code.spec import Held
from devrag.parsing.code.text import first_named, node_text
from devrag.parsing.languages.rust_names import name_of, type_path
from devrag.parsing.source import SourceText

_AROUND = {"try_expression", "await_expression", "parenthesized_expression"}
_READ = {"identifier", "field_expression", "scoped_identifier", "self"}
# What stands around a type whose members are asked for.
_WRAPPED = re.compile(
    r"(?:&\s*(?:'\w+\s+)?(?:mut\s+)?)*(?:\w+::)*"
    r"(?:Box|Arc|Rc|Option|Result|Pin|RefCell|Mutex|RwLock)<(.*)>",
    re.DOTALL,
)
_BEFORE = re.compile(r"(?:&\s*(?:'\w+\s+)?(?:mut\s+)?)*(?:dyn\s+|impl\s+)?")
# They give what they are called on, or what it holds.
_THROUGH = re.compile(
    r"\.(?:unwrap|expect|clone|as_ref|as_mut|unwrap_or_default|lock|borrow|borrow_mut"
    r"|to_owned|await)\(\)$"
)


def held(source: SourceText, node: Node) -> list[Held]:
    """Read fields, statics and `let`."""
    name = node.child_by_field_name("name") or node.child_by_field_name("pattern")
    if name is None or name.type not in {"identifier", "field_identifier"}:
        return []
    text = node_text(source, name)
    declared = node.child_by_field_name("type")
    if declared is not None:
        return [Held(text, declared=node_text(source, declared))]
    value = node.child_by_field_name("value")
    return [Held(text, value=_value(source, value) if value is not None else "")]


def _value(source: SourceText, node: Node) -> str:
    kind = node.type
    if kind in _AROUND:
        inner = first_named(node)
        return _value(source, inner) if inner is not None else ""
    if kind == "reference_expression":
        inner = node.child_by_field_name("value")
        return _value(source, inner) if inner is not None else ""
    if kind == "struct_expression":
        made = node.child_by_field_name("name")
        name = type_path(node_text(source, made)) if made is not None else ""
        return f"{name}()" if name else ""
    if kind in _READ:
        return name_of(source, node)
    if kind != "call_expression":
        return ""
    called = node.child_by_field_name("function")
    name = name_of(source, called) if called is not None else ""
    return _through(f"{name}()") if name else ""


def _through(name: str) -> str:
    while shorter := _THROUGH.sub("", name):
        if shorter == name:
            break
        name = shorter
    return name


def value_type(written: str) -> str:
    """Return the type without references, pointers, and what says it may be missing."""
    text = written.strip()
    while wrapped := _WRAPPED.fullmatch(text):
        text = _first(wrapped[1])
    text = _BEFORE.sub("", text, count=1)
    return text.partition(" + ")[0].partition("<")[0].strip()


def _first(arguments: str) -> str:
    """Return the first of several arguments."""
    depth = 0
    for at, sign in enumerate(arguments):
        depth += (sign in "<([") - (sign in ">)]")
        if sign == "," and not depth:
            return arguments[:at].strip()
    return arguments.strip()
