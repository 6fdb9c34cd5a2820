"""Lines to hits: each the smallest piece of a file that holds them."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext, ngettext

from devrag.parsing.path_roles import is_aside, is_test
from devrag.search.fetch import (
    Candidate,
    current_chunks,
    hydrate,
    with_context,
)
from devrag.search.line_search.pattern import LinePattern
from devrag.search.line_search.scan import FoundLine, Scan, find_lines, scan_files
from devrag.search.types import Hit, MatchedLine, SearchQuery, SearchResult
from devrag.sources.models import File

_FILES_AT_ONCE, _TERMS = 20, 20
_WHY = {"exact": "contains the exact text", "regex": "matches the pattern"}


def search_lines(
    query: SearchQuery, pattern: LinePattern, source_ids: Collection[int]
) -> SearchResult:
    """Answer with every line of current files that has the pattern, by path and line.

    Code before its tests and examples. Raises InvalidInput for a wrong expression.
    """
    began = time.perf_counter()
    scan = scan_files(pattern, _files(query, source_ids))
    hits = _hits(query, scan, source_ids)
    return SearchResult(
        query=query,
        hits=tuple(with_context(hits[: query.limit], query.context)),
        milliseconds=(time.perf_counter() - began) * 1000,
        notes=tuple(_notes(scan, is_more=len(hits) > query.limit)),
        has_more=len(hits) > query.limit,
    )


def _files(query: SearchQuery, source_ids: Collection[int]) -> list[tuple[int, int]]:
    """Return (id, size) of the files with chunks that pass the filters, best first."""
    inside = current_chunks(query).filter(file=OuterRef("pk"))
    rows = File.objects.filter(Exists(inside), source__in=source_ids)
    found = sorted(
        (_is_aside(path), path, pk, size)
        for pk, path, size in rows.values_list("pk", "path", "size")
    )
    return [(pk, size) for _, _, pk, size in found]


def _is_aside(path: str) -> bool:
    return is_test(path) or is_aside(path)


def _hits(query: SearchQuery, scan: Scan, source_ids: Collection[int]) -> list[Hit]:
    """Return hits, one more than were asked for when there are more."""
    hits: list[Hit] = []
    for first in range(0, len(scan.file_ids), _FILES_AT_ONCE):
        ids = scan.file_ids[first : first + _FILES_AT_ONCE]
        lines = _by_chunk(query, ids, find_lines(scan, ids))
        candidates = [Candidate(chunk, 1.0, None, None) for chunk in lines]
        found = hydrate(query, candidates, source_ids)
        hits += [_explain(hit, lines[hit.chunk_id], scan.pattern) for hit in found]
        if len(hits) > query.limit or scan.is_over:
            break
    return hits


def _by_chunk(
    query: SearchQuery, file_ids: Sequence[int], lines: Iterable[FoundLine]
) -> dict[int, list[FoundLine]]:
    """Return lines by the smallest chunk around them, in their order."""
    rows = current_chunks(query).filter(file__in=file_ids)
    spans: dict[int, list[tuple[int, int, int]]] = {}
    for pk, file, start, end in rows.values_list(
        "pk", "file_id", "start_line", "end_line"
    ):
        spans.setdefault(file, []).append((end - start, start, pk))
    found: dict[int, list[FoundLine]] = {}
    for line in lines:
        around = [
            span
            for span in spans.get(line.file_id, [])
            if span[1] <= line.number <= span[1] + span[0]
        ]
        if around:
            found.setdefault(min(around)[2], []).append(line)
    return found


def _explain(hit: Hit, lines: Sequence[FoundLine], pattern: LinePattern) -> Hit:
    terms = dict.fromkeys(line.matched for line in lines if line.matched.strip())
    return replace(
        hit,
        why=(_WHY[pattern.name],),
        matched_terms=tuple(terms)[:_TERMS],
        matched_lines=tuple(MatchedLine(each.number, each.text) for each in lines),
    )


def _notes(scan: Scan, *, is_more: bool) -> Iterable[str]:
    if scan.is_cut:
        yield gettext(
            "Stopped after %(seconds)s seconds with %(read)s of %(total)s files read. "
            "Narrow it down with a source, a path or a language."
        ) % {
            "seconds": f"{scan.seconds:.2g}",
            "read": f"{scan.read:,}",
            "total": f"{scan.total:,}",
        }
    if is_more:
        count = len(scan.file_ids)
        yield ngettext(
            "%(number)s file has such lines; these are the first places.",
            "%(number)s files have such lines; these are the first places.",
            count,
        ) % {"number": f"{count:,}"}
