"""POST /api/v1/search: the options and the hits of search(), as the token may see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from devrag.core.local_operator import sign_local_request
from devrag.products.models import Product
from devrag.search.api import SectionText, WikiEdition, replace_wiki_sections
from devrag.sources.models import Chunk
from tests.conftest import Repository, Stand
from tests.people import bearer
from tests.search.shop import index_shop
from tests.standing import Standing

from .requests import post, problem

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def standing_shop(stand: Stand) -> Standing[Repository]:
    return stand(index_shop)


@pytest.fixture
def found(standing_shop: Standing[Repository], db: None, tmp_path: Path) -> Product:
    standing_shop.furnish(tmp_path / "home")
    return Product.objects.get()


def ask(client: Client, **body: Any) -> HttpResponse:
    return post(client, "/api/v1/search", bearer("read"), **body)


def test_an_absent_name_has_low_confidence(client: Client, found: Product) -> None:
    data = ask(client, query="charge_backwards", mode="keyword").json()
    assert data["hits"]
    assert data["confidence"] == "low"
    none = ask(client, query="exact:zymurgy").json()
    assert (none["hits"], none["confidence"]) == ([], "none")


def test_a_command_of_this_machine_needs_no_token(
    client: Client, found: Product
) -> None:
    local = {"Authorization": f"Bearer {sign_local_request(settings.SECRET_KEY)}"}
    path = "/api/v1/search"
    assert post(client, path, local, query="charge").json()["hits"]
    other = {"Authorization": f"Bearer {sign_local_request('another key')}"}
    problem(post(client, path, other, query="charge"), 401)
    body = {"sourceName": "shop"}
    problem(post(client, "/api/v1/sources/index", local, **body), 401)


def test_a_hit_says_where_it_is_and_why(client: Client, found: Product) -> None:
    data = ask(client, query="charge", mode="keyword").json()
    assert set(data) == {
        *("hits", "milliseconds", "lexicalBehind", "notes", "summary"),
        *("confidence", "total"),
    }
    assert (data["confidence"], data["total"]) == ("high", len(data["hits"]))
    assert not data["lexicalBehind"]
    first = data["hits"][0]
    assert first["productName"] == found.name
    assert first["symbol"].endswith("charge")
    assert "charge" in first["text"].lower()
    assert 0 < first["score"] <= 1
    assert first["endLine"] >= first["startLine"] >= 1
    chunk = Chunk.objects.get(pk=first["chunkID"])
    assert first["chunkKey"] == f"shop/till.py::chunk_{chunk.ordinal}"
    assert (first["lexicalRank"], first["semanticRank"]) == (1, None)
    assert first["matchedTerms"] == ["charge"]


def test_a_section_of_a_wiki_has_a_page_and_no_chunk(
    client: Client, found: Product
) -> None:
    section = SectionText("index.md", "Tea", 2, "Prices", "prices", 3, 5, "In yen.")
    replace_wiki_sections(WikiEdition(found.pk, "en", 1, 7), [section])
    [hit] = ask(client, query="yen", kind="wiki").json()["hits"]
    assert (hit["path"], hit["anchor"]) == ("index.md", "prices")
    assert (hit["kind"], hit["version"]) == ("wiki", "7")
    assert (hit["chunkID"], hit["chunkKey"], hit["sourceName"]) == (None, "", "")
    everything = ask(client, query="yen").json()["hits"]
    assert "wiki" not in {each["kind"] for each in everything}


def test_filters_and_strategy_are_obeyed(client: Client, found: Product) -> None:
    narrow = {"mode": "keyword", "pathPrefix": "shop/cart", "strategy": "snippet"}
    hits = ask(client, query="charge", **narrow).json()["hits"]
    assert {hit["path"] for hit in hits} == {"shop/cart.py"}
    assert max(len(hit["text"]) for hit in hits) <= 150


def test_files_are_chosen_by_pattern_and_entries_by_tags(
    client: Client, found: Product
) -> None:
    def paths(**given: Any) -> set[str]:
        hits = ask(client, query="charge", mode="keyword", **given).json()["hits"]
        return {hit["path"] for hit in hits}

    assert "shop/cart.py" in paths()
    assert paths(filePattern="**/till.py") == {"shop/till.py"}
    assert paths(tags=["january"]) == set()
    Chunk.objects.filter(file__path="shop/cart.py").update(tags=["january", "tea"])
    assert paths(tags=["january", "tea"]) == {"shop/cart.py"}


def test_results_are_summed_up_when_asked(client: Client, found: Product) -> None:
    data = ask(client, query="charge", mode="keyword", summarize=True).json()
    assert data["summary"].startswith("3 results")  # by rules without a model
    assert ask(client, query="charge", mode="keyword").json()["summary"] == ""


def test_a_question_is_rewritten_when_asked(client: Client, found: Product) -> None:
    data = ask(client, query="How do I charge?", mode="keyword", rewrite=True).json()
    assert data["notes"][0] == "Searched for “charge”."


def test_neighbours_come_along_unless_refused(client: Client, found: Product) -> None:
    asked = {"query": "checkout total", "pathPrefix": "shop/cart"}
    hits = ask(client, **asked).json()["hits"]
    assert any(hit["contextBefore"] or hit["contextAfter"] for hit in hits)
    bare = ask(client, **asked, contextSize=0).json()["hits"]
    assert not any(hit["contextBefore"] or hit["contextAfter"] for hit in bare)


def test_bm25_is_a_mode(client: Client, found: Product) -> None:
    named, usual = (ask(client, query="total", mode=m) for m in ("bm25", "keyword"))
    assert named.status_code == 200
    assert named.json()["hits"] == usual.json()["hits"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"query": "x", "limit": 0}, 422),
        ({"query": "x", "limit": 51}, 422),
        ({"query": "x", "contextSize": 4}, 422),
        ({"query": "x", "mode": "magic"}, 422),
        ({"query": "x", "unknown": 1}, 422),
        ({}, 422),
        ({"query": "  "}, 400),
        ({"query": "x" * 8001}, 400),
        ({"query": "x", "language": "klingon"}, 400),
        ({"query": "x", "minComplexity": -1}, 400),
        ({"query": "x", "minComplexity": 2**64}, 400),
        ({"query": "x", "depths": [4]}, 400),
        ({"query": "x", "kind": "k" * 201}, 422),
        ({"query": "x", "productName": "nowhere"}, 404),
    ],
)
def test_what_cannot_be_asked_is_a_problem(
    client: Client, found: Product, body: dict[str, Any], status: int
) -> None:
    problem(ask(client, **body), status)


def test_a_token_of_another_product_finds_nothing(
    client: Client, found: Product
) -> None:
    other = Product.objects.create(name="elsewhere")
    headers = bearer("read", products=(other,))
    answer = post(client, "/api/v1/search", headers, query="charge")
    assert answer.json()["hits"] == []
    named = {"query": "charge", "productName": found.name}
    problem(post(client, "/api/v1/search", headers, **named), 404)
