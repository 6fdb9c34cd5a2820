"""Write the plan's findings: stored files and staged changes, idempotently."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from devrag.core.hashing import sha256_hex
from devrag.parsing.decoding import Decoded
from devrag.parsing.types import FACTS_VERSION
from devrag.sources.connectors.types import Entry
from devrag.sources.copy import copy_rows
from devrag.sources.models import Source, StagedChange


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file version that was read and decoded."""

    path: str
    digest: str
    content_hash: str
    size: int
    encoding: str
    text: str
    warnings: tuple[str, ...]

    @classmethod
    def of(cls, entry: Entry, data: bytes, decoded: Decoded) -> StoredFile:
        """Join what the source said with what decoding found."""
        return cls(
            path=entry.path,
            digest=entry.digest,
            content_hash=sha256_hex(data),
            size=len(data),
            encoding=decoded.encoding,
            text=decoded.text,
            warnings=tuple(decoded.warnings),
        )


_COLUMNS = (
    "path",
    "digest",
    "content_hash",
    "size",
    "encoding",
    "text",
    "warnings",
)
_CREATE_DRAFT = """
CREATE TEMP TABLE file_draft (
    path text, digest text, content_hash text, size bigint, encoding text, text text,
    warnings text[]
) ON COMMIT DROP
"""
_INSERT = """
INSERT INTO sources_file (source_id, path, digest, content_hash, facts_version, size,
    lines, language, mime, kind, encoding, title, is_generated, text, state, warnings,
    created_at)
SELECT %s, path, digest, content_hash, %s, size, 0, '', '', 'code', encoding, '', false,
    text, 'stored', warnings, now()
FROM file_draft
ON CONFLICT (source_id, path, content_hash, facts_version)
    DO UPDATE SET digest = excluded.digest
RETURNING id, path
"""


def store_files(
    run: uuid.UUID,
    source: Source,
    files: Sequence[StoredFile],
    known: Mapping[tuple[str, str], int],
) -> None:
    """Store new file versions and stage them, with the known ones, to enter."""
    with transaction.atomic():
        entering = {path: pk for (path, _digest), pk in known.items()}
        if files:
            entering |= _insert(source, files)
        StagedChange.objects.bulk_create(
            (
                StagedChange(
                    run=run, kind=StagedChange.Kind.ENTER, path=path, file_id=pk
                )
                for path, pk in entering.items()
            ),
            ignore_conflicts=True,
        )


def _insert(source: Source, files: Sequence[StoredFile]) -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute(_CREATE_DRAFT)
        copy_rows("file_draft", _COLUMNS, map(_row, files))
        cursor.execute(_INSERT, [source.pk, FACTS_VERSION])
        return {path: pk for pk, path in cursor.fetchall()}


def _row(file: StoredFile) -> tuple[object, ...]:
    return (
        file.path,
        file.digest,
        file.content_hash,
        file.size,
        file.encoding,
        file.text,
        list(file.warnings),
    )


def stage(
    run: uuid.UUID, skips: Iterable[StagedChange], removed: Iterable[str]
) -> None:
    """Stage what is left out and what leaves."""
    changes = list(skips)
    for change in changes:
        change.run = run
    changes += [
        StagedChange(run=run, kind=StagedChange.Kind.LEAVE, path=path)
        for path in removed
    ]
    StagedChange.objects.bulk_create(changes, ignore_conflicts=True, batch_size=5000)
