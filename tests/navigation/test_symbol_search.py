"""Which definitions a text finds, in which order, at which lines."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from devrag.navigation import name_rows
from devrag.navigation.symbol_search import FoundSymbol, find_symbols
from devrag.products.models import Product
from devrag.sources.models import GitRef, RefFile, Source
from tests.stored import store_files

pytestmark = pytest.mark.django_db


@pytest.fixture
def ref() -> GitRef:
    product = Product.objects.create(name="tea")
    source = Source.objects.create(product=product, name="tea", source_type="git")
    return GitRef.objects.create(
        source=source, name="main", kind="branch", sequence=1, is_current=True
    )


def type_in(ref: GitRef, text: str, limit: int = 20) -> list[FoundSymbol]:
    return find_symbols([ref.source_id], text, limit=limit, is_typing=True)


def names(found: list[FoundSymbol]) -> list[str]:
    return [each.symbol.qualified_name for each in found]


def functions(*names: str) -> str:
    return "".join(f"def {name}(): ...\n" for name in names)


def test_matches_come_class_by_class(ref: GitRef) -> None:
    written = ("pot_handle", "teapot", "depot_keeper", "Pot", "pot", "potter")
    store_files(ref, {"a.py": functions(*written, "PourOverTea", "the_pot")})
    assert names(type_in(ref, "pot")) == [
        *("pot", "Pot"),  # exact, with the same capitals first
        *("potter", "pot_handle"),  # begin so
        "PourOverTea",  # its words begin so
        "the_pot",  # one of its words begins so
        *("teapot", "depot_keeper"),  # contain it
    ]


def test_public_comes_before_private_before_tests_and_types_come_first(
    ref: GitRef,
) -> None:
    files = {
        "src/a.py": "def brew_it(): ...\n\n\nclass BrewKettle: ...\n",
        "src/b.py": "class _Pot:\n    def brew_a(self): ...\n    brew_b = 1\n",
        "src/c.c": "static int brew_c(void) { return 1; }\n",
        "tests/test_a.py": "class BrewTest:\n    def brew_d(self): ...\n",
    }
    store_files(ref, files)
    assert names(type_in(ref, "brew"))[:4] == [
        *("BrewKettle", "brew_it"),
        *("brew_c", "_Pot.brew_a"),
    ]
    assert names(type_in(ref, "brew"))[-2:] == ["BrewTest", "BrewTest.brew_d"]


def test_short_names_and_paths_decide_what_is_left(ref: GitRef) -> None:
    files = {"b.py": functions("pour"), "a.py": functions("pour_over", "pour")}
    store_files(ref, files)
    places = [(each.symbol.name, each.symbol.file.path) for each in type_in(ref, "pou")]
    assert places == [("pour", "a.py"), ("pour", "b.py"), ("pour_over", "a.py")]


def test_a_file_is_not_found_by_the_end_of_its_name(ref: GitRef) -> None:
    files = {
        "lib/app.js": "function render() { return 1 }\n",
        "test/app.render.js": "describe('app', function () {})\n",
    }
    store_files(ref, files)
    assert names(type_in(ref, "render")) == ["render"]
    assert names(type_in(ref, "app.render")) == ["test.app.render"]


@pytest.mark.parametrize("text", ["HS", "hs", "htSe", "htse", "http_se", "http se"])
def test_beginnings_of_words_find_a_name(ref: GitRef, text: str) -> None:
    store_files(ref, {"a.py": "class HttpServer: ...\n\n\nclass Shop: ...\n"})
    assert names(type_in(ref, text)) == ["HttpServer"]


def test_letters_that_fit_are_told_within_the_qualified_name(ref: GitRef) -> None:
    store_files(ref, {"a.py": "class LongQueue:\n    def put_item(self): ...\n"})
    (found,) = type_in(ref, "queue.pi")
    name = found.symbol.qualified_name
    assert "".join(name[place] for place in found.places) == "Queuepi"


def test_a_name_after_its_class_means_the_member(ref: GitRef) -> None:
    text = "class {}:\n    def add(self): ...\n    def added(self): ...\n"
    store_files(ref, {"a.py": text.format("Cart"), "b.py": text.format("MyCart")})
    assert names(type_in(ref, "Cart.add"))[:2] == ["Cart.add", "MyCart.add"]
    assert names(find_symbols([ref.source_id], "Cart::added", limit=1)) == [
        "Cart.added"
    ]
    # What is inherited stands elsewhere.
    assert set(names(type_in(ref, "Basket.add"))) == {"Cart.add", "MyCart.add"}
    assert type_in(ref, "Basket.ad") == []


def test_who_names_a_definition_gets_no_other_names(ref: GitRef) -> None:
    store_files(ref, {"a.py": functions("pour", "pour_over", "Pour")})
    ids = [ref.source_id]
    assert names(find_symbols(ids, "pour", limit=9)) == ["pour"]
    assert names(find_symbols(ids, "POUR", limit=9)) == ["pour", "Pour"]
    assert names(find_symbols(ids, "pou", limit=9)) == ["pour", "Pour", "pour_over"]


def test_similar_names_are_found_where_no_name_fits(ref: GitRef) -> None:
    store_files(ref, {"a.py": functions("checkout", "check_in", "unrelated")})
    (found,) = type_in(ref, "chekout")
    assert (found.symbol.name, found.is_similar) == ("checkout", True)
    assert type_in(ref, "zzzqqqxx") == []


def test_a_private_name_finds_nothing_unrelated(ref: GitRef) -> None:
    store_files(ref, {"a.py": functions("_brew_pot", "brewery", "pot", "brew_pan")})
    assert names(type_in(ref, "_brew_pot")) == ["_brew_pot"]


def test_overloads_in_a_file_are_one_result(ref: GitRef) -> None:
    text = "int pour(int a) { return 1; }\nint pour(long a) { return 2; }\n"
    store_files(ref, {"a.cpp": text * 9, "b.cpp": text})
    found = type_in(ref, "pour", limit=2)
    shown = [
        (each.symbol.file.path, each.symbol.start_line, each.definitions)
        for each in found
    ]
    assert shown == [("a.cpp", 1, 18), ("b.cpp", 1, 2)]


def test_lines_are_those_of_the_current_version(ref: GitRef) -> None:
    text = "class Kettle: ...\n"
    store_files(ref, {"a.py": "\n" * 1241 + text})
    RefFile.objects.update(until=2)
    ref.sequence = 2
    ref.save()
    store_files(ref, {"a.py": "\n" * 601 + text})
    other = GitRef.objects.create(
        source=ref.source, name="old", kind="branch", sequence=1
    )
    store_files(other, {"a.py": "\n" * 9 + text, "b.py": functions("KettleOld")})
    lines = [(e.symbol.name, e.symbol.start_line) for e in type_in(ref, "kettle")]
    assert lines == [("Kettle", 602)]


def test_old_versions_do_not_crowd_out_the_current_one(
    ref: GitRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name_rows, "_FEWEST_ROWS", 2)
    monkeypatch.setattr(name_rows, "_ROWS_PER_RESULT", 1)
    for version in range(5):
        store_files(ref, {"a.py": f"# {version}\n{functions('pour')}"})
        RefFile.objects.filter(until=None).update(until=2)
    store_files(ref, {"a.py": "\n\n" + functions("pour")})
    assert [each.symbol.start_line for each in type_in(ref, "pou", 1)] == [3]


def test_names_beyond_ascii_are_found(ref: GitRef) -> None:
    store_files(ref, {"a.py": functions("注文サービス", "新規注文", "Été")})
    assert names(type_in(ref, "注文")) == ["注文サービス", "新規注文"]
    assert names(type_in(ref, "サービス")) == ["注文サービス"]
    assert names(type_in(ref, "ét")) == ["Été"]


@pytest.mark.parametrize("text", ["", " ", ".", "%", "_", "\\", "a" * 500, "' OR 1=1"])
def test_odd_texts_are_no_patterns(ref: GitRef, text: str) -> None:
    store_files(ref, {"a.py": functions("pour")})
    assert type_in(ref, text) == []


def test_other_sources_and_kinds_are_left_out(ref: GitRef) -> None:
    store_files(ref, {"a.py": "def pour(): ...\n\n\nclass Pour: ...\n"})
    assert find_symbols([ref.source_id + 1], "pour", limit=9) == []
    assert find_symbols([], "pour", limit=9) == []
    found = find_symbols([ref.source_id], "pour", kind="class", limit=9)
    assert names(found) == ["Pour"]


def test_it_stops_at_the_first_classes_that_fill_the_list(
    ref: GitRef, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    store_files(ref, {"a.py": functions("pour", "pour_over", "teapour")})
    with django_assert_num_queries(3):  # the keys, their rows, the definitions
        type_in(ref, "pour", limit=1)
    with django_assert_num_queries(5):
        type_in(ref, "pour", limit=2)
