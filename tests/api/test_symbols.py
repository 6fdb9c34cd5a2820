"""Files and definitions over REST, of a shop that is really indexed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from devrag.navigation.symbols import symbols_by_key
from devrag.products.models import Product
from devrag.sources.models import Source, Symbol
from tests.conftest import Repository, Stand
from tests.people import bearer
from tests.search.shop import index_shop
from tests.standing import Standing

from .requests import problem

pytestmark = pytest.mark.django_db
Get = Callable[..., Any]


@pytest.fixture(scope="module")
def standing_shop(stand: Stand) -> Standing[Repository]:
    return stand(index_shop)


@pytest.fixture
def shop(standing_shop: Standing[Repository], db: None, tmp_path: Path) -> Repository:
    return standing_shop.furnish(tmp_path / "home")


@pytest.fixture
def get(client: Client, shop: Repository) -> Get:
    headers = bearer("read")

    def ask(path: str, **query: Any) -> Any:
        address = path.format(id=Source.objects.get().pk)
        answer = client.get(f"/api/v1{address}", query, headers=headers)
        assert answer.status_code == 200, answer.content
        return answer.json()

    return ask


def test_versions_and_refs_name_the_commit(get: Get, shop: Repository) -> None:
    head = shop.git("rev-parse", "HEAD")
    (snapshot,) = get("/sources/{id}/snapshots")
    assert (snapshot["commitHash"], snapshot["isIndexed"]) == (head, True)
    assert snapshot["fileCount"] == 7
    (ref,) = get("/sources/{id}/refs")
    assert ref == {
        "ref": "main",
        "kind": "branch",
        "commitHash": head,
        "isCurrent": True,
    }


def test_files_are_listed_below_a_path(get: Get, shop: Repository) -> None:
    rows = get("/sources/{id}/files", pathPrefix="shop/")
    assert [row["path"] for row in rows] == [
        "shop/__init__.py",
        "shop/__main__.py",
        "shop/cart.py",
        "shop/till.py",
    ]
    head = shop.git("rev-parse", "HEAD")
    assert len(get("/sources/{id}/files", version=head)) == 7


def test_lines_of_a_file_come_with_its_commit(get: Get, shop: Repository) -> None:
    head = shop.git("rev-parse", "HEAD")
    data = get("/sources/{id}/files/shop/till.py", version=head, startLine=6, endLine=7)
    assert data["text"].startswith("def charge(amount: int) -> int:\n")
    assert (data["startLine"], data["endLine"], data["lineCount"]) == (6, 7, 9)
    assert data["commitHash"] == head
    whole = get("/sources/{id}/files/docs/日本語.md")
    assert whole["text"].startswith("# 設計\n")


@pytest.mark.parametrize(
    ("tail", "status"),
    [
        ("nothing.py", 404),
        ("shop/till.py?version=" + "0" * 40, 404),
        ("shop/till.py?startLine=100", 400),
        ("shop/till.py?startLine=0", 422),
        ("shop/till.py?version=a%00b", 400),
    ],
)
def test_what_is_not_there_is_a_problem(
    client: Client, shop: Repository, tail: str, status: int
) -> None:
    path = f"/api/v1/sources/{Source.objects.get().pk}/files/{tail}"
    problem(client.get(path, headers=bearer("read")), status)


def test_a_definition_is_found_by_its_name(get: Get) -> None:
    (found,) = get("/symbols", name="Cart.checkout")
    assert (found["kind"], found["path"]) == ("method", "shop/cart.py")
    assert get("/symbols", name="checkout", kind="class") == []


def test_a_definition_tells_all_that_is_known(get: Get) -> None:
    (charge,) = get("/symbols", name="charge")
    data = get(f"/symbols/{charge['symbolID']}")
    assert data["parameters"] == [{"name": "amount", "type": "int"}]
    assert data["returnType"] == "int"
    assert data["docstring"].startswith("Take the money")
    assert data["calledBy"] == ["Cart.checkout"]
    assert data["text"].startswith("def charge(")
    (cart,) = get("/symbols", name="Cart")
    members = get(f"/symbols/{cart['symbolID']}")["members"]
    assert [each["name"] for each in members] == ["__init__", "add", "checkout"]


def test_uses_callers_and_callees_lead_to_each_other(get: Get) -> None:
    (charge,) = get("/symbols", name="charge")
    (checkout,) = get("/symbols", name="Cart.checkout")
    (caller,) = get(f"/symbols/{charge['symbolID']}/callers")
    assert [each.pop("definitionCount") for each in (charge, checkout)] == [1, 1]
    assert (caller["symbol"], caller["line"]) == (checkout, 18)
    data = get(f"/symbols/{checkout['symbolID']}/callees")
    assert [each["symbol"] for each in data["callees"]] == [charge]
    assert "sum" in data["openNames"]
    uses = get(f"/symbols/{charge['symbolID']}/references")
    assert {use["kind"] for use in uses["references"]} == {"call", "import"}
    assert uses["total"] == 2


def test_definitions_are_described_at_once(
    shop: Repository, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    keys = list(Symbol.objects.values_list("pk", flat=True))
    with django_assert_num_queries(1):
        rows = symbols_by_key(keys).values()
        assert {row.file.source.name for row in rows} == {"shop"}


def test_another_products_token_sees_nothing_of_it(
    client: Client, get: Get, shop: Repository
) -> None:
    (charge,) = get("/symbols", name="charge")
    source = Source.objects.get()
    other = Product.objects.create(name="elsewhere")
    headers = bearer("admin", products=(other,))
    assert client.get("/api/v1/symbols?name=charge", headers=headers).json() == []
    for path in (
        f"/symbols/{charge['symbolID']}",
        f"/symbols/{charge['symbolID']}/callers",
        f"/sources/{source.pk}/files",
        f"/sources/{source.pk}/files/shop/till.py",
        f"/symbols?name=charge&sourceName={source.name}",
    ):
        problem(client.get(f"/api/v1{path}", headers=headers), 404)
