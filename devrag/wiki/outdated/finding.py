"""Find the documents of a product that may be outdated, and keep them.

Everybody reads what comes of it, so that sources that are limited to some members take
no part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from devrag.core.principal import PUBLISHER
from devrag.mentions.api import CitedCode, find_cited_code
from devrag.sources.models import Document, File, FileChange, ReadHistory, Source
from devrag.wiki.conflicts.inputs import is_document
from devrag.wiki.conflicts.lines import is_of_another_time
from devrag.wiki.conflicts.reading import compared_files
from devrag.wiki.outdated.comparing import (
    Change,
    ChangedCitation,
    Outdated,
    Place,
    compare_document,
)
from devrag.wiki.outdated_models import OutdatedCitation, OutdatedDocument

State = OutdatedDocument.State
_ROWS = 5_000


@dataclass(frozen=True, slots=True)
class _Found:
    """A row to keep. is_new: it was not open before."""

    row: OutdatedDocument
    outdated: Outdated
    is_new: bool


@dataclass(frozen=True, slots=True)
class _Written:
    """A document and when it was written; is_older: before that."""

    file: File
    at: datetime
    is_older: bool = False

    @property
    def place(self) -> Place:
        return self.file.source_id, self.file.path


def dated_documents(product_id: int) -> QuerySet[File]:
    """Return the current files that may be documents about code."""
    return compared_files(product_id).filter(
        Q(kind=File.Kind.DOC) | Q(document__isnull=False)
    )


def forget_documents(product_id: int) -> int:
    """Remove what was found of documents that are no longer there; return how many."""
    current = set(dated_documents(product_id).values_list("source_id", "path"))
    rows = OutdatedDocument.objects.filter(product=product_id)
    places = rows.values_list("pk", "source_id", "path")
    gone = [pk for pk, source, path in places if (source, path) not in current]
    rows.filter(pk__in=gone).delete()
    return len(gone)


def find_outdated(product_id: int, file_ids: Sequence[int]) -> int:
    """Keep which of these documents may be outdated; return how many are new."""
    files = File.objects.filter(pk__in=file_ids).select_related("document")
    documents = [file for file in files.defer("text") if _is_maintained(file)]
    written = _written(documents)
    sources = Source.objects.within_limits(PUBLISHER).filter(product=product_id)
    cited = find_cited_code(
        [each.file.pk for each in written], list(sources.values_list("pk", flat=True))
    )
    changes = _changes(written, cited)
    with transaction.atomic():
        known = _known(files)
        found = [
            _compare(
                product_id,
                each,
                known.pop(each.place, None),
                cited.get(each.file.pk, ()),
                changes,
            )
            for each in written
        ]
        gone = [row.pk for row in known.values()]
        OutdatedDocument.objects.filter(pk__in=gone).delete()
        return _store(each for each in found if each is not None)


def _is_maintained(file: File) -> bool:
    """Return whether a file is meant to tell how the code is now."""
    document: Document | None = getattr(file, "document", None)
    if document is None:
        return is_document(file.path, file.kind) and not is_of_another_time(file.path)
    title = file.title.strip().replace(" ", "-")
    return document.kind != Document.Kind.TICKET and not is_of_another_time(title)


def _written(files: Iterable[File]) -> list[_Written]:
    """Return the documents whose date is known. Queries: 1 and 2 for each source."""
    found: list[_Written] = []
    in_git: dict[int, list[File]] = defaultdict(list)
    for file in files:
        document: Document | None = getattr(file, "document", None)
        if document is not None and document.changed_at is not None:
            found.append(_Written(file, document.changed_at))
        elif document is None:
            in_git[file.source_id].append(file)
    for source_id, rows in in_git.items():
        history = ReadHistory.objects.filter(source=source_id).first()
        paths = [file.path for file in rows]
        changes = FileChange.objects.filter(source=source_id, path__in=paths)
        newest = dict(changes.values_list("path").annotate(Max("committed_at")))
        for file in rows:
            if at := newest.get(file.path):
                found.append(_Written(file, at))
            elif history and history.oldest_at and not history.is_complete:
                found.append(_Written(file, history.oldest_at, is_older=True))
    return found


def _changes(
    written: Sequence[_Written], cited: Mapping[int, Sequence[CitedCode]]
) -> dict[Place, list[Change]]:
    """Return what changed in the cited files since the oldest of the documents."""
    wanted: dict[int, set[str]] = defaultdict(set)
    for each in cited.values():
        for code in each:
            wanted[code.source_id].add(code.path)
    found: dict[Place, list[Change]] = defaultdict(list)
    if not wanted:
        return found
    oldest = min(each.at for each in written)
    columns = ("path", "pk", "commit", "committed_at", "lines", "names")
    for source_id, paths in wanted.items():
        rows = FileChange.objects.filter(
            source=source_id, path__in=paths, committed_at__gt=oldest
        )
        for path, *values in rows.values_list(*columns).iterator(_ROWS):
            found[source_id, path].append(Change(*values))
    return found


def _known(files: Iterable[File]) -> dict[Place, OutdatedDocument]:
    places = {(file.source_id, file.path) for file in files}
    rows = OutdatedDocument.objects.select_for_update().prefetch_related("citations")
    rows = rows.filter(
        source__in={source for source, _ in places},
        path__in={path for _, path in places},
    )
    return {
        (row.source_id, row.path): row
        for row in rows
        if (row.source_id, row.path) in places
    }


def _compare(
    product_id: int,
    written: _Written,
    row: OutdatedDocument | None,
    cited: Sequence[CitedCode],
    changes: Mapping[Place, Sequence[Change]],
) -> _Found | None:
    """Return the row of a document with what changed, None where it stays as it is.

    A row without any change is removed.
    """
    found = compare_document(cited, changes, written.at)
    if found is None:
        if row is not None:
            row.delete()
        return None
    if row is not None and row.checked_change:
        found = compare_document(cited, changes, written.at, after=row.checked_change)
        if found is None:
            return None
    is_new = row is None or row.state == State.CHECKED
    fresh = _row(product_id, written, row, found)
    if row is not None and not is_new and _is_same(row, fresh, found):
        return None
    fresh.found_at = timezone.now() if is_new or row is None else row.found_at
    return _Found(fresh, found, is_new=is_new)


def _row(
    product_id: int, written: _Written, row: OutdatedDocument | None, found: Outdated
) -> OutdatedDocument:
    has_title = getattr(written.file, "document", None) is not None
    return OutdatedDocument(
        pk=row.pk if row else None,
        product_id=product_id,
        source_id=written.file.source_id,
        path=written.file.path,
        title=written.file.title if has_title else "",
        written_at=written.at,
        is_older=written.is_older,
        lines=found.lines,
        changed_at=found.changed_at,
        newest_change=found.newest,
        checked_change=row.checked_change if row else 0,
        checked_by=row.checked_by if row else "",
        checked_at=row.checked_at if row else None,
    )


def _is_same(row: OutdatedDocument, fresh: OutdatedDocument, found: Outdated) -> bool:
    """Return whether nothing that was found of a document differs."""
    names = ("title", "written_at", "is_older", "lines", "changed_at", "newest_change")
    before = {(c.source_id, c.path, c.symbol, c.line) for c in row.citations.all()}
    now = {
        (each.code.source_id, each.code.path, each.code.symbol, each.code.line)
        for each in found.citations
    }
    return before == now and all(
        getattr(row, name) == getattr(fresh, name) for name in names
    )


def _store(found: Iterable[_Found]) -> int:
    """Keep rows with their citations; return how many are news."""
    rows = list(found)
    old = [each.row.pk for each in rows if each.row.pk]
    for each in rows:
        if each.row.pk:
            each.row.save()
    OutdatedDocument.objects.bulk_create(
        each.row for each in rows if each.row.pk is None
    )
    OutdatedCitation.objects.filter(document__in=old).delete()
    OutdatedCitation.objects.bulk_create(
        _citation(each.row, cited) for each in rows for cited in each.outdated.citations
    )
    return sum(each.is_new for each in rows)


def _citation(row: OutdatedDocument, cited: ChangedCitation) -> OutdatedCitation:
    newest = cited.changes[0]
    return OutdatedCitation(
        document=row,
        line=cited.code.line,
        source_id=cited.code.source_id,
        path=cited.code.path,
        symbol=cited.code.symbol,
        lines=cited.lines,
        changes=len(cited.changes),
        commit=newest.commit,
        changed_at=newest.committed_at,
    )
