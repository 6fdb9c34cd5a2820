"""What is told of a wiki's versions to machines: by commands and by REST alike."""

from __future__ import annotations

from typing import Any

from devrag.core.text import iso_time
from devrag.wiki.api import (
    Estimate,
    PageDifference,
    is_up_to_date,
    page_freshness,
    version_freshness,
    versions_of,
)
from devrag.wiki.models import Version, Wiki


def facts_of(version: Version, wiki: Wiki) -> dict[str, Any]:
    """Return a version: when, by whom, from what and for how much."""
    return {
        "version": version.number,
        "generatedAt": iso_time(version.created_at),
        "writer": version.writer,
        "cause": version.cause,
        "isCurrent": version.pk == wiki.current_id,
        "isPinned": version.is_pinned,
        "seconds": version.duration_seconds,
        "inputTokens": version.input_tokens,
        "outputTokens": version.output_tokens,
        "cost": str(version.cost),
        "sources": sources_of(version),
    }


def details_of(version: Version, wiki: Wiki) -> dict[str, Any]:
    """Return a version with the report of the run that wrote it."""
    report = {k: v for k, v in version.report.items() if k != "topics"}  # for the job
    about = {"report": report, "coverage": version.coverage}
    return {**facts_of(version, wiki), **about}


def status_of(version: Version, wiki: Wiki) -> dict[str, Any]:
    """Return what readers see, how true it still is, and what is kept beside it.

    stalePages: page → how many of its claims are stale, and which files changed.
    """
    pages = page_freshness(version)
    kept = list(versions_of(wiki.product, wiki.language))
    return {
        **facts_of(version, wiki),
        "pages": list(version.pages.values_list("path", flat=True)),
        "unfinished": version.report.get("unfinished", []),
        "claims": version_freshness(pages),
        "stalePages": {
            page.page: {"claims": page.stale, "files": dict(page.changes)}
            for page in pages
            if page.stale
        },
        "isUpToDate": is_up_to_date(wiki.product),
        "isRolledBack": version.number < kept[0].number,
        "versions": [
            {
                "version": each.number,
                "generatedAt": iso_time(each.created_at),
                "isPinned": each.is_pinned,
            }
            for each in kept
        ],
    }


def difference_of(page: PageDifference) -> dict[str, Any]:
    """Return how a page differs between two versions."""
    return {
        "path": page.path,
        "title": page.title,
        "kind": page.kind,
        "linesAdded": page.lines_added,
        "linesRemoved": page.lines_removed,
        "diff": page.diff,
    }


def estimate_of(found: Estimate) -> dict[str, Any]:
    """Return what a run would take. price: dollars, None where it is not known."""
    return {
        "writer": found.writer,
        "pages": found.pages,
        "written": found.written,
        "calls": found.calls,
        "inputTokens": found.input_tokens,
        "outputTokens": found.output_tokens,
        "price": None if found.price is None else str(found.price),
    }


def sources_of(version: Version) -> list[dict[str, str]]:
    """Return what a version was written from."""
    return [
        {"sourceName": name, "ref": seen["ref"], "commitHash": seen["commit"]}
        for name, seen in sorted(version.sources.items())
    ]
