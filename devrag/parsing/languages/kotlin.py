"""Kotlin: the query and the rules that a query cannot say."""

from __future__ import annotations

import re
from dataclasses import replace

from tree_sitter import Node

from devrag.parsing.code.spec import Description, Import, Named
from devrag.parsing.code.text import first_named, node_text, one_line
from devrag.parsing.code.tree import Captures
from devrag.parsing.languages.blanking import blank
from devrag.parsing.languages.class_family import (
    DefinitionHead,
    Link,
    class_language,
    constant,
    definition,
    dotted,
    head_name,
    heading,
    plain_name,
    with_access,
)
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

# Where types are used, other than as supertypes and in annotations.
_TYPE_PLACES = (
    "parameter class_parameter parameter_with_optional_type function_declaration "
    "variable_declaration receiver_type nullable_type type_projection function_type "
    "function_type_parameters type_parameter type_constraint type_alias type_test "
    "as_expression check_expression catch_block getter"
)
_TYPES = "\n".join(f"({place} (user_type) @type)" for place in _TYPE_PLACES.split())
# A companion's functions are called on its class; those of anonymous objects and of
# enum entries belong to what is around them.
QUERY = f"""
[(class_declaration) (object_declaration)] @definition.class
(source_file (function_declaration) @definition.function)
(statements (function_declaration) @definition.function)
(class_declaration [(class_body [
  (function_declaration) (secondary_constructor)
] @definition.function) (enum_class_body (function_declaration) @definition.function)])
(object_declaration (class_body (function_declaration) @definition.function))
(companion_object (class_body (function_declaration) @definition.function))
(source_file (property_declaration) @definition.property)
(class_declaration (class_body (property_declaration) @definition.property))
(object_declaration (class_body (property_declaration) @definition.property))
(companion_object (class_body (property_declaration) @definition.property))
(enum_entry) @definition.member
(type_alias) @definition.type
(package_header (identifier) @package)
(import_header) @import
(call_expression . [(simple_identifier) (navigation_expression)] @call)
(annotation) @decorator
(type_parameter (type_identifier) @type.parameter)
{_TYPES}
(navigation_expression . (simple_identifier) @use)
[
  (if_expression) (for_statement) (while_statement) (do_while_statement) (catch_block)
  (conjunction_expression) (disjunction_expression)
] @branch
(when_entry . (when_condition) @branch)
[(line_comment) (multiline_comment)] @comment
(ERROR) @error
(MISSING) @error
"""
_BUILTINS = (
    "Any Unit Nothing String Int Long Short Byte Boolean Char Float Double Number "
    "Array UInt ULong CharSequence Throwable Exception"
)
_BODIES = frozenset({"function_body", "class_body", "enum_class_body", "statements"})
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*")
_NAMES = frozenset({"simple_identifier", "type_identifier"})


def _describe(source: SourceText, node: Node, kind: str) -> Description | None:
    head = heading(source, node)
    if kind == "property":
        return _describe_property(source, node, with_access(head, "public"))
    children = node.children
    named = next((child for child in children if child.type in _NAMES), None)
    name = node_text(source, named) if named is not None else ""
    if kind == "member":
        return constant(source, node, head, name) if name else None
    if node.type == "secondary_constructor":
        name = "constructor"
    if not name:
        return None
    if kind == "type":
        return constant(source, node, with_access(head, "public"), name, kind)
    head = _with_default(node, head)
    if kind == "function":
        return _describe_function(source, node, head, name)
    return _describe_class(source, node, head, name)


def _with_default(node: Node, head: DefinitionHead) -> DefinitionHead:
    """Everything is public but what is local, which has no access."""
    parent = node.parent
    is_local = parent is not None and parent.type == "statements"
    return head if is_local else with_access(head, "public")


def _describe_class(
    source: SourceText, node: Node, head: DefinitionHead, name: str
) -> Description:
    by_type = {child.type: child for child in reversed(node.children)}
    kind = next((k for k in ("interface", "enum") if k in by_type), "class")
    body = by_type.get("class_body") or by_type.get("enum_class_body")
    bases, interfaces = _supertypes(source, node)
    return definition(
        source,
        node,
        head,
        kind,
        name,
        body,
        parameters=_parameters(source, by_type.get("primary_constructor")),
        bases=bases + interfaces if kind == "interface" else bases,
        interfaces=() if kind == "interface" else interfaces,
    )


def _describe_function(
    source: SourceText, node: Node, head: DefinitionHead, name: str
) -> Description:
    children = node.children
    by_type = {child.type: child for child in reversed(children)}
    body = by_type.get("function_body") or by_type.get("statements")
    parameters = by_type.get("function_value_parameters")
    return definition(
        source,
        node,
        head,
        "function",
        name,
        body,
        parameters=_parameters(source, parameters),
        return_type=_return_type(source, node) if name != "constructor" else "",
    )


def _describe_property(
    source: SourceText, node: Node, head: DefinitionHead
) -> Description | None:
    by_type = {child.type: child for child in reversed(node.children)}
    variable = by_type.get("variable_declaration")
    if variable is None or not variable.named_children:
        return None
    name, *rest = variable.named_children
    text = node_text(source, name)
    kind_node = by_type.get("binding_pattern_kind")
    is_value = kind_node is not None and node_text(source, kind_node) == "val"
    is_constant = "const" in head.modifiers or (is_value and _CONSTANT.fullmatch(text))
    if "private" in head.modifiers and not is_constant:
        return None
    declared = rest[-1] if rest else None
    kind = "constant" if is_constant else "variable"
    return constant(source, node, head, text, kind, declared)


def _return_type(source: SourceText, node: Node) -> str:
    """Return the type that follows the parameters and a colon."""
    texts = [child.type for child in node.children]
    if "function_value_parameters" not in texts:
        return ""
    at = texts.index("function_value_parameters")
    if texts[at + 1 : at + 2] != [":"] or len(texts) < at + 3:
        return ""
    return one_line(node_text(source, node.children[at + 2]))


def _parameters(source: SourceText, node: Node | None) -> tuple[Parameter, ...]:
    found = []
    mark = ""
    for child in node.named_children if node is not None else ():
        kind = child.type
        if kind in {"parameter", "class_parameter"}:
            parts = [c for c in child.named_children if c.type != "modifiers"]
            names = [i for i, c in enumerate(parts) if c.type == "simple_identifier"]
            if names and len(parts) > names[0] + 1:
                if "vararg" in node_text(source, child).partition(":")[0].split():
                    mark = "vararg "
                typed = mark + one_line(node_text(source, parts[names[0] + 1]))
                found.append(Parameter(node_text(source, parts[names[0]]), typed))
        is_vararg = kind == "parameter_modifiers" and node_text(source, child)
        mark = "vararg " if is_vararg == "vararg" else ""
    return tuple(found)


def _supertypes(
    source: SourceText, node: Node
) -> tuple[tuple[Named, ...], tuple[Named, ...]]:
    """Return the class that is constructed, and the interfaces."""
    bases: list[Named] = []
    interfaces: list[Named] = []
    for child in node.named_children:
        written = first_named(child) if child.type == "delegation_specifier" else None
        if written is None:
            continue
        is_class = written.type == "constructor_invocation"
        named = written if written.type == "user_type" else first_named(written)
        name = head_name(node_text(source, named)) if named is not None else ""
        if name:
            pair = (name, written.start_point.row + 1)
            (bases if is_class else interfaces).append(pair)
    return tuple(bases), tuple(interfaces)


def _name_of(source: SourceText, node: Node) -> str:
    """Return the name of a call or annotation."""
    kind = node.type
    if kind == "use_site_target":
        target = node.next_named_sibling
        return _name_of(source, target) if target is not None else ""
    if kind in {"user_type", "constructor_invocation"}:
        return head_name(node_text(source, node))
    plain = plain_name(source, node.start_byte, node.end_byte)
    return plain or dotted(source, node, _link)


# `a!!` is named like `a`.
_MARKS = {
    "call_expression": "()",
    "indexing_expression": "[]",
    "postfix_expression": "",
}


def _link(source: SourceText, node: Node) -> Link | None:
    kind = node.type
    if kind in {"simple_identifier", "super_expression"}:
        return node_text(source, node).partition("<")[0], None
    if kind == "this_expression":
        _, at, label = node_text(source, node).partition("@")
        return (f"{label}.this" if at else "this"), None
    if kind == "string_literal":
        return "String", None
    inner = first_named(node)
    if inner is None:
        return None
    if kind in _MARKS:
        return _MARKS[kind], inner
    if kind != "navigation_expression":
        return None
    last = first_named(node.named_children[-1])
    is_name = last is not None and last.type == "simple_identifier"
    return (f".{node_text(source, last)}", inner) if last and is_name else None


def _type_names(text: str) -> tuple[str, ...]:
    """Return the outer type's name; those of its arguments are captured apart."""
    name = (
        ""
        if " -> " in text or text.startswith("vararg ")
        else head_name(text.rstrip("?"))
    )
    return (name,) if name else ()


def _imports(source: SourceText, node: Node) -> list[Import]:
    by_type = {child.type: child for child in node.named_children}
    if "identifier" not in by_type:
        return []
    line, start = node.start_point.row + 1, node.start_byte
    path = "".join(node_text(source, by_type["identifier"]).split())
    if "wildcard_import" in by_type:
        return [Import(f"{path}.*", "", "", line, start)]
    alias = path.rpartition(".")[2]
    if "import_alias" in by_type:
        alias = node_text(source, by_type["import_alias"]).split()[-1]
    return [Import(path, alias, path, line, start)]


def _namespace(source: SourceText, captures: Captures) -> str:
    for node in captures.get("package", ()):
        return "".join(node_text(source, node).split())
    return ""


# A class ends for the grammar where its constructor stands on the next line: what is
# before the parameters is left out there.
_CONSTRUCTOR = re.compile(
    rb"(?:(?<=\w)|(?<=>))\n\s*(?:(?:@[\w.:]+(?:\([^()\n]*\))?|private|internal|protected"
    rb"|public)\s+)*constructor(?=\s*\()"
)
_CLASS_LINE = re.compile(rb"\bclass\s+\w+(?:<[^{}()\n]*>)?\Z")


def _prepare(data: bytes) -> bytes:
    return _CONSTRUCTOR.sub(_without_constructor, data)


def _without_constructor(match: re.Match[bytes]) -> bytes:
    line = match.string.rfind(b"\n", 0, match.start()) + 1
    above = match.string[line : match.start()]
    return blank(match) if _CLASS_LINE.search(above) else match[0]


KOTLIN = replace(
    class_language(
        "kotlin",
        QUERY,
        _describe,
        (_imports, _name_of, _type_names, _namespace),
        _BUILTINS,
    ),
    prepare=_prepare,
)
