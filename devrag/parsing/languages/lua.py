"""Lua: functions and the tables they are put into; a file is a module."""

from __future__ import annotations

import re
from dataclasses import replace

from tree_sitter import Node

from devrag.parsing.code.spec import Description, Import, LanguageSpec, ModuleSymbol
from devrag.parsing.code.text import doc_comment, node_text, one_line
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

QUERY = """
(function_declaration) @definition.function
(assignment_statement (variable_list . name: [(identifier) (dot_index_expression)] .)
  (expression_list . value: (function_definition) .)) @definition.function
(field name: (identifier) value: (function_definition)) @definition.function
(chunk (variable_declaration
  (assignment_statement (variable_list . name: (identifier) . (attribute)? .))
    @definition.variable))
(chunk (assignment_statement (variable_list . name: (identifier) .))
  @definition.variable)
(function_call name: [
  (identifier) (dot_index_expression) (method_index_expression)
] @call)
((function_call name: (identifier) @require arguments: (arguments . (string)))
  @import (#eq? @require "require"))
(dot_index_expression table: (identifier) @use)
(method_index_expression table: (identifier) @use)
[
  (if_statement) (elseif_statement) (for_statement) (while_statement)
  (repeat_statement) "and" "or"
] @branch
(comment) @comment
(ERROR) @error
(MISSING) @error
"""

_PLAIN = re.compile(r"[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)*")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]+$")
_COMMENTS = frozenset({"comment"})
_NAME_LIMIT = 300
_CHAIN_LIMIT = 50
_TABLE_DEPTH = 8
_SUMMARY_LIMIT = 200


def _describe(source: SourceText, node: Node, kind: str) -> Description | None:
    if kind == "variable":
        return _describe_variable(source, node)
    path = _path_of(source, node)
    if not path:
        return None
    value = _value_of(node) or node
    body = value.child_by_field_name("body")
    listed = value.child_by_field_name("parameters")
    outer = _outer(node)
    end = listed or value
    owner, _, name = path.rpartition(".")
    shown = source.data[outer.start_byte : end.end_byte].decode("utf-8", "replace")
    return Description(
        kind="function",
        name=name,
        owner=owner,
        outer=outer,
        signature=one_line(shown),
        signature_lines=(outer.start_point.row + 1, end.end_point.row + 1),
        body=body,
        parameters=_parameters(source, listed) if listed else (),
        docstring=_docstring(source, outer),
        modifiers=("local",) if shown.startswith("local") else (),
    )


def _describe_variable(source: SourceText, node: Node) -> Description | None:
    """Describe a variable of the file that is neither a function nor an import."""
    names, values = (*node.named_children, None, None)[:2]
    value = values.child_by_field_name("value") if values is not None else None
    name = names.child_by_field_name("name") if names is not None else None
    if name is None or (value is not None and _is_named_elsewhere(source, value)):
        return None
    outer = _outer(node)
    text = node_text(source, name)
    row = outer.start_point.row + 1
    first_line = node_text(source, outer).partition("\n")[0]
    return Description(
        kind="constant" if _CONSTANT.match(text) else "variable",
        name=text,
        outer=outer,
        signature=first_line.rstrip(" {(=")[:_SUMMARY_LIMIT],
        signature_lines=(row, row),
        docstring=_docstring(source, outer),
        modifiers=("local",) if first_line.startswith("local") else (),
    )


def _is_named_elsewhere(source: SourceText, value: Node) -> bool:
    if value.type == "dot_index_expression":
        value = value.child_by_field_name("table") or value
    called = value.child_by_field_name("name")
    is_require = called is not None and node_text(source, called) == "require"
    return value.type == "function_definition" or is_require


def _docstring(source: SourceText, node: Node) -> str:
    """Return the comment above without the marks of `---` and `--[[ … ]]`."""
    text = doc_comment(source, node, _COMMENTS).lstrip("- \n")
    return text.removeprefix("[[").removesuffix("]]").strip()


def _outer(node: Node) -> Node:
    parent = node.parent
    is_local = parent is not None and parent.type == "variable_declaration"
    return parent if parent is not None and is_local else node


def _value_of(node: Node) -> Node | None:
    """Return the function that an assignment or a field of a table holds."""
    if node.type == "assignment_statement":
        values = node.named_children[-1]
        return values.child_by_field_name("value")
    return node.child_by_field_name("value")


def _path_of(source: SourceText, node: Node) -> str:
    """Return `M.open` for what is written so, or stands in the table M."""
    if node.type == "field":
        return _path_in_table(source, node)
    holder = node.named_children[0] if node.type == "assignment_statement" else node
    name = holder.child_by_field_name("name")
    text = node_text(source, name) if name is not None else ""
    return text.replace(":", ".") if _PLAIN.fullmatch(text) else ""


def _path_in_table(source: SourceText, node: Node) -> str:
    parts: list[str] = []
    at: Node | None = node
    for _ in range(_TABLE_DEPTH):
        name = at.child_by_field_name("name") if at is not None else None
        if at is None or name is None or name.type != "identifier":
            return ""
        parts.append(node_text(source, name))
        table = at.parent
        at = table.parent if table is not None else None
        if at is not None and at.type == "expression_list":
            whole = at.parent
            owner = (
                _path_of(source, whole) if whole is not None and _is_top(whole) else ""
            )
            return f"{owner}.{'.'.join(reversed(parts))}" if owner else ""
        if at is not None and at.type != "field":
            return ""
    return ""


def _is_top(node: Node) -> bool:
    """Return whether it is an assignment of one value, at the top of the file."""
    above = _outer(node).parent
    is_single = [len(child.named_children) for child in node.named_children] == [1, 1]
    is_assignment = node.type == "assignment_statement"
    return is_assignment and is_single and above is not None and above.type == "chunk"


def _parameters(source: SourceText, node: Node) -> tuple[Parameter, ...]:
    names = (node_text(source, child) for child in node.named_children)
    return tuple(Parameter(name) for name in names if name != "self")


def _name_of(source: SourceText, node: Node) -> str:
    """Return a called name with dots: `self:go` is `self.go`."""
    if node.end_byte - node.start_byte <= _NAME_LIMIT:
        text = node_text(source, node)
        if _PLAIN.fullmatch(text):
            return "" if text == "require" else text.replace(":", ".")
    parts: list[str] = []
    at: Node | None = node
    for _ in range(_CHAIN_LIMIT):
        if at is None or at.type == "identifier":
            break
        is_call = at.type == "function_call"
        last = at.child_by_field_name("field") or at.child_by_field_name("method")
        if not is_call and (last is None or last.type != "identifier"):
            return ""
        parts.append("()" if last is None or is_call else f".{node_text(source, last)}")
        at = at.child_by_field_name("name" if is_call else "table")
    if at is None or at.type != "identifier":
        return ""
    name = node_text(source, at) + "".join(reversed(parts))
    return name if len(name) <= _NAME_LIMIT else ""


def _imports(source: SourceText, node: Node) -> list[Import]:
    """Return the required module; `local x = require "a".b` binds `a.b` to x."""
    arguments = node.child_by_field_name("arguments")
    written = next(iter(arguments.named_children), None) if arguments else None
    if written is None:
        return []
    path = node_text(source, written).strip("\"'[]").replace("/", ".")
    place = node.parent
    if place is not None and place.type == "dot_index_expression":
        field = place.child_by_field_name("field")
        path += f".{node_text(source, field)}" if field is not None else ""
        place = place.parent
    alias = ""
    if place is not None and place.type == "expression_list" and place.parent:
        names = place.parent.named_children[0]
        bound = names.child_by_field_name("name")
        is_bound = names.type == "variable_list" and names.named_child_count == 1
        if bound is not None and is_bound and bound.type == "identifier":
            alias = node_text(source, bound)
    line, start = node.start_point.row + 1, node.start_byte
    return [Import(path, alias, path if alias else "", line, start)]


def _module_name(path: str) -> str:
    """Return the name that `require` finds the file by, from the source's root."""
    return path.removesuffix(".lua").removesuffix("/init").replace("/", ".")


def _type_names(_text: str) -> tuple[str, ...]:
    return ()


LUA = LanguageSpec(
    name="lua",
    grammar="lua",
    query=QUERY,
    describe=_describe,
    imports=_imports,
    name_of=_name_of,
    type_names=_type_names,
    namespace=lambda source, _captures: _module_name(source.path),
    module=lambda source, _root: ModuleSymbol(_module_name(source.path)),
    receivers=frozenset({"self"}),
)

LUAU = replace(LUA, name="luau", grammar="luau")
