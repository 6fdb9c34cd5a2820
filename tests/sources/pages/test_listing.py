"""Lists in several answers: what follows, how many there are, and whether it is new."""

from __future__ import annotations

import pytest

from devrag.core.errors import SourceError
from devrag.sources.connectors.pages.client import ApiClient
from tests.scripted_server import Scripted
from tests.sources.pages.api_server import ApiServer, Pauses

Connected = tuple[ApiClient, Pauses]


def test_a_page_of_a_list_tells_what_follows_and_its_tag(
    server: ApiServer, connected: Connected
) -> None:
    links = (
        '<http://proxy.invalid/a?page=2&per_page=1&q=a%20b>; rel="next", '
        '<http://proxy.invalid/a?page=9&per_page=1>; rel="last", <http://[>; rel=prev'
    )
    headers = {"Link": links, "ETag": 'W/"1"'}
    server.script = [Scripted(body=[{"id": 1}, 2], headers=headers)]
    page = connected[0].get_page("/a", {"iids[]": [1, 2]})
    assert page is not None
    assert page.results == [{"id": 1}]
    assert page.following == {"page": "2", "per_page": "1", "q": "a b"}
    assert (page.etag, page.total) == ('W/"1"', 9)
    assert server.seen[0].path == "/a?iids%5B%5D=1&iids%5B%5D=2"


@pytest.mark.parametrize(
    ("headers", "total"),
    [
        ({"X-Total": "77", "Link": '<https://x/?page=2>; rel="next"'}, 77),
        ({"Link": '<https://x/?page=2&per_page=1>; rel="next"'}, None),
        ({}, 1),
        ({"X-Total": "many"}, 1),
    ],
)
def test_a_list_is_counted_where_the_server_tells(
    server: ApiServer,
    connected: Connected,
    headers: dict[str, str],
    total: int | None,
) -> None:
    server.script = [Scripted(body=[{}], headers=headers)]
    page = connected[0].get_page("/a")
    assert page is not None
    assert page.total == total


def test_a_page_that_is_the_same_is_not_sent_again(
    server: ApiServer, connected: Connected
) -> None:
    server.script = [Scripted(status=304, body="")]
    assert connected[0].get_page("/a", etag='W/"1"') is None
    assert server.seen[0].headers["if-none-match"] == 'W/"1"'


def test_what_is_no_list_is_told(server: ApiServer, connected: Connected) -> None:
    with pytest.raises(SourceError, match="does not return a list"):
        connected[0].get_page("/a")
