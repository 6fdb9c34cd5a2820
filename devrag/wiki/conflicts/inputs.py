"""Which files speak of code, which are the code, and what code is searched for."""

from __future__ import annotations

from collections.abc import Iterable

from devrag.core.conflict_names import ENVIRONMENT, PORT
from devrag.parsing.path_roles import is_aside, is_test
from devrag.wiki.conflicts.detectors import PORT_NAMES, REQUIRES
from devrag.wiki.conflicts.types import StatementFacts

_DOCUMENT_ENDINGS = (".md", ".markdown", ".rst", ".txt", ".adoc", ".mdx")


def is_document(path: str, kind: str) -> bool:
    """Return whether a file of a repository is prose. kind: as parsers say."""
    return kind == "doc" or path.lower().endswith(_DOCUMENT_ENDINGS)


def is_code_side(path: str, kind: str) -> bool:
    """Return whether a file is code of the product, not a test nor an example."""
    return not (is_document(path, kind) or is_test(path) or is_aside(path))


def wanted_names(statements: Iterable[StatementFacts]) -> frozenset[str]:
    """Return the names that the code is searched for."""
    found = {REQUIRES, *PORT_NAMES}
    for said in statements:
        found.update(said.names)
        if said.kind == ENVIRONMENT:
            prefix = said.subject.partition("_")[0]
            found.update((prefix, f"{prefix}_"))
        if said.kind == PORT:
            found.add(said.value)
    return frozenset(name for name in found if name)
