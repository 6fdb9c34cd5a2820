"""A space of Confluence as a source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from devrag.sources.connectors.confluence.address import (
    SpaceAddress,
    parse_space_address,
)
from devrag.sources.connectors.confluence.api import ConfluenceApi, sign_in
from devrag.sources.connectors.confluence.choice import read_choice
from devrag.sources.connectors.confluence.form import FORM
from devrag.sources.connectors.confluence.remote import ConfluenceRemote
from devrag.sources.connectors.pages.client import ApiClient
from devrag.sources.connectors.pages.connector import PageConnector
from devrag.sources.connectors.pages.limits import ANY_ADDRESS, count_check, text_limit
from devrag.sources.connectors.pages.types import RemotePages
from devrag.sources.connectors.types import ConnectorContext

# Storage format has more marks than Markdown: what is left has the limit of a file.
_MARKS = 5


class ConfluenceConnector(PageConnector):
    """Reads the pages of a space.

    metadata: `url`, the address of the space in the browser; `read_restricted` (also
    pages that only some people may view), `read_comments`, `read_attachments` (unless
    it is false).
    """

    recipe = "confluence-1"
    form = FORM

    @classmethod
    def open_remote(
        cls, metadata: Mapping[str, Any], context: ConnectorContext
    ) -> RemotePages:
        """Return the space; checks its address, does not touch the network."""
        address = parse_space_address(str(metadata.get("url")), context.address_rules)
        client = ApiClient(address.base_url, sign_in(context.credentials), context)
        choice = read_choice(metadata, max_body=text_limit(context) * _MARKS)
        return ConfluenceRemote(
            address,
            ConfluenceApi(address, client),
            choice,
            count_check(context, _name(address)),
            context.on_progress or (lambda line: None),
        )

    @classmethod
    def place(cls, metadata: Mapping[str, Any]) -> str:
        """Return the address of the space, without the page that was looked at."""
        return _name(parse_space_address(str(metadata.get("url")), ANY_ADDRESS))

    @classmethod
    def settings(cls, metadata: Mapping[str, Any]) -> tuple[object, ...]:
        """Return what of the space is read."""
        choice = read_choice(metadata)
        return (choice.restricted, choice.comments, choice.attachments)


def _name(address: SpaceAddress) -> str:
    return f"{address.base_url}/spaces/{address.key}"
