"""What symbols are found and ordered by, also those stored before."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection

from devrag.navigation.symbol_search import find_symbols
from devrag.products.models import Product
from devrag.sources.models import GitRef, Source, Symbol
from devrag.sources.symbol_names import get_search_order, make_search_name
from tests.stored import store_files


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("cart", " cart"),
        ("HttpServer", " httpserver http_server hs"),
        ("http_server", " http_server hs"),
        ("_count", " _count count"),
        ("HTTP2Server", " http2server http2_server hs"),
        ("注文サービス", " 注文サービス"),
        ("__init__", " __init__ init"),
        ("+", " +"),
    ],
)
def test_a_name_is_searched_in_its_forms(name: str, forms: str) -> None:
    assert make_search_name(name) == forms


def test_an_endless_name_still_fits_into_an_index() -> None:
    assert len(make_search_name("注文" * 5_000).encode()) < 2_000


SYMBOL: dict[str, Any] = {
    "kind": "function",
    "qualified_name": "brew",
    "scope": "global",
    "modifiers": (),
    "language": "python",
    "path": "src/tea.py",
    "is_generated": False,
}


def test_symbols_stand_in_the_order_that_people_want_them() -> None:
    changes: list[dict[str, Any]] = [
        {"kind": "class"},
        {},
        {"kind": "method", "qualified_name": "Pot.__init__"},
        {"kind": "class", "qualified_name": "_Pot"},
        {"path": "tests/test_tea.py", "kind": "class"},
        {"is_generated": True, "kind": "class"},
    ]
    orders = [get_search_order(**SYMBOL | change) for change in changes]
    assert orders == sorted(set(orders))


@pytest.mark.parametrize(
    "change",
    [
        {"qualified_name": "_brew"},
        {"qualified_name": "_Pot.brew"},
        {"qualified_name": "Pot.#brew"},
        {"scope": "local"},
        {"modifiers": ("private",)},
        {"modifiers": ("private[tea]",)},
        {"modifiers": ("static",), "language": "c"},
    ],
)
def test_what_others_cannot_use_is_private(change: dict[str, Any]) -> None:
    public = get_search_order(**SYMBOL)
    assert get_search_order(**SYMBOL | change) == public + 3
    assert get_search_order(**SYMBOL | {"modifiers": ("static",)}) == public


@pytest.mark.django_db
def test_symbols_that_were_stored_before_are_found_after_the_migration() -> None:
    product = Product.objects.create(name="tea")
    source = Source.objects.create(product=product, name="tea", source_type="git")
    ref = GitRef.objects.create(
        source=source, name="main", kind="branch", sequence=1, is_current=True
    )
    text = "def _pour(): ...\n\n\nclass Pourer: ...\n"
    store_files(ref, {"tests/a.py": text, "src/b.py": text})
    columns = ("pk", "search_name", "search_order")
    written = list(Symbol.objects.order_by("pk").values_list(*columns))
    Symbol.objects.update(search_name="", search_order=0)
    migration: Any = import_module("devrag.sources.migrations.0017_fill_symbol_names")

    migration.fill(None, SimpleNamespace(connection=connection))

    assert list(Symbol.objects.order_by("pk").values_list(*columns)) == written
    found = find_symbols([source.pk], "pour", limit=9, is_typing=True)
    assert found[0].symbol.file.path == "src/b.py"
