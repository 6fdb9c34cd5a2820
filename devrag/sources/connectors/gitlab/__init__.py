"""GitLab.com and GitLab elsewhere: the issues and merge requests of one project."""

from __future__ import annotations

from devrag.sources.connectors.gitlab.address import (
    is_gitlab_tickets,
    project_url,
)
from devrag.sources.connectors.gitlab.connector import GitLabConnector

__all__ = ["GitLabConnector", "is_gitlab_tickets", "project_url"]
