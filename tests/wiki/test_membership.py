"""Small changes of a source move no file between pages and rename none."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from devrag.products.models import Product
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.membership import PartMembership
from devrag.wiki.analysis.selectors import membership_of
from devrag.wiki.models import Page
from devrag.wiki.planning.plan import Plan
from tests.wiki.plans import plan_wiki
from tests.wiki.rows import index_source
from tests.wiki.runs import generate
from tests.wiki.shop import SHOP, survey_of

MODULE = '"""Does one step of the work."""\n\n\ndef step(): ...\n' * 6


def tree(**folders: int) -> dict[str, str]:
    return {
        f"app/{d}/{n}.py": MODULE for d, many in folders.items() for n in range(many)
    }


def planned(files: Mapping[str, str], before: PartMembership | None = None) -> Plan:
    return plan_wiki(Analysis(*survey_of(files), before))


def homes(plan: Plan, files: Mapping[str, str]) -> dict[str, str]:
    """Path of a file → path of its feature page."""
    paths = list(files)
    features = [page for page in plan.pages if page.kind == "feature"]
    return {paths[i - 1]: page.path for page in features for i in page.files}


def after(files: Mapping[str, str], steering: str = "") -> PartMembership:
    plan = planned(files)
    titles = {page.path: page.title for page in plan.pages}
    held = homes(plan, files)
    return PartMembership(
        titles={f"shop/{path}": titles[page] for path, page in held.items()},
        slugs={title: path for path, title in titles.items()},
        steering=steering,
    )


SMALL = tree(a=30, b=30) | {f"app/b/deep/{n}.py": MODULE for n in range(10)}
MORE = SMALL | {"app/b/new.py": MODULE}


def test_one_more_file_that_would_part_a_page_moves_nothing() -> None:
    assert homes(planned(MORE), MORE)["app/b/deep/1.py"] == "features/b-deep.md"
    now = homes(planned(MORE, after(SMALL)), MORE)
    assert now == homes(planned(SMALL), SMALL) | {"app/b/new.py": "features/b.md"}


def test_a_part_that_grew_by_half_is_grouped_anew() -> None:
    grown = SMALL | {f"app/b/new{n}.py": MODULE for n in range(30)}
    now = homes(planned(grown, after(SMALL)), grown)
    assert now["app/b/deep/1.py"] == "features/b-deep.md"
    assert now["app/a/1.py"] == "features/a.md"


def test_a_new_package_gets_a_page() -> None:
    wider = SMALL | tree(c=20)
    now = homes(planned(wider, after(SMALL)), wider)
    assert now["app/c/1.py"] == "features/c.md"


def test_a_product_that_changed_shape_is_planned_anew() -> None:
    before = PartMembership(titles={f"shop/{path}": "one" for path in MORE})
    assert homes(planned(MORE, before), MORE) == homes(planned(MORE), MORE)


def test_a_page_keeps_its_slug_when_another_takes_its_name() -> None:
    files = {f"app/{d}/{n}.py": MODULE for d in ("a b", "a.b") for n in range(9)}
    first = {path: text for path, text in files.items() if "a.b" in path}
    before = PartMembership(slugs={"a.b": "features/a-b.md"})
    assert homes(planned(first), first)["app/a.b/1.py"] == "features/a-b.md"
    assert homes(planned(files), files)["app/a.b/1.py"] == "features/a-b-2.md"
    assert homes(planned(files, before), files)["app/a.b/1.py"] == "features/a-b.md"


def test_another_wish_of_the_source_dissolves_what_was_before() -> None:
    now = homes(planned(MORE, after(SMALL, steering="other pages")), MORE)
    assert now == homes(planned(MORE), MORE)


@pytest.mark.django_db
def test_a_run_starts_from_the_version_before(product: Product) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    generate(product)
    version = product.wikis.get().current
    assert version is not None
    stock = version.pages.filter(path="features/stock.md")
    stock.update(path="features/shelf.md", title="shelf")
    assert membership_of(version.pk).slugs["shelf"] == "features/shelf.md"
    index_source(product, "shop", {**SHOP, "shop/stock/x.py": MODULE}, "b" * 40)
    generate(product)
    page = Page.objects.get(version__number=2, path="features/shelf.md")
    assert "shop/shop/stock/x.py" in page.files
