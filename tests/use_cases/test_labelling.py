"""The label job: what it is asked for, and what files have when it ends."""

from __future__ import annotations

import pytest

from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job
from devrag.labels.classify import FLOORS, Floors
from devrag.labels.models import FileLabel, LabelledFile
from devrag.products.models import Product
from devrag.sources.models import Source
from devrag.use_cases.labelling import request_labels
from devrag.use_cases.labels import add_label
from tests.conftest import Repository, run_job
from tests.indexing.test_index import index
from tests.search.shop import embed_all

pytestmark = pytest.mark.django_db


def given(origin: str = "rule") -> dict[str, list[str]]:
    """Return path → the labels that something gave it."""
    rows = FileLabel.objects.filter(origin=origin).order_by("label__name")
    found: dict[str, list[str]] = {}
    for path, name in rows.values_list("file__path", "label__name"):
        found.setdefault(path, []).append(name)
    return found


def run_label_job() -> Job:
    return run_job(Job.objects.get(kind="label", state="pending"))


def test_files_are_labelled_while_they_are_indexed(shop: Repository) -> None:
    index(shop)
    assert given() == {
        "README.md": ["docs"],
        "docs/日本語.md": ["docs"],
        "tests/test_cart.py": ["test"],
    }
    assert not Job.objects.filter(kind="label").exists()
    shop.commit({"shop/db.py": "x = 1\n"})
    index(shop)
    assert given()["shop/db.py"] == ["storage"]
    assert not Job.objects.filter(kind="label").exists()


def test_an_index_of_an_older_release_is_labelled_by_a_job(shop: Repository) -> None:
    index(shop)
    before = given()
    FileLabel.objects.all().delete()
    LabelledFile.objects.all().delete()
    index(shop)
    job = run_label_job()
    assert given() == before
    assert job.state == "completed"
    assert (job.report["labelledFiles"], job.report["changed"]) == (7, 3)
    assert request_labels(Source.objects.get()) is None


def test_a_new_label_reaches_files_by_a_job(shop: Repository) -> None:
    index(shop)
    product = Product.objects.get()
    add_label(principal=SYSTEM, product=product, name="money", paths=["till.py"])
    run_label_job()
    assert given()["shop/till.py"] == ["money"]


@pytest.mark.slow
def test_meaning_is_compared_once_all_vectors_are_there(
    shop: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = "multilingual-e5-small-code"
    monkeypatch.setitem(FLOORS, model, Floors(cosine=0.8, lead=0.03))  # type: ignore[arg-type]
    index(shop)
    product = Product.objects.get()
    text = "charge the customer: take money for the sum, add tax at a rate"
    add_label(principal=SYSTEM, product=product, name="money", description=text)
    run_label_job()
    assert given("embedding") == {}
    embed_all()
    job = run_label_job()
    assert "money" in given("embedding")["shop/till.py"]
    assert job.report["labelledFiles"] == 7
    assert request_labels(Source.objects.get()) is None
