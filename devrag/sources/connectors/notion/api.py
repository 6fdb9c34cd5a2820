"""Notion's REST API, in one version of it, as far as reading needs it.

Lists come by cursors, 100 results in an answer. What is in the trash, or not shared
with the integration, is not found.

source: developers.notion.com, "Versioning", "Search", "Query a data source", "Retrieve
block children", "Query large data sources" (at most 10,000 results of one query).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from urllib.parse import quote

from devrag.core.errors import NotFound, SourceError
from devrag.core.texts import gettext
from devrag.sources.connectors.notion.node import Node, is_gone, read_node
from devrag.sources.connectors.pages.client import ApiClient, Params
from devrag.sources.connectors.pages.failures import NotAccepted, NotAllowed
from devrag.sources.connectors.pages.json_data import Json, list_of, part_of, text_of
from devrag.sources.connectors.types import Credentials

# Data sources within databases came with 2025-09-03; this one, the latest, calls what
# is deleted `in_trash` everywhere.
VERSION = "2026-03-11"
# "The rate limit for incoming requests per connection is an average of three requests
# per second."
REQUESTS_PER_SECOND = 3.0
_AT_A_TIME = 100
_MAX_ANSWERS = 100_000
_ABSENT = (NotFound, NotAccepted)


def sign_in(credentials: Credentials) -> dict[str, str]:
    """Return the headers of every request."""
    headers = {"Notion-Version": VERSION}
    if credentials.secret:
        headers["Authorization"] = f"Bearer {credentials.secret}"
    return headers


class NotionApi:
    """Asks for what is shared with one integration. Errors are those of ApiClient."""

    def __init__(self, client: ApiClient) -> None:
        self._client = client
        self._users: dict[str, str] | None = None

    @property
    def server_time(self) -> datetime | None:
        """Return the server's clock at its last answer."""
        return self._client.server_time

    def workspace(self) -> str:
        """Return the name of the workspace; raises PermissionDenied for a bad token."""
        found = self._client.get("/v1/users/me")
        if not isinstance(found, dict) or found.get("object") != "user":
            raise _not_notion("object")
        return text_of(part_of(found, "bot"), "workspace_name")

    # -- one of each ----------------------------------------------------------------

    def page(self, page_id: str) -> Node | None:
        """Return a page; None where there is none, or it is in the trash."""
        return self._present(f"/v1/pages/{quote(page_id)}")

    def data_source(self, source_id: str) -> Node | None:
        """Return a data source; None where there is none, or it is in the trash."""
        return self._present(f"/v1/data_sources/{quote(source_id)}")

    def database(self, database_id: str) -> list[str] | None:
        """Return the ids of a database's data sources; None where there is none.

        A view of a database that lies elsewhere has none that the API shows.
        """
        found = self._get_or_none(f"/v1/databases/{quote(database_id)}")
        if found is None or is_gone(found):
            return None
        return [text_of(each, "id") for each in list_of(found, "data_sources")]

    def parent_of_block(self, block_id: str) -> Json:
        """Return what a block lies in; nothing for one that is not shown."""
        return part_of(
            self._get_or_none(f"/v1/blocks/{quote(block_id)}") or {}, "parent"
        )

    def file_of_block(self, block_id: str) -> Json:
        """Return what a block has in it, with an address that works for an hour."""
        found = self._get_or_none(f"/v1/blocks/{quote(block_id)}") or {}
        return part_of(found, text_of(found, "type"))

    def page_values(self, page_id: str) -> Json:
        """Return a page's properties as they are now."""
        found = self._get_or_none(f"/v1/pages/{quote(page_id)}")
        return part_of(found or {}, "properties")

    # -- lists ----------------------------------------------------------------------

    def search(self) -> Iterator[list[Node]]:
        """Yield pages and data sources that are shared, those edited last first."""
        sort = {"timestamp": "last_edited_time", "direction": "descending"}
        for found, _ in self._posted("/v1/search", {"sort": sort}):
            yield [node for each in found if (node := read_node(each))]

    def rows(self, source_id: str) -> Iterator[list[Node]]:
        """Yield the pages of a data source, oldest first; each may come twice.

        A query has 10,000 results at most: the next one begins where it ended.
        """
        path = f"/v1/data_sources/{quote(source_id)}/query"
        sorts = [{"timestamp": "created_time", "direction": "ascending"}]
        since = ""
        while True:
            body: dict[str, object] = {"sorts": sorts}
            if since:
                after = {"on_or_after": since}
                body["filter"] = {"timestamp": "created_time", "created_time": after}
            last, is_cut = since, False
            for found, status in self._posted(path, body):
                nodes = [node for each in found if (node := read_node(each))]
                yield nodes
                last = max([last, *(node.created for node in nodes)])
                is_cut = is_cut or text_of(status, "type") == "incomplete"
            if not is_cut or last == since:
                return
            since = last

    def blocks(self, parent_id: str) -> Iterator[list[Json]]:
        """Yield the blocks in a page or block, as they follow each other."""
        yield from self._listed(f"/v1/blocks/{quote(parent_id)}/children", {})

    def comments(self, page_id: str) -> list[Json]:
        """Return the open comments on a page itself, oldest first."""
        pages = self._listed("/v1/comments", {"block_id": page_id})
        return [each for found in pages for each in found]

    def user_names(self) -> dict[str, str]:
        """Return names by id; none where the integration may not see users."""
        if self._users is None:
            try:
                pages = self._listed("/v1/users", {})
                users = [each for found in pages for each in found]
            except NotAllowed:
                users = []
            self._users = {text_of(e, "id"): text_of(e, "name") for e in users}
        return self._users

    def download(self, address: str, limit: int) -> bytes | None:
        """Return a file's bytes, as ApiClient does."""
        return self._client.download(address, limit)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    # -- answers --------------------------------------------------------------------

    def _present(self, path: str) -> Node | None:
        node = read_node(self._get_or_none(path) or {})
        return None if node is None or node.is_gone else node

    def _get_or_none(self, path: str) -> Json | None:
        try:
            found = self._client.get(path)
        except _ABSENT:
            return None
        return found if isinstance(found, dict) else None

    def _listed(self, path: str, params: Params) -> Iterator[list[Json]]:
        def ask(cursor: dict[str, str]) -> object:
            return self._client.get(path, {"page_size": _AT_A_TIME, **params, **cursor})

        yield from (found for found, _ in _pages(ask))

    def _posted(
        self, path: str, body: dict[str, object]
    ) -> Iterator[tuple[list[Json], Json]]:
        def ask(cursor: dict[str, str]) -> object:
            return self._client.post(path, {"page_size": _AT_A_TIME, **body, **cursor})

        yield from _pages(ask)


def _pages(
    ask: Callable[[dict[str, str]], object],
) -> Iterator[tuple[list[Json], Json]]:
    """Yield the results of each answer with its status, to the last one.

    A server that leads back to where it was before is left.
    """
    seen: set[str] = set()
    cursor: dict[str, str] = {}
    while len(seen) < _MAX_ANSWERS:
        answer = ask(cursor)
        if not isinstance(answer, dict) or not isinstance(answer.get("results"), list):
            raise _not_notion("results")
        yield list_of(answer, "results"), part_of(answer, "request_status")
        following = text_of(answer, "next_cursor")
        if answer.get("has_more") is not True or not following or following in seen:
            return
        seen.add(following)
        cursor = {"start_cursor": following}


def _not_notion(name: str) -> SourceError:
    return SourceError(
        gettext(
            "The server does not respond like Notion: '%(name)s' is missing. Check "
            "the URL."
        )
        % {"name": name}
    )
