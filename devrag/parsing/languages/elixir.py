"""Elixir: modules are namespaces, the clauses of a function are one symbol."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

from tree_sitter import Node

from devrag.parsing.code.spec import Description, LanguageSpec, Named
from devrag.parsing.code.text import doc_comment, node_text, one_line
from devrag.parsing.languages.elixir_names import (
    arguments_of,
    import_items,
    name_of,
    option_node,
    type_names,
)
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

QUERY = """
((call target: (identifier) @form (arguments)) @definition.function
  (#any-of? @form "def" "defp" "defmacro" "defmacrop" "defdelegate" "defguard"
    "defguardp" "defmodule" "defprotocol" "defimpl"))
((unary_operator operator: "@" operand: (call target: (identifier) @form))
  @definition.type
  (#any-of? @form "type" "typep" "opaque" "callback" "macrocallback"))
((call target: (identifier) @form (arguments)) @import
  (#any-of? @form "alias" "import" "require" "use"))
(call target: [(identifier) (dot)]) @call
(struct (alias) @type)
((call target: (dot left: (alias) @type right: (identifier) @form)) (#eq? @form "t"))
((call target: (identifier) @form) @branch (#any-of? @form "if" "unless" "for"))
([
  (do_block (stab_clause left: (arguments . (_) @pattern)) @branch)
  (else_block (stab_clause left: (arguments . (_) @pattern)) @branch)
] (#not-match? @pattern "^(_|true)$"))
[
  (do_block (stab_clause left: (binary_operator)) @branch)
  (else_block (stab_clause left: (binary_operator)) @branch)
  (rescue_block (stab_clause) @branch)
  (catch_block (stab_clause) @branch)
]
["&&" "||" "and" "or"] @branch
(comment) @comment
(ERROR) @error
(MISSING) @error
"""

_MODULES = {
    "defmodule": "namespace",
    "defprotocol": "interface",
    "defimpl": "extension",
}
_DEFINING = {
    "def",
    "defp",
    "defmacro",
    "defmacrop",
    "defdelegate",
    "defguard",
    "defguardp",
}
_PRIVATE = {"defp", "defmacrop", "defguardp", "typep"}
# Attributes that speak of the function below them.
_ABOUT_NEXT = {
    "doc",
    "typedoc",
    "spec",
    "impl",
    "deprecated",
    "decorate",
    "dialyzer",
    "tag",
}
_COMMENTS = frozenset({"comment"})
_SUMMARY_LIMIT = 200
_CLAUSE_LIMIT = 5000


@dataclass(frozen=True, slots=True)
class _Head:
    """What a clause is called with; node: the head, with its guard."""

    name: str
    arguments: list[Node]
    node: Node


def _describe(source: SourceText, node: Node, _kind: str) -> Description | None:
    form = _form(source, node)
    if form in _MODULES:
        return _describe_module(source, node, _MODULES[form])
    if form in _DEFINING or form.endswith("callback"):
        return _describe_function(source, node)
    return _describe_type(source, node)


def _describe_module(source: SourceText, node: Node, kind: str) -> Description | None:
    arguments = arguments_of(node)
    if not arguments or arguments[0].type != "alias":
        return None
    name = node_text(source, arguments[0])
    interfaces: tuple[Named, ...] = ()
    if kind == "extension":
        interfaces = ((name, node.start_point.row + 1),)
        name = _extended(source, arguments) or name
    body = next((c for c in node.named_children if c.type == "do_block"), None)
    end = body.start_byte if body is not None else node.end_byte
    row = node.start_point.row + 1
    return Description(
        kind=kind,
        name=name,
        outer=node,
        signature=one_line(source.data[node.start_byte : end].decode()).rstrip(),
        signature_lines=(row, row),
        body=body,
        docstring=_module_doc(source, body),
        interfaces=interfaces or tuple(_behaviours(source, body)),
    )


def _extended(source: SourceText, arguments: list[Node]) -> str:
    """Return the type that a protocol is implemented for; of a list its first."""
    value = option_node(source, arguments, "for")
    if value is not None and value.type == "list":
        value = next(iter(value.named_children), None)
    return node_text(source, value) if value is not None else ""


def _describe_function(source: SourceText, node: Node) -> Description | None:
    head = _head_of(source, node)
    if head is None or _continues(source, node, head):
        return None
    above = _attributes_above(source, node)
    spec = next((a for a in above if _attribute_name(source, a) == "spec"), None)
    types, returned = _spec_types(source, spec or node)
    last = _last_clause(source, node, head)
    outer = last if last is not None else node
    first = above[0] if above else (node if outer != node else None)
    docs = [_attribute_text(source, a) for a in above]
    shown = source.data[node.start_byte : head.node.end_byte].decode()
    return Description(
        kind="function",
        name=head.name,
        outer=outer,
        first=first,
        body=_body(outer),
        signature=one_line(shown),
        signature_lines=(node.start_point.row + 1, head.node.end_point.row + 1),
        parameters=_parameters(source, head.arguments, types if spec else []),
        return_type=returned,
        docstring=next(
            (text for text in docs if text),
            doc_comment(source, first or node, _COMMENTS),
        ),
        attributes=tuple(
            one_line(node_text(source, a))
            for a in above
            if _attribute_name(source, a) not in {"doc", "spec"}
        ),
        modifiers=_modifiers(_form(source, node)),
    )


def _describe_type(source: SourceText, node: Node) -> Description | None:
    head = _head_of(source, node)
    if head is None:
        return None
    row = node.start_point.row + 1
    above = _attributes_above(source, node)
    return Description(
        kind="type",
        name=head.name,
        outer=node,
        signature=one_line(node_text(source, node))[:_SUMMARY_LIMIT],
        signature_lines=(row, row),
        docstring=_attribute_text(source, above[-1]) if above else "",
        modifiers=_modifiers(_form(source, node)),
    )


def _form(source: SourceText, node: Node) -> str:
    """Return `def` of a definition, `type` of an attribute."""
    call = node.child_by_field_name("operand") or node
    target = call.child_by_field_name("target") if call.type == "call" else None
    return node_text(source, target) if target is not None else ""


def _modifiers(form: str) -> tuple[str, ...]:
    shown = "private" if form in _PRIVATE else "public"
    return (shown, "macro") if form.startswith("defmacro") else (shown,)


def _head_of(source: SourceText, node: Node) -> _Head | None:
    """Return the head of a clause, a spec, a callback or a type."""
    arguments = arguments_of(node.child_by_field_name("operand") or node)
    if not arguments:
        return None
    head = at = arguments[0]
    while at.type == "binary_operator":
        left = at.child_by_field_name("left")
        if left is None:
            return None
        at = left
    if at.type == "identifier":
        return _Head(node_text(source, at), [], head)
    target = at.child_by_field_name("target") if at.type == "call" else None
    if target is None or target.type != "identifier":
        return None
    return _Head(node_text(source, target), arguments_of(at), head)


def _continues(source: SourceText, node: Node, head: _Head) -> bool:
    """Return whether another clause of the same function stands right above."""
    above = node.prev_named_sibling
    while above is not None and (
        above.type == "comment" or _attribute_name(source, above) in _ABOUT_NEXT
    ):
        above = above.prev_named_sibling
    return above is not None and _is_clause(source, above, head)


def _last_clause(source: SourceText, node: Node, head: _Head) -> Node | None:
    last, below = None, node.next_named_sibling
    for _ in range(_CLAUSE_LIMIT):
        if below is None:
            break
        if _is_clause(source, below, head):
            last = below
        elif (
            below.type != "comment"
            and _attribute_name(source, below) not in _ABOUT_NEXT
        ):
            break
        below = below.next_named_sibling
    return last


def _is_clause(source: SourceText, node: Node, head: _Head) -> bool:
    if node.type != "call" or _form(source, node) not in _DEFINING:
        return False
    other = _head_of(source, node)
    is_named_so = other is not None and other.name == head.name
    return is_named_so and len(other.arguments if other else ()) == len(head.arguments)


def _attribute_name(source: SourceText, node: Node) -> str:
    if node.type != "unary_operator" or node.child(0) is None:
        return ""
    operator = node.child_by_field_name("operator")
    is_attribute = operator is not None and node_text(source, operator) == "@"
    return _form(source, node) if is_attribute else ""


def _attributes_above(source: SourceText, node: Node) -> list[Node]:
    found: list[Node] = []
    above = node.prev_named_sibling
    while above is not None and _attribute_name(source, above) in _ABOUT_NEXT:
        found.insert(0, above)
        above = above.prev_named_sibling
    return found


def _attribute_text(source: SourceText, node: Node) -> str:
    """Return the text of `@doc "…"` or `@typedoc "…"`, '' for other attributes."""
    arguments = arguments_of(node.child_by_field_name("operand") or node)
    name = _attribute_name(source, node)
    if not arguments or name not in {"doc", "moduledoc", "typedoc"}:
        return ""
    value = arguments[0]
    inner = [c for c in value.named_children if c.type == "quoted_content"]
    if value.type == "sigil":
        inner = inner[:1]
    text = "".join(node_text(source, child) for child in inner)
    return inspect.cleandoc(text).strip() if value.type in {"string", "sigil"} else ""


def _body(node: Node) -> Node | None:
    """Return the block of a function, or its arguments where `do:` stands in them."""
    for child in node.named_children:
        if child.type == "do_block":
            return child
        if any(part.type == "keywords" for part in child.named_children):
            return child
    return None


def _module_doc(source: SourceText, body: Node | None) -> str:
    for child in body.named_children[:20] if body is not None else ():
        if _attribute_name(source, child) == "moduledoc":
            return _attribute_text(source, child)
    return ""


def _behaviours(source: SourceText, body: Node | None) -> list[Named]:
    found = []
    for child in body.named_children if body is not None else ():
        if child.type == "unary_operator":
            arguments = arguments_of(child.child_by_field_name("operand") or child)
            is_behaviour = _attribute_name(source, child) == "behaviour"
            if is_behaviour and arguments and arguments[0].type == "alias":
                row = child.start_point.row + 1
                found.append((node_text(source, arguments[0]), row))
    return found


def _spec_types(source: SourceText, node: Node) -> tuple[list[str], str]:
    """Return the types of the arguments and of the result that a spec declares."""
    head = _head_of(source, node) if node.type == "unary_operator" else None
    if head is None:
        return [], ""
    whole = head.node
    operator = whole.child_by_field_name("operator")
    if operator is not None and node_text(source, operator) == "when":
        whole = whole.child_by_field_name("left") or whole
    right = whole.child_by_field_name("right")
    types = [one_line(node_text(source, argument)) for argument in head.arguments]
    return types, one_line(node_text(source, right)) if right is not None else ""


def _parameters(
    source: SourceText, arguments: list[Node], types: list[str]
) -> tuple[Parameter, ...]:
    is_typed = len(types) == len(arguments)
    return tuple(
        Parameter(_parameter_name(source, node), types[at] if is_typed else "")
        for at, node in enumerate(arguments)
    )


def _parameter_name(source: SourceText, node: Node) -> str:
    r"""Return `opts` of `opts \\ []` and of `%{} = opts`, else the pattern."""
    if node.type == "binary_operator":
        sides = [node.child_by_field_name(side) for side in ("left", "right")]
        for side in sides:
            if side is not None and side.type == "identifier":
                return node_text(source, side)
    return one_line(node_text(source, node))[:_SUMMARY_LIMIT]


ELIXIR = LanguageSpec(
    name="elixir",
    grammar="elixir",
    query=QUERY,
    describe=_describe,
    imports=import_items,
    name_of=name_of,
    type_names=type_names,
    builtins=frozenset(
        {"String", "Keyword", "Enumerable", "MapSet", "DateTime", "Date"}
    ),
)
