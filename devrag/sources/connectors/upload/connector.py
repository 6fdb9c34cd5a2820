"""An upload as a source: the folder that it was unpacked into.

The folder is replaced by that of the next upload; what is equal in both is not parsed
again, as in any folder.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext

from devrag.core.errors import SourceError
from devrag.sources.confined_files import Beneath
from devrag.sources.connectors.local.connector import LocalConnector
from devrag.sources.connectors.local.walk import RegularFile
from devrag.sources.connectors.types import ConnectorContext, Unlisted
from devrag.sources.uploads.store import (
    CONTENT,
    lock_to_read,
    read_left_out,
    upload_folder,
)


class UploadConnector(LocalConnector):
    """Reads what was uploaded; keeps its folder from removal while it is read."""

    def __init__(self, metadata: Mapping[str, Any], context: ConnectorContext) -> None:
        self._upload = upload_folder(
            context.uploads_dir, str(metadata.get("upload") or "")
        )
        self._name = str(metadata.get("file") or self._upload.name)
        self._lock: int | None = None
        content = self._upload / CONTENT
        if not content.is_dir():
            raise self._gone()
        own = replace(context, source_roots=(self._upload,), is_local_user=False)
        super().__init__({"path": str(content)}, own)
        self._kept = self._upload / "listing"

    def close(self) -> None:
        """Forget the listing and let go of the folder."""
        super().close()
        if self._lock is not None:
            os.close(self._lock)
        self._lock = None

    def _opened(self) -> Beneath:
        if self._lock is None:
            try:
                self._lock = lock_to_read(self._upload)
            except OSError as error:
                raise self._gone() from error
        return super()._opened()

    def _walk(self) -> Iterator[RegularFile | Unlisted]:
        left_out = read_left_out(self._upload)
        return heapq.merge(super()._walk(), left_out, key=lambda each: each.path)

    def _gone(self) -> SourceError:
        return SourceError(
            gettext(
                "The uploaded files of %(name)s are not on this server. Upload them"
                " again."
            )
            % {"name": self._name}
        )
