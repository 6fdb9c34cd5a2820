"""The product's own modules, parsed once for the tests of the architecture."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar, cast

ROOT = Path(__file__).resolve().parents[2]
Function = ast.FunctionDef | ast.AsyncFunctionDef
T = TypeVar("T", bound=ast.AST)


@cache
def modules() -> dict[Path, ast.Module]:
    """Return path → syntax tree of devrag/, without what is generated."""
    paths = sorted((ROOT / "devrag").rglob("*.py"))
    own = [
        path
        for path in paths
        if "migrations" not in path.parts and "_pb2" not in path.stem
    ]
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in own}


@cache
def _nodes_by_type() -> dict[type[ast.AST], list[tuple[Path, ast.AST]]]:
    """Return type → its nodes with their modules: to walk all takes seconds."""
    found: dict[type[ast.AST], list[tuple[Path, ast.AST]]] = {}
    for path, tree in modules().items():
        for node in ast.walk(tree):
            found.setdefault(type(node), []).append((path, node))
    return found


def nodes(*kinds: type[T]) -> Iterator[tuple[Path, T]]:
    """Yield every node of these types with its module."""
    for kind in kinds:
        for path, node in _nodes_by_type().get(kind, ()):
            yield path, cast("T", node)


def functions() -> list[tuple[Path, Function]]:
    """Return every function and method with its module."""
    return list(nodes(ast.FunctionDef, ast.AsyncFunctionDef))


def line_count(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
