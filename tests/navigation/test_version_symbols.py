"""The symbols of a version in memory: what they mean, how long they are kept."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from pytest_django import DjangoAssertNumQueries

from devrag.navigation import version_symbols
from devrag.navigation.stored_references import read_uses, uses_of
from devrag.navigation.symbol_lookup import StoredSymbols
from devrag.navigation.types import NameUsage
from devrag.navigation.version_symbols import symbols_of_version
from devrag.products.models import Product
from devrag.sources.models import GitRef, Source
from tests.stored import store_files

pytestmark = pytest.mark.django_db

FILES = {
    "shop/__init__.py": "from shop.cups import Cup\n",
    "shop/cups.py": (
        "class Vessel:\n    def wash(self): ...\n\n"
        "class Cup(Vessel):\n    def fill(self):\n        self.wash()\n"
    ),
    "shop/tea.py": (
        "from shop import Cup\n\ndef serve(it: Cup, other):\n"
        "    it.fill()\n    other.fill()\n    print(Cup())\n"
    ),
    "ops.c": (
        "struct ops { int (*run)(int); };\nstatic int go(int a) { return a; }\n"
        "static const struct ops O = { .run = go };\n"
        "int call(const struct ops *o) { return o->run(1); }\n"
    ),
}


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    version_symbols._kept.clear()
    yield
    version_symbols._kept.clear()


def make_ref(name: str) -> GitRef:
    product = Product.objects.create(name=name)
    source = Source.objects.create(product=product, name=name, source_type="git")
    return GitRef.objects.create(
        source=source, name="main", kind="branch", sequence=1, is_current=True
    )


def usages(ref: GitRef) -> list[NameUsage]:
    return [use.usage for use in read_uses(uses_of(ref))]


def test_uses_mean_what_they_mean_when_names_are_read_as_they_come() -> None:
    ref = make_ref("tea")
    store_files(ref, FILES)
    uses = usages(ref)
    assert len(uses) > 8
    found = symbols_of_version(ref).resolve(uses, math.inf)
    assert found == StoredSymbols(ref).resolve(uses)
    assert any(each.possible for each in found.values())


def test_a_version_is_read_once_and_again_when_it_changes(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    ref = make_ref("tea")
    store_files(ref, {"a.py": "def f(): ...\n"})
    known = symbols_of_version(ref)
    with django_assert_num_queries(1):
        assert symbols_of_version(ref) is known
    store_files(ref, {"b.py": "def g(): ...\n"})
    assert [each.qualified_name for each in symbols_of_version(ref).definitions("g")]
    ref.sequence += 1
    assert symbols_of_version(ref) is not known


def test_two_versions_are_kept() -> None:
    refs = [make_ref(name) for name in ("one", "two", "three")]
    first = symbols_of_version(refs[0])
    for ref in refs[1:]:
        symbols_of_version(ref)
    assert len(version_symbols._kept) == 2
    assert symbols_of_version(refs[0]) is not first


def test_what_is_not_decided_in_time_is_not_in_the_answer() -> None:
    ref = make_ref("tea")
    store_files(ref, FILES)
    assert symbols_of_version(ref).resolve(usages(ref), until=-math.inf) == {}


def test_a_name_that_too_many_have_means_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ref = make_ref("tea")
    store_files(ref, {"a.py": "def f(): ...\n", "b.py": "def f(): ...\n"})
    monkeypatch.setattr(version_symbols, "MOST_DEFINITIONS", 1)
    assert list(symbols_of_version(ref).definitions("f")) == []
