"""Read files that were not read yet: statements of documents, names in code.

Everybody reads what comes of it, so that sources that are limited to some members take
no part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from devrag.core.principal import PUBLISHER
from devrag.core.text import normalise_newlines
from devrag.sources.models import File, Source
from devrag.wiki.conflict_models import (
    CodeName,
    ConflictReading,
    DocumentPassage,
    DocumentStatement,
    SearchedName,
)
from devrag.wiki.conflicts.code import name_places
from devrag.wiki.conflicts.docstrings import docstring_statements
from devrag.wiki.conflicts.inputs import is_document, wanted_names
from devrag.wiki.conflicts.passages import Passage, passages_of
from devrag.wiki.conflicts.statements import STATEMENTS_VERSION, TICKET, statements_of
from devrag.wiki.conflicts.types import NamePlace, StatementFacts

_ROWS = 2000
_MOST_CHARACTERS = 400_000


def compared_files(product_id: int) -> QuerySet[File]:
    """Return the current files of all sources that every member may see."""
    sources = Source.objects.within_limits(PUBLISHER).filter(product=product_id)
    return File.objects.filter(
        source__in=sources,
        state=File.State.PARSED,
        is_generated=False,
        manifests__until=None,
        manifests__ref__is_current=True,
    ).exclude(kind=File.Kind.WIKI)


def unread_files(product_id: int) -> QuerySet[File]:
    """Return files that were not read by the present rules."""
    done = ConflictReading.objects.filter(
        file=OuterRef("pk"), version=STATEMENTS_VERSION
    )
    return compared_files(product_id).filter(~Exists(done))


def read_documents(file_ids: Sequence[int]) -> int:
    """Keep what documents and docstrings say; return how many statements that is.

    For every file of a batch: those that are neither have none.
    """
    rows = File.objects.filter(pk__in=file_ids).select_related("document")
    found: list[DocumentStatement] = []
    passages: list[DocumentPassage] = []
    for file in rows.iterator(50):
        found += [_row(file.pk, said) for said in _statements(file)]
        passages += [_passage_row(file.pk, each) for each in _passages(file)]
    with transaction.atomic():
        for model in (DocumentStatement, DocumentPassage):
            model.objects.filter(file__in=file_ids).delete()
        DocumentStatement.objects.bulk_create(found, batch_size=_ROWS)
        DocumentPassage.objects.bulk_create(passages, batch_size=_ROWS)
    return len(found)


def _passages(file: File) -> list[Passage]:
    """Return the passages of a document, for a model that may be set some day."""
    document = getattr(file, "document", None)
    is_read = document is not None or is_document(file.path, file.kind)
    if not is_read or len(file.text) > _MOST_CHARACTERS:
        return []
    text = normalise_newlines(file.text)
    kind = "" if document is None else document.kind
    return passages_of(file.path, text, language=file.language, kind=kind)


def _passage_row(file_id: int, each: Passage) -> DocumentPassage:
    return DocumentPassage(
        file_id=file_id,
        start_line=each.start_line,
        end_line=each.end_line,
        about=each.about,
        text_hash=each.text_hash,
        weight=each.weight,
    )


def _statements(file: File) -> list[StatementFacts]:
    if len(file.text) > _MOST_CHARACTERS:
        return []
    text = normalise_newlines(file.text)
    document = getattr(file, "document", None)
    if document is None and file.language == "python":
        return docstring_statements(text)
    if document is None and not is_document(file.path, file.kind):
        return []
    kind = "" if document is None else document.kind
    if kind == TICKET and document is not None and document.is_closed:
        return []
    return statements_of(file.path, text, language=file.language, kind=kind)


def _row(file_id: int, said: StatementFacts) -> DocumentStatement:
    own = said.own
    return DocumentStatement(
        file_id=file_id,
        kind=said.kind,
        subject=said.subject,
        value=said.value,
        start_line=said.start_line,
        end_line=said.end_line,
        text=said.text,
        names=list(said.names),
        own=None if own is None else [own.name, own.line, own.value],
    )


def statement_of(row: DocumentStatement) -> StatementFacts:
    """Return a row as the detectors take it."""
    own = None if row.own is None else NamePlace(*row.own)
    place = (row.start_line, row.end_line, row.text)
    names = tuple(row.names)
    return StatementFacts(row.kind, row.subject, row.value, *place, names, own)


def current_statements(product_id: int) -> Iterator[DocumentStatement]:
    """Yield what the current files say, with their files."""
    files = compared_files(product_id)
    rows = DocumentStatement.objects.filter(file__in=files)
    yield from rows.order_by("file_id", "start_line", "pk").iterator(_ROWS)


def note_wanted_names(product_id: int) -> bool:
    """Keep the names that code is to be searched for; return whether some are new."""
    wanted = wanted_names(statement_of(row) for row in current_statements(product_id))
    searched = SearchedName.objects.filter(product=product_id)
    known = set(searched.values_list("name", flat=True))
    searched.filter(name__in=known - wanted).delete()
    rows = [SearchedName(product_id=product_id, name=each) for each in wanted - known]
    SearchedName.objects.bulk_create(rows, batch_size=_ROWS, ignore_conflicts=True)
    return searched.filter(is_done=False).exists()


def search_code(product_id: int, file_ids: Sequence[int]) -> int:
    """Keep the lines of files that have names; return how many.

    Files that were searched before are only searched for names that are new.
    """
    searched = SearchedName.objects.filter(product=product_id)
    names = searched.values_list("name", "is_done")
    every = frozenset(name for name, _ in names)
    new = frozenset(name for name, is_done in names if not is_done)
    read = set(
        ConflictReading.objects.filter(
            file__in=file_ids, version=STATEMENTS_VERSION
        ).values_list("file_id", flat=True)
    )
    found: list[CodeName] = []
    for file in File.objects.filter(pk__in=file_ids).iterator(50):
        wanted = new if file.pk in read else every
        found += [_name_row(file.pk, each) for each in _names(file, wanted)]
    _store_names(file_ids, found, read, new)
    return len(found)


def _names(file: File, wanted: frozenset[str]) -> list[NamePlace]:
    if is_document(file.path, file.kind) or len(file.text) > _MOST_CHARACTERS:
        return []
    return name_places(normalise_newlines(file.text), wanted)


def _name_row(file_id: int, place: NamePlace) -> CodeName:
    return CodeName(
        file_id=file_id,
        name=place.name,
        line=place.line,
        value=place.value,
        is_computed=place.is_computed,
    )


@transaction.atomic
def _store_names(
    file_ids: Sequence[int],
    found: list[CodeName],
    read: set[int],
    new: frozenset[str],
) -> None:
    again = Q(file__in=set(file_ids) - read) | Q(file__in=read, name__in=list(new))
    CodeName.objects.filter(again).delete()
    CodeName.objects.bulk_create(found, batch_size=_ROWS)
    marks = [ConflictReading(file_id=pk, version=STATEMENTS_VERSION) for pk in file_ids]
    ConflictReading.objects.bulk_create(
        marks,
        batch_size=_ROWS,
        update_conflicts=True,
        unique_fields=["file"],
        update_fields=["version"],
    )


def finish_search(product_id: int) -> None:
    """Note that all current code was searched for all names."""
    rows = SearchedName.objects.filter(product=product_id, is_done=False)
    rows.update(is_done=True)
