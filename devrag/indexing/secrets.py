"""Store what was masked in the files of a portion, beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from django.db import connection

from devrag.indexing.extract import FoundSecret
from devrag.sources.api import copy_rows


class Stored(Protocol):
    """A file that was read."""

    @property
    def path(self) -> str: ...
    @property
    def content_hash(self) -> str: ...
    @property
    def secrets(self) -> tuple[FoundSecret, ...]: ...


_COLUMNS = ("path", "content_hash", "rule", "line", "key")
_CREATE_DRAFT = """
CREATE TEMP TABLE secret_draft (
    path text, content_hash text, rule text, line int, key text
) ON COMMIT DROP
"""
# What an earlier version of the file had keeps the day on which it was first read.
_INSERT = """
INSERT INTO sources_secretfinding (file_id, rule, line, key, first_seen_at,
    first_version)
SELECT f.id, d.rule, d.line, d.key, coalesce(known.first_seen_at, now()),
    coalesce(known.first_version, %(version)s)
FROM secret_draft d
JOIN sources_file f ON f.source_id = %(source)s AND f.path = d.path
    AND f.content_hash = d.content_hash AND f.facts_version = %(facts)s
LEFT JOIN LATERAL (
    SELECT s.first_seen_at, s.first_version
    FROM sources_secretfinding s JOIN sources_file old ON old.id = s.file_id
    WHERE s.key = d.key AND old.source_id = %(source)s
    ORDER BY s.first_seen_at LIMIT 1
) AS known ON true
ON CONFLICT (file_id, line, rule) DO NOTHING
"""
# Versions that were cut by other chunk sizes have the same text.
_COPY = """
INSERT INTO sources_secretfinding (file_id, rule, line, key, first_seen_at,
    first_version)
SELECT new.id, s.rule, s.line, s.key, s.first_seen_at, s.first_version
FROM sources_file old
JOIN sources_secretfinding s ON s.file_id = old.id
JOIN sources_file new ON new.source_id = old.source_id AND new.path = old.path
    AND new.content_hash = old.content_hash AND new.facts_version = %(facts)s
WHERE old.id = ANY(%(copied)s)
ON CONFLICT (file_id, line, rule) DO NOTHING
"""


def store_secrets(keys: Mapping[str, Any], files: Iterable[Stored]) -> None:
    """Keep what was masked in files that were stored just now.

    keys: source, facts (their version), version (of the source) and copied (ids of
    stored files), as of the portion. In one transaction of the caller's.
    """
    rows = [
        (file.path, file.content_hash, found.rule, found.line, found.key)
        for file in files
        for found in file.secrets
    ]
    with connection.cursor() as cursor:
        if keys["copied"]:
            cursor.execute(_COPY, keys)
        if not rows:
            return
        cursor.execute(_CREATE_DRAFT)
        copy_rows("secret_draft", _COLUMNS, rows)
        cursor.execute(_INSERT, keys)
        cursor.execute("DROP TABLE secret_draft")
