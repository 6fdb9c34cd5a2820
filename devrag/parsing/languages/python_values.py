"""What Python's variables, attributes and results hold."""

from __future__ import annotations

import re

from tree_sitter import Node

from devrag.parsing.code.spec import RESULT, Held
from devrag.parsing.code.text import first_named, node_text
from devrag.parsing.languages.python_names import name_of
from devrag.parsing.languages.python_text import flat
from devrag.parsing.source import SourceText

_PLAIN = re.compile(r"[^\W\d][\w.]*")
_HOLDER = re.compile(r"(?:\w+\.)?\w+")
_WRAPPED = re.compile(
    r"(?:typing\.|typing_extensions\.)?(?:Optional|Annotated|ClassVar|Final|Type|type)"
    r"\[([^\[\],]*)(?:,.*)?\]"
)
_ARGUMENTS = re.compile(r"([^\W\d][\w.]*)\[[^|]*\]")
# Their members are not those of a class that is written here.
_SHAPES_WORDS = (
    "Union Optional Literal Callable Annotated Awaitable Coroutine Iterator "
    "AsyncIterator Iterable AsyncIterable Generator AsyncGenerator Sequence Mapping "
    "Tuple List Dict Set FrozenSet tuple list dict set frozenset"
)
_SHAPES = frozenset(_SHAPES_WORDS.split())


def held(source: SourceText, node: Node) -> list[Held]:
    """Read what gives a name or an attribute its value, and what is returned."""
    if node.type == "return_statement":
        value = first_named(node)
        return [Held(RESULT, value=_value(source, value))] if value else []
    if node.type == "as_pattern":
        return _aliased(source, node)
    name = node.child_by_field_name("left") or node.child_by_field_name("name")
    if name is None or name.type not in {"identifier", "attribute"}:
        return []
    text = node_text(source, name)
    declared = node.child_by_field_name("type")
    if text.count(".") > 1 or not _HOLDER.fullmatch(text):
        return []
    if declared is not None:
        return [Held(text, declared=flat(node_text(source, declared)))]
    value = node.child_by_field_name("right") or node.child_by_field_name("value")
    if value is None or value.type == "none":
        return []
    return [Held(text, value=_value(source, value))]


def _aliased(source: SourceText, node: Node) -> list[Held]:
    """Read `with open() as x` and `except E as x`."""
    target = node.child_by_field_name("alias")
    name = first_named(target) if target is not None else None
    if name is None or name.type != "identifier":
        return []
    text, value, above = node_text(source, name), first_named(node), node.parent
    if value is None or above is None:
        return [Held(text)]
    if above.type == "except_clause":
        is_one = value.type in {"identifier", "attribute"}
        return [Held(text, declared=node_text(source, value) if is_one else "")]
    return [
        Held(text, value=_value(source, value) if above.type == "with_item" else "")
    ]


def _value(source: SourceText, node: Node) -> str:
    """Return the names of what a value may be, joined; '' when one has none."""
    if node.type in {"parenthesized_expression", "await"}:
        inner = first_named(node)
        return _value(source, inner) if inner is not None else ""
    if node.type in {"identifier", "attribute"}:
        return name_of(source, node)
    if node.type == "call":
        called = node.child_by_field_name("function")
        name = name_of(source, called) if called is not None else ""
        return f"{name}()" if name else ""
    if node.type == "boolean_operator":
        parts = [node.child_by_field_name(side) for side in ("left", "right")]
    elif node.type == "conditional_expression":
        parts = [*node.named_children[::2]]
    else:
        return ""
    names = [_value(source, p) for p in parts if p is not None and p.type != "none"]
    return "|".join(names) if all(names) else ""


def value_type(written: str) -> str:
    """Return the type without what says that it may be missing, or is quoted."""
    text = written.strip("\"' ")
    while wrapped := _WRAPPED.fullmatch(text):
        text = wrapped[1].strip("\"' ")
    if "|" in text:
        parts = [part.strip() for part in text.split("|")]
        text = "|".join(part for part in parts if part != "None")
    return text if _PLAIN.fullmatch(text) else _generic(text)


def _generic(text: str) -> str:
    """Return `Cup` of `Cup[Tea]`; '' of several types and of Python's own."""
    head = _ARGUMENTS.fullmatch(text)
    return head[1] if head and head[1].rpartition(".")[2] not in _SHAPES else ""
