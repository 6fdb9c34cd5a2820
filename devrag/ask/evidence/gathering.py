"""Find the passages of a question: what search finds, each file's best first."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.ask.types import MAX_FILES, MAX_LINES, AskRequest, Evidence, Passage
from devrag.search.api import search
from devrag.search.types import Hit, SearchQuery
from devrag.sources.models import RefFile

_HITS = 24


def gather_evidence(request: AskRequest) -> Evidence:
    """Return what the asker may read that bears on the question, most useful first.

    At most MAX_FILES files and MAX_LINES lines. Raises InvalidInput, NotFound.
    """
    scope = request.scope
    query = SearchQuery(
        text=request.question,
        principal=request.principal,
        product=scope.products[0] if len(scope.products) == 1 else "",
        source=scope.source,
        path_prefix=scope.path,
        limit=_HITS,
    )
    result = search(query)
    return Evidence(
        passages=tuple(_within_budget(result.hits)),
        is_found=result.confidence == "high",
        searched=(request.question,),
        notes=result.notes,
    )


def _within_budget(hits: tuple[Hit, ...]) -> Iterator[Passage]:
    hashes = _hashes(hits)
    files: set[tuple[str, str]] = set()
    lines = 0
    for hit in hits:
        size = hit.end_line - hit.start_line + 1
        file = (hit.source_name, hit.path)
        if lines + size > MAX_LINES or (file not in files and len(files) == MAX_FILES):
            continue
        files.add(file)
        lines += size
        yield Passage(
            id=f"E{len(files)}",
            product=hit.product_name,
            source=hit.source_name,
            path=hit.path,
            start_line=hit.start_line,
            end_line=hit.end_line,
            text=hit.text,
            version_identifier=hit.version_identifier,
            content_hash=hashes.get(file, ""),
            kind="definition" if hit.symbol_name else "documentation",
            language=hit.language,
            title=hit.symbol_name or hit.heading,
            symbol_uuid=hit.symbol_uuid,
        )


def _hashes(hits: tuple[Hit, ...]) -> dict[tuple[str, str], str]:
    rows = RefFile.objects.filter(
        until=None,
        ref__is_current=True,
        file__source__name__in={hit.source_name for hit in hits},
        file__path__in={hit.path for hit in hits},
    ).values_list("file__source__name", "file__path", "file__content_hash")
    return {(source, path): digest for source, path, digest in rows}
