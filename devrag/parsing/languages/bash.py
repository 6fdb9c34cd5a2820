"""Shell scripts: functions, the commands they run, the files they source."""

from __future__ import annotations

import re
from posixpath import dirname, normpath

from tree_sitter import Node

from devrag.parsing.code.spec import Description, Import, LanguageSpec
from devrag.parsing.code.text import doc_comment, node_text, one_line
from devrag.parsing.source import SourceText

QUERY = """
(function_definition) @definition.function
(program [
  (variable_assignment name: (variable_name)) @definition.variable
  (declaration_command (variable_assignment name: (variable_name))
    @definition.variable)
])
(command name: (command_name (word) @call))
((command name: (command_name (word) @source)) @import
  (#any-of? @source "source" "."))
[
  (if_statement) (elif_clause) (for_statement) (c_style_for_statement)
  (while_statement) (ternary_expression) "&&" "||"
] @branch
((case_item value: (_) @pattern) @branch (#not-eq? @pattern "*"))
(comment) @comment
(ERROR) @error
(MISSING) @error
"""

_NAME = re.compile(r"[A-Za-z_][\w:-]*")
# What the shell does itself.
_BUILTIN_WORDS = (
    "alias bg bind break builtin caller cd command compgen complete continue declare "
    "dirs disown echo enable eval exec exit export false fc fg getopts hash help "
    "history jobs kill let local logout mapfile popd printf pushd pwd read readarray "
    "readonly return set shift shopt source suspend test times trap true type typeset "
    "ulimit umask unalias unset wait"
)
_BUILTINS = frozenset(_BUILTIN_WORDS.split())
_FIXED_OPTION = re.compile(r"(declare|typeset)\s+-\w*r")
# `"$(dirname "$0")"/`, `${BASH_SOURCE%/*}/`: the folder of the script itself.
_OWN_FOLDER = re.compile(r"""^["']?\$.*(dirname|BASH_SOURCE|\{0%/\*\}).*[)}]["']?/""")
_DIRECTIVE = re.compile(r"shellcheck |!/")
_COMMENTS = frozenset({"comment"})
_SUMMARY_LIMIT = 200


def _describe(source: SourceText, node: Node, kind: str) -> Description | None:
    name = node.child_by_field_name("name")
    if name is None:
        return None
    if kind == "variable":
        return _describe_variable(source, node, node_text(source, name))
    body = node.child_by_field_name("body")
    end = body.start_byte if body is not None else node.end_byte
    shown = source.data[node.start_byte : end].decode("utf-8", "replace")
    docstring = doc_comment(source, node, _COMMENTS)
    row = node.start_point.row + 1
    return Description(
        kind="function",
        name=node_text(source, name),
        outer=node,
        signature=" ".join(shown.split()),
        signature_lines=(row, row),
        body=body,
        docstring="" if _DIRECTIVE.match(docstring) else docstring,
    )


def _describe_variable(source: SourceText, node: Node, name: str) -> Description:
    declaration = node.parent if node.parent is not None else node
    is_declared = declaration.type == "declaration_command"
    outer = declaration if is_declared and declaration.named_child_count <= 2 else node
    head = node_text(source, declaration)[:_SUMMARY_LIMIT] if is_declared else ""
    is_fixed = head.startswith("readonly") or _FIXED_OPTION.match(head)
    row = outer.start_point.row + 1
    return Description(
        kind="constant" if is_fixed else "variable",
        name=name,
        outer=outer,
        signature=node_text(source, outer).partition("\n")[0][:_SUMMARY_LIMIT],
        signature_lines=(row, row),
        modifiers=("export",) if head.startswith("export") else (),
    )


def _name_of(source: SourceText, node: Node) -> str:
    """Return the command that is run, '' for what the shell does itself."""
    text = node_text(source, node) if node.end_byte - node.start_byte < 100 else ""
    return text if _NAME.fullmatch(text) and text not in _BUILTINS else ""


def _imports(source: SourceText, node: Node) -> list[Import]:
    """Return the sourced file, as a path; none when only running would tell it."""
    argument = node.child_by_field_name("argument")
    written = one_line(node_text(source, argument)) if argument is not None else ""
    rest = _OWN_FOLDER.sub("", written)
    if rest != written:
        rest = f"{dirname(source.path)}/{rest}"
    path = rest.strip("\"'").replace('"', "")
    if not path or "$" in path or "`" in path:
        return []
    path = normpath(path.lstrip("/") if rest != written else path)
    line = node.start_point.row + 1
    return [Import(path, "", "", line, node.start_byte, "path")]


def _type_names(_text: str) -> tuple[str, ...]:
    return ()


BASH = LanguageSpec(
    name="bash",
    grammar="bash",
    query=QUERY,
    describe=_describe,
    imports=_imports,
    name_of=_name_of,
    type_names=_type_names,
)
