"""find_related(): what has to do with a place."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import call_command

from devrag.core.errors import InvalidInput, NotFound
from devrag.core.principal import SYSTEM, Principal, Role
from devrag.products.models import Product, Visibility
from devrag.search.models import Embedding
from devrag.search.related.answer import find_related
from devrag.search.types import Hit, SearchQuery
from devrag.sources.models import Chunk, File, GitRef, RefFile, Source, Symbol
from tests.conftest import Repository

pytestmark = pytest.mark.django_db
CHARGE = SearchQuery(text="shop:shop/till.py:7", principal=SYSTEM)


@pytest.fixture(scope="module")
def has_vectors() -> bool:
    return True


def reasons(hits: tuple[Hit, ...]) -> dict[str, tuple[str, ...]]:
    return {hit.symbol_name or hit.path: hit.why for hit in hits}


def test_callers_come_before_what_is_only_close(indexed: Repository) -> None:
    hits = find_related(CHARGE).hits
    assert hits[0].symbol_name == "Cart.checkout"
    assert hits[0].why == ("calls it",)
    assert "shop/cart.py" in {h.path for h in hits if "imports it" in h.why}
    close = [hit for hit in hits if hit.why == ("semantically close",)]
    assert close
    assert all(0 < hit.score <= 1 for hit in hits)


def test_it_never_finds_itself_or_what_is_around_it(indexed: Repository) -> None:
    for place in ("shop:shop/till.py:7", "shop:README.md:7", "shop:shop/cart.py:15"):
        line = int(place.rpartition(":")[2])
        for hit in find_related(replace(CHARGE, text=place, limit=50)).hits:
            is_same = place.startswith(f"shop:{hit.path}:")
            assert not (is_same and hit.start_line <= line <= hit.end_line)


def test_callees_are_found(indexed: Repository) -> None:
    place = replace(CHARGE, text="shop:shop/cart.py:17", limit=50)
    assert reasons(find_related(place).hits)["charge"] == ("used by it",)


def test_a_test_is_called_one(indexed: Repository) -> None:
    place = replace(CHARGE, text="shop:shop/cart.py:6", limit=50)
    assert "tests it" in reasons(find_related(place).hits)["test_checkout_adds_tax"]


def test_a_place_is_a_definition_or_a_chunk_too(indexed: Repository) -> None:
    symbol = Symbol.objects.get(qualified_name="charge")
    chunk = Chunk.objects.get(file=symbol.file_id, ordinal=symbol.chunk_ordinal)
    ids = [hit.chunk_id for hit in find_related(CHARGE).hits]
    keys = (f"shop:{chunk.chunk_key}", chunk.chunk_key)
    for text in (str(symbol.uuid), str(chunk.pk), *keys):
        found = find_related(replace(CHARGE, text=text)).hits
        assert [hit.chunk_id for hit in found] == ids


def test_without_vectors_uses_still_answer(indexed: Repository) -> None:
    Embedding.objects.all().delete()
    result = find_related(CHARGE)
    assert reasons(result.hits)["Cart.checkout"] == ("calls it",)
    assert "no vector yet" in result.notes[0]


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        ({"path_prefix": "tests/"}, {"tests/test_cart.py"}),
        ({"kind": "method"}, {"shop/cart.py"}),
        ({"language": "markdown"}, {"README.md", "docs/日本語.md"}),
    ],
)
def test_filters_apply(
    indexed: Repository, options: dict[str, Any], paths: set[str]
) -> None:
    hits = find_related(replace(CHARGE, limit=50, **options)).hits
    assert {hit.path for hit in hits} == paths


@pytest.mark.parametrize(
    ("place", "error"),
    [
        ("somewhere", InvalidInput),
        ("shop:shop/till.py:0", NotFound),
        ("shop:gone.py:1", NotFound),
        ("999999999", NotFound),
        ("shop:shop/till.py::chunk_99", NotFound),
        ("shop/gone.py::chunk_0", NotFound),
        ("9" * 30, InvalidInput),
        ("00000000-0000-0000-0000-000000000000", NotFound),
    ],
)
def test_what_is_no_place_is_said(
    indexed: Repository, place: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        find_related(replace(CHARGE, text=place))


def test_a_key_in_several_sources_needs_its_source(indexed: Repository) -> None:
    ref = GitRef.objects.get()
    other = Source.objects.create(
        product=ref.source.product, name="annex", source_type="git"
    )
    twin = GitRef.objects.create(source=other, name="main", is_current=True)
    file = File.objects.get(path="shop/till.py")
    chunk = file.chunks.get(ordinal=0)
    file.pk, file.source, file._state.adding = None, other, True
    file.save()
    chunk.pk, chunk.file, chunk._state.adding = None, file, True
    chunk.save()
    RefFile.objects.create(ref=twin, file=file, since=0)
    with pytest.raises(InvalidInput, match="for example annex"):
        find_related(replace(CHARGE, text="shop/till.py::chunk_0"))
    named = replace(CHARGE, text="annex:shop/till.py::chunk_0")
    assert isinstance(find_related(named).hits, tuple)


def test_what_one_may_not_see_is_no_place(indexed: Repository) -> None:
    Product.objects.update(visibility=Visibility.MEMBERS)
    charlie = Principal(name="Charlie", role=Role.VIEWER)
    with pytest.raises(NotFound):
        find_related(replace(CHARGE, principal=charlie))


def test_the_command_takes_a_place(
    indexed: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("search", "--related", "shop:shop/till.py:7", "--json")
    hits = json.loads(capsys.readouterr().out)["hits"]
    assert hits[0]["symbol"] == "Cart.checkout"
    assert hits[0]["chunkKey"].startswith("shop/cart.py::chunk_")
    assert hits[0]["why"] == ["calls it"]
