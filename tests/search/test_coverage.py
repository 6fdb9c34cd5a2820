"""How much search by meaning knows, and that an answer says so."""

from __future__ import annotations

import pytest

from devrag.products.models import Product
from devrag.search.models import VectorCoverage
from devrag.search.semantic.coverage import (
    VectorCount,
    count_by_source,
    describe_missing,
)
from devrag.search.semantic.specs import ensure_active_spec
from devrag.search.service import search
from devrag.search.types import Mode
from devrag.sources.models import Source
from tests.conftest import Repository
from tests.search.test_search import ask
from tests.search.vectors import (
    CHUNKS,
    DIMENSIONS,
    draw_vectors,
    make_source,
    make_spec,
    store_source,
)

REST = "the rest is found by keyword search only."


def cover(embedded: int, chunks: int) -> None:
    """Count the shop's vectors as a job under way would have."""
    VectorCoverage.objects.update_or_create(
        spec=ensure_active_spec(),
        source=Source.objects.get(),
        defaults={"embedded": embedded, "chunks": chunks},
    )


@pytest.mark.parametrize(
    ("counts", "note"),
    [
        ([], ()),
        ([VectorCount(5, 5)], ()),
        ([VectorCount(6, 5), VectorCount(0, 0)], ()),
        (
            [VectorCount(3_766, 4_000), VectorCount(0, 1_000)],
            (f"Semantic search is 75% ready; {REST}",),
        ),
        (
            [VectorCount(4, 5)],
            (f"Semantic search is 80% ready; {REST}",),
        ),
    ],
)
def test_missing_vectors_are_told_in_numbers(
    counts: list[VectorCount], note: tuple[str, ...]
) -> None:
    assert describe_missing(counts) == note


@pytest.mark.django_db
def test_counts_are_those_of_each_source() -> None:
    product = Product.objects.create(name="tea")
    spec = make_spec()
    one, two = (make_source(product, name) for name in ("one", "two"))
    store_source(spec, one, draw_vectors())
    assert count_by_source([one.pk, two.pk]) == {
        one.pk: VectorCount(CHUNKS, CHUNKS, DIMENSIONS),
        two.pk: VectorCount(0, 0, DIMENSIONS),
    }


@pytest.mark.django_db
def test_without_a_model_nothing_is_counted() -> None:
    source = make_source(Product.objects.create(name="tea"), "one")
    assert count_by_source([source.pk]) == {}


@pytest.mark.django_db
def test_before_its_first_job_a_source_lacks_all(indexed: Repository) -> None:
    VectorCoverage.objects.all().delete()
    ensure_active_spec()
    (count,) = count_by_source([Source.objects.get().pk]).values()
    assert count.missing == count.chunks > 5


@pytest.mark.django_db
@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_an_answer_says_how_many_vectors_are_missing(
    indexed: Repository, mode: Mode
) -> None:
    cover(7, 40)
    (note,) = search(ask("money of a customer", mode=mode), is_patient=True).notes
    assert note.startswith("Semantic search is 17% ready")


@pytest.mark.django_db
def test_keyword_search_misses_no_vectors(indexed: Repository) -> None:
    cover(7, 40)
    assert search(ask("customer", mode="keyword")).notes == ()


@pytest.mark.django_db
def test_an_answer_is_silent_once_all_vectors_are_there(indexed: Repository) -> None:
    cover(40, 40)
    assert search(ask("money of a customer"), is_patient=True).notes == ()
