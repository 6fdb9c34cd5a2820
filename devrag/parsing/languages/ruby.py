"""Ruby: modules are namespaces, mixins are what a class implements."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from functools import lru_cache
from posixpath import dirname, normpath

from tree_sitter import Node

from devrag.parsing.code.spec import Description, Import, LanguageSpec, Named
from devrag.parsing.code.text import doc_comment, node_text, one_line
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

QUERY = """
[(method) (singleton_method)] @definition.function
(class) @definition.class
(module) @definition.namespace
(assignment left: (constant)) @definition.constant
(call) @call
((call !receiver method: (identifier) @require arguments: (argument_list . (string)))
  @import (#any-of? @require "require" "require_relative"))
(exceptions [(constant) (scope_resolution)] @type)
[
  (if) (unless) (elsif) (while) (until) (for) (when) (in_clause) (rescue) (conditional)
  (if_modifier) (unless_modifier) (while_modifier) (until_modifier) (rescue_modifier)
  "&&" "||" "and" "or"
] @branch
(comment) @comment
(ERROR) @error
(MISSING) @error
"""

_MIXINS = {"include", "extend", "prepend"}
_VISIBILITIES = {"public", "private", "protected", "module_function"}
# Words of the language that happen to be methods.
_WORDS = frozenset(
    _MIXINS
    | _VISIBILITIES
    | {"require", "require_relative", "private_class_method", "private_constant"}
    | {"attr_reader", "attr_writer", "attr_accessor", "raise", "loop", "lambda", "proc"}
)
_MARKER = re.compile(
    r"^([ \t]*)(public|private|protected|module_function)[ \t]*(?:#.*)?$", re.MULTILINE
)
# The same for methods by their names: `private :a, :b`.
_NAMING = re.compile(
    r"^([ \t]*)(private|protected|private_class_method)[ \t(]+"
    r"(:\w+[?!=]?(?:,\s*:\w+[?!=]?)*)",
    re.MULTILINE,
)
_MADE_CLASSES = {"Class.new", "Struct.new", "Data.define"}
_DIRECTIVE = re.compile(r"(rubocop|frozen_string_literal|encoding|typed|sorbet)\b ?:")
# A call whose name is its text: `Shop::Order.clear!`.
_PLAIN = re.compile(rb"@{0,2}[A-Za-z_][\w.:]{0,300}[?!]?")
_COMMENTS = frozenset({"comment"})
_NAME_LIMIT = 300
_CHAIN_LIMIT = 50
_SAID_LIMIT = 5
_SUMMARY_LIMIT = 200
_ROOTS = {
    "identifier",
    "constant",
    "self",
    "instance_variable",
    "class_variable",
    "global_variable",
}


def _describe(source: SourceText, node: Node, kind: str) -> Description | None:
    name = node.child_by_field_name("left" if kind == "constant" else "name")
    if name is None:
        return None
    if kind == "function":
        return _describe_method(source, node, node_text(source, name))
    if kind == "constant":
        return _describe_constant(source, node, node_text(source, name))
    body = node.child_by_field_name("body")
    end = node.child_by_field_name("superclass") or name
    return Description(
        kind=kind,
        name=_dotted(source, name),
        outer=node,
        signature=_signature(source, node, end),
        signature_lines=(node.start_point.row + 1, end.end_point.row + 1),
        body=body,
        docstring=_docstring(source, node),
        bases=_base(source, node.child_by_field_name("superclass")),
        interfaces=tuple(_mixins(source, body)),
    )


def _describe_method(source: SourceText, node: Node, name: str) -> Description:
    outer = _outer(node)
    listed = node.child_by_field_name("parameters")
    end = listed or node.child_by_field_name("name") or node
    held = node.child_by_field_name("object")
    is_outside = node.parent is not None and node.parent.type == "program"
    return Description(
        kind="function",
        name=name,
        owner=_dotted(source, held) if held is not None and is_outside else "",
        outer=outer,
        signature=_signature(source, outer, end),
        signature_lines=(outer.start_point.row + 1, end.end_point.row + 1),
        body=node.child_by_field_name("body"),
        parameters=_parameters(source, listed) if listed else (),
        docstring=_docstring(source, outer),
        modifiers=_modifiers(source, node, outer),
    )


def _describe_constant(source: SourceText, node: Node, name: str) -> Description:
    """Describe a constant, or the class that `Struct.new` and its like make."""
    value = node.child_by_field_name("right")
    is_call = value is not None and value.type == "call"
    maker = _dotted(source, value) if value is not None and is_call else ""
    row = node.start_point.row + 1
    first_line = node_text(source, node).partition("\n")[0]
    is_class = maker in _MADE_CLASSES
    return Description(
        kind="class" if is_class else "constant",
        name=name,
        outer=node,
        signature=first_line.removesuffix(" do")[:_SUMMARY_LIMIT],
        signature_lines=(row, row),
        docstring=_docstring(source, node),
    )


def _outer(node: Node) -> Node:
    """Return the method with the word before it: `private def …`."""
    listed = node.parent
    if listed is None or listed.type != "argument_list":
        return node
    return listed.parent or node


def _signature(source: SourceText, node: Node, end: Node) -> str:
    return one_line(source.data[node.start_byte : end.end_byte].decode())


def _docstring(source: SourceText, node: Node) -> str:
    """A comment above the first of a body stands above the body in the tree."""
    anchor = node if node.prev_sibling is not None else (node.parent or node)
    text = doc_comment(source, anchor, _COMMENTS)
    return "" if _DIRECTIVE.match(text) else text


def _base(source: SourceText, node: Node | None) -> tuple[Named, ...]:
    base = next(iter(node.named_children), None) if node is not None else None
    name = _dotted(source, base) if base is not None else ""
    return ((name, base.start_point.row + 1),) if base is not None and name else ()


def _mixins(source: SourceText, body: Node | None) -> list[Named]:
    found = []
    for child in body.named_children if body is not None else ():
        method = child.child_by_field_name("method") if child.type == "call" else None
        if method is None or node_text(source, method) not in _MIXINS:
            continue
        arguments = child.child_by_field_name("arguments")
        found += [
            (_dotted(source, argument), argument.start_point.row + 1)
            for argument in (arguments.named_children if arguments else ())
            if argument.type in {"constant", "scope_resolution"}
        ]
    return found


def _modifiers(source: SourceText, node: Node, outer: Node) -> tuple[str, ...]:
    is_class_level = node.type == "singleton_method"
    holder = outer.parent
    if holder is not None and holder.type == "body_statement":
        holder = holder.parent
    if outer != node:
        word = outer.child_by_field_name("method")
        visibility = node_text(source, word) if word is not None else ""
    else:
        visibility = _named_later(source, node, holder, is_class_level)
        if not visibility and not is_class_level:
            top = holder.start_point.row if holder is not None else 0
            visibility = _marked(source, node, top)
    if is_class_level:
        visibility = "private" if visibility == "private_class_method" else ""
    is_class_level |= holder is not None and holder.type == "singleton_class"
    is_class_level |= visibility == "module_function"
    shown = visibility if visibility in {"private", "protected"} else "public"
    return (shown, "static") if is_class_level else (shown,)


def _marked(source: SourceText, node: Node, top: int) -> str:
    """Return the last visibility set above a method, in its class and indentation."""
    row, column = node.start_point
    marks = _markers(source.text).get(column, [])
    at = bisect_left(marks, (row, "")) - 1
    return marks[at][1] if at >= 0 and marks[at][0] > top else ""


def _named_later(
    source: SourceText, node: Node, holder: Node | None, is_class_level: bool
) -> str:
    """Return what a line of the same class says of the method by its name."""
    named = node.child_by_field_name("name")
    if named is None or holder is None:
        return ""
    row, column = node.start_point
    said = _namings(source.text).get(node_text(source, named), [])
    first = bisect_left(said, (row, 0, ""))
    for at, indent, word in said[first : first + _SAID_LIMIT]:
        is_own = at <= holder.end_point.row and indent == column
        if is_own and is_class_level == (word == "private_class_method"):
            return word
    return ""


@lru_cache(maxsize=1)
def _namings(text: str) -> dict[str, list[tuple[int, int, str]]]:
    """Return (row, indentation, word) of what is said of methods, by their names."""
    found: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    row = before = 0
    for match in _NAMING.finditer(text):
        row += text.count("\n", before, match.start())
        before = match.start()
        for name in re.findall(r":(\w+[?!=]?)", match[3]):
            found[name].append((row, len(match[1]), match[2]))
    return found


@lru_cache(maxsize=1)
def _markers(text: str) -> dict[int, list[tuple[int, str]]]:
    """Return (row, word) of the lines that set a visibility, by their indentation."""
    found: dict[int, list[tuple[int, str]]] = defaultdict(list)
    row = before = 0
    for match in _MARKER.finditer(text):
        row += text.count("\n", before, match.start())
        before = match.start()
        found[len(match[1])].append((row, match[2]))
    return found


def _parameters(source: SourceText, node: Node) -> tuple[Parameter, ...]:
    found = []
    for child in node.named_children:
        named = child
        if child.type in {"optional_parameter", "keyword_parameter"}:
            named = child.child_by_field_name("name") or child
        if child.type != "comment":
            found.append(Parameter(one_line(node_text(source, named))))
    return tuple(found)


def _name_of(source: SourceText, node: Node) -> str:
    """Return a call's dotted name; `Order.new` is a call of Order."""
    method = node.child_by_field_name("method")
    if method is None or method.type not in {"identifier", "constant"}:
        return ""
    written = source.data[node.start_byte : method.end_byte][: _NAME_LIMIT + 1]
    is_plain = _PLAIN.fullmatch(written)
    name = written.decode().replace("::", ".") if is_plain else _dotted(source, node)
    if name in _WORDS:
        return ""
    made = name.removesuffix(".new")
    is_class = made != name and made.rpartition(".")[2][:1].isupper()
    return made if is_class else name


def _dotted(source: SourceText, node: Node) -> str:
    """Return `A::B.c` as `A.B.c`, `a(1).b` as `a().b`; '' without a plain root."""
    parts: list[str] = []
    at: Node | None = node
    for _ in range(_CHAIN_LIMIT):
        if at is None:
            break
        if at.type in _ROOTS:
            parts.append(node_text(source, at))
            name = ".".join(reversed(parts))
            return name if len(name) <= _NAME_LIMIT else ""
        if at.type not in {"call", "scope_resolution"}:
            return ""
        is_call = at.type == "call"
        last = at.child_by_field_name("method" if is_call else "name")
        mark = "()" if parts and at.child_by_field_name("arguments") else ""
        parts.append(node_text(source, last) + mark if last is not None else "")
        at = at.child_by_field_name("receiver" if is_call else "scope")
    name = ".".join(reversed(parts)) if at is None else ""
    return name if len(name) <= _NAME_LIMIT else ""


def _imports(source: SourceText, node: Node) -> list[Import]:
    """Return the file that a `require` names, relative ones resolved."""
    method = node.child_by_field_name("method")
    arguments = node.child_by_field_name("arguments")
    written = next(iter(arguments.named_children), None) if arguments else None
    if method is None or written is None:
        return []
    path = node_text(source, written)[1:-1].removesuffix(".rb")
    if node_text(source, method) == "require_relative" or path.startswith("."):
        path = normpath(f"{dirname(source.path)}/{path}").lstrip("/")
    line = node.start_point.row + 1
    return [Import(path, "", "", line, node.start_byte, "path")]


def _type_names(text: str) -> tuple[str, ...]:
    return (text.strip(":").replace("::", "."),)


RUBY = LanguageSpec(
    name="ruby",
    grammar="ruby",
    query=QUERY,
    describe=_describe,
    imports=_imports,
    name_of=_name_of,
    type_names=_type_names,
    builtins=frozenset({"StandardError", "Exception", "ArgumentError", "RuntimeError"}),
    receivers=frozenset({"self"}),
    is_self_implicit=True,
)
