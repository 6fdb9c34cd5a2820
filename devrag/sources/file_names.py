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


# Fewer letters have no trigrams, and stand in nearly every path.
_SHORTEST_PART = 3
# What so many paths have says little: the best of these are good enough.
_LOOKED_AT = 2_000


def find_files(
    text: str, source_ids: Collection[int], *, limit: int
) -> list[FoundFile]:
    """Return current files whose paths have all words of a text, likeliest first.

    One or two letters are the beginning of a name. Where no path has a word, a name
    that begins as it does and has its letters in their order will do: `usvw` finds
    `user_view.py`. Queries: 1 or 2.
    """
    words = text.replace("\\", "/").split()
    if not words or not source_ids:
        return []
    folded = _escape(words[0].lower())
    if len(words) == 1 and len(folded) < _SHORTEST_PART and folded.isascii():
        return _find(_NAME, [f"{folded}%"], words, source_ids, limit)
    patterns = [f"%{_escape(word)}%" for word in words]
    found = _find(_PATH, patterns, words, source_ids, limit)
    if found or len(words) > 1:
        return found
    letters = "%".join(map(_escape, words[0].lower()))
    return _find(_NAME, [f"{letters}%"], words, source_ids, limit)


def _find(
    column: str,
    patterns: list[str],
    words: list[str],
    source_ids: Collection[int],
    limit: int,
) -> list[FoundFile]:
    name = _escape(words[-1].rpartition("/")[2])
    asked: dict[str, Any] = {
        **{f"pattern{number}": pattern for number, pattern in enumerate(patterns)},
        "sources": sorted(source_ids),
        "begins": f"{name}%",
        "holds": f"%{name}%",
        "looked_at": _LOOKED_AT,
        "limit": limit,
    }
    condition = " AND ".join(f"{column} %(pattern{n})s" for n in range(len(patterns)))
    with connection.cursor() as cursor:
        cursor.execute(_FILES.format(condition=condition), asked)
        return [FoundFile(*row) for row in cursor.fetchall()]


def _escape(text: str) -> str:
    return "".join(f"\\{each}" if each in "\\%_" else each for each in text)


# By the index of trigrams, one pattern at a time, and by that of names.
_PATH, _NAME = "f.path ILIKE", "lower(split_part(f.path, '/', -1)) LIKE"
# A name counts more than the folders around it. The sum keeps the planner from
# reading all files of a source.
_FILES = """
SELECT p.name, s.name, f.path
FROM (
    SELECT f.source_id, f.path, f.is_generated, split_part(f.path, '/', -1) AS name
    FROM sources_file f
    JOIN sources_reffile m ON m.file_id = f.id AND m.until IS NULL
    JOIN git_refs r ON r.id = m.ref_id AND r.is_current
    WHERE f.source_id + 0 = ANY(%(sources)s) AND {condition}
    LIMIT %(looked_at)s
) AS f
JOIN sources s ON s.id = f.source_id
JOIN products_product p ON p.id = s.product_id
ORDER BY f.name ILIKE %(begins)s DESC, f.name ILIKE %(holds)s DESC,
         f.is_generated, length(f.path), f.path
LIMIT %(limit)s
"""
