"""Names in JavaScript and TypeScript: dotted calls, types, modules, imports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import dirname, normpath

from tree_sitter import Node

from devrag.parsing.code.spec import Import
from devrag.parsing.code.text import node_text
from devrag.parsing.paths import folders
from devrag.parsing.source import SourceText

_PLAIN = re.compile(r"[\w$#.]+")
_TYPE_PARAMETER = re.compile(r"[A-Z]\d?")
_CODE_ENDING = re.compile(r"(\.d)?\.[cm]?[jt]sx?$")
_ASSET_ENDING = re.compile(
    r"\.(css|s[ac]ss|less|svg|png|jpe?g|gif|json|html?|md|txt|graphql|wasm|vue|svelte)$"
)
# Roots that bundlers are set up to take for the folder of the sources.
_SOURCE_ROOTS = ("@/", "~/")
_NAME_LIMIT = 300
_CHAIN_LIMIT = 50
_NO_FUNCTIONS = {"require", "import"}
# node type: (field to go on from, field of the name, mark)
_LINKS = {
    "member_expression": ("object", "property", "."),
    "nested_identifier": ("object", "property", "."),
    "call_expression": ("function", "", "()"),
    "subscript_expression": ("object", "", "[]"),
}
_ROOTS = {"identifier", "this", "super"}
_BUILTINS = (
    "Array ReadonlyArray Promise PromiseLike Record Partial Required Readonly Pick "
    "Omit Exclude Extract NonNullable ReturnType Parameters ConstructorParameters "
    "InstanceType Awaited Map Set WeakMap WeakSet WeakRef ReadonlyMap ReadonlySet "
    "Date RegExp Error Function Object String Number Boolean Symbol BigInt Iterable "
    "Iterator AsyncIterable AsyncIterator Generator AsyncGenerator Uint8Array "
    "ArrayBuffer Uppercase Lowercase Capitalize Uncapitalize ThisType const"
)
BUILTIN_TYPES = frozenset(_BUILTINS.split())


def name_of(source: SourceText, node: Node) -> str:
    """Return a called or decorating name, dotted: `a.b`, `a.b().c`, `this.#d`."""
    if node.end_byte - node.start_byte <= _NAME_LIMIT:
        text = node_text(source, node)
        if _PLAIN.fullmatch(text):
            return "" if text in _NO_FUNCTIONS else text
    name = "".join(reversed(list(_links(source, node))))
    return name if len(name) <= _NAME_LIMIT else ""


def _links(source: SourceText, node: Node) -> Iterator[str]:
    """Yield the parts of a chain from its end; only '' when it has no plain root."""
    found: list[str] = []
    for _ in range(_CHAIN_LIMIT):
        if node.type in _ROOTS:
            yield from [*found, node_text(source, node)]
            return
        field, name, mark = _LINKS.get(node.type, ("", "", ""))
        if node.type == "non_null_expression":
            inner = next(iter(node.named_children), None)
        else:
            inner = node.child_by_field_name(field) if field else None
        if inner is None:
            return
        last = node.child_by_field_name(name) if name else None
        found.append(mark + node_text(source, last) if last else mark)
        node = inner


def type_names(text: str) -> tuple[str, ...]:
    """Return the name that a type node is; a type parameter is none."""
    if not _PLAIN.fullmatch(text) or _TYPE_PARAMETER.fullmatch(text):
        return ()
    return (text,)


def module_name(path: str) -> str:
    """Return the dotted module of a path: without the extension and a last `index`."""
    bare = _CODE_ENDING.sub("", path).removesuffix("/index")
    return bare.replace("/", ".") or "index"


def import_items(source: SourceText, node: Node) -> list[Import]:
    """Return what an import, a re-export, `require()` or `import()` binds."""
    line, start = node.start_point.row + 1, node.start_byte
    clause = next((c for c in node.named_children if c.type in _CLAUSES), None)
    written = _specifier(source, node, clause)
    via = "import" if _is_local(written) else "foreign"
    bindings = _bindings(source, node, clause, written)
    return [Import(*bound, line, start, via) for bound in bindings]


def _specifier(source: SourceText, node: Node, clause: Node | None) -> str:
    """Return the module as it is written."""
    if node.type == "call_expression":
        arguments = node.child_by_field_name("arguments")
        named = arguments.named_children if arguments is not None else ()
        return _string(source, next(iter(named), None))
    holder = clause if clause and clause.type == "import_require_clause" else node
    return _string(source, holder.child_by_field_name("source"))


def _bindings(
    source: SourceText, node: Node, clause: Node | None, written: str
) -> Iterator[tuple[str, str, str]]:
    """Yield (path, alias, target)."""
    module = _absolute(source.path, written)
    if node.type == "call_expression":
        yield from _required(source, node, module)
    elif node.type == "export_statement":
        yield from _exported(source, clause, module)
    elif clause is None:
        yield module, "", ""
    else:
        for part in clause.named_children:
            yield from _imported(source, part, module, is_local=_is_local(written))


_CLAUSES = {"import_clause", "import_require_clause", "export_clause"}


def _imported(
    source: SourceText, part: Node, module: str, *, is_local: bool
) -> Iterator[tuple[str, str, str]]:
    if part.type == "identifier":
        yield _default(module, node_text(source, part), is_local=is_local)
    elif part.type == "namespace_import":
        for bound in part.named_children:
            yield module, node_text(source, bound), module
    elif part.type == "named_imports":
        for item in part.named_children:
            name, alias = _name_and_alias(source, item)
            if name == "default":
                yield _default(module, alias, is_local=is_local)
            elif name:
                yield f"{module}.{name}", alias, f"{module}.{name}"


def _default(module: str, alias: str, *, is_local: bool) -> tuple[str, str, str]:
    """The default of a package is the package; in a file it mostly has its own name."""
    path = f"{module}.{alias}" if is_local else module
    return path, alias, path


def _exported(
    source: SourceText, clause: Node | None, module: str
) -> Iterator[tuple[str, str, str]]:
    if clause is None:
        yield f"{module}.*", "", ""
        return
    for item in clause.named_children:
        name, _ = _name_and_alias(source, item)
        if name:
            yield f"{module}.{name}", "", ""


def _name_and_alias(source: SourceText, item: Node) -> tuple[str, str]:
    name = item.child_by_field_name("name")
    alias = item.child_by_field_name("alias") or name
    if name is None or alias is None:
        return "", ""
    return node_text(source, name), node_text(source, alias)


def _required(
    source: SourceText, call: Node, module: str
) -> Iterator[tuple[str, str, str]]:
    """Read `const x = require("y")`, `const {a, b: c} = …` and `const d = ….d`."""
    place = call.parent
    member = place.child_by_field_name("property") if place is not None else None
    if place is not None and member is not None and not _is_promise(call):
        module += f".{node_text(source, member)}"
    if place is not None and (member is not None or place.type == "await_expression"):
        place = place.parent
    is_bound = place is not None and place.type == "variable_declarator"
    name = place.child_by_field_name("name") if place is not None and is_bound else None
    if name is None:
        yield module, "", ""
    elif name.type == "identifier":
        yield module, node_text(source, name), module
    else:
        for part in name.named_children:
            yield from _taken_apart(source, part, module)


def _is_promise(call: Node) -> bool:
    """Return whether it is `import()`, of which `.then` is no part of the module."""
    function = call.child_by_field_name("function")
    return function is not None and function.type == "import"


def _taken_apart(
    source: SourceText, part: Node, module: str
) -> Iterator[tuple[str, str, str]]:
    key = value = part
    if part.type == "pair_pattern":
        key = part.child_by_field_name("key") or part
        value = part.child_by_field_name("value") or part
    elif part.type != "shorthand_property_identifier_pattern":
        return
    path = f"{module}.{node_text(source, key)}"
    yield path, node_text(source, value), path


def _string(source: SourceText, node: Node | None) -> str:
    return node_text(source, node)[1:-1] if node is not None else ""


def _is_local(written: str) -> bool:
    is_inside = written.startswith((".", "#", *_SOURCE_ROOTS))
    return is_inside and not _ASSET_ENDING.search(written)


def _absolute(path: str, written: str) -> str:
    """Resolve a specifier against the file; a package's name stays as it is."""
    if written.startswith("."):
        joined = normpath(f"{dirname(path)}/{written}").lstrip("/")
    elif written.startswith(_SOURCE_ROOTS):
        above = folders(path)
        if "src" not in above:
            # The folder that it begins in is known to the build alone.
            return f"@.{module_name(written[2:])}"
        joined = "/".join([*above[: above.index("src") + 1], written[2:]])
    else:
        return written.removeprefix("node:").replace("/", ".")
    while joined.startswith("../"):
        joined = joined.removeprefix("../")
    return module_name(joined.removeprefix("."))
