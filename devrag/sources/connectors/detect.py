"""Kinds of sources by their addresses alone. Pure."""

from __future__ import annotations

from devrag.sources.connectors.confluence import is_cloud_space
from devrag.sources.connectors.github import is_github_tickets
from devrag.sources.connectors.gitlab import is_gitlab_tickets
from devrag.sources.connectors.notion import is_notion_address

_SURE = {
    "confluence": is_cloud_space,
    "notion": is_notion_address,
    "github": is_github_tickets,
    "gitlab": is_gitlab_tickets,
}


def detect_kind(url: str) -> str:
    """Return the kind of an address that can be of no other, '' for any other one."""
    return next((kind for kind, is_one in _SURE.items() if is_one(url)), "")
