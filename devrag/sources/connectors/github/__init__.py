"""GitHub and GitHub Enterprise: the issues and pull requests of one repository."""

from __future__ import annotations

from devrag.sources.connectors.github.address import (
    is_github_tickets,
    repository_url,
)
from devrag.sources.connectors.github.connector import GitHubConnector

__all__ = ["GitHubConnector", "is_github_tickets", "repository_url"]
