"""PHP: namespaces with dots for backslashes, traits are what a class implements."""

from __future__ import annotations

import re
from posixpath import dirname, normpath

from tree_sitter import Node

from devrag.parsing.code.spec import Description, Import, LanguageSpec, Named
from devrag.parsing.code.text import doc_comment, node_text, one_line
from devrag.parsing.code.tree import Captures
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

QUERY = """
[(function_definition) (method_declaration)] @definition.function
(class_declaration) @definition.class
[(interface_declaration) (trait_declaration)] @definition.interface
(enum_declaration) @definition.enum
[(const_element) (enum_case)] @definition.constant
((function_call_expression function: (name) @define
  arguments: (arguments . (argument (string)))) @definition.constant
  (#eq? @define "define"))
(program (expression_statement
  (assignment_expression left: (variable_name)) @definition.variable))
(namespace_definition name: (namespace_name) @namespace)
[
  (function_call_expression function: [(name) (qualified_name)])
  (member_call_expression) (nullsafe_member_call_expression) (scoped_call_expression)
  (object_creation_expression [(name) (qualified_name)])
] @call
(attribute) @decorator
(named_type [(name) (qualified_name)] @type)
(class_constant_access_expression . [(name) (qualified_name)] @type)
[
  (namespace_use_declaration)
  (require_expression) (require_once_expression)
  (include_expression) (include_once_expression)
] @import
[
  (if_statement) (else_if_clause) (for_statement) (foreach_statement)
  (while_statement) (do_statement) (case_statement) (match_conditional_expression)
  (catch_clause) (conditional_expression)
  "&&" "||" "and" "or" "??"
] @branch
(comment) @comment
(ERROR) @error
(MISSING) @error
"""

_NAMES = {"name", "qualified_name"}
_PLAIN = re.compile(rb"\$?[\\\w]{1,300}(?:(?:\??->|::)\w+)*")
_SEPARATOR = re.compile(r"\?->|->|::|\\")
_OBJECTS = {"self", "static", "parent"}
_STATEMENTS = {"const_declaration", "expression_statement"}
_COMMENTS = frozenset({"comment"})
_NAME_LIMIT = 300
_CHAIN_LIMIT = 50
_SUMMARY_LIMIT = 200


def _describe(source: SourceText, node: Node, kind: str) -> Description | None:
    if kind in {"constant", "variable"}:
        return _describe_value(source, node, kind)
    name = node.child_by_field_name("name")
    if name is None:
        return None
    body = node.child_by_field_name("body")
    listed = node.child_by_field_name("parameters")
    returned = node.child_by_field_name("return_type")
    head = next((c for c in node.children if c.type != "attribute_list"), node)
    end = body.start_byte if body is not None else node.end_byte
    shown = source.data[head.start_byte : end].rstrip()
    bases, interfaces = _supertypes(source, node, body)
    return Description(
        kind=kind,
        name=node_text(source, name),
        outer=node,
        signature=one_line(shown.decode()).rstrip(" ;"),
        signature_lines=(
            head.start_point.row + 1,
            head.start_point.row + shown.count(b"\n") + 1,
        ),
        body=body,
        parameters=_parameters(source, listed) if listed else (),
        return_type=one_line(node_text(source, returned)) if returned else "",
        docstring=doc_comment(source, node, _COMMENTS),
        attributes=_attributes(source, node),
        modifiers=_modifiers(source, node),
        bases=bases,
        interfaces=interfaces,
    )


def _describe_value(source: SourceText, node: Node, kind: str) -> Description | None:
    """Describe a constant, a case of an enum, `define("X", …)`, a file's variable."""
    if node.type == "function_call_expression":
        arguments = node.child_by_field_name("arguments")
        first = next(iter(arguments.named_children), None) if arguments else None
        text = node_text(source, first).strip("'\"") if first is not None else ""
    else:
        name = node.child_by_field_name("name") or node.child_by_field_name("left")
        name = name or next(iter(node.named_children), None)
        text = node_text(source, name) if name is not None else ""
    statement = node.parent
    is_stated = statement is not None and statement.type in _STATEMENTS
    held = statement if statement is not None and is_stated else node
    is_alone = sum(child.type == node.type for child in held.children) == 1
    outer = held if is_alone else node
    row = outer.start_point.row + 1
    first_line = node_text(source, outer).partition("\n")[0]
    return Description(
        kind=kind,
        name=text,
        outer=outer,
        signature=first_line.rstrip(" ;{[(")[:_SUMMARY_LIMIT],
        signature_lines=(row, row),
        docstring=doc_comment(source, outer, _COMMENTS),
        modifiers=_modifiers(source, held) if kind == "constant" else (),
    )


def _modifiers(source: SourceText, node: Node) -> tuple[str, ...]:
    """Return the words before; a member that says nothing is public."""
    found = [node_text(source, c) for c in node.children if c.type.endswith("modifier")]
    is_member = node.parent is not None and node.parent.type.endswith(
        "declaration_list"
    )
    if is_member and {"public", "private", "protected"}.isdisjoint(found):
        found.insert(0, "public")
    return tuple(found)


def _attributes(source: SourceText, node: Node) -> tuple[str, ...]:
    listed = node.child_by_field_name("attributes")
    groups = listed.named_children if listed is not None else []
    return tuple(one_line(node_text(source, group)) for group in groups)


def _parameters(source: SourceText, node: Node) -> tuple[Parameter, ...]:
    """Return the parameters with their `$`, which tells them from functions."""
    found = []
    for child in node.named_children:
        name = child.child_by_field_name("name")
        if name is not None:
            declared = child.child_by_field_name("type")
            typed = one_line(node_text(source, declared)) if declared else ""
            dots = "..." if child.type == "variadic_parameter" else ""
            found.append(Parameter(dots + node_text(source, name), typed))
    return tuple(found)


def _supertypes(
    source: SourceText, node: Node, body: Node | None
) -> tuple[tuple[Named, ...], tuple[Named, ...]]:
    bases: list[Named] = []
    interfaces: list[Named] = []
    for clause in node.named_children:
        if clause.type == "base_clause":
            bases += _listed(source, clause)
        elif clause.type == "class_interface_clause":
            interfaces += _listed(source, clause)
    if body is not None and body.type.endswith("declaration_list"):
        for child in body.named_children:
            if child.type == "use_declaration":
                interfaces += _listed(source, child)
    return tuple(bases), tuple(interfaces)


def _listed(source: SourceText, clause: Node) -> list[Named]:
    return [
        (_written(node_text(source, child)), child.start_point.row + 1)
        for child in clause.named_children
        if child.type in _NAMES
    ]


def _written(text: str) -> str:
    """Return a name with dots, `$this` without its dollar."""
    name = _SEPARATOR.sub(".", text.lstrip("\\"))
    return name[1:] if name == "$this" or name.startswith("$this.") else name


def _name_of(source: SourceText, node: Node) -> str:
    """Return a called name: `this.a`, `$b.c`, `Foo.make`, `App.helper`."""
    last = node.child_by_field_name("name") or node.child_by_field_name("function")
    if node.type == "object_creation_expression":
        made = next((c for c in node.named_children if c.type in _NAMES), None)
        name = _written(node_text(source, made)) if made is not None else ""
        return "" if name in _OBJECTS else name
    written = source.data[node.start_byte : (last or node).end_byte]
    if len(written) <= _NAME_LIMIT and _PLAIN.fullmatch(written):
        return _written(written.decode())
    name = _chain(source, node)
    return name if len(name) <= _NAME_LIMIT else ""


def _chain(source: SourceText, node: Node) -> str:
    parts: list[str] = []
    at = node
    for _ in range(_CHAIN_LIMIT):
        if at.type in {*_NAMES, "variable_name", "relative_scope"}:
            return ".".join([_written(node_text(source, at)), *reversed(parts)])
        name = at.child_by_field_name("name")
        inner = at.child_by_field_name("object") or at.child_by_field_name("scope")
        is_call = at.child_by_field_name("arguments") is not None
        mark = "()" if parts and is_call else ""
        if name is not None and inner is not None and name.type == "name":
            parts.append(node_text(source, name) + mark)
            at = inner
            continue
        function = at.child_by_field_name("function")
        if function is None or function.type not in _NAMES:
            break
        parts.append(_written(node_text(source, function)) + mark)
        return ".".join(reversed(parts))
    return ""


def _imports(source: SourceText, node: Node) -> list[Import]:
    line, start = node.start_point.row + 1, node.start_byte
    if node.type != "namespace_use_declaration":
        path = _required(source, node)
        return [Import(path, "", "", line, start, "path")] if path else []
    shared = next((c for c in node.named_children if c.type == "namespace_name"), None)
    prefix = f"{_written(node_text(source, shared))}." if shared is not None else ""
    group = node.child_by_field_name("body") or node
    found = []
    for clause in group.named_children:
        if clause.type == "namespace_use_clause":
            alias = clause.child_by_field_name("alias")
            name = next((c for c in clause.named_children if c.type in _NAMES), clause)
            path = prefix + _written(node_text(source, name))
            bound = node_text(source, alias) if alias else path.rpartition(".")[2]
            found.append(Import(path, bound, path, line, start))
    return found


def _required(source: SourceText, node: Node) -> str:
    """Return the file of `require "a.php"` or `require __DIR__ . "/a.php"`."""
    given = next(iter(node.named_children), None)
    if given is not None and given.type == "parenthesized_expression":
        given = next(iter(given.named_children), None)
    if given is None:
        return ""
    folder = ""
    if given.type == "binary_expression":
        left, right = (given.child_by_field_name(side) for side in ("left", "right"))
        if left is None or right is None or node_text(source, left) != "__DIR__":
            return ""
        folder, given = dirname(source.path), right
    if given.type not in {"string", "encapsed_string"}:
        return ""
    written = node_text(source, given)[1:-1]
    if "$" in written:
        return ""
    return normpath(f"{folder}/{written}").lstrip("/") if folder else written


def _namespace(source: SourceText, captures: Captures) -> str:
    found = captures.get("namespace")
    return _written(node_text(source, found[0])) if found else ""


def _type_names(text: str) -> tuple[str, ...]:
    return (_written(text.lstrip("?")),)


PHP = LanguageSpec(
    name="php",
    grammar="php",
    query=QUERY,
    describe=_describe,
    imports=_imports,
    name_of=_name_of,
    type_names=_type_names,
    namespace=_namespace,
    builtins=frozenset(_OBJECTS),
    receivers=frozenset({"this", "self", "static"}),
)
