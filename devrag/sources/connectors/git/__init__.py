"""Git repositories: by URL or by path, read from a bare mirror, never checked out."""

from __future__ import annotations

from devrag.sources.connectors.git.connector import GitConnector
from devrag.sources.connectors.git.mirror import mirror_path

__all__ = ["GitConnector", "mirror_path"]
