"""Of which kind of source each file is: code, documents or tickets.

A repository is code with all that lies in it, its own documentation included. Wikis and
folders in which there are only documents are documents, trackers tickets.
"""

from __future__ import annotations

from collections.abc import Iterable

from devrag.wiki.analysis.survey import SurveyFile

CODE, DOCUMENTS, TICKETS = "code", "documents", "tickets"
# In the order in which pages name them.
SOURCE_KINDS = (CODE, DOCUMENTS, TICKETS)


def source_kinds(files: Iterable[SurveyFile]) -> dict[int, str]:
    """Return file → the kind of source that it is of."""
    files = list(files)
    with_code = {f.source for f in files if not f.document_kind and f.kind != "doc"}
    return {file.id: _kind(file, with_code) for file in files}


def _kind(file: SurveyFile, with_code: set[str]) -> str:
    if file.document_kind:
        return TICKETS if file.document_kind == "ticket" else DOCUMENTS
    return CODE if file.source in with_code else DOCUMENTS
