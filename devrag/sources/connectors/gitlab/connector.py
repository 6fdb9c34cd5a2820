"""The tickets of a project of GitLab as a source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from devrag.sources.connectors.gitlab.address import parse_project_address
from devrag.sources.connectors.gitlab.api import GitLabApi, sign_in
from devrag.sources.connectors.gitlab.choice import read_choice
from devrag.sources.connectors.gitlab.form import FORM
from devrag.sources.connectors.gitlab.remote import GitLabRemote
from devrag.sources.connectors.pages.client import ApiClient
from devrag.sources.connectors.pages.connector import PageConnector
from devrag.sources.connectors.pages.limits import ANY_ADDRESS, count_check, text_limit
from devrag.sources.connectors.pages.types import RemotePages
from devrag.sources.connectors.types import ConnectorContext


class GitLabConnector(PageConnector):
    """Reads the issues and merge requests of a project.

    metadata: `url`, the address of the project in the browser; `read_restricted` (also
    confidential issues and internal notes), `read_comments` (unless it is false).
    """

    recipe = "gitlab-1"
    form = FORM

    @classmethod
    def open_remote(
        cls, metadata: Mapping[str, Any], context: ConnectorContext
    ) -> RemotePages:
        """Return the project; checks its address, does not touch the network."""
        address = parse_project_address(str(metadata.get("url")), context.address_rules)
        client = ApiClient(address.api_url, sign_in(context.credentials), context)
        return GitLabRemote(
            address,
            GitLabApi(address, client),
            read_choice(metadata, max_text=text_limit(context)),
            count_check(context, address.url),
        )

    @classmethod
    def place(cls, metadata: Mapping[str, Any]) -> str:
        """Return the address of the project, without the page that was looked at."""
        return parse_project_address(str(metadata.get("url")), ANY_ADDRESS).url

    @classmethod
    def settings(cls, metadata: Mapping[str, Any]) -> tuple[object, ...]:
        """Return what of the project is read."""
        choice = read_choice(metadata)
        return (choice.restricted, choice.notes)
