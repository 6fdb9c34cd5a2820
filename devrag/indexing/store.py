"""Store what entered: portion by portion, each committed, found again after a crash."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import connection

from devrag.core.errors import ServiceError
from devrag.core.hashing import sha256_hex
from devrag.core.texts import gettext
from devrag.core.timings import timed
from devrag.indexing.attachments import store_attachments
from devrag.indexing.extract import FoundSecret, extract_text, mask_texts
from devrag.indexing.listing import REASON_LENGTH
from devrag.indexing.secrets import store_secrets
from devrag.parsing.chunking import parser_version
from devrag.parsing.text import Decoded, Unreadable
from devrag.sources.api import copy_rows
from devrag.sources.connectors.types import Entry
from devrag.sources.models import Source, StagedChange

_FILES_PER_COMMIT = 500
_BYTES_PER_COMMIT = 8_000_000


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A staged path that was read. found: its text, or why it has none.

    secrets: what was masked in it.
    """

    entry: Entry
    content_hash: str
    found: Decoded | Unreadable
    secrets: tuple[FoundSecret, ...] = ()

    @property
    def path(self) -> str:
        """Return its path in the source."""
        return self.entry.path


_COLUMNS = (
    *("path", "digest", "content_hash", "size", "encoding", "text", "warnings"),
    "reason",
)
_CREATE_DRAFT = """
CREATE TEMP TABLE file_draft (
    path text, digest text, content_hash text, size bigint, encoding text, text text,
    warnings text[], reason text
) ON COMMIT DROP
"""
_INSERT = """
INSERT INTO sources_file (source_id, path, digest, content_hash, facts_version, size,
    lines, chunk_count, language, mime, kind, encoding, title, module, is_generated,
    text, state, warnings, created_at)
SELECT %(source)s, path, digest, content_hash, %(facts)s, size,
    0, 0, '', '', 'code', encoding, '', '', false,
    text, 'stored', warnings, now()
FROM file_draft WHERE reason = ''
ON CONFLICT (source_id, path, content_hash, facts_version)
    DO UPDATE SET digest = excluded.digest
"""
# The text of a version that was cut by other chunk sizes need not be read again.
_COPY = """
INSERT INTO sources_file (source_id, path, digest, content_hash, facts_version, size,
    lines, chunk_count, language, mime, kind, encoding, title, module, is_generated,
    text, state, warnings, created_at)
SELECT source_id, path, digest, content_hash, %(facts)s, size,
    0, 0, '', '', 'code', encoding, '', '', false,
    text, 'stored', warnings, now()
FROM sources_file WHERE id = ANY(%(copied)s)
ON CONFLICT (source_id, path, content_hash, facts_version)
    DO UPDATE SET digest = excluded.digest
"""
# Versions that were stored just now, and those that were there already.
_ATTACH = """
UPDATE sources_stagedchange c SET file_id = f.id
FROM (
    SELECT s.id, s.path, coalesce(d.digest, s.digest) AS digest
    FROM sources_stagedchange s LEFT JOIN file_draft d ON d.path = s.path
    WHERE s.run = %(run)s AND s.path = ANY(%(paths)s) AND s.kind = 'enter'
) AS wanted
JOIN sources_file f ON f.path = wanted.path AND f.digest = wanted.digest
WHERE c.id = wanted.id AND f.source_id = %(source)s AND f.facts_version = %(facts)s
"""
_LEAVE_OUT = """
UPDATE sources_stagedchange c SET kind = 'skip', reason = d.reason, digest = d.digest
FROM file_draft d WHERE c.run = %(run)s AND c.path = d.path AND d.reason <> ''
"""
# In a folder a file may go between listing and reading: then it leaves.
_LOST = """
UPDATE sources_stagedchange SET kind = 'leave'
WHERE run = %(run)s AND path = ANY(%(unread)s) AND kind = 'enter' AND file_id IS NULL
"""
_UNATTACHED = """
SELECT count(*) FROM sources_stagedchange
WHERE run = %(run)s AND path = ANY(%(paths)s) AND kind = 'enter' AND file_id IS NULL
"""
# Columns of a portion's look-ups; no need to wait where a vacuum is at work.
_ANALYZE = """
ANALYZE (SKIP_LOCKED) sources_stagedchange,
    sources_file (source_id, path, digest, content_hash, facts_version)
"""


def portions(run: uuid.UUID) -> Iterator[list[Entry]]:
    """Yield the staged entries without a file, in bounded portions, by path."""
    last = ""
    while True:
        rows = StagedChange.objects.filter(
            run=run, kind=StagedChange.Kind.ENTER, file=None, path__gt=last
        ).order_by("path")[:_FILES_PER_COMMIT]
        part: list[Entry] = []
        size = 0
        for row in rows:
            part.append(Entry(row.path, row.digest, row.size, 0))
            size += row.size
            if size >= _BYTES_PER_COMMIT:
                break
        if not part:
            return
        yield part
        last = part[-1].path


@dataclass(frozen=True, slots=True)
class Portion:
    """Entries to store. unread: those of which no version was stored.

    files: what was read of the unread; what is missing was gone when it was to be read.
    facts_version: of the facts to make. copied: ids of the stored files whose text
    other chunk sizes cut.
    """

    entries: Sequence[Entry]
    unread: Sequence[Entry]
    facts_version: int
    copied: Sequence[int] = ()
    files: Sequence[StoredFile] = ()


def find_unread(source: Source, part: Sequence[Entry], facts_version: int) -> Portion:
    """Return a portion of these entries, without the files that are to be read."""
    stored = _stored_texts(source, part, facts_version)
    wanted = [stored.get((entry.path, entry.digest)) for entry in part]
    unread = [entry for entry, text in zip(part, wanted, strict=True) if text is None]
    copied = [
        text.pk for text in wanted if text and text.facts_version != facts_version
    ]
    return Portion(part, unread, facts_version, copied)


def read_text(entry: Entry, data: bytes) -> StoredFile:
    """Return a file's bytes as text, not masked yet; a PDF takes up to 40 seconds."""
    if entry.unread:
        return StoredFile(entry, "", Unreadable(entry.unread))
    with timed("hash"):
        digest = sha256_hex(data)
    return StoredFile(entry, digest, extract_text(entry.path, data))


def mask_files(files: Sequence[StoredFile]) -> list[StoredFile]:
    """Return what is stored of files: their texts with secrets masked."""
    masked = mask_texts([(file.entry.path, file.found) for file in files])
    pairs = zip(files, masked, strict=True)
    return [replace(file, found=m.found, secrets=m.secrets) for file, m in pairs]


def store_portion(
    run: uuid.UUID, source: Source, portion: Portion, version: str = ""
) -> int:
    """Store files and attach versions to a portion; return how many had no text.

    version: of the source; git: the commit. In one transaction of the caller's.
    """
    keys: dict[str, Any] = {
        "run": run,
        "source": source.pk,
        "facts": portion.facts_version,
        "copied": portion.copied,
        "version": version[:128],
        "paths": [entry.path for entry in portion.entries],
        "unread": [entry.path for entry in portion.unread],
    }
    with connection.cursor() as cursor:
        cursor.execute(_CREATE_DRAFT)
        copy_rows("file_draft", _COLUMNS, map(_row, portion.files))
        cursor.execute("ANALYZE file_draft")
        cursor.execute(_INSERT, keys)
        if portion.copied:
            cursor.execute(_COPY, keys)
        cursor.execute(_LEAVE_OUT, keys)
        left_out = int(cursor.rowcount)
        cursor.execute(_ATTACH, keys)
        cursor.execute(_LOST, keys)
        cursor.execute("DROP TABLE file_draft")
        store_attachments(keys, [file.entry for file in portion.files])
        store_secrets(keys, portion.files)
        cursor.execute(_UNATTACHED, keys)
        if cursor.fetchone()[0]:
            # Housekeeping took a version between our look and now.
            raise ServiceError(
                gettext("Stored files of %(source)s were deleted in the meantime.")
                % {"source": source.name}
            )
    return left_out


def update_statistics() -> None:
    """Tell the planner what was stored before autovacuum does, a minute later.

    Until then it takes both tables for small and walks all of them for each portion:
    half of the phase with 100,000 files. Outside a transaction.
    """
    with connection.cursor() as cursor:
        cursor.execute(_ANALYZE)


@dataclass(frozen=True, slots=True)
class _StoredText:
    pk: int
    facts_version: int


def _stored_texts(
    source: Source, part: Sequence[Entry], facts_version: int
) -> dict[tuple[str, str], _StoredText]:
    """Return stored versions by path and digest, one of the facts version if any.

    What another parser stored does not count: it may have read the bytes differently.
    """
    rows = source.files.filter(path__in=[entry.path for entry in part])
    found: dict[tuple[str, str], _StoredText] = {}
    for pk, path, digest, version in rows.values_list(
        "pk", "path", "digest", "facts_version"
    ):
        is_wanted = version == facts_version
        if is_wanted or (
            parser_version(version) == parser_version(facts_version)
            and (path, digest) not in found
        ):
            found[path, digest] = _StoredText(pk, version)
    return found


def _row(file: StoredFile) -> tuple[object, ...]:
    entry, found = file.entry, file.found
    known = (entry.path, entry.digest, file.content_hash, entry.size)
    if isinstance(found, Unreadable):
        return (*known, "", "", [], found.reason[:REASON_LENGTH])
    return (*known, found.encoding, found.text, list(found.warnings), "")
