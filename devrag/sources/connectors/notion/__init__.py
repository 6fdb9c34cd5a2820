"""Notion: a page or database with what lies below it, or all that is shared."""

from __future__ import annotations

from devrag.sources.connectors.notion.address import (
    is_notion_address,
    notion_name,
    notion_url,
)
from devrag.sources.connectors.notion.connector import NotionConnector

__all__ = ["NotionConnector", "is_notion_address", "notion_name", "notion_url"]
