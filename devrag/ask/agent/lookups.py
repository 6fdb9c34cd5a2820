"""Look up what a model asks for: definitions by name, lines of files, results."""

from __future__ import annotations

from dataclasses import replace

from devrag.ask.agent.reach import Reach
from devrag.ask.evidence.candidates import PassageCandidate
from devrag.ask.types import PassageKind
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.text import shorten
from devrag.navigation.symbol_search import FoundSymbol
from devrag.parsing.path_roles import is_test
from devrag.search.api import search
from devrag.search.types import Hit, SearchQuery
from devrag.sources.models import File, Symbol

_MOST_NAMED = 6


def find_definitions(
    reach: Reach, name: str, *, path: str = "", source_name: str = ""
) -> list[FoundSymbol]:
    """Return the definitions that a name means. Raises NotFound with similar ones."""
    rows = reach.find_symbols(
        name, path=path, source_name=source_name, limit=_MOST_NAMED
    )
    meant = [row for row in rows if not row.is_similar]
    exact = [row for row in meant if row.symbol.qualified_name == name]
    if not meant:
        similar = ", ".join(row.symbol.qualified_name for row in rows)
        hint = f"Similar: {similar}." if similar else "Search by meaning instead."
        raise NotFound(f"There is no definition '{shorten(name, 80)}'. {hint}")
    return exact or meant


def search_hits(reach: Reach, query: str, path: str = "", *, limit: int) -> list[Hit]:
    """Return results within reach, the best first. Raises NotFound for other paths."""
    if not path.startswith(reach.path if path else ""):
        raise NotFound(f"Only paths that begin with '{reach.path}' are searched.")
    hits: list[Hit] = []
    shown = {source.name for source in reach.sources}
    for product in reach.products:
        asked = SearchQuery(
            query,
            reach.principal,
            product=product,
            source=reach.sources[0].name if len(reach.sources) == 1 else "",
            path_prefix=path.strip("/") or reach.path,
            limit=limit,
        )
        hits += (hit for hit in search(asked).hits if hit.source_name in shown)
    return sorted(hits, key=lambda hit: -hit.score)


def candidate_of(symbol: Symbol) -> PassageCandidate:
    """Return a definition, whole."""
    return PassageCandidate(
        source=symbol.file.source.name,
        path=symbol.file.path,
        start_line=symbol.start_line,
        end_line=symbol.end_line,
        kind="test" if is_test(symbol.file.path) else "definition",
        weight=0.0,
        file_weight=0.0,
        title=symbol.qualified_name,
        symbol_uuid=symbol.uuid,
    )


def candidate_of_lines(
    reach: Reach, path: str, start_line: int, end_line: int, source_name: str = ""
) -> tuple[File, PassageCandidate]:
    """Return lines of a file with the file. Raises NotFound, InvalidInput."""
    file = reach.find_file(path, source_name)
    if start_line > file.lines or end_line < start_line:
        raise InvalidInput(
            f"Lines {start_line} to {end_line} are none: {file.path} has {file.lines}."
        )
    return file, PassageCandidate(
        source=file.source.name,
        path=file.path,
        start_line=start_line,
        end_line=min(end_line, file.lines),
        kind=_kind_of(file),
        weight=0.0,
        file_weight=0.0,
        title=_title_of(file, start_line, end_line),
    )


def cut_lines(candidate: PassageCandidate, most_lines: int) -> PassageCandidate:
    """Return a candidate with its first lines."""
    end = min(candidate.end_line, candidate.start_line + most_lines - 1)
    return replace(candidate, end_line=end)


def _kind_of(file: File) -> PassageKind:
    if is_test(file.path):
        return "test"
    kinds: dict[str, PassageKind] = {
        "code": "definition",
        "doc": "documentation",
        "config": "configuration",
    }
    return kinds.get(file.kind, "data")


def _title_of(file: File, first: int, last: int) -> str:
    """Return the name of the innermost definition that has all of these lines."""
    rows = Symbol.objects.filter(file=file, start_line__lte=first, end_line__gte=last)
    names = rows.order_by("-start_line").values_list("qualified_name", flat=True)
    return names.first() or ""
