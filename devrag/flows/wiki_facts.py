"""What is said of a wiki's version: as JSON and in words."""

from __future__ import annotations

from typing import Any

from devrag.wiki.freshness import page_freshness, version_freshness
from devrag.wiki.models import Version


def facts_of(version: Version) -> dict[str, Any]:
    """Return a version for machines: where from, by whom, and how it stands now."""
    pages = page_freshness(version)
    return {
        "version": version.number,
        "createdAt": version.created_at,
        "writer": version.writer,
        "sources": version.sources,
        "isPinned": version.is_pinned,
        "pages": list(version.pages.values_list("path", flat=True)),
        "unfinished": version.report.get("unfinished", []),
        "claims": version_freshness(pages),
        "stalePages": {
            page.page: {"claims": page.stale, "files": dict(page.changes)}
            for page in pages
            if page.stale
        },
    }


def describe(version: Version) -> str:
    """Return one sentence on a version."""
    when = f"{version.created_at:%Y-%m-%d %H:%M} UTC"
    return f"version {version.number} of {when}: {version.pages.count()} pages."
