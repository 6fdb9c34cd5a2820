"""Addresses of repositories, as people copy them."""

from __future__ import annotations

import pytest

from devrag.core.errors import InvalidInput
from devrag.sources.connectors.github.address import (
    is_github_tickets,
    parse_repository_address,
    repository_url,
)
from devrag.sources.hosts import AddressRules

RULES = AddressRules()
WEB, API = "https://github.com", "https://api.github.com"
OWN = "https://git.example.com"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"{WEB}/acme/shop", (f"{WEB}/acme/shop", API)),
        (f"{WEB}/acme/shop/issues?q=is%3Aopen", (f"{WEB}/acme/shop", API)),
        (f"{WEB}/acme/shop/pull/12#issuecomment-1", (f"{WEB}/acme/shop", API)),
        ("https://www.GitHub.com/Acme/Sh.op.git", (f"{WEB}/Acme/Sh.op", API)),
        (f"{API}/repos/acme/shop/issues", (f"{WEB}/acme/shop", API)),
        (f"{OWN}/acme/shop/", (f"{OWN}/acme/shop", f"{OWN}/api/v3")),
        (f"{OWN}/api/v3/repos/acme/shop", (f"{OWN}/acme/shop", f"{OWN}/api/v3")),
        (f"{OWN}:8443/a/b/issues/1", (f"{OWN}:8443/a/b", f"{OWN}:8443/api/v3")),
        (
            "https://acme.ghe.com/acme/shop",
            ("https://acme.ghe.com/acme/shop", "https://api.acme.ghe.com"),
        ),
        (f"{OWN}/orgs/shop", (f"{OWN}/orgs/shop", f"{OWN}/api/v3")),
    ],
)
def test_a_repository_is_found(url: str, expected: tuple[str, str]) -> None:
    found = parse_repository_address(f" {url} ", RULES)
    assert (found.url, found.api_url) == expected
    assert parse_repository_address(found.url, RULES) == found
    assert repository_url(url, RULES) == found.url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "github.com/acme/shop",
        "git@github.com:acme/shop.git",
        WEB,
        f"{WEB}/acme",
        f"{WEB}/orgs/acme",
        f"{WEB}/acme/..",
        f"{WEB}/acme/sh%20op",
        f"{WEB}/-acme/shop",
        "https://[/acme/shop",
    ],
)
def test_what_names_no_repository_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="is not the URL of a GitHub repository"):
        parse_repository_address(url, RULES)


def test_an_address_must_be_one_that_sources_may_have() -> None:
    with pytest.raises(InvalidInput):
        parse_repository_address("http://git.example.com/acme/shop", RULES)
    with pytest.raises(InvalidInput) as caught:
        parse_repository_address("https://u:secret@github.com/acme/shop", RULES)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"{WEB}/acme/shop/issues", True),
        (f"{WEB}/acme/shop/issues/7?x=1", True),
        (f"{WEB}/acme/shop/pulls", True),
        (f"{WEB}/acme/shop/pull/7/files", True),
        (f"{WEB}/acme/shop", False),  # a repository for git
        (f"{WEB}/acme/issues", False),
        (f"{WEB}/acme/shop/tree/main/issues", False),
        (f"{OWN}/acme/shop/issues", False),  # of anybody
    ],
)
def test_tickets_are_told_from_a_repository(url: str, expected: bool) -> None:
    assert is_github_tickets(url) is expected
