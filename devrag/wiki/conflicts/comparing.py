"""Compare all statements of a product with its code, and keep what disagrees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from devrag.core.hashing import sha256_hex
from devrag.core.text import normalise_newlines
from devrag.sources.api import owners_of
from devrag.sources.models import Fact, File, GitRef, Symbol
from devrag.wiki.conflict_models import CodeName, DocumentConflict
from devrag.wiki.conflicts.by_model import (
    delete_unused_comparisons,
    model_contradictions,
)
from devrag.wiki.conflicts.detectors import contradicts
from devrag.wiki.conflicts.inputs import is_code_side
from devrag.wiki.conflicts.reading import (
    compared_files,
    current_statements,
    statement_of,
)
from devrag.wiki.conflicts.types import (
    CodeFact,
    CodeIndex,
    CodeLines,
    Contradiction,
    NamePlace,
)

_KINDS = ("setting", "route", "command", "dependency", "make_target", "entry_point")
_MOST_CONFLICTS = 2_000
_MOST_LINES = 12
_ROWS = 5000
State = DocumentConflict.State


@dataclass(frozen=True, slots=True)
class _Version:
    """The commit of a source that is current, and when it was made."""

    commit: str
    date: datetime | None


def compare_statements(product_id: int) -> dict[str, int]:
    """Keep the conflicts of a product as they are now; return counts by what changed.

    A decision holds while its key comes up again; what does not is resolved.
    """
    code = read_code(product_id)
    files = dict(compared_files(product_id).values_list("pk", "path"))
    found: dict[str, tuple[int, Contradiction]] = {}
    for row in current_statements(product_id):
        box = contradicts(files.get(row.file_id, ""), statement_of(row), code)
        if box is not None and len(found) < _MOST_CONFLICTS:
            found.setdefault(box.key, (row.file_id, box))
    _add_by_model(product_id, found)
    delete_unused_comparisons(product_id)
    return _store(product_id, found)


def _add_by_model(product_id: int, found: dict[str, tuple[int, Contradiction]]) -> None:
    """Add what a model found, but for lines that a detector has a box on."""
    taken = {
        (file_id, line)
        for file_id, box in found.values()
        for line in range(box.statement.start_line, box.statement.end_line + 1)
    }
    for file_id, box in model_contradictions(product_id):
        said = box.statement
        lines = range(said.start_line, said.end_line + 1)
        is_new = not any((file_id, line) in taken for line in lines)
        if is_new and len(found) < _MOST_CONFLICTS:
            found.setdefault(box.key, (file_id, box))


def read_code(product_id: int) -> CodeIndex:
    """Return the code's side. Queries: 4."""
    files = list(compared_files(product_id).values_list("pk", "path", "kind", "module"))
    paths = {pk: path for pk, path, _, _ in files}
    own = {pk for pk, path, kind, _ in files if is_code_side(path, kind)}
    current = compared_files(product_id)
    names = CodeName.objects.filter(file__in=current).values_list(
        "file_id", "name", "line", "value", "is_computed"
    )
    symbols = Symbol.objects.filter(file__in=current).values_list("file_id", "name")
    return CodeIndex(
        paths=frozenset(paths.values()),
        facts=tuple(_facts(product_id, paths)),
        places=tuple(
            (paths[row[0]], NamePlace(*row[1:]))
            for row in names.iterator(_ROWS)
            if row[0] in paths
        ),
        tops=frozenset(
            module.partition(".")[0]
            for pk, _, _, module in files
            if module and pk in own
        ),
        symbols=frozenset(name for pk, name in symbols.iterator(_ROWS) if pk in own),
    )


def _facts(product_id: int, paths: Mapping[int, str]) -> Iterable[CodeFact]:
    rows = Fact.objects.filter(file__in=compared_files(product_id), kind__in=_KINDS)
    order = rows.order_by("file_id", "start_line", "pk")
    for row in order.iterator(_ROWS):
        if row.file_id in paths:
            data = row.data if isinstance(row.data, dict) else {}
            place = (paths[row.file_id], row.start_line, row.end_line)
            yield CodeFact(row.kind, row.name, *place, data)


@transaction.atomic
def _store(
    product_id: int, found: Mapping[str, tuple[int, Contradiction]]
) -> dict[str, int]:
    rows = DocumentConflict.objects.select_for_update().filter(product=product_id)
    known = {row.key: row for row in rows}
    made = _rows(product_id, found)
    added = [row for key, row in made.items() if key not in known]
    for key, row in made.items():
        if key in known:
            _renew(known[key], row)
    DocumentConflict.objects.bulk_create(added, batch_size=500)
    gone = [
        row.pk
        for key, row in known.items()
        if key not in made and row.state in {State.OPEN, State.OUTDATED}
    ]
    now = timezone.now()
    DocumentConflict.objects.filter(pk__in=gone).update(
        state=State.RESOLVED, resolved_at=now
    )
    return {"found": len(added), "resolved": len(gone)}


def _renew(row: DocumentConflict, fresh: DocumentConflict) -> None:
    """Let a conflict have the lines of today; one that is back is open again."""
    names = [
        field.name
        for field in DocumentConflict._meta.fields
        if field.name.startswith(("document_", "code_", "owner", "reason"))
    ]
    changed = [n for n in names if getattr(row, n) != getattr(fresh, n)]
    for name in changed:
        setattr(row, name, getattr(fresh, name))
    if row.state == State.RESOLVED:
        row.state, row.resolved_at = State.OPEN, None
        changed += ["state", "resolved_at"]
    if changed:
        row.save(update_fields=changed)


def _rows(
    product_id: int, found: Mapping[str, tuple[int, Contradiction]]
) -> dict[str, DocumentConflict]:
    """Return key → conflict, with excerpts; the key knows the document's source."""
    by_path = _code_files(product_id, [box.place for _, box in found.values()])
    wanted = {file_id for file_id, _ in found.values()} | set(by_path.values())
    loaded = File.objects.filter(pk__in=wanted).select_related("document", "source")
    files = {file.pk: file for file in loaded}
    versions = _versions({file.source_id for file in files.values()})
    rows = (
        _row(product_id, files[file_id], box, files, by_path, versions)
        for file_id, box in found.values()
    )
    return {row.key: row for row in rows}


def _code_files(product_id: int, places: list[CodeLines | None]) -> dict[str, int]:
    paths = {place.path for place in places if place}
    rows = compared_files(product_id).filter(path__in=paths)
    return {path: pk for pk, path in rows.values_list("pk", "path")}


def _versions(source_ids: set[int]) -> dict[int, _Version]:
    refs = GitRef.objects.filter(source__in=source_ids, is_current=True)
    return {
        ref.source_id: _Version(
            ref.snapshot.version_identifier, ref.snapshot.committed_at
        )
        for ref in refs.select_related("snapshot")
        if ref.snapshot
    }


def _row(
    product_id: int,
    file: File,
    box: Contradiction,
    files: Mapping[int, File],
    by_path: Mapping[str, int],
    versions: Mapping[int, _Version],
) -> DocumentConflict:
    said, place = box.statement, box.place
    document = getattr(file, "document", None)
    version = versions.get(file.source_id, _Version("", None))
    row = DocumentConflict(
        product_id=product_id,
        key=sha256_hex(f"{file.source_id}\x00{box.key}"),
        kind=said.kind,
        subject=said.subject,
        value=said.value,
        actual=box.actual,
        is_by_model=box.is_by_model,
        reason=box.reason,
        owner=_owner_of(file),
        document_source_id=file.source_id,
        document_path=file.path,
        document_start=said.start_line,
        document_end=said.end_line,
        document_excerpt=_excerpt(file, said.start_line, said.end_line),
        document_commit=version.commit,
        document_date=(document.changed_at if document else None) or version.date,
    )
    row.document_hash = sha256_hex(row.document_excerpt)
    code = files.get(by_path.get(place.path, 0)) if place else None
    if code is not None and place is not None:
        version = versions.get(code.source_id, _Version("", None))
        row.code_source_id, row.code_path = code.source_id, code.path
        row.code_start, row.code_end = place.start_line, place.end_line
        row.code_excerpt = _excerpt(code, place.start_line, place.end_line)
        row.code_hash = sha256_hex(row.code_excerpt)
        row.code_commit, row.code_date = version.commit, version.date
    return row


def _owner_of(file: File) -> str:
    """Return who wrote a page or ticket, or owns a file by CODEOWNERS."""
    document = getattr(file, "document", None)
    if document is not None:
        return str(document.author)
    return ", ".join(owners_of(file.source, file.path))


def _excerpt(file: File, start: int, end: int) -> str:
    lines = normalise_newlines(file.text).split("\n")
    return "\n".join(lines[start - 1 : min(end, start + _MOST_LINES - 1)])
