"""Tests: functions that pytest or unittest would collect from a test file."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.parsing.code.definitions import CALLABLE
from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.paths import folders, stem
from devrag.parsing.types import FactFacts

_FOLDERS = {"test", "tests", "testing"}


def is_test_path(analysis: CodeAnalysis) -> bool:
    """Return whether a Python file holds tests or what only tests use."""
    path = analysis.source.path
    name = stem(path)
    is_named_so = name.startswith("test_") or name.endswith("_test")
    if is_named_so or name in {"tests", "conftest"}:
        return True
    return not _FOLDERS.isdisjoint(folders(path))


def tests(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a test per collected function; name is qualified by its class."""
    name = stem(analysis.source.path)
    if not (name.startswith("test") or name.endswith("_test")):
        return
    for definition in analysis.definitions:
        is_local = definition.parent is not None and definition.parent.kind != "class"
        if definition.kind not in CALLABLE or is_local:
            continue
        if definition.about.name.startswith("test"):
            data = {"doc": definition.about.docstring.partition("\n")[0]}
            lines = (definition.start_line, definition.end_line)
            yield FactFacts("test", definition.qualified_name, *lines, data)
