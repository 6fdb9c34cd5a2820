"""Redmine 4 to 6: the tickets, wiki, versions, files and news of one project."""

from __future__ import annotations

from devrag.sources.connectors.redmine.address import project_url
from devrag.sources.connectors.redmine.connector import RedmineConnector

__all__ = ["RedmineConnector", "project_url"]
