"""Defaults that a docstring names, beside those of the signature below it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from devrag.core.conflict_names import DEFAULT
from devrag.wiki.conflicts.lines import OTHER_TIME
from devrag.wiki.conflicts.types import NamePlace, StatementFacts
from devrag.wiki.conflicts.values import LITERAL, is_literal, normalised

_VALUE = rf"[`'\"*]*?(?P<value>{LITERAL})[`*]*(?![\w%*-]|\.\d|\s*[*/+x×])"
_DEFAULT = re.compile(
    rf"(?:\bdefaults?(?: value)?(?:\s+(?:is|to|of)\s+|\s*[:=]\s*|\s+)){_VALUE}",
    re.IGNORECASE,
)
_PARAMETER = re.compile(
    r"^\s*(?::param(?:eter)?\s+(?:[\w.\[\], |]+\s+)?(?P<sphinx>\w+):"
    r"|(?P<google>\w+)\s*(?:\([^)]*\))?\s*:(?!:)"
    r"|(?P<numpy>\w+)\s+:\s)"
)
_CONDITION = re.compile(r"\b(if|when|unless|for|depend\w*|otherwise|except)\b")
_NOT_SAID = {"none"}


def docstring_statements(text: str) -> list[StatementFacts]:
    """Return what docstrings of a Python file say of defaults, with the real ones.

    Only what differs: everything else needs no look again until the file changes.
    """
    if "efault" not in text:
        return []
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    lines = text.split("\n")
    found: list[StatementFacts] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found += _of_function(node, node, lines)
        elif isinstance(node, ast.ClassDef):
            made = _initialiser(node)
            found += _of_function(node, made, lines) if made else []
    return sorted(found, key=lambda each: each.start_line)


_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _initialiser(node: ast.ClassDef) -> _Function | None:
    made = (e for e in node.body if isinstance(e, _Function) and e.name == "__init__")
    return next(made, None)


def _of_function(
    documented: _Function | ast.ClassDef, function: _Function, lines: list[str]
) -> Iterator[StatementFacts]:
    first = documented.body[0] if documented.body else None
    if not (isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)):
        return
    if not isinstance(first.value.value, str):
        return
    defaults = _defaults(function)
    for name, number, said in _said(lines, first.lineno, first.end_lineno or 0):
        if name not in defaults:
            continue
        line, value = defaults[name]
        if not is_literal(value) or normalised(value) in _NOT_SAID:
            continue
        if _agree(said, value):
            continue
        subject = f"{documented.name}({name})"
        own = NamePlace(name, line, value)
        shown = lines[number - 1].strip()
        yield StatementFacts(DEFAULT, subject, said, number, number, shown, own=own)


def _agree(said: str, value: str) -> bool:
    return normalised(said).lower() == normalised(value).lower()


def _defaults(function: _Function) -> dict[str, tuple[int, str]]:
    """Return parameter → line and text of its default."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    pairs = list(zip(reversed(positional), reversed(given.defaults), strict=False))
    pairs += [
        (a, d) for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True) if d
    ]
    return {a.arg: (d.lineno, ast.unparse(d)) for a, d in pairs}


def _said(lines: list[str], first: int, last: int) -> Iterator[tuple[str, int, str]]:
    """Yield parameter, line and default that a docstring names, once for each."""
    name, indent, is_told = "", 0, False
    for number in range(first, last + 1):
        text = lines[number - 1]
        own = len(text) - len(text.lstrip())
        match = _PARAMETER.match(text)
        if match and (not name or own <= indent):
            name = match["sphinx"] or match["google"] or match["numpy"]
            indent, is_told = own, False
        elif text.strip() and own <= indent:
            name = ""
        said = _DEFAULT.search(text)
        if not name or is_told or not said:
            continue
        is_told = True
        around = text[: said.start()].rpartition(". ")[2] + text[said.end() :][:24]
        if not _CONDITION.search(around) and not OTHER_TIME.search(text):
            yield name, number, said["value"]
