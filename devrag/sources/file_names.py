"""Find files by what one remembers of their path."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import connection


@dataclass(frozen=True, slots=True)
class FoundFile:
    product: str
    source: str
    path: str


def find_files(
    text: str, source_ids: Collection[int], *, limit: int
) -> list[FoundFile]:
    """Return current files whose paths have all words of a text, likeliest first.

    Where no path has a word, its letters in their order do: `usvw` finds
    `user_view.py`. Queries: 1 or 2.
    """
    words = text.replace("\\", "/").split()
    if not words or not source_ids:
        return []
    found = _find([_escape(word) for word in words], source_ids, limit)
    if found or len(words) > 1:
        return found
    return _find(["%".join(map(_escape, words[0]))], source_ids, limit)


def _find(words: list[str], source_ids: Collection[int], limit: int) -> list[FoundFile]:
    name = words[-1].rpartition("/")[2]
    asked: dict[str, Any] = {
        "sources": sorted(source_ids),
        "words": [f"%{word}%" for word in words],
        "begins": f"{name}%",
        "holds": f"%{name}%",
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(_FILES, asked)
        return [FoundFile(*row) for row in cursor.fetchall()]


def _escape(text: str) -> str:
    return "".join(f"\\{each}" if each in "\\%_" else each for each in text)


# The trigram index finds the paths; a name counts more than the folders around it.
_FILES = """
SELECT p.name, s.name, f.path
FROM sources_file f
JOIN sources_reffile m ON m.file_id = f.id AND m.until IS NULL
JOIN git_refs r ON r.id = m.ref_id AND r.is_current
JOIN sources s ON s.id = f.source_id
JOIN products_product p ON p.id = s.product_id
WHERE f.source_id = ANY(%(sources)s) AND f.path ILIKE ALL(%(words)s)
ORDER BY split_part(f.path, '/', -1) ILIKE %(begins)s DESC,
         split_part(f.path, '/', -1) ILIKE %(holds)s DESC,
         f.is_generated, length(f.path), f.path
LIMIT %(limit)s
"""
