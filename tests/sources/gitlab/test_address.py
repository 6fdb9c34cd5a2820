"""Addresses of projects, as people copy them."""

from __future__ import annotations

import pytest

from devrag.core.errors import InvalidInput
from devrag.sources.connectors.gitlab.address import (
    is_gitlab_tickets,
    parse_project_address,
    project_url,
)
from devrag.sources.hosts import AddressRules

RULES = AddressRules()
SERVER = "https://gitlab.com"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"{SERVER}/acme/shop", "acme/shop"),
        (f"{SERVER}/acme/web/back-end/shop/-/issues", "acme/web/back-end/shop"),
        (f"{SERVER}/acme/shop/-/issues/12?x=1#note_3", "acme/shop"),
        (f"{SERVER}/acme/shop/-/merge_requests/12/diffs", "acme/shop"),
        (f"{SERVER}/acme/shop/-/tree/main/-/x", "acme/shop"),
        (f"{SERVER}/acme/shop/-", "acme/shop"),
        (f"{SERVER}/acme/shop.git", "acme/shop"),
        (f"{SERVER}/acme/shop/issues/12", "acme/shop"),
        (f"{SERVER}/acme/shop/merge_requests/12/diffs", "acme/shop"),
        (f"{SERVER}/acme/issues", "acme/issues"),
        (f"{SERVER}/api/v4/projects/acme%2Fweb%2Fshop/issues", "acme/web/shop"),
    ],
)
def test_a_project_is_found(url: str, expected: str) -> None:
    found = parse_project_address(f" {url} ", RULES)
    assert (found.path, found.api_url) == (expected, f"{SERVER}/api/v4")
    assert found.url == f"{SERVER}/{expected}"
    assert parse_project_address(found.url, RULES) == found
    assert project_url(url, RULES) == found.url
    assert found.api_path == f"/projects/{expected.replace('/', '%2F')}"


def test_below_a_path_of_its_host_the_address_of_the_api_tells() -> None:
    url = "https://EXAMPLE.com:8443/gitlab/api/v4/projects/acme%2Fshop"
    found = parse_project_address(url, RULES)
    assert found.api_url == "https://example.com:8443/gitlab/api/v4"
    assert found.url == "https://example.com:8443/gitlab/acme/shop"
    kept = project_url(url, RULES)
    assert parse_project_address(kept, RULES) == found


@pytest.mark.parametrize(
    "url",
    [
        "",
        "gitlab.com/acme/shop",
        "git@gitlab.com:acme/shop.git",
        SERVER,
        f"{SERVER}/acme",
        f"{SERVER}/acme/-/issues",
        f"{SERVER}/acme/../shop",
        f"{SERVER}/acme/sh%20op",
        f"{SERVER}/api/v4/projects/77/issues",  # has no address in the browser
        "https://[/acme/shop",
    ],
)
def test_what_names_no_project_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="is not the URL of a GitLab project"):
        parse_project_address(url, RULES)


def test_an_address_must_be_one_that_sources_may_have() -> None:
    with pytest.raises(InvalidInput):
        parse_project_address("http://gitlab.example.com/acme/shop", RULES)
    with pytest.raises(InvalidInput) as caught:
        parse_project_address("https://u:secret@gitlab.com/acme/shop", RULES)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"{SERVER}/acme/shop/-/issues", True),
        ("https://git.example.com/a/b/c/-/merge_requests/7", True),
        (f"{SERVER}/acme/shop/-/work_items/7", True),
        (f"{SERVER}/acme/shop", False),  # a repository for git
        (f"{SERVER}/acme/shop/-/tree/main", False),
        ("/srv/acme/shop/-/issues", False),
    ],
)
def test_tickets_are_told_from_a_repository(url: str, expected: bool) -> None:
    assert is_gitlab_tickets(url) is expected
