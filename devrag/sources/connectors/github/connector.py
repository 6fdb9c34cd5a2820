"""The tickets of a repository of GitHub as a source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from devrag.sources.connectors.github.address import parse_repository_address
from devrag.sources.connectors.github.api import GitHubApi, sign_in
from devrag.sources.connectors.github.form import FORM
from devrag.sources.connectors.github.remote import GitHubRemote
from devrag.sources.connectors.pages.client import ApiClient
from devrag.sources.connectors.pages.connector import PageConnector
from devrag.sources.connectors.pages.limits import ANY_ADDRESS, count_check, text_limit
from devrag.sources.connectors.pages.types import RemotePages
from devrag.sources.connectors.types import ConnectorContext


class GitHubConnector(PageConnector):
    """Reads the issues and pull requests of a repository.

    metadata: `url`, the address of the repository in the browser; `read_comments`
    (unless it is false).
    """

    recipe = "github-1"
    form = FORM

    @classmethod
    def open_remote(
        cls, metadata: Mapping[str, Any], context: ConnectorContext
    ) -> RemotePages:
        """Return the repository; checks its address, does not touch the network."""
        url = str(metadata.get("url"))
        address = parse_repository_address(url, context.address_rules)
        client = ApiClient(address.api_url, sign_in(context.credentials), context)
        return GitHubRemote(
            address,
            GitHubApi(address, client),
            has_comments=metadata.get("read_comments") is not False,
            max_text=text_limit(context),
            check_count=count_check(context, address.url),
        )

    @classmethod
    def place(cls, metadata: Mapping[str, Any]) -> str:
        """Return the address of the repository, without the page that was looked at."""
        return parse_repository_address(str(metadata.get("url")), ANY_ADDRESS).url

    @classmethod
    def settings(cls, metadata: Mapping[str, Any]) -> tuple[object, ...]:
        """Return what of the repository is read."""
        return (metadata.get("read_comments") is not False,)
