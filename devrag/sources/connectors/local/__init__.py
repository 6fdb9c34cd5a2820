"""Folders on this machine."""

from __future__ import annotations

from devrag.sources.connectors.local.connector import LocalConnector

__all__ = ["LocalConnector"]
