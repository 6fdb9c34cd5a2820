"""C++: the query and the rules that C has not."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace

from tree_sitter import Node

from devrag.parsing.code.names import dotted_name, plain_path
from devrag.parsing.code.spec import Description, Import, LanguageSpec, Named
from devrag.parsing.code.text import (
    doc_comment,
    node_text,
    one_line,
    short_line,
    signature_until,
)
from devrag.parsing.languages.c_family import (
    COMMENTS,
    SHAPES,
    SHARED_QUERY,
    describe,
    describe_function,
    describe_specifier,
    includes,
    type_names,
)
from devrag.parsing.languages.c_macros import without_macros
from devrag.parsing.source import SourceText

QUERY = (
    SHARED_QUERY
    + """
(class_specifier name: (_) body: (_)) @definition.class
(namespace_definition name: (_) body: (_)) @definition.namespace
(alias_declaration) @definition.type
(concept_definition) @definition.type
(field_declaration declarator: (_) default_value: (number_literal) @_zero
  (#eq? @_zero "0")) @definition.function
[(using_declaration) (namespace_alias_definition)] @import
(call_expression function: [
  (identifier) (field_expression) (qualified_identifier) (template_function)
] @call)
(new_expression type: (_) @call @type.own)
(lambda_declarator (parameter_list
  (parameter_declaration declarator: (identifier) @local)))
(for_range_loop declarator: (identifier) @local)
(for_range_loop declarator: (reference_declarator (identifier) @local))
(type_identifier) @type
(qualified_identifier name: (type_identifier)) @type
(qualified_identifier name: (template_type)) @type
(qualified_identifier name: (type_identifier) @type.own)
(qualified_identifier name: (template_type name: (_) @type.own))
(class_specifier name: (_) @type.own body: (_))
(struct_specifier name: (template_type name: (_) @type.own) body: (_))
(class_specifier name: (template_type name: (_) @type.own) body: (_))
(alias_declaration name: (_) @type.own)
(base_class_clause (_) @type.own)
(compound_statement (declaration declarator: (function_declarator
  parameters: (parameter_list
    (parameter_declaration type: (type_identifier) @type.own)))))
(compound_statement (declaration declarator: (function_declarator
  parameters: (parameter_list (parameter_declaration
    declarator: (abstract_function_declarator parameters: (parameter_list
      (parameter_declaration type: (type_identifier) @type.own))))))))
(function_definition !type declarator: (function_declarator
  declarator: (identifier) @_macro
  parameters: (parameter_list
    (parameter_declaration type: (type_identifier) @type.own !declarator)))
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))
(type_parameter_declaration (type_identifier) @type.parameter)
(optional_type_parameter_declaration name: (_) @type.parameter)
(variadic_type_parameter_declaration (type_identifier) @type.parameter)
[(for_range_loop) (catch_clause)] @branch
(binary_expression operator: ["and" "or"] @branch)
"""
)
_CASTS = frozenset(
    {"static_cast", "dynamic_cast", "reinterpret_cast", "const_cast", "defined"}
)
_MACRO = re.compile(r"[A-Z][A-Z0-9_]+$")
_WORD = re.compile(r"\w+$")
_TYPES = {"class_specifier", "struct_specifier", "union_specifier"}


def _name_of(source: SourceText, node: Node) -> str:
    name = dotted_name(source, node, SHAPES)
    return "" if name in _CASTS else name


def _type_names(text: str) -> tuple[str, ...]:
    return type_names(plain_path(text))


def _describe(source: SourceText, node: Node, kind: str) -> Description | None:
    if node.type.startswith("preproc_"):
        return describe(source, node, kind)
    if kind == "function":
        return _describe_function(source, node)
    if kind == "namespace":
        return _describe_namespace(source, node)
    if kind in {"class", "enum"}:
        return _describe_class(source, node, kind)
    if kind == "type" and node.type != "type_definition":
        return _describe_alias(source, node)
    return describe(source, node, kind)


def _describe_function(source: SourceText, node: Node) -> Description | None:
    about = describe_function(source, node)
    if about is None or _is_deleted(node):
        return None
    declared = about.name
    if declared.startswith("operator ") or "operator" in declared:
        owner, _, name = declared.rpartition("::")
        name = one_line(name.partition("(")[0])
    else:
        owner, _, name = plain_path(declared).rpartition(".")
    if not owner and about.return_type == "" and _MACRO.match(name):
        name = _test_name(about) or name
        about = replace(about, parameters=())
    access = _access(source, about.outer)
    words = [*access, *about.modifiers, *_tail_words(source, node)]
    if node.type == "field_declaration":
        words.append("abstract")
    return replace(
        about,
        name=name,
        owner=plain_path(owner),
        return_type=_trailing(source, node) or about.return_type,
        modifiers=tuple(dict.fromkeys(words)),
        attributes=_attributes(source, node),
    )


def _test_name(about: Description) -> str:
    """Return what a macro like `TEST(Suite, Name)` defines: `Suite.Name`."""
    words = [parameter.type for parameter in about.parameters]
    return ".".join(words) if words and all(map(_WORD.match, words)) else ""


def _is_deleted(node: Node) -> bool:
    return any(child.type == "delete_method_clause" for child in node.named_children)


def _tail_words(source: SourceText, node: Node) -> list[str]:
    """Return what stands behind the parameters: const, override, final, noexcept."""
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator")
    children = declarator.named_children if declarator is not None else []
    return [
        node_text(source, child).partition("(")[0].strip()
        for child in children
        if child.type in {"type_qualifier", "virtual_specifier", "noexcept"}
    ]


def _trailing(source: SourceText, node: Node) -> str:
    declarator = node.child_by_field_name("declarator")
    children = declarator.named_children if declarator is not None else []
    for child in children:
        if child.type == "trailing_return_type":
            return one_line(node_text(source, child)).removeprefix("->").strip()
    return ""


def _attributes(source: SourceText, node: Node) -> tuple[str, ...]:
    return tuple(
        one_line(node_text(source, child))
        for child in node.named_children
        if child.type == "attribute_declaration"
    )


def _access(source: SourceText, outer: Node) -> tuple[str, ...]:
    """Return public, protected or private for what stands in a class."""
    body = outer.parent
    holder = body.parent if body is not None else None
    if body is None or holder is None or body.type != "field_declaration_list":
        return ()
    known = source.memo.get(body.id)
    if known is None:
        known = source.memo[body.id] = [
            (child.start_byte, node_text(source, child).split()[0])
            for child in body.named_children
            if child.type == "access_specifier"
        ]
    at = bisect_right(known, (outer.start_byte, ""))
    if at == 0:
        return ("private" if holder.type == "class_specifier" else "public",)
    return (known[at - 1][1],)


def _describe_class(source: SourceText, node: Node, kind: str) -> Description | None:
    about = describe_specifier(source, node, kind)
    if about is None:
        return None
    field = node.parent if node.parent is not None else node
    outer = field if field.type == "field_declaration" else about.outer
    words = [
        node_text(source, child)
        for child in node.named_children
        if child.type == "virtual_specifier"
    ]
    return replace(
        about,
        bases=_bases(source, node),
        modifiers=(*_access(source, outer), *words),
        attributes=_attributes(source, node),
    )


def _bases(source: SourceText, node: Node) -> tuple[Named, ...]:
    found = []
    for clause in node.named_children:
        if clause.type == "base_class_clause":
            for child in clause.named_children:
                names = _type_names(node_text(source, child))
                if names and child.type != "access_specifier":
                    found.append((names[0], child.start_point.row + 1))
    return tuple(found)


def _describe_namespace(source: SourceText, node: Node) -> Description | None:
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if name is None or body is None:
        return None
    row = node.start_point.row + 1
    return Description(
        kind="namespace",
        name=plain_path(node_text(source, name)),
        outer=node,
        signature=signature_until(source, node, body),
        signature_lines=(row, row),
        body=body,
        docstring=doc_comment(source, node, COMMENTS),
    )


def _describe_alias(source: SourceText, node: Node) -> Description | None:
    name = node.child_by_field_name("name")
    if name is None:
        return None
    above = node.parent
    is_template = above is not None and above.type == "template_declaration"
    outer = above if is_template and above is not None else node
    row = outer.start_point.row + 1
    return Description(
        kind="type",
        name=node_text(source, name),
        outer=outer,
        signature=short_line(source, outer).rstrip(";"),
        signature_lines=(row, row),
        docstring=doc_comment(source, outer, COMMENTS),
        modifiers=_access(source, outer),
    )


def _imports(source: SourceText, node: Node) -> list[Import]:
    """Return includes, `using a::b;`, `using namespace a;`, `namespace b = a;`."""
    if node.type == "preproc_include":
        return includes(source, node)
    line, start = node.start_point.row + 1, node.start_byte
    target = next(reversed(node.named_children), None)
    above = node.parent
    if target is None or (above and above.type == "field_declaration_list"):
        return []
    path = plain_path(node_text(source, target))
    if node.type == "namespace_alias_definition":
        name = node.child_by_field_name("name")
        return [
            Import(path, node_text(source, name) if name else "", path, line, start)
        ]
    if node_text(source, node).startswith("using namespace"):
        return [Import(f"{path}.*", "", "", line, start)]
    return [Import(path, path.rpartition(".")[2], path, line, start)]


CPP = LanguageSpec(
    name="c++",
    grammar="cpp",
    query=QUERY,
    describe=_describe,
    imports=_imports,
    name_of=_name_of,
    type_names=_type_names,
    prepare=without_macros,
    receivers=frozenset({"this"}),
    is_self_implicit=True,
)
