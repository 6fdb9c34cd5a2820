"""The survey of the rows is the survey of the sources, in few queries."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.products.models import Product
from devrag.sources.models import File
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.selectors import (
    DatabaseTexts,
    current_versions,
    survey_product,
)
from tests.wiki.plans import plan_wiki
from tests.wiki.rows import index_source
from tests.wiki.shop import SHOP, analyse

pytestmark = pytest.mark.django_db


@pytest.fixture
def product() -> Product:
    return Product.objects.create(name="shop", title="Shop")


def pinned_paths(product: Product, versions: Any) -> set[str]:
    return {file.path for file in survey_product(product, versions).files}


def test_rows_and_sources_give_the_same_plan(product: Product) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    survey = survey_product(product, current_versions(product.pk))
    assert plan_wiki(Analysis(survey, DatabaseTexts())).pages
    paths = [p.path for p in plan_wiki(Analysis(survey, DatabaseTexts())).pages]
    assert paths == [p.path for p in plan_wiki(analyse(SHOP)).pages]


def test_the_survey_takes_as_many_queries_for_many_files_as_for_few(
    product: Product, django_assert_num_queries: Any
) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    with django_assert_num_queries(5):
        survey_product(product, current_versions(product.pk))


def test_a_pass_over_all_files_takes_few_queries(
    product: Product, django_assert_max_num_queries: Any
) -> None:
    tree = {f"app/part{n}.py": f"A = {n}\n" for n in range(300)}
    index_source(product, "shop", tree, "a" * 40)
    survey = survey_product(product, current_versions(product.pk))
    texts = DatabaseTexts(survey.files)
    with django_assert_max_num_queries(10):
        read = [texts.text(file.id) for file in survey.files]
    assert read == [tree[file.path] for file in survey.files]
    with django_assert_max_num_queries(10):
        again = DatabaseTexts(survey.files)
        assert [again.text(file.id) for file in survey.files[::20]] == read[::20]


def test_files_that_are_asked_for_in_no_order_are_read_alone(product: Product) -> None:
    tree = {f"app/part{n:03}.py": f"A = {n}\n" for n in range(100)}
    index_source(product, "shop", tree, "a" * 40)
    files = survey_product(product, current_versions(product.pk)).files
    texts = DatabaseTexts(files)
    for number in (90, 20, 99, 0):
        texts.text(files[number].id)
    File.objects.update(text="changed")
    assert {f.path for f in files if texts.text(f.id) != "changed"} == {
        files[number].path for number in (90, 20, 99, 0)
    }


def test_only_the_current_manifest_is_surveyed(product: Product) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    smaller = {path: text for path, text in SHOP.items() if "stock" not in path}
    index_source(product, "shop", smaller, "b" * 40)
    versions = current_versions(product.pk)
    assert versions[0].commit == "b" * 40
    assert pinned_paths(product, versions) == set(smaller)


def test_a_run_keeps_reading_the_version_it_began_with(product: Product) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    versions = current_versions(product.pk)
    index_source(product, "shop", {"README.md": "# New\n"}, "b" * 40)
    assert pinned_paths(product, versions) == set(SHOP)


def test_another_products_files_are_never_seen(product: Product) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    other = Product.objects.create(name="other")
    index_source(other, "other", {"secret.py": "x = 1\n"}, "c" * 40)
    assert pinned_paths(product, current_versions(product.pk)) == set(SHOP)
    assert pinned_paths(other, current_versions(other.pk)) == {"secret.py"}


def test_texts_are_read_once(product: Product, django_assert_num_queries: Any) -> None:
    index_source(product, "shop", {"a.py": "x = 1\n", "b.py": "y = 2\n"}, "a" * 40)
    files = survey_product(product, current_versions(product.pk)).files
    texts = DatabaseTexts()
    with django_assert_num_queries(1):
        texts.load([file.id for file in files])
        assert [texts.text(file.id) for file in files] == ["x = 1\n", "y = 2\n"]


def test_a_product_without_index_has_no_versions(product: Product) -> None:
    assert current_versions(product.pk) == []
    assert survey_product(product, []).files == ()
