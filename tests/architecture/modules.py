"""The product's own modules, parsed once for the tests of the architecture."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
Function = ast.FunctionDef | ast.AsyncFunctionDef


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


def functions() -> list[tuple[Path, Function]]:
    """Return every function and method with its module."""
    return [
        (path, node)
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, Function)
    ]


def line_count(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
