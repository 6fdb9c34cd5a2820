"""What a connector knows of attachments, kept with the files that were stored.

Of pages and tickets it stands above their text, where the parse phase reads it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection

from devrag.indexing import rows
from devrag.sources.api import DocumentFacts, copy_rows
from devrag.sources.connectors.types import Entry
from devrag.sources.models import Document

_IDS = """
SELECT id, path FROM sources_file
WHERE source_id = %(source)s AND facts_version = %(facts)s AND path = ANY(%(known)s)
    AND digest = ANY(%(digests)s)
"""
# Versions that were cut by other chunk sizes are of the same attachments.
_COPY = """
INSERT INTO sources_document (file_id, kind, place, status, is_closed, author, labels,
    created_at, changed_at, url, version, terms)
SELECT new.id, d.kind, d.place, d.status, d.is_closed, d.author, d.labels,
    d.created_at, d.changed_at, d.url, d.version, d.terms
FROM sources_file old
JOIN sources_document d ON d.file_id = old.id AND d.kind = 'attachment'
JOIN sources_file new ON new.source_id = old.source_id AND new.path = old.path
    AND new.content_hash = old.content_hash AND new.facts_version = %(facts)s
WHERE old.id = ANY(%(copied)s)
ON CONFLICT (file_id) DO NOTHING
"""


def store_attachments(keys: Mapping[str, Any], entries: Sequence[Entry]) -> None:
    """Keep what is known of attachments that were stored just now.

    keys: source, facts (their version) and copied (ids of stored files), as of the
    portion. In one transaction of the caller's.
    """
    known = {each.path: each for each in entries if each.facts}
    with connection.cursor() as cursor:
        if keys["copied"]:
            cursor.execute(_COPY, keys)
        if not known:
            return
        digests = [each.digest for each in known.values()]
        cursor.execute(_IDS, {**keys, "known": list(known), "digests": digests})
        found: list[tuple[int, DocumentFacts]] = [
            (pk, facts)
            for pk, path in cursor.fetchall()
            if (facts := known[path].facts)
        ]
    Document.objects.filter(file_id__in=[pk for pk, _ in found]).delete()
    made = (rows.document(pk, facts) for pk, facts in found)
    copy_rows("sources_document", rows.DOCUMENT, made)
