"""nearest_chunks(): filters in the statement, by scan and by graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.search.fetch import passing_statement
from devrag.search.models import VectorCoverage
from devrag.search.semantic import query as semantic
from devrag.search.semantic.query import Counted, nearest_chunks, read_cosines
from devrag.search.types import SearchQuery
from devrag.sources.models import File
from tests.search.vectors import (
    DIMENSIONS,
    Vector,
    draw_vectors,
    make_source,
    make_spec,
    store_source,
)
from tests.stored import add_symbol

pytestmark = pytest.mark.django_db

Nearest = Callable[..., list[int]]


@pytest.fixture
def vectors() -> Vector:
    return draw_vectors()


@pytest.fixture
def nearest(vectors: Vector) -> Nearest:
    """Store a source; return what asks it for places of chunks."""
    spec = make_spec()
    source = make_source(Product.objects.create(name="tea"), "tea")
    chunks = store_source(spec, source, vectors)

    def ask(vector: Vector, limit: int = 10, **options: object) -> list[int]:
        query = SearchQuery(text="", principal=SYSTEM, **options)  # type: ignore[arg-type]
        hits = nearest_chunks(
            spec,
            vector,
            source_ids=[source.pk],
            limit=limit,
            filters=query,
        )
        return [hit.chunk_id - chunks[0].pk for hit in hits]

    return ask


@pytest.fixture
def only_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no scope be small enough to be compared one by one."""
    monkeypatch.setattr(semantic.Counted, "is_exact", lambda *_: False)


@pytest.fixture
def none_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the costs decide, however little there is."""
    monkeypatch.setattr(semantic, "_ALWAYS_EXACT_ROWS", 0)


def in_order(vectors: Vector, question: Vector, chosen: range) -> list[int]:
    """Return positions, nearest first."""
    order = np.argsort(-(vectors @ question), kind="stable").tolist()
    return [place for place in order if place in chosen]


def test_a_scan_finds_exactly_the_nearest_that_pass(
    nearest: Nearest, vectors: Vector
) -> None:
    expected = in_order(vectors, vectors[7], range(380, 396))
    assert nearest(vectors[7], language="go") == expected[:10]


@pytest.mark.usefixtures("only_graph")
def test_the_graph_finds_the_nearest_that_pass(
    nearest: Nearest, vectors: Vector
) -> None:
    for question in vectors[::40]:
        expected = in_order(vectors, question, range(380))[:10]
        assert len(set(expected) & set(nearest(question, language="python"))) >= 9


@pytest.mark.slow
@pytest.mark.usefixtures("only_graph")
@pytest.mark.parametrize(
    ("options", "count"), [({"language": "rust"}, 4), ({"path_prefix": "go/95"}, 4)]
)
def test_a_filter_returns_all_there_are(
    nearest: Nearest, vectors: Vector, options: dict[str, str], count: int
) -> None:
    assert len(nearest(vectors[0], **options)) == count


@pytest.mark.slow
@pytest.mark.usefixtures("only_graph")
def test_a_filter_by_definition_is_part_of_the_statement(
    nearest: Nearest, vectors: Vector
) -> None:
    file = File.objects.get(path="python/3")
    add_symbol(file, "Tea.pour", kind="method", chunk_ordinal=2, complexity=12)
    assert nearest(vectors[0], kind="method", min_complexity=12) == [14]
    assert nearest(vectors[0], min_complexity=13) == []


@pytest.mark.parametrize(
    ("rows", "total", "neighbours"),
    [
        (10_000, 10_000, 200),
        (600_000, 600_000, 600),
        (5_000_000, 5_000_000, 1_000),
        (1_000, 20_000, 400),  # of 20 that are met one passes
        (1_000, 100_000, 600),
    ],
)
def test_large_graphs_and_rare_rows_take_more_neighbours(
    rows: int, total: int, neighbours: int
) -> None:
    assert Counted(rows, total, ()).neighbours(10) == neighbours


@pytest.mark.usefixtures("none_too_small")
@pytest.mark.parametrize(("language", "is_graph"), [("python", True), ("rust", False)])
def test_the_share_that_passes_decides_between_graph_and_scan(
    nearest: Nearest, vectors: Vector, language: str, is_graph: bool
) -> None:
    with CaptureQueriesContext(connection) as asked:
        nearest(vectors[0], limit=10, language=language)
    statements = [str(each["sql"]) for each in asked.captured_queries]
    assert any("hnsw.ef_search" in each for each in statements) is is_graph


@pytest.mark.usefixtures("none_too_small")
def test_the_share_that_passes_is_sampled_once_until_counts_change(
    nearest: Nearest, vectors: Vector
) -> None:
    def count_samples() -> int:
        with CaptureQueriesContext(connection) as asked:
            nearest(vectors[0], language="go")
        return sum(
            "generate_series" in str(each["sql"]) for each in asked.captured_queries
        )

    assert [count_samples(), count_samples()] == [1, 0]
    VectorCoverage.objects.update(embedded=F("embedded") - 1)
    assert [count_samples(), count_samples()] == [1, 0]


@pytest.mark.parametrize(
    ("options", "is_file_read"),
    [
        ({"language": "go"}, True),
        ({"path_prefix": "go/"}, True),
        ({"kind": "method", "min_complexity": 12}, False),
        ({"include_clean_only": True}, False),
    ],
)
def test_files_are_read_only_for_what_they_know(
    options: dict[str, Any], is_file_read: bool
) -> None:
    query = SearchQuery(text="", principal=SYSTEM, **options)
    statement, values = passing_statement(query, [7])
    assert ("sources_file" in statement) is is_file_read
    assert (7 in values) is is_file_read


@pytest.mark.parametrize(
    ("rows", "total", "is_exact"),
    [
        (5_000, 5_000, True),
        (7_000, 300_000, True),
        (15_000, 300_000, True),
        (16_000, 300_000, False),
        (40_000, 3_000_000, True),
        (40_001, 30_000_000, False),
    ],
)
def test_what_is_cheaper_is_chosen(rows: int, total: int, is_exact: bool) -> None:
    assert semantic.Counted(rows, total, ()).is_exact(50) is is_exact


def test_scores_are_cosines_from_one_to_nought() -> None:
    """[1,0] is asked for; stored are [1,0], [1,1], [0,1] and [-1,0]."""
    stored = np.zeros((100, DIMENSIONS), dtype=np.float32)
    stored[:, :2] = [-1, 0]
    stored[:3, :2] = [[0, 1], [0.5**0.5, 0.5**0.5], [1, 0]]
    spec = make_spec()
    source = make_source(Product.objects.create(name="tea"), "tea")
    chunks = store_source(spec, source, stored)
    hits = nearest_chunks(spec, stored[2], source_ids=[source.pk], limit=4)
    assert [hit.chunk_id for hit in hits[:3]] == [chunks[n].pk for n in (2, 1, 0)]
    assert [hit.score for hit in hits] == pytest.approx([1.0, 0.7071, 0, 0], abs=1e-4)
    assert min(hit.score for hit in hits) == 0


def test_cosines_of_chunks_are_those_by_which_they_are_found() -> None:
    rows = draw_vectors(count=200)
    spec = make_spec()
    source = make_source(Product.objects.create(name="tea"), "tea")
    chunks = store_source(spec, source, rows)
    found = nearest_chunks(spec, rows[0], source_ids=[source.pk], limit=200)
    wanted = [chunks[n].pk for n in (0, 7, 150)]
    cosines = read_cosines(
        spec, rows[0], source_ids=[source.pk], chunk_ids=[*wanted, -1]
    )
    scores = {hit.chunk_id: hit.score for hit in found}
    assert cosines == pytest.approx({key: scores[key] for key in wanted}, abs=1e-6)
    assert not read_cosines(spec, rows[0], source_ids=[], chunk_ids=wanted)
