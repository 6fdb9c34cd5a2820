"""The services of the application, as their code defines them.

A service is a public function that takes the principal or nothing but keywords: the
house rule of CONTRIBUTING. CALLS: what each function of the application calls by name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from devrag.audit.actions import ACTIONS
from tests.architecture.modules import ROOT

# Pure, or entry points, which only call services.
_ELSEWHERE = {"parsing", "llm", "core", "runtime", "http_server"}
_ENTRIES = {"web", "api", "mcp", "cli"}


@dataclass(frozen=True, slots=True)
class Function:
    """A function at the top of a module. actions: those that it records itself."""

    name: str
    module: str
    is_service: bool
    is_atomic: bool
    calls: frozenset[str]
    actions: frozenset[str]
    unprotected: tuple[int, ...] = field(default=())


@cache
def list_functions() -> tuple[Function, ...]:
    """Return all functions at the top of modules below the entry points."""
    return tuple(
        function
        for path in sorted((ROOT / "devrag").rglob("*.py"))
        if _is_read(path)
        for function in _functions_of(path)
    )


def _is_read(path: Path) -> bool:
    parts = path.relative_to(ROOT / "devrag").parts
    room = parts[0]
    return not (
        {"migrations", "connectors", "commands"} & set(parts)
        or room in _ELSEWHERE | _ENTRIES
    )


def _functions_of(path: Path) -> Iterator[Function]:
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            yield _read(node, module.removeprefix("devrag."))


def _read(node: ast.FunctionDef, module: str) -> Function:
    names = {each.arg for each in node.args.kwonlyargs}
    is_keyword_only = bool(names) and not (node.args.args or node.args.posonlyargs)
    is_public = not node.name.startswith("_")
    is_atomic = any("atomic" in ast.unparse(each) for each in node.decorator_list)
    calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
    recorded = [each for each in calls if _called(each) == "record_event"]
    return Function(
        name=node.name,
        module=module,
        is_service=is_public and is_keyword_only,
        is_atomic=is_atomic,
        calls=frozenset(map(_called, calls)),
        actions=frozenset(_actions(node)),
        unprotected=() if is_atomic else tuple(_outside(node, recorded)),
    )


def _called(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _actions(node: ast.FunctionDef) -> Iterator[str]:
    """Yield the texts that are actions, also when a helper is given them."""
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and each.value in ACTIONS:
            yield str(each.value)


def _outside(node: ast.FunctionDef, recorded: list[ast.Call]) -> Iterator[int]:
    """Yield lines of records that no `with transaction.atomic()` holds."""
    held = {
        id(inner)
        for each in ast.walk(node)
        if isinstance(each, ast.With)
        and any("atomic" in ast.unparse(item) for item in each.items)
        for inner in ast.walk(each)
    }
    for call in recorded:
        if id(call) not in held:
            yield call.lineno
