"""The interface describes itself, without help from other hosts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from devrag.api import api


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in api.get_openapi_schema()["paths"].items():
        for method, operation in methods.items():
            yield f"{method} {path}", operation


OPERATIONS = dict(operations())
HOOK = "post /api/v1/hooks/{kind}/{source}"


def test_all_ways_are_there() -> None:
    assert set(OPERATIONS) == {
        # The eleven of the seed (S2-8.10, T40).
        "post /api/v1/sources/index",
        "post /api/v1/products/wiki",
        "delete /api/v1/sources/{sourceID}",
        "delete /api/v1/products/{productID}",
        "get /api/v1/jobs/{jobID}",
        "get /api/v1/products",
        "get /api/v1/products/{productID}",
        "get /api/v1/products/{productID}/sources",
        "get /api/v1/sources",
        "get /api/v1/sources/{sourceID}",
        "get /api/v1/products/{productID}/wiki",
        "get /api/v1/products/{productID}/wiki/files",
        "get /api/v1/products/{productID}/wiki/files/{path}",
        # What they need besides.
        "post /api/v1/search",
        "post /api/v1/sources",
        "patch /api/v1/sources/{sourceID}",
        "post /api/v1/sources/{sourceID}/hook",
        HOOK,
    }


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_says_what_it_does(name: str) -> None:
    assert OPERATIONS[name]["summary"]
    assert OPERATIONS[name]["description"].endswith(".")


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_describes_its_errors(name: str) -> None:
    responses = OPERATIONS[name]["responses"]
    assert {401, 403, 422} <= set(responses)
    for status, response in responses.items():
        (content,) = response["content"].values()
        schema = content["schema"]
        assert (schema.get("$ref") == "#/components/schemas/Problem") == (status >= 400)


@pytest.mark.parametrize("name", sorted(set(OPERATIONS) - {HOOK}))
def test_every_operation_wants_a_token(name: str) -> None:
    assert OPERATIONS[name]["security"] == [{"BearerToken": []}]


def test_json_names_are_those_of_the_seed() -> None:  # S2-8.10-13
    schemas = api.get_openapi_schema()["components"]["schemas"]
    assert set(schemas["IndexRequest"]["properties"]) == {
        "sourceName",
        "ref",
        "commitHash",
        "generateWiki",
        "fullIndex",
    }
    assert set(schemas["WikiRequest"]["properties"]) == {"productName"}


def test_no_name_has_an_underscore() -> None:
    schemas = api.get_openapi_schema()["components"]["schemas"]
    names = {name for schema in schemas.values() for name in schema["properties"]}
    assert [name for name in names if "_" in name or "Id" in name] == []


def test_the_docs_page_asks_no_other_host() -> None:
    page = Client(HTTP_HOST="localhost").get("/api/v1/docs")
    assert page.status_code == 200
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page.content.decode())
    assert addresses
    assert [a for a in addresses if not a.startswith("/static/")] == []
    assert "https://" not in page.content.decode()


def test_the_description_is_served() -> None:
    answer = Client(HTTP_HOST="localhost").get("/api/v1/openapi.json")
    assert answer.json()["info"]["title"] == "devrag"
