"""The definitions that a question names exactly: its answer begins with them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from devrag.ask.evidence.candidates import PassageCandidate
from devrag.ask.named.question import NameQuestion, read_names
from devrag.ask.scoped_sources import visible_sources
from devrag.ask.trace.endpoints import Named, find_named
from devrag.ask.types import AskRequest
from devrag.sources.models import Symbol

# A name that more definitions have tells nobody which one is meant.
_MOST_OF_NAME = 3
# Lines that show what a definition does; a long class has too many to begin with.
_MOST_LINES = 60
_WEIGHT = 1.0


@dataclass(frozen=True, slots=True)
class NamedDefinitions:
    """A question's names and the definitions that they mean, in its order."""

    question: NameQuestion
    found: tuple[Named, ...]


def find_definitions(request: AskRequest) -> NamedDefinitions | None:
    """Return what a question names, None where nothing of that name is defined.

    Names that are written are plain words only where the question asks about them.
    Raises NotFound for a scope that the asker cannot see.
    """
    question = read_names(request.question)
    if question is None or request.scope.lines is not None:
        return None
    rows = visible_sources(request.scope, request.principal)
    source_ids = list(rows.values_list("pk", flat=True))
    found = [
        named
        for name in question.names
        for named in _in_scope(name, request.scope.path, source_ids)
    ]
    return NamedDefinitions(question, tuple(found)) if found else None


def _in_scope(name: str, path: str, source_ids: Collection[int]) -> list[Named]:
    """Return the definitions of a name in a folder or file, else all; few or none."""
    found = find_named(name, source_ids)
    inside = [each for each in found if each.first.file.path.startswith(path)] or found
    return inside if len(inside) <= _MOST_OF_NAME else []


def candidates_of_named(named: NamedDefinitions) -> list[PassageCandidate]:
    """Return the first lines of definitions that a question names, before all else."""
    return [_candidate(each.body) for each in named.found]


def _candidate(symbol: Symbol) -> PassageCandidate:
    return PassageCandidate(
        source=symbol.file.source.name,
        path=symbol.file.path,
        start_line=symbol.start_line,
        end_line=min(symbol.end_line, symbol.start_line + _MOST_LINES - 1),
        kind="definition",
        weight=_WEIGHT,
        file_weight=_WEIGHT,
        title=symbol.qualified_name,
        symbol_uuid=symbol.uuid,
    )
