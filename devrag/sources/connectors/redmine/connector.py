"""A project of Redmine as a source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from devrag.sources.connectors.pages.client import ApiClient
from devrag.sources.connectors.pages.connector import PageConnector
from devrag.sources.connectors.pages.limits import ANY_ADDRESS, count_check, text_limit
from devrag.sources.connectors.pages.types import RemotePages
from devrag.sources.connectors.redmine.address import parse_project_address
from devrag.sources.connectors.redmine.api import RedmineApi, sign_in
from devrag.sources.connectors.redmine.choice import read_choice
from devrag.sources.connectors.redmine.form import FORM
from devrag.sources.connectors.redmine.remote import RedmineRemote
from devrag.sources.connectors.types import ConnectorContext


class RedmineConnector(PageConnector):
    """Reads the issues, wiki, versions, files and news of a project.

    metadata: `url`, the address of the project in the browser; `read_restricted` (also
    private issues and notes), `read_comments` (unless it is false: notes of issues),
    `read_attachments` (unless it is false), `read_news`.
    """

    recipe = "redmine-1"
    form = FORM

    @classmethod
    def open_remote(
        cls, metadata: Mapping[str, Any], context: ConnectorContext
    ) -> RemotePages:
        """Return the project; checks its address, does not touch the network."""
        address = parse_project_address(str(metadata.get("url")), context.address_rules)
        client = ApiClient(address.base_url, sign_in(context.credentials), context)
        return RedmineRemote(
            address,
            RedmineApi(address, client, has_key=bool(context.credentials.secret)),
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
        return (choice.restricted, choice.notes, choice.attachments, choice.news)
