"""Pages and databases of Notion as a source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from devrag.sources.connectors.notion.address import parse_notion_address
from devrag.sources.connectors.notion.api import (
    REQUESTS_PER_SECOND,
    NotionApi,
    sign_in,
)
from devrag.sources.connectors.notion.choice import read_choice
from devrag.sources.connectors.notion.form import FORM
from devrag.sources.connectors.notion.remote import NotionRemote
from devrag.sources.connectors.pages.allowance import Pacer
from devrag.sources.connectors.pages.client import ApiClient
from devrag.sources.connectors.pages.connector import PageConnector
from devrag.sources.connectors.pages.limits import ANY_ADDRESS, count_check, text_limit
from devrag.sources.connectors.pages.types import RemotePages
from devrag.sources.connectors.types import ConnectorContext


class NotionConnector(PageConnector):
    """Reads a page or database with what lies below it, or all that is shared.

    metadata: `url`, the address of the page or database in the browser, or that of
    Notion; `read_comments`, `read_attachments` (unless it is false).
    """

    recipe = "notion-1"
    form = FORM

    @classmethod
    def open_remote(
        cls, metadata: Mapping[str, Any], context: ConnectorContext
    ) -> RemotePages:
        """Return what is read; checks its address, does not touch the network."""
        address = parse_notion_address(str(metadata.get("url")), context.address_rules)
        client = ApiClient(
            address.base_url,
            sign_in(context.credentials),
            context,
            pacer=Pacer(REQUESTS_PER_SECOND) if address.is_limited else None,
        )
        return NotionRemote(
            address,
            NotionApi(client),
            read_choice(metadata, max_text=text_limit(context)),
            count_check(context, address.url),
            context.on_progress or (lambda line: None),
        )

    @classmethod
    def place(cls, metadata: Mapping[str, Any]) -> str:
        """Return the address, without the title and view that were looked at."""
        return parse_notion_address(str(metadata.get("url")), ANY_ADDRESS).url

    @classmethod
    def settings(cls, metadata: Mapping[str, Any]) -> tuple[object, ...]:
        """Return what is read beside the text of pages."""
        choice = read_choice(metadata)
        return (choice.comments, choice.attachments)
