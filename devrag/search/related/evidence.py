"""Pieces that a definition is bound to by uses: callers, callees, importers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import connection

from devrag.navigation.stored_references import WrittenUse
from devrag.navigation.symbols import called_by, callees, symbols_by_key
from devrag.parsing.path_roles import is_test
from devrag.search.related.anchor import Anchor
from devrag.sources.models import GitRef, Symbol

_MOST_USES = 300
_BY_KIND = {
    "call": "calls it",
    "import": "imports it",
    "inherit": "inherits from it",
    "implement": "implements it",
}
Evidence = dict[int, tuple[str, ...]]


def find_evidence(anchor: Anchor) -> Evidence:
    """Return chunk id → how it is bound to the anchor's definition, callers first."""
    if anchor.symbol is None:
        return {}
    ref = GitRef.objects.get(source=anchor.chunk.file.source_id, is_current=True)
    symbol = Symbol.objects.select_related("file").get(pk=anchor.symbol.pk)
    found: dict[int, dict[str, None]] = {}
    for chunk, reason in (*_users(ref, symbol), *_used(ref, symbol)):
        found.setdefault(chunk, {})[reason] = None
    return {chunk: tuple(reasons) for chunk, reasons in found.items()}


def _users(ref: GitRef, symbol: Symbol) -> Iterable[tuple[int, str]]:
    """Yield the chunks of what uses it: imports after calls, tests after code."""
    uses = sorted(
        called_by(ref, symbol).uses,
        key=lambda use: (is_test(use.path), use.kind == "import"),
    )[:_MOST_USES]
    chunks = _chunks_at([(use.usage.file, use.line) for use in uses])
    for use in uses:
        chunk = chunks.get((use.usage.file, use.line))
        if chunk is not None:
            yield chunk, _reason(use)


def _reason(use: WrittenUse) -> str:
    if is_test(use.path):
        return "tests it"
    return _BY_KIND.get(use.kind, "uses it")


def _used(ref: GitRef, symbol: Symbol) -> Iterable[tuple[int, str]]:
    keys = [
        each.meaning.symbol.key
        for each in callees(ref, symbol)[:_MOST_USES]
        if each.meaning.symbol is not None
    ]
    symbols = symbols_by_key(keys)
    meant = [symbols[key] for key in dict.fromkeys(keys) if key in symbols]
    places = [(each.file_id, each.start_line) for each in meant]
    chunks = _chunks_at(places)
    for place in places:
        if place in chunks:
            yield chunks[place], "used by it"


def _chunks_at(places: Sequence[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Return the smallest chunk around each (file id, line). Queries: 1."""
    files = [file for file, _ in places]
    lines = [line for _, line in places]
    with connection.cursor() as cursor:
        cursor.execute(_AROUND, [files, lines])
        return {(file, line): chunk for file, line, chunk in cursor.fetchall()}


_AROUND = """
SELECT DISTINCT ON (place.file_id, place.line) place.file_id, place.line, c.id
FROM unnest(%s::bigint[], %s::int[]) AS place(file_id, line)
JOIN sources_chunk c ON c.file_id = place.file_id
    AND place.line BETWEEN c.start_line AND c.end_line
ORDER BY place.file_id, place.line, c.end_line - c.start_line, c.ordinal
"""
