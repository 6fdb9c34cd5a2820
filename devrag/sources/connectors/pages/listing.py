"""One answer of a list in several: what it has, and what to ask for next. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2

from devrag.core.errors import SourceError
from devrag.core.texts import gettext
from devrag.sources.connectors.pages.json_data import Json

_LINK = re.compile(r"<([^<>]{1,4000})>([^<]*)")
_MAX_LINKS = 20


@dataclass(frozen=True, slots=True)
class Page:
    """Some results. following: the parameters that ask for those after them.

    They alone are taken of the address that the server gives: it may be one that only
    a proxy knows, to which no token goes. {} after the last. etag: '' where there is
    none. total: how many results there are with all that follow, None where the server
    does not tell; so for pages of one result.
    """

    results: list[Json]
    following: Mapping[str, str] = field(default_factory=dict)
    etag: str = ""
    total: int | None = None


def read_page(data: Any, headers: httpx2.Headers, url: str) -> Page:
    """Return an answer; raises SourceError for one that is no list."""
    if not isinstance(data, list):
        raise SourceError(
            gettext("%(url)s does not return a list. Check the URL.") % {"url": url}
        )
    results = [each for each in data if isinstance(each, Mapping)]
    links = dict(_links(headers.get("link", "")))
    following = links.get("next", {})
    return Page(
        results, following, headers.get("etag", ""), _total(headers, links, results)
    )


def _links(header: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield what the answer is tied to: the relation, and its parameters."""
    for found in list(_LINK.finditer(header))[:_MAX_LINKS]:
        relation = re.search(r'rel="?([a-z]+)', found[2])
        if relation is None:
            continue
        try:
            yield relation[1], dict(parse_qsl(urlsplit(found[1]).query))
        except ValueError:
            continue


def _total(
    headers: httpx2.Headers,
    links: Mapping[str, Mapping[str, str]],
    results: list[Json],
) -> int | None:
    told = headers.get("x-total", "")
    if told.isdecimal():
        return int(told)
    if "next" not in links:
        return len(results)
    last = links.get("last", {})
    number = last.get("page", "") if last.get("per_page") == "1" else ""
    return int(number) if number.isdecimal() else None
