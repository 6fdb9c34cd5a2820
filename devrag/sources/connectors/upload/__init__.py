"""Files that somebody uploaded."""

from __future__ import annotations

from devrag.sources.connectors.upload.connector import UploadConnector

__all__ = ["UploadConnector"]
