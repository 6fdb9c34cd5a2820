"""Connectors: one folder per kind of source, opened through `open_connector`."""

from __future__ import annotations

from devrag.sources.connectors.registry import (
    CONNECTORS,
    check_source_type,
    open_connector,
)
from devrag.sources.connectors.types import (
    Connector,
    ConnectorContext,
    Credentials,
    Entry,
    Removed,
    Revision,
    Unlisted,
    Unversioned,
)

__all__ = [
    "CONNECTORS",
    "Connector",
    "ConnectorContext",
    "Credentials",
    "Entry",
    "Removed",
    "Revision",
    "Unlisted",
    "Unversioned",
    "check_source_type",
    "open_connector",
]
