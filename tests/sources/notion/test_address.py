"""Addresses of pages and databases, as browsers show them."""

from __future__ import annotations

import pytest

from devrag.core.errors import InvalidInput
from devrag.sources.connectors.notion import (
    is_notion_address,
    notion_name,
    notion_url,
)
from devrag.sources.connectors.notion.address import parse_notion_address
from devrag.sources.hosts import AddressRules
from tests.sources.repositories import LOOPBACK

RULES = AddressRules()
PLAIN = "0123456789abcdef0123456789abcdef"
ID = "01234567-89ab-cdef-0123-456789abcdef"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        (f"https://www.notion.so/acme/Payment-flow-{PLAIN}?pvs=4", "Payment-flow"),
        (f"https://www.notion.so/Payment-flow-{PLAIN.upper()}", "Payment-flow"),
        (f"https://www.notion.so/{PLAIN}?v={'9' * 32}", "notion"),
        (f"https://www.notion.so/{ID}#{'8' * 32}", "notion"),
        (f"https://acme.notion.site/Handbook-{PLAIN}", "Handbook"),
        (f"https://app.notion.com/p/acme/Tasks-{PLAIN}", "Tasks"),
        (f"  https://notion.so/acme?p={PLAIN}&pm=s ", "notion"),
        (f"https://www.notion.so/Caf%C3%A9-{PLAIN}/", "Café"),
    ],
)
def test_a_page_or_database_is_named_in_many_ways(url: str, name: str) -> None:
    found = parse_notion_address(url, RULES)
    assert (found.base_url, found.root_id) == ("https://api.notion.com", ID)
    assert notion_url(url, RULES) == f"https://www.notion.so/{PLAIN}"
    assert notion_name(url) == name
    assert is_notion_address(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://www.notion.so",
        "https://www.notion.so/",
        "https://notion.com",
        "https://api.notion.com/v1",
    ],
)
def test_notion_itself_stands_for_everything_that_is_shared(url: str) -> None:
    found = parse_notion_address(url, RULES)
    assert (found.root_id, found.url) == ("", "https://www.notion.so")
    assert notion_name(url) == "notion"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "notion.so",
        "git@notion.so:path",
        "https://www.notion.so/acme",
        f"https://www.notion.so/{PLAIN[:-1]}",
        f"https://www.notion.so/0{PLAIN}",
        f"http://www.notion.so/{PLAIN}",
        f"https://example.com/{PLAIN}",
        f"https://notnotion.so/{PLAIN}",
        f"https://www.notion.so.example.com/{PLAIN}",
        f"https://user:secret@example.com/{PLAIN}",
        f"http://127.0.0.1:80/{PLAIN}",
        "https://[::1",
    ],
)
def test_anything_else_is_refused_and_gets_no_token(url: str) -> None:
    with pytest.raises(InvalidInput, match="is not the URL of a Notion page") as caught:
        parse_notion_address(url, RULES)
    assert "secret" not in str(caught.value)


def test_a_login_in_the_address_is_refused() -> None:
    with pytest.raises(InvalidInput):
        parse_notion_address(f"https://a:secret@www.notion.so/{PLAIN}", RULES)


def test_a_server_of_tests_is_let_through_where_loopback_is() -> None:
    found = parse_notion_address(f"http://127.0.0.1:8123/Title-{PLAIN}", LOOPBACK)
    assert (found.base_url, found.root_id) == ("http://127.0.0.1:8123", ID)
    assert found.url == f"http://127.0.0.1:8123/{PLAIN}"
    assert not found.is_limited
    assert parse_notion_address(f"https://notion.so/{PLAIN}", LOOPBACK).is_limited
