"""What C and C++ share: declarators, and the definitions that both have."""

from __future__ import annotations

import re

from tree_sitter import Node

from devrag.parsing.code.names import Shape, dotted_name, plain_path
from devrag.parsing.code.spec import Description, Import
from devrag.parsing.code.text import (
    doc_comment,
    node_text,
    one_line,
    short_line,
    signature_until,
)
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

# Patterns of both grammars.
SHARED_QUERY = """
(function_definition) @definition.function
[
  (struct_specifier name: (_) body: (_)) (union_specifier name: (_) body: (_))
] @definition.class
(enum_specifier name: (_) body: (_)) @definition.enum
(enumerator) @definition.constant
(type_definition) @definition.type
(preproc_def value: (_)) @definition.constant
(preproc_function_def) @definition.function
(translation_unit (declaration declarator: (_) @definition.variable))
(declaration_list (declaration declarator: (_) @definition.variable))
(preproc_ifdef (declaration declarator: (_) @definition.variable))
(preproc_if (declaration declarator: (_) @definition.variable))
(preproc_else (declaration declarator: (_) @definition.variable))
(preproc_include) @import
(init_declarator declarator: (identifier) @local)
(init_declarator declarator: (pointer_declarator declarator: (identifier) @local))
(compound_statement (declaration declarator: (identifier) @local))
(struct_specifier name: (type_identifier) @type.own body: (_))
(union_specifier name: (type_identifier) @type.own body: (_))
(enum_specifier name: (type_identifier) @type.own body: (_))
(type_definition declarator: (type_identifier) @type.own)
(type_definition declarator: (pointer_declarator (type_identifier) @type.own))
(type_definition declarator: (array_declarator (type_identifier) @type.own))
(type_definition declarator: (function_declarator
  declarator: (parenthesized_declarator
    (pointer_declarator (type_identifier) @type.own))))
[
  (if_statement) (for_statement) (while_statement) (do_statement)
  (case_statement value: (_)) (conditional_expression)
] @branch
(binary_expression operator: ["&&" "||"] @branch)
(comment) @comment
(ERROR) @error
(MISSING) @error
"""
COMMENTS = frozenset({"comment"})
SHAPES: dict[str, Shape] = {
    "field_expression": ("argument", "field", ""),
    "call_expression": ("function", "", "()"),
    "subscript_expression": ("argument", "", "[]"),
    "qualified_identifier": ("scope", "name", ""),
}
_SPECIFIERS = {
    "struct_specifier": "class",
    "union_specifier": "class",
    "enum_specifier": "enum",
}
_AROUND = {
    "template_declaration",
    "declaration",
    "field_declaration",
    "type_definition",
}
_WORDS = {
    "storage_class_specifier",
    "explicit_function_specifier",
    "virtual",
    "virtual_specifier",
}
_PARAMETERS = {
    "parameter_declaration",
    "optional_parameter_declaration",
    "variadic_parameter_declaration",
}
_TYPE = re.compile(r"(?:const\s+|struct\s+|union\s+|enum\s+|class\s+)*([\w:.]+)[\s*&]*")
_DEFAULT = re.compile(r"\s*=\s*$")
_DEPTH = 50
_COMPOSED = "?"
_MARKED = {"pointer_declarator", "reference_declarator"}
_AFTER_SIGNATURE = {"field_initializer_list", "default_method_clause", "declaration"}


def name_of(source: SourceText, node: Node) -> str:
    """Return the called name, dotted."""
    return dotted_name(source, node, SHAPES)


def type_names(text: str) -> tuple[str, ...]:
    """Return the one name of a plain type, or of a pointer or reference to one."""
    match = _TYPE.fullmatch(text.removesuffix("const").strip())
    return (match[1].replace("::", ".").lstrip("."),) if match else ()


def includes(source: SourceText, node: Node) -> list[Import]:
    """Return the included path as written; it binds no name."""
    path = node.child_by_field_name("path")
    if path is None or path.type not in {"string_literal", "system_lib_string"}:
        return []
    written = node_text(source, path).strip('<>" ')
    line = node.start_point.row + 1
    return [Import(written, "", "", line, node.start_byte, "path")]


def declared(node: Node | None) -> tuple[Node | None, Node | None, str]:
    """Return the declared name, the function declarator next to it, and the marks.

    marks: the `*` and `&` between the type and the function, `?` for more than those.
    """
    function = None
    marks = ""
    for _ in range(_DEPTH):
        if node is None or not node.type.endswith(("_declarator", "_cast")):
            break
        if node.type in {"function_declarator", "operator_cast"}:
            # The outer one of two is what a returned pointer leads to.
            marks = _COMPOSED if function is not None else marks
            function = node
            if node.type == "operator_cast":
                return node, node.child_by_field_name("declarator"), ""
        elif function is None and node.type in _MARKED and (mark := node.child(0)):
            marks += mark.type
        inner = node.child_by_field_name("declarator")
        node = inner or _last_named(node)
    return node, function, marks


def _last_named(node: Node) -> Node | None:
    return (
        node.named_child(node.named_child_count - 1) if node.named_child_count else None
    )


def describe_macro(source: SourceText, node: Node, kind: str) -> Description | None:
    """Describe `#define`, with parameters or without."""
    name = node.child_by_field_name("name")
    if name is None:
        return None
    parameters = node.child_by_field_name("parameters")
    named = parameters.named_children if parameters else []
    value = node.child_by_field_name("value")
    row = node.start_point.row + 1
    is_function = kind == "function"
    return Description(
        kind=kind,
        name=node_text(source, name),
        outer=node,
        signature=signature_until(source, node, value)
        if is_function
        else short_line(source, node),
        signature_lines=(row, row),
        body=value or node,
        parameters=tuple(Parameter(node_text(source, child)) for child in named),
        docstring=doc_comment(source, node, COMMENTS),
        modifiers=("macro",),
    )


def describe_specifier(source: SourceText, node: Node, kind: str) -> Description | None:
    """Describe a struct, union, enum or class with a name and a body."""
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if name is None or body is None:
        return None
    around = _around(node)
    outer = around if around.type == "template_declaration" else node
    return Description(
        kind=kind,
        name=plain_path(node_text(source, name)),
        outer=outer,
        signature=signature_until(source, outer, body),
        signature_lines=(outer.start_point.row + 1, _line_before(body)),
        body=body,
        docstring=doc_comment(source, around, COMMENTS),
    )


def describe_typedef(source: SourceText, node: Node) -> Description | None:
    """Describe a typedef; of a type without a name it is the definition."""
    meaning = node.child_by_field_name("type")
    name, _, _ = declared(node.child_by_field_name("declarator"))
    if meaning is None or name is None:
        return None
    text = node_text(source, name)
    body = meaning.child_by_field_name("body") if meaning.type in _SPECIFIERS else None
    own = meaning.child_by_field_name("name")
    if body is not None and own is not None and node_text(source, own) == text:
        return None
    is_nameless = body is not None and own is None
    end = body if body is not None else None
    signature = signature_until(source, node, end) if end else short_line(source, node)
    return Description(
        kind=_SPECIFIERS[meaning.type] if is_nameless else "type",
        name=text,
        outer=node,
        signature=f"{signature} {text}" if end else signature.rstrip(";"),
        signature_lines=(node.start_point.row + 1, node.start_point.row + 1),
        body=body if is_nameless else None,
        docstring=doc_comment(source, node, COMMENTS),
    )


def describe_enumerator(source: SourceText, node: Node) -> Description | None:
    """Describe one value of an enum."""
    name = node.child_by_field_name("name")
    if name is None:
        return None
    row = node.start_point.row + 1
    return Description(
        kind="constant",
        name=node_text(source, name),
        outer=node,
        signature=short_line(source, node),
        signature_lines=(row, row),
        docstring=doc_comment(source, node, COMMENTS),
    )


def describe_variable(source: SourceText, node: Node) -> Description | None:
    """Describe a variable outside functions by its declarator (`b` of `int a, b;`).

    What is only declared is none.
    """
    declarator, node = node, node.parent or node
    words = modifiers(source, node)
    name, function, marks = declared(declarator)
    if name is None or function is not None or "extern" in words:
        return None
    if name.type != "identifier":
        return None
    row = node.start_point.row + 1
    is_constant = {"const", "constexpr"} & set(_qualifiers(source, node))
    is_first = declarator == node.child_by_field_name("declarator")
    return Description(
        kind="constant" if is_constant else "variable",
        name=node_text(source, name),
        outer=node if is_first else declarator,
        signature=short_line(source, node).rstrip(";"),
        signature_lines=(row, row),
        return_type=return_type(source, node, marks),
        docstring=doc_comment(source, node, COMMENTS),
        modifiers=words,
    )


def _around(node: Node) -> Node:
    """Return the declaration or template that begins with this definition."""
    above = node.parent
    return above if above is not None and above.type in _AROUND else node


def _line_before(body: Node) -> int:
    before = body.prev_sibling
    return (before or body).end_point.row + 1


def modifiers(source: SourceText, node: Node) -> tuple[str, ...]:
    """Return a declaration's own words in source order, without its type's."""
    found = []
    for child in node.children:
        if child.type in _WORDS:
            found.append(node_text(source, child).partition("(")[0].strip())
        elif child.type == "type_qualifier":
            text = node_text(source, child)
            if text in {"constexpr", "consteval", "constinit"}:
                found.append(text)
        elif child.type.endswith(("_declarator", "_statement")):
            break
    return tuple(dict.fromkeys(found))


def _qualifiers(source: SourceText, node: Node) -> list[str]:
    return [
        node_text(source, child)
        for child in node.children
        if child.type == "type_qualifier"
    ]


def return_type(source: SourceText, node: Node, marks: str) -> str:
    """Return the type of a declaration with its qualifiers and pointers."""
    written = node.child_by_field_name("type")
    if written is None or marks == _COMPOSED:
        return ""
    if written.child_by_field_name("body") is not None:
        name = written.child_by_field_name("name")
        text = node_text(source, name) if name else ""
    else:
        text = one_line(node_text(source, written))
    words = [w for w in _qualifiers(source, node) if w in {"const", "volatile"}]
    return " ".join([*words, text, *([marks] if marks else [])])


def parameters(source: SourceText, node: Node | None) -> tuple[Parameter, ...]:
    """Return the parameters of a function declarator."""
    listed = node.child_by_field_name("parameters") if node is not None else None
    found = []
    for child in listed.named_children if listed is not None else ():
        if child.type in _PARAMETERS:
            found.append(_parameter(source, child))
        elif child.type == "identifier":
            found.append(Parameter(node_text(source, child)))
        elif child.type == "variadic_parameter":
            found.append(Parameter("", "..."))
    is_void = len(found) == 1 and found[0] == Parameter("", "void")
    return () if is_void else tuple(found)


def _parameter(source: SourceText, node: Node) -> Parameter:
    """Return name and type: the type is the text without the name and the default."""
    value = node.child_by_field_name("default_value")
    end = value.start_byte if value is not None else node.end_byte
    name, _, _ = declared(node.child_by_field_name("declarator"))
    data = source.data
    if name is None or name.type not in {"identifier", "field_identifier"}:
        text = data[node.start_byte : end].decode("utf-8", "replace")
        return Parameter("", _DEFAULT.sub("", one_line(text)))
    before = data[node.start_byte : name.start_byte].decode("utf-8", "replace")
    after = data[name.end_byte : end].decode("utf-8", "replace")
    written = _DEFAULT.sub("", one_line(before + after))
    return Parameter(node_text(source, name), written.strip())


def describe_function(source: SourceText, node: Node) -> Description | None:
    """Describe a function with its body, as both languages write it."""
    name, function, marks = declared(node.child_by_field_name("declarator"))
    body = node.child_by_field_name("body")
    if name is None or function is None:
        return None
    outer = _around(node)
    first = body
    for child in node.named_children:
        if child.type in _AFTER_SIGNATURE:
            first = child
            break
    return Description(
        kind="function",
        name=node_text(source, name),
        outer=outer,
        signature=signature_until(source, outer, first),
        signature_lines=(outer.start_point.row + 1, function.end_point.row + 1),
        body=body,
        parameters=parameters(source, function),
        return_type=return_type(source, node, marks),
        docstring=doc_comment(source, outer, COMMENTS),
        modifiers=modifiers(source, node),
    )


def describe(source: SourceText, node: Node, kind: str) -> Description | None:
    """Describe any definition of C, as C++ writes it too."""
    if node.type.startswith("preproc_"):
        return describe_macro(source, node, kind)
    if kind in _DESCRIBED:
        return _DESCRIBED[kind](source, node)
    return describe_specifier(source, node, kind)


_DESCRIBED = {
    "function": describe_function,
    "type": describe_typedef,
    "constant": describe_enumerator,
    "variable": describe_variable,
}
