"""Confluence Cloud and Data Center: the pages of one space."""

from __future__ import annotations

from devrag.sources.connectors.confluence.address import is_cloud_space, space_url
from devrag.sources.connectors.confluence.connector import ConfluenceConnector

__all__ = ["ConfluenceConnector", "is_cloud_space", "space_url"]
