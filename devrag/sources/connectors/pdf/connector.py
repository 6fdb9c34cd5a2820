"""A PDF or Office file, or all PDFs of a folder, as a source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from devrag.core.errors import InvalidInput, SourceError
from devrag.core.texts import gettext
from devrag.parsing.text import is_document
from devrag.sources.connectors.local.connector import LocalConnector
from devrag.sources.connectors.local.listing import LocalListing
from devrag.sources.connectors.local.walk import RegularFile
from devrag.sources.connectors.types import ConnectorContext, Unlisted


class PdfConnector(LocalConnector):
    """Reads the PDFs of a folder, or one file, which then is the whole source.

    One file may be an Office file as well.

    The version of one file is its own SHA-256.
    """

    takes_files = True

    def __init__(self, metadata: Mapping[str, Any], context: ConnectorContext) -> None:
        super().__init__(metadata, context)
        self._file = ""
        if self._root.is_file():
            self._file = self._root.name
            self._root = self._root.parent
            if not is_document(self._file):
                raise InvalidInput(
                    gettext(
                        "%(file)s is not a PDF or Office file. Add its folder as a "
                        "local source."
                    )
                    % {"file": self._file}
                )

    def _walk(self) -> Iterator[RegularFile | Unlisted]:
        if self._file:
            yield RegularFile(self._file, self._file)
            return
        yield from _pdfs_only(super()._walk())

    def _walk_some(self) -> Iterator[RegularFile | Unlisted]:
        if self._file:
            return self._walk()
        return _pdfs_only(super()._walk_some())

    def _identify(self, listing: LocalListing) -> str:
        if not self._file:
            return listing.identifier
        (item,) = listing
        if isinstance(item, Unlisted):
            raise SourceError(
                gettext("%(item)s: %(reason)s.")
                % {"item": item.path, "reason": item.reason},
                permanent=False,
            )
        return item.digest or listing.identifier


def _pdfs_only(
    items: Iterator[RegularFile | Unlisted],
) -> Iterator[RegularFile | Unlisted]:
    for item in items:
        if isinstance(item, RegularFile) and not _is_pdf_name(item.path):
            yield Unlisted(item.path, "not a PDF")
        else:
            yield item


def _is_pdf_name(path: str) -> bool:
    return path.lower().endswith(".pdf")
