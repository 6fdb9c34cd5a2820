"""Addresses of spaces, as people copy them."""

from __future__ import annotations

import pytest

from devrag.core.errors import InvalidInput
from devrag.sources.connectors.confluence.address import (
    SpaceAddress,
    parse_space_address,
)
from devrag.sources.hosts import AddressRules

RULES = AddressRules()
CLOUD = "https://acme.atlassian.net/wiki"
SERVER = "https://wiki.example.com"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"{CLOUD}/spaces/ENG", (CLOUD, "ENG", True)),
        (f"{CLOUD}/spaces/ENG/overview?homepageId=1", (CLOUD, "ENG", True)),
        (f"{CLOUD}/spaces/ENG/pages/77/Payment+flow#Top", (CLOUD, "ENG", True)),
        (f"{CLOUD}/spaces/~5570580c/pages", (CLOUD, "~5570580c", True)),
        ("https://ACME.atlassian.net/spaces/ENG", (CLOUD, "ENG", True)),
        (
            "https://api.atlassian.com/ex/confluence/abc-1/wiki/spaces/ENG",
            ("https://api.atlassian.com/ex/confluence/abc-1/wiki", "ENG", True),
        ),
        (f"{SERVER}/display/ENG/Home", (SERVER, "ENG", False)),
        (f"{SERVER}/display/~ken", (SERVER, "~ken", False)),
        (
            f"{SERVER}:8443/confluence/spaces/viewspace.action?key=ENG",
            (f"{SERVER}:8443/confluence", "ENG", False),
        ),
        (
            f"{SERVER}/pages/viewpage.action?spaceKey=ENG&title=Home",
            (SERVER, "ENG", False),
        ),
        (f"{SERVER}/spaces/ENG/pages/1/spaces", (SERVER, "ENG", False)),
    ],
)
def test_a_space_is_found(url: str, expected: tuple[str, str, bool]) -> None:
    assert parse_space_address(f" {url} ", RULES) == SpaceAddress(*expected)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "wiki.example.com/display/ENG",
        SERVER,
        f"{CLOUD}/home",
        f"{CLOUD}/x/AbCd",
        f"{SERVER}/pages/viewpage.action?pageId=77",
        f'{SERVER}/display/E"G',
        f"{SERVER}/display/A%20B",
        "ssh://wiki.example.com/display/ENG",
    ],
)
def test_what_names_no_space_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="does not name a Confluence space"):
        parse_space_address(url, RULES)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://wiki.example.com/display/ENG", "not encrypted"),
        ("https://me:secret@wiki.example.com/display/ENG", "credentials"),
    ],
)
def test_an_unsafe_address_is_refused(url: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words) as caught:
        parse_space_address(url, RULES)
    assert "secret" not in str(caught.value)
