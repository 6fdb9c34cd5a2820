"""Rust: the query and the rules that a query cannot say."""

from __future__ import annotations

from tree_sitter import Node

from devrag.parsing.code.spec import Description, LanguageSpec, Named
from devrag.parsing.code.text import (
    clean_comment,
    node_text,
    one_line,
    short_line,
    signature_until,
)
from devrag.parsing.languages.rust_names import (
    imports,
    module_path,
    name_of,
    type_names,
    type_path,
)
from devrag.parsing.languages.rust_values import held, value_type
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

QUERY = """
[(function_item) (function_signature_item) (macro_definition)] @definition.function
[(struct_item) (union_item)] @definition.class
(trait_item) @definition.interface
(enum_item) @definition.enum
(impl_item) @definition.extension
(mod_item body: (_)) @definition.namespace
(type_item) @definition.type
[(const_item) (enum_variant)] @definition.constant
(static_item) @definition.variable
[(use_declaration) (extern_crate_declaration)] @import
(mod_item !body) @import
(call_expression function: [
  (identifier) (scoped_identifier) (field_expression) (generic_function)
] @call)
(macro_invocation macro: (_) @call)
(token_tree (identifier) @call . (token_tree))
(scoped_identifier path: (identifier) @use)
(let_declaration pattern: (identifier) @local)
(let_declaration pattern: (tuple_pattern (identifier) @local))
(for_expression pattern: (identifier) @local)
(closure_parameters (identifier) @local)
(tuple_struct_pattern type: (_) (identifier) @local)
[(type_identifier) (scoped_type_identifier)] @type
(scoped_type_identifier name: (_) @type.own)
(struct_item name: (_) @type.own)
(union_item name: (_) @type.own)
(enum_item name: (_) @type.own)
(type_item name: (_) @type.own)
(associated_type name: (_) @type.own)
(trait_item name: (_) @type.own)
(trait_item bounds: (trait_bounds (_) @type.own))
(impl_item trait: (_) @type.own)
(impl_item type: (_) @type.own)
(type_parameter name: (_) @type.parameter)
(associated_type name: (_) @type.parameter)
[(field_declaration) (static_item) (let_declaration)] @hold
(let_declaration pattern: (tuple_pattern (identifier) @rebound))
(for_expression pattern: (identifier) @rebound)
(closure_parameters (identifier) @rebound)
(tuple_struct_pattern type: (_) (identifier) @rebound)
[
  (if_expression) (for_expression) (while_expression) (loop_expression)
] @branch
((match_arm pattern: (_) @_pattern) @branch (#not-eq? @_pattern "_"))
(match_pattern condition: (_) @branch)
(binary_expression operator: ["&&" "||"] @branch)
(let_chain "&&" @branch)
(let_declaration alternative: (_) @branch)
[(line_comment) (block_comment)] @comment
(attribute_item) @lead
(ERROR) @error
(MISSING) @error
"""

_DOCS = ("///", "/**")
_COMMENTS = {"line_comment", "block_comment"}
_PUBLIC_INSIDE = {"trait_item", "enum_item"}


def _describe(source: SourceText, node: Node, kind: str) -> Description | None:
    if kind == "extension":
        return _describe_impl(source, node)
    name = node.child_by_field_name("name")
    if name is None:
        return None
    docstring, attributes = _above(source, node)
    body = node.child_by_field_name("body")
    parameters = node.child_by_field_name("parameters")
    is_macro = node.type == "macro_definition"
    declared = node.child_by_field_name(_DECLARED.get(kind, "return_type"))
    end = _signature_end(node, body)
    return Description(
        kind=kind,
        name=node_text(source, name) + ("!" if is_macro else ""),
        outer=node,
        signature=_signature(source, node, kind, body),
        signature_lines=(node.start_point.row + 1, end),
        body=body or (node if is_macro else None),
        parameters=_parameters(source, parameters) if parameters else (),
        return_type=one_line(node_text(source, declared)) if declared else "",
        docstring=docstring,
        attributes=attributes,
        modifiers=_modifiers(source, node),
        bases=_bounds(source, node.child_by_field_name("bounds")),
    )


_DECLARED = {"constant": "type", "variable": "type", "type": ""}


def _describe_impl(source: SourceText, node: Node) -> Description | None:
    target = node.child_by_field_name("type")
    body = node.child_by_field_name("body")
    name = type_path(node_text(source, target)) if target else ""
    if not name:
        return None
    trait = node.child_by_field_name("trait")
    path = type_path(node_text(source, trait)) if trait else ""
    docstring, attributes = _above(source, node)
    return Description(
        kind="extension",
        name=name.rpartition(".")[2],
        outer=node,
        signature=signature_until(source, node, body),
        signature_lines=(node.start_point.row + 1, _signature_end(node, body)),
        body=body,
        docstring=docstring,
        attributes=attributes,
        interfaces=((path, trait.start_point.row + 1),) if trait and path else (),
    )


def _signature(source: SourceText, node: Node, kind: str, body: Node | None) -> str:
    if node.type == "macro_definition":
        name = node.child_by_field_name("name")
        return f"macro_rules! {node_text(source, name)}" if name else ""
    if kind in _DECLARED:
        return short_line(source, node).rstrip(";, ")
    is_tuple = body is not None and body.type == "ordered_field_declaration_list"
    return signature_until(source, node, None if is_tuple else body)


def _signature_end(node: Node, body: Node | None) -> int:
    """Return the line on which the signature ends: where the body opens."""
    if node.type == "macro_definition":
        return node.start_point.row + 1
    before = body.prev_sibling if body is not None else None
    return (before or node).end_point.row + 1


def _above(source: SourceText, node: Node) -> tuple[str, tuple[str, ...]]:
    """Return the doc comment and the attributes that stand above an item."""
    docs, attributes = [], []
    above = node.prev_sibling
    while above is not None:
        if above.type == "attribute_item":
            attributes.append(one_line(node_text(source, above)))
        elif above.type not in _COMMENTS:
            break
        elif (text := node_text(source, above)).startswith(_DOCS):
            docs.append(text.rstrip("\n"))
        above = above.prev_sibling
    return clean_comment("\n".join(reversed(docs))), tuple(reversed(attributes))


def _modifiers(source: SourceText, node: Node) -> tuple[str, ...]:
    """Return how visible an item is, and its words in source order."""
    found = []
    for child in node.children:
        kind = child.type
        if kind == "visibility_modifier":
            text = node_text(source, child)
            found.append("public" if text == "pub" else text)
        elif kind == "function_modifiers":
            words = node_text(source, child).split()
            found += [word for word in words if not word.startswith('"')]
        elif kind in {"unsafe", "static", "const", "mutable_specifier"}:
            found.append(node_text(source, child))
        elif kind in {"identifier", "type_identifier"}:
            break
    is_visible = node.child(0) is not None and "pub" in "".join(found)
    if not is_visible:
        found.insert(0, "public" if _is_public_inside(node) else "private")
    return tuple(found)


def _is_public_inside(node: Node) -> bool:
    """Return whether it is as public as the trait or enum that it is part of."""
    above = node.parent.parent if node.parent is not None else None
    if above is None:
        return False
    return above.type in _PUBLIC_INSIDE or (
        above.type == "impl_item" and above.child_by_field_name("trait") is not None
    )


def _parameters(source: SourceText, node: Node) -> tuple[Parameter, ...]:
    """Return the parameters as a caller sees them: without self."""
    found = []
    for child in node.named_children:
        if child.type == "parameter":
            pattern = child.child_by_field_name("pattern")
            declared = child.child_by_field_name("type")
            if pattern is not None and declared is not None:
                name = one_line(node_text(source, pattern))
                found.append(Parameter(name, one_line(node_text(source, declared))))
        elif child.type == "variadic_parameter":
            found.append(Parameter("", "..."))
    return tuple(found)


def _bounds(source: SourceText, node: Node | None) -> tuple[Named, ...]:
    """Return the supertraits of a trait."""
    found = []
    for child in node.named_children if node is not None else ():
        name = type_path(node_text(source, child))
        if name and not name.startswith("'"):
            found.append((name, child.start_point.row + 1))
    return tuple(found)


RUST = LanguageSpec(
    name="rust",
    grammar="rust",
    query=QUERY,
    describe=_describe,
    imports=imports,
    name_of=name_of,
    type_names=type_names,
    namespace=lambda source, _captures: module_path(source.path),
    receivers=frozenset({"self", "Self"}),
    held=held,
    value_type=value_type,
)
