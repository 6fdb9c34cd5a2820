"""What is known of pages and tickets, read with or from the rows of their files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import F
from django.db.models.functions import JSONObject

from devrag.sources.documents import DocumentFacts
from devrag.sources.models import File

_COLUMNS = {
    **{name: name for name in ("kind", "place", "status", "is_closed", "author")},
    **{name: name for name in ("labels", "url", "version")},
    "created": "created_at",
    "changed": "changed_at",
}


def document_column(file: str) -> JSONObject:
    """Return an expression for what is known of a row's file; see `read_column`.

    file: how the row leads to its file, as in `file__`; '' for files themselves.
    """
    columns = {key: F(f"{file}document__{name}") for key, name in _COLUMNS.items()}
    return JSONObject(title=F(f"{file}title"), **columns)


def read_column(value: Mapping[str, Any]) -> DocumentFacts | None:
    """Return the facts that `document_column` gave; None for other files."""
    return DocumentFacts.from_json(value) if value["kind"] else None


def document_of(file: File) -> DocumentFacts | None:
    """Return what is known of a page or ticket; None for other files. Queries: 1."""
    found = File.objects.filter(pk=file.pk).values_list(document_column(""))
    return read_column(found.get()[0])
