"""Names in Python: dotted calls, annotations, imports, modules."""

from __future__ import annotations

import re

from tree_sitter import Node

from devrag.parsing.code.spec import Import
from devrag.parsing.code.text import node_text
from devrag.parsing.paths import folders, stem
from devrag.parsing.source import SourceText

_PLAIN = re.compile(r"[^\W\d][\w.]*")
_TYPE_NAME = re.compile(r"[^\W\d][\w.]*")
_LITERAL = re.compile(r"\bLiteral\[[^\]]*\]")
_NAME_LIMIT = 300
_BUILTINS = (
    "str int float bool bytes bytearray complex object None type list dict set "
    "frozenset tuple range slice memoryview property Any Self"
)
BUILTIN_TYPES = frozenset(_BUILTINS.split())


def name_of(source: SourceText, node: Node) -> str:
    """Return a called or decorating name, dotted: `a.b`, `a.b().c`, `str.join`.

    '' when the expression has no name to speak of, or is too long to be one.
    """
    data = source.data[node.start_byte : node.end_byte]
    if len(data) > _NAME_LIMIT:
        return ""
    text = data.decode("utf-8", "replace")
    return text if _PLAIN.fullmatch(text) else _dotted(source, node)


def _dotted(source: SourceText, node: Node) -> str:
    kind = node.type
    if kind == "identifier":
        return node_text(source, node)
    if kind in {"string", "concatenated_string"}:
        return "str"
    field, mark = {
        "attribute": ("object", ""),
        "call": ("function", "()"),
        "subscript": ("value", "[]"),
    }.get(kind, ("", ""))
    inner = node.child_by_field_name(field) if field else None
    name = _dotted(source, inner) if inner is not None else ""
    if kind == "attribute" and name:
        attribute = node.child_by_field_name("attribute")
        return f"{name}.{node_text(source, attribute)}" if attribute else ""
    return name + mark if name else ""


def type_names(text: str) -> tuple[str, ...]:
    """Return the names in an annotation, each once, in order."""
    if _PLAIN.fullmatch(text):
        return (text,)
    without_values = _LITERAL.sub("Literal", text)
    return tuple(dict.fromkeys(_TYPE_NAME.findall(without_values)))


def module_name(path: str) -> str:
    """Return the dotted module of a path; a `src` folder is where packages begin."""
    parts = [*folders(path), stem(path)]
    if "src" in parts[:-1]:
        parts = parts[parts.index("src") + 1 :]
    if len(parts) > 1 and parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts) or "module"


def import_items(source: SourceText, node: Node) -> list[Import]:
    """Return what one import statement binds; relative modules made absolute."""
    line, start = node.start_point.row + 1, node.start_byte
    names = node.children_by_field_name("name")
    if node.type == "import_statement":
        return [Import(*_plain_import(source, name), line, start) for name in names]
    module_node = node.child_by_field_name("module_name")
    if module_node is None:
        return []
    module = _absolute(source.path, node_text(source, module_node))
    if not names:
        return [Import(f"{module}.*", "", "", line, start)]
    found = []
    for name in names:
        written, alias = _name_and_alias(source, name)
        path = f"{module}.{written}".lstrip(".")
        found.append(Import(path, alias, path, line, start))
    return found


def _plain_import(source: SourceText, node: Node) -> tuple[str, str, str]:
    """Return (path, alias, target): `import a.b` binds a, `import a.b as c` binds c."""
    path, alias = _name_and_alias(source, node)
    if node.type == "aliased_import":
        return path, alias, path
    root = path.partition(".")[0]
    return path, root, root


def _name_and_alias(source: SourceText, node: Node) -> tuple[str, str]:
    if node.type == "aliased_import":
        name = node.child_by_field_name("name")
        alias = node.child_by_field_name("alias")
        path = node_text(source, name) if name else ""
        return path, node_text(source, alias) if alias else path
    path = node_text(source, node)
    return path, path


def _absolute(path: str, written: str) -> str:
    """Resolve leading dots against the package that the file lies in."""
    dots = len(written) - len(written.lstrip("."))
    if dots == 0:
        return written
    package = module_name(path).split(".")
    is_package = stem(path) == "__init__"
    keep = len(package) - dots + (1 if is_package else 0)
    base = package[: max(keep, 0)]
    rest = written.lstrip(". ")
    return ".".join([*base, *([rest] if rest else [])])
