"""Whether a product is documents alone: notes, a wiki, tickets, a folder of files."""

from __future__ import annotations

from collections.abc import Iterable

from devrag.wiki.analysis.roles import role_of
from devrag.wiki.analysis.survey import SurveyFile

# A script or the theme of a site among many documents is no product of its own.
_DOCUMENTS_PER_CODE = 10


def is_of_documents(files: Iterable[SurveyFile]) -> bool:
    """Return whether files are documents, with next to no code or configuration."""
    documents = code = config = lines = lines_of_code = 0
    for file in files:
        role = "vendored" if file.is_generated else role_of(file)
        if file.kind == "doc" and role != "vendored":
            documents += 1
            lines += file.lines
        elif role in {"code", "test", "migration"}:
            code += 1
            lines_of_code += file.lines
        elif role == "config":
            config += 1
    return (
        documents > 0
        and _DOCUMENTS_PER_CODE * code <= documents
        and _DOCUMENTS_PER_CODE * lines_of_code <= lines
        and config <= documents
    )
