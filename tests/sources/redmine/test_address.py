"""Addresses of projects, as people copy them."""

from __future__ import annotations

import pytest

from devrag.core.errors import InvalidInput
from devrag.sources.connectors.redmine.address import (
    ProjectAddress,
    parse_project_address,
    project_url,
)
from devrag.sources.hosts import AddressRules

RULES = AddressRules()
SERVER = "https://redmine.example.com"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"{SERVER}/projects/shop", (SERVER, "shop")),
        (f"{SERVER}/projects/shop/", (SERVER, "shop")),
        (f"{SERVER}/projects/web_shop-2/issues?set_filter=1", (SERVER, "web_shop-2")),
        (f"{SERVER}/projects/shop/wiki/Payment_flow#Top", (SERVER, "shop")),
        (f"{SERVER}/projects/shop.json", (SERVER, "shop")),
        (f"{SERVER}/projects/7", (SERVER, "7")),
        (
            "https://EXAMPLE.com:8443/redmine/projects/shop/issues",
            ("https://example.com:8443/redmine", "shop"),
        ),
        (f"{SERVER}/projects/a/wiki/projects/b", (SERVER, "a")),
    ],
)
def test_a_project_is_found(url: str, expected: tuple[str, str]) -> None:
    found = parse_project_address(f" {url} ", RULES)
    assert found == ProjectAddress(*expected)
    assert parse_project_address(found.url, RULES) == found
    assert project_url(url, RULES) == found.url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "redmine.example.com/projects/shop",
        SERVER,
        f"{SERVER}/projects",
        f"{SERVER}/issues/12",
        f"{SERVER}/projects/Sh%20op",
        "ssh://redmine.example.com/projects/shop",
        "https://[/projects/shop",
    ],
)
def test_what_names_no_project_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="is not the URL of a Redmine project"):
        parse_project_address(url, RULES)


def test_an_address_must_be_one_that_sources_may_have() -> None:
    with pytest.raises(InvalidInput):
        parse_project_address("http://redmine.example.com/projects/shop", RULES)
    with pytest.raises(InvalidInput) as caught:
        parse_project_address("https://u:secret@h.example/projects/shop", RULES)
    assert "secret" not in str(caught.value)


def test_addresses_of_what_is_in_it() -> None:
    address = ProjectAddress(SERVER, "shop")
    assert address.issue(7) == f"{SERVER}/issues/7"
    assert address.wiki_page("A b/c") == f"{SERVER}/projects/shop/wiki/A%20b%2Fc"
    assert address.wiki_page("A", "other") == f"{SERVER}/projects/other/wiki/A"
