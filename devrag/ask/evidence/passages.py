"""Read the lines of what was chosen, from the files as they are indexed now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db.models import F
from django.db.models.expressions import Combinable

from devrag.ask.evidence.candidates import FileKey, PassageCandidate
from devrag.ask.types import Passage
from devrag.core.principal import Principal
from devrag.core.text import shorten
from devrag.sources.api import document_column, read_column
from devrag.sources.models import RefFile, Source, Symbol
from devrag.wiki.api import plain_sentence

_MOST_CHARACTERS = 160
_COLUMNS: dict[str, Combinable] = {
    "source_name": F("file__source__name"),
    "product_name": F("file__source__product__name"),
    "path": F("file__path"),
    "language": F("file__language"),
    "content_hash": F("file__content_hash"),
    "version": F("ref__snapshot__version_identifier"),
    "text": F("file__text"),
    "document": document_column("file__"),
}


def read_passages(
    chosen: Sequence[PassageCandidate], principal: Principal
) -> list[Passage]:
    """Return passages with their lines, numbered from E1, in the order given.

    What the principal may not see, or is gone meanwhile, is left out. Queries: 1.
    """
    files = read_files({each.file for each in chosen}, principal)
    summaries = _summaries(each.symbol_uuid for each in chosen if not each.why)
    found: list[Passage] = []
    for each in chosen:
        row = files.get(each.file)
        if row is None:
            continue
        lines = row["text"].split("\n")
        end = min(each.end_line, len(lines))
        text = "\n".join(lines[each.start_line - 1 : end])
        if not text.strip():
            continue
        found.append(
            Passage(
                id=f"E{len(found) + 1}",
                product=row["product_name"],
                source=each.source,
                path=each.path,
                start_line=each.start_line,
                end_line=end,
                text=text,
                version_identifier=row["version"] or "",
                content_hash=row["content_hash"],
                kind=each.kind,
                language=row["language"],
                title=each.title,
                why=each.why or summaries.get(each.symbol_uuid, ""),
                symbol_uuid=each.symbol_uuid,
                document=read_column(row["document"]),
            )
        )
    return found


def _summaries(uuids: Iterable[UUID | None]) -> dict[UUID | None, str]:
    """Return the first sentence of each definition's documentation. Queries: 1."""
    wanted = {uuid for uuid in uuids if uuid is not None}
    rows = Symbol.objects.filter(uuid__in=wanted, file__manifests__until=None).exclude(
        docstring=""
    )
    return {
        uuid: shorten(plain_sentence(docstring), _MOST_CHARACTERS)
        for uuid, docstring in rows.values_list("uuid", "docstring")
    }


def read_files(
    files: Iterable[FileKey], principal: Principal
) -> dict[FileKey, dict[str, Any]]:
    """Return the columns of files that a principal may see. Queries: 1."""
    wanted = set(files)
    rows = RefFile.objects.filter(
        until=None,
        ref__is_current=True,
        file__source__in=Source.objects.visible_to(principal),
        file__source__name__in={source for source, _ in wanted},
        file__path__in={path for _, path in wanted},
    )
    found = {}
    for values in rows.values_list(*_COLUMNS.values()):
        row: dict[str, Any] = dict(zip(_COLUMNS, values, strict=True))
        found[row["source_name"], row["path"]] = row
    return {file: row for file, row in found.items() if file in wanted}
