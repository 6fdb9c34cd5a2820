"""A hit and a result as JSON: the same keys at every entry point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from devrag.search.types import Hit, SearchResult


def result_fields(result: SearchResult, shown: Callable[[Hit], str]) -> dict[str, Any]:
    """Return a result's fields. shown: what of a hit its `text` is."""
    return {
        "hits": [{**hit_fields(hit), "text": shown(hit)} for hit in result.hits],
        "milliseconds": round(result.milliseconds, 1),
        "lexicalBehind": result.is_lexical_behind,
        "notes": result.notes,
        "confidence": result.confidence,
        "total": result.total,
    }


def hit_fields(hit: Hit) -> dict[str, Any]:
    """Return a hit's fields without its text, with everything that explains it."""
    return {
        "chunkID": hit.chunk_id or None,
        "chunkKey": hit.chunk_key,
        "path": hit.path,
        "startLine": hit.start_line,
        "endLine": hit.end_line,
        "score": round(hit.score, 4),
        "sourceName": hit.source_name,
        "productName": hit.product_name,
        "version": hit.version_identifier,
        "kind": hit.kind,
        "language": hit.language,
        "mime": hit.mime,
        "symbol": hit.symbol_name,
        "symbolID": str(hit.symbol_uuid or ""),
        "complexity": hit.complexity,
        "heading": hit.heading,
        "anchor": hit.anchor,
        "title": hit.title,
        "date": hit.date,
        "tags": hit.tags,
        "labels": [label.name for label in hit.labels],
        "document": hit.document and hit.document.to_json(),
        "isDirty": hit.is_dirty,
        "why": hit.why,
        "lexicalRank": hit.lexical_rank,
        "semanticRank": hit.semantic_rank,
        "matchedTerms": hit.matched_terms,
        "matchedLines": [
            {"line": line.number, "text": line.text} for line in hit.matched_lines
        ],
        "contextBefore": [c.text for c in hit.context_before],
        "contextAfter": [c.text for c in hit.context_after],
    }
