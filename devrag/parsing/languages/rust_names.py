"""Names in Rust: paths, calls, macros, types, use declarations, modules."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.names import Shape, dotted_name
from devrag.parsing.code.spec import Import
from devrag.parsing.code.text import first_named, node_text
from devrag.parsing.paths import folders, stem
from devrag.parsing.source import SourceText

_SHAPES: dict[str, Shape] = {
    "scoped_identifier": ("path", "name", ""),
    "scoped_type_identifier": ("path", "name", ""),
    "field_expression": ("value", "field", ""),
    "generic_function": ("function", "", ""),
    "generic_type": ("type", "", ""),
    "generic_type_with_turbofish": ("type", "", ""),
    "call_expression": ("function", "", "()"),
    "macro_invocation": ("macro", "", "!()"),
    "index_expression": ("", "", "[]"),
    "try_expression": ("", "", ""),
    "await_expression": ("", "", ""),
}
# What the prelude gives every file: types, traits, and the variants of its enums.
_PRELUDE_NAMES = (
    "Self String Vec Option Result Box Send Sync Sized Copy Clone Drop Fn FnMut FnOnce "
    "Iterator IntoIterator ExactSizeIterator DoubleEndedIterator Extend AsRef AsMut "
    "From Into TryFrom TryInto FromIterator Default ToString ToOwned PartialEq Eq "
    "PartialOrd Ord _"
)
_PRELUDE = frozenset(_PRELUDE_NAMES.split())
_VARIANTS = frozenset({"Some", "None", "Ok", "Err"})
# Their methods are mostly those of what they hold.
_POINTERS = frozenset({"Arc", "Rc", "Cow", "Pin", "Ref", "RefMut", "MutexGuard"})
_TYPE = re.compile(
    r"(?:&\s*(?:'\w+\s+)?(?:mut\s+)?)*(?:dyn\s+|impl\s+)?"
    r"(?:::)?([^\W\d]\w*(?:::\w+)*)(<.*>)?",
    re.DOTALL,
)
_CHAIN = re.compile(r"(?:[^\W\d]\w*(?:::|\.))+$")
_BEFORE = 200
_DEPTH = 20


def name_of(source: SourceText, node: Node) -> str:
    """Return the called name, dotted; a macro's ends in `!`."""
    above = node.parent
    if above is not None and above.type == "token_tree":
        after = source.data[node.end_byte : node.end_byte + 2]
        mark = "!" if after in {b"!(", b"![", b"!{"} else ""
        name = _name_in_tokens(source, node, above) if mark or after[:1] == b"(" else ""
    else:
        mark = "!" if source.data[node.end_byte : node.end_byte + 1] == b"!" else ""
        name = dotted_name(source, node, _SHAPES)
    return name + mark if name and name not in _VARIANTS else ""


def _name_in_tokens(source: SourceText, node: Node, tokens: Node) -> str:
    """Name a call among a macro's arguments, of which only tokens are known."""
    name = node_text(source, node)
    above: Node | None = tokens
    for _ in range(_DEPTH):
        if above is None or above.type != "token_tree":
            break
        above = above.parent
    is_code = above is not None and above.type in {"macro_invocation", "macro_rule"}
    start = node.start_byte
    before = source.data[max(0, start - _BEFORE) : start].decode("utf-8", "ignore")
    # A capital begins a pattern as often as a call.
    if not is_code or name[0].isupper() or before.endswith("fn "):
        return ""
    chain = _CHAIN.search(before)
    if chain is None:
        return "" if before.endswith(("::", ".")) else name
    if before[: chain.start()].endswith((".", ":", ")", "?", "]", "$")):
        return ""
    return chain[0].replace("::", ".") + name


def type_path(text: str) -> str:
    """Return the dotted path of a named type, without its arguments; '' for others."""
    match = _TYPE.fullmatch(text)
    return match[1].replace("::", ".") if match else ""


def type_names(text: str) -> tuple[str, ...]:
    """Return the one name of a named type, none for the prelude's and composed ones."""
    match = _TYPE.fullmatch(text)
    if match is None or match[1] in _PRELUDE:
        return ()
    name = match[1].replace("::", ".")
    return () if match[2] and name.rpartition(".")[2] in _POINTERS else (name,)


def module_path(path: str) -> str:
    """Return the module of a file, its crate first: the folder that has `src`."""
    names = [*folders(path), stem(path)]
    if "src" in names[:-1]:
        at = len(names) - 2 - names[-2::-1].index("src")
        names[: at + 1] = [names[at - 1].replace("-", "_")] if at else ["crate"]
        is_root = names[1:] in (["main"], ["lib"])
    else:
        is_root = False
    if len(names) > 1 and (is_root or names[-1] == "mod"):
        names.pop()
    return ".".join(names)


def imports(source: SourceText, node: Node) -> list[Import]:
    """Return what a `use`, `mod name;` or `extern crate` binds."""
    line, start = node.start_point.row + 1, node.start_byte
    here = _module_at(source, node)
    if node.type != "use_declaration":
        named = node.child_by_field_name("name")
        alias_node = node.child_by_field_name("alias") or named
        if named is None or alias_node is None:
            return []
        path = node_text(source, named)
        path = ".".join([*here, path]) if node.type == "mod_item" else path
        return [Import(path, node_text(source, alias_node), path, line, start)]
    argument = node.child_by_field_name("argument")
    found = []
    for parts, alias_name, row in _uses(source, argument) if argument else ():
        path = ".".join(_absolute(parts, here))
        bound = alias_name if alias_name not in {"_", "*"} else ""
        found.append(Import(path, bound, path if bound else "", row, start))
    return found


def _module_at(source: SourceText, node: Node) -> list[str]:
    """Return the path of the module around a declaration."""
    inner = []
    above = node.parent
    while above is not None:
        if above.type == "mod_item":
            name = above.child_by_field_name("name")
            inner.append(node_text(source, name) if name else "")
        above = above.parent
    return [*module_path(source.path).split("."), *reversed(inner)]


def _uses(source: SourceText, argument: Node) -> Iterator[tuple[list[str], str, int]]:
    """Yield (path, name bound here, line) for each leaf of a use declaration."""
    stack: list[tuple[Node, list[str]]] = [(argument, [])]
    while stack:
        node, before = stack.pop()
        row = node.start_point.row + 1
        kind = node.type
        if kind in {"use_list", "scoped_use_list"}:
            path = node.child_by_field_name("path")
            whole = [*before, *_parts(source, path)]
            inner = node.child_by_field_name("list") if kind != "use_list" else node
            children = inner.named_children if inner is not None else []
            stack += [(child, whole) for child in reversed(children)]
        elif kind == "use_wildcard":
            yield [*before, *_parts(source, first_named(node)), "*"], "*", row
        elif kind == "use_as_clause":
            path = node.child_by_field_name("path")
            alias = node.child_by_field_name("alias")
            parts = _leaf(before, _parts(source, path))
            yield parts, node_text(source, alias) if alias else "_", row
        elif kind in {"identifier", "scoped_identifier", "self", "crate", "super"}:
            parts = _leaf(before, _parts(source, node))
            yield parts, parts[-1], row


def _leaf(before: list[str], parts: list[str]) -> list[str]:
    """Return the whole path; `self` in a list is the list's own path."""
    return before if before and parts == ["self"] else [*before, *parts]


def _parts(source: SourceText, node: Node | None) -> list[str]:
    if node is None:
        return []
    return [part.strip() for part in node_text(source, node).split("::") if part]


def _absolute(parts: list[str], here: list[str]) -> list[str]:
    """Resolve `crate`, `self` and `super` against the module around."""
    first = parts[0] if parts else ""
    if first == "crate":
        return [here[0], *parts[1:]]
    if first == "self":
        return [*here, *parts[1:]]
    while parts and parts[0] == "super":
        here, parts, first = here[:-1], parts[1:], "super"
    return [*here, *parts] if first == "super" else parts
