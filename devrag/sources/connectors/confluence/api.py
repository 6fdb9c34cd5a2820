"""Confluence's REST API: one search by CQL for everything, and the space.

The first version of the API has this search on Cloud and Data Center alike, with
bodies, labels, ancestors and restrictions in its answers. Only a space's name and home
page are asked for in another way on each.

source: Confluence Cloud REST API v1 and v2, Data Center REST API, CQL fields; the
limits: "Searching for content with the REST API and CQL always limits results to 50".
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from devrag.core.errors import NotFound, SourceError
from devrag.core.texts import gettext
from devrag.sources.connectors.confluence.address import SpaceAddress
from devrag.sources.connectors.confluence.content import Content, read_content
from devrag.sources.connectors.pages.client import ApiClient, Params
from devrag.sources.connectors.pages.failures import AnswerTooLarge
from devrag.sources.connectors.types import Credentials

_SEARCH = "/rest/api/content/search"
_OF_PAGES = (
    *("version", "history", "ancestors", "metadata.labels", "container"),
    *("restrictions.read.restrictions.user", "restrictions.read.restrictions.group"),
)
# What the server gives at most, with bodies and without.
_WITH_BODIES, _WITHOUT = 50, 200
_IDS_AT_A_TIME = 50
# Answers without results that lead to further ones, one after the other.
_MAX_EMPTY = 50


@dataclass(frozen=True, slots=True)
class Space:
    """The space. home_id: of its home page, '' where it has none."""

    key: str
    name: str
    home_id: str


def sign_in(credentials: Credentials) -> dict[str, str]:
    """Return the header that signs requests: with a user name Basic, else Bearer."""
    if not credentials.secret:
        return {}
    if credentials.username:
        plain = f"{credentials.username}:{credentials.secret}".encode()
        return {"Authorization": f"Basic {base64.b64encode(plain).decode()}"}
    return {"Authorization": f"Bearer {credentials.secret}"}


class ConfluenceApi:
    """Asks for one space. Errors are those of ApiClient."""

    def __init__(self, address: SpaceAddress, client: ApiClient) -> None:
        self._address, self._client = address, client

    @property
    def server_time(self) -> datetime | None:
        """Return the server's clock at its last answer."""
        return self._client.server_time

    @property
    def of_space(self) -> str:
        """Return the clause of CQL for what is in the space."""
        return f"space in ({quoted_list([self._address.key])})"

    def space(self) -> Space:
        """Return the space; raises NotFound where the token sees none of this key."""
        key = self._address.key
        if self._address.is_cloud:
            answer = _mapping(self._client.get("/api/v2/spaces", {"keys": key}))
            found = next(iter(_list(answer, "results")), None)
            if found is None:
                raise _no_space(self._address)
            home = str(found.get("homepageId") or "")
            return Space(key, str(found.get("name") or key), home)
        path = f"/rest/api/space/{quote(key, safe='~')}"
        answer = _mapping(self._client.get(path, {"expand": "homepage"}))
        home = str(_mapping(answer.get("homepage")).get("id") or "")
        return Space(key, str(answer.get("name") or key), home)

    def search(self, cql: str, *, has_bodies: bool = False) -> Iterator[list[Content]]:
        """Yield what a query finds, each content once, as the server gives it out."""
        expand = (*_OF_PAGES, "body.storage") if has_bodies else _OF_PAGES
        limit = _WITH_BODIES if has_bodies else _WITHOUT
        first: Params = {"cql": cql, "expand": ",".join(expand), "limit": limit}
        yield from self._pages(_SEARCH, first)

    def by_ids(
        self, ids: Sequence[str], *, has_bodies: bool = False
    ) -> Iterator[Content]:
        """Yield the contents of these ids that there are in the space.

        One whose body is beyond what is read of any answer comes without its body.
        """
        for start in range(0, len(ids), _IDS_AT_A_TIME):
            yield from self._some(ids[start : start + _IDS_AT_A_TIME], has_bodies)

    def _some(self, ids: Sequence[str], has_bodies: bool) -> Iterator[Content]:
        query = f"{self.of_space} and id in ({','.join(ids)})"
        try:
            found = [
                each
                for page in self.search(query, has_bodies=has_bodies)
                for each in page
            ]
        except AnswerTooLarge:
            half = len(ids) // 2
            if half:
                yield from self._some(ids[:half], has_bodies)
                yield from self._some(ids[half:], has_bodies)
            elif has_bodies:
                yield from self._some(ids, has_bodies=False)
            else:
                raise
        else:
            yield from found

    def count(self, cql: str) -> int | None:
        """Return how many a query finds; None where the server does not tell."""
        answer = _mapping(self._client.get(_SEARCH, {"cql": cql, "limit": 1}))
        total = answer.get("totalSize")
        return total if isinstance(total, int) else None

    def comments(self, page_id: str) -> list[Content]:
        """Return the comments of a page, answers to others too, oldest first."""
        path = f"/rest/api/content/{quote(page_id)}/child/comment"
        expand = "body.storage,version,history"
        first: Params = {"expand": expand, "depth": "all", "limit": _WITH_BODIES}
        found = [each for page in self._pages(path, first) for each in page]
        return sorted(found, key=lambda each: (each.created, each.content_id))

    def download(self, address: str, limit: int) -> bytes | None:
        """Return an attachment's bytes, as ApiClient does."""
        return self._client.download(address, limit)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    # -- pages of results -------------------------------------------------------

    def _pages(self, path: str, params: Params | None) -> Iterator[list[Content]]:
        seen: set[str] = set()
        empty = 0
        while empty < _MAX_EMPTY:
            answer = _mapping(self._client.get(path, params))
            results = _list(answer, "results")
            found = [each for data in results if (each := read_content(data))]
            # Some come twice when pages change meanwhile, and a server may go on for
            # ever with the last ones.
            new = {
                each.content_id: each for each in found if each.content_id not in seen
            }
            if new:
                yield list(new.values())
            seen |= new.keys()
            links = _mapping(answer.get("_links"))
            following = str(links.get("next") or "")
            if not following or (results and not new):
                return
            empty = 0 if new else empty + 1
            path, params = self._below_base(following, links), None

    def _below_base(self, following: str, links: Mapping[str, Any]) -> str:
        """Return the path of the next results, which may begin with the context."""
        context = str(links.get("context") or "")
        if context and following.startswith(f"{context}/"):
            return following.removeprefix(context)
        return following


def _list(answer: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = answer.get(name)
    if not isinstance(found, list):
        raise SourceError(
            gettext(
                "The server does not respond like Confluence: '%(name)s' is missing. "
                "Check the address."
            )
            % {"name": name}
        )
    return [each for each in found if isinstance(each, Mapping)]


def _mapping(found: object) -> Mapping[str, Any]:
    return found if isinstance(found, Mapping) else {}


def _no_space(address: SpaceAddress) -> NotFound:
    return NotFound(
        gettext(
            "This token has no access to a space %(key)s on %(base)s. Check the key, "
            "and that the token's user can view the space."
        )
        % {"base": address.base_url, "key": address.key}
    )


def quoted_list(values: Iterable[str]) -> str:
    """Return values as CQL's list of texts."""
    escaped = (each.replace("\\", "\\\\").replace('"', '\\"') for each in values)
    return ", ".join(f'"{each}"' for each in escaped)
