"""Graphs of big sources and products: which there are, and that they answer."""

from __future__ import annotations

import pytest

from devrag.jobs.models import Job
from devrag.jobs.workflow import get_workflow
from devrag.products.models import Product
from devrag.search.models import EmbeddingSpec, VectorCoverage, VectorGraph
from devrag.search.semantic import graphs
from devrag.search.semantic import query as semantic
from devrag.search.semantic.graphs import request_graphs, tend_graphs, wanted_groups
from devrag.search.semantic.query import nearest_chunks
from devrag.search.semantic.spec_switch import drop_spec
from devrag.sources.models import Source
from tests.conftest import Repository, run_job
from tests.indexing.test_index import index
from tests.search.vectors import (
    LANGUAGES,
    draw_vectors,
    make_source,
    make_spec,
    store_source,
)

# A graph is built outside transactions.
pytestmark = pytest.mark.django_db(transaction=True)

ROWS = len(LANGUAGES)  # of each source: one in each file


@pytest.fixture
def spec(monkeypatch: pytest.MonkeyPatch) -> EmbeddingSpec:
    monkeypatch.setattr(graphs, "MIN_ROWS", ROWS)
    monkeypatch.setattr(graphs, "_KEPT_ROWS", ROWS // 2)
    return make_spec()


def add_source(spec: EmbeddingSpec, product: str, name: str, seed: int) -> Source:
    owner, _ = Product.objects.get_or_create(name=product)
    source = make_source(owner, name)
    store_source(spec, source, draw_vectors(seed, ROWS))
    return source


@pytest.fixture
def sources(spec: EmbeddingSpec) -> list[Source]:
    """Two products of two sources each, all as big."""
    names = (("tea", "green"), ("tea", "black"), ("ink", "blue"), ("ink", "red"))
    return [add_source(spec, *name, seed) for seed, name in enumerate(names)]


def built(spec: EmbeddingSpec) -> list[tuple[int, ...]]:
    rows = VectorGraph.objects.filter(spec=spec, is_ready=True)
    return sorted(tuple(ids) for ids in rows.values_list("source_ids", flat=True))


def test_products_and_sources_of_at_most_half_get_a_graph(
    spec: EmbeddingSpec, sources: list[Source]
) -> None:
    green, black, blue, red = (source.pk for source in sources)
    single = {(green,), (black,), (blue,), (red,)}
    assert wanted_groups(spec) == {(green, black), (blue, red), *single}


def test_what_is_most_of_all_gets_none(spec: EmbeddingSpec) -> None:
    big = add_source(spec, "tea", "green", 1)
    small = add_source(spec, "ink", "blue", 2)
    VectorCoverage.objects.filter(source=big).update(embedded=10 * ROWS)
    assert wanted_groups(spec) == {(small.pk,)}


@pytest.mark.slow
def test_a_source_without_vectors_takes_no_graph_away(
    spec: EmbeddingSpec, sources: list[Source]
) -> None:
    tend_graphs(spec)
    empty = make_source(sources[0].product, "new")
    tea = [sources[0].pk, sources[1].pk, empty.pk]
    ask = semantic.plan_nearest(spec, draw_vectors()[0], source_ids=tea, limit=5)
    assert ask.args[-1].group == (sources[0].pk, sources[1].pk)


def test_answers_come_from_the_smallest_graph_and_are_the_nearest(
    spec: EmbeddingSpec, sources: list[Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    question = draw_vectors(9)[0]
    exact = [
        nearest_chunks(spec, question, source_ids=[source.pk], limit=10)
        for source in sources
    ]
    tend_graphs(spec)
    monkeypatch.setattr(semantic.Counted, "is_exact", lambda *_: False)
    for source, expected in zip(sources, exact, strict=True):
        asked = [source.pk]
        ask = semantic.plan_nearest(spec, question, source_ids=asked, limit=10)
        assert ask.args[-1].group == (source.pk,)
        assert ask.args[-1].total == ROWS
        assert [hit.chunk_id for hit in ask()] == [hit.chunk_id for hit in expected]


@pytest.mark.slow
def test_a_graph_that_is_of_no_use_any_more_goes(
    spec: EmbeddingSpec, sources: list[Source]
) -> None:
    tend_graphs(spec)
    green, black, blue, red = (source.pk for source in sources)
    VectorCoverage.objects.filter(source=red).update(embedded=1)
    tend_graphs(spec)
    assert built(spec) == [(green,), (green, black), (black,), (blue, red)]


def test_what_a_crash_left_unfinished_is_built_again(
    spec: EmbeddingSpec, sources: list[Source]
) -> None:
    tend_graphs(spec)
    whole = built(spec)
    VectorGraph.objects.filter(source_ids=[sources[0].pk]).update(is_ready=False)
    tend_graphs(spec)
    assert built(spec) == whole
    assert not VectorGraph.objects.filter(is_ready=False).exists()


@pytest.mark.slow
def test_the_last_job_that_brings_vectors_builds(
    spec: EmbeddingSpec, sources: list[Source]
) -> None:
    first, last = (
        Job.objects.create(kind="embed", lane=lane, params={"specID": spec.pk})
        for lane in ("one", "two")
    )
    request_graphs(first)
    assert not Job.objects.filter(kind="graphs").exists()
    Job.objects.filter(pk=first.pk).update(state="completed")
    request_graphs(last)
    job = run_job(Job.objects.get(kind="graphs"), queues=("wiki",))
    assert job.state == "completed"
    assert set(built(spec)) == wanted_groups(spec)
    request_graphs(last)
    assert not Job.objects.filter(kind="graphs", state="pending").exists()


def test_the_end_of_embedding_asks_for_graphs(
    shop: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graphs, "MIN_ROWS", 1)
    for name in ("tea", "ink"):
        index(shop, product_name=name, source_name=name)
        run_job(Job.objects.get(kind="embed", state="pending"))
    assert Job.objects.get(kind="graphs").state == "pending"


def test_new_texts_do_not_wait_while_a_graph_is_built() -> None:
    embedding, graphs_job = get_workflow("embed"), get_workflow("graphs")
    busy = {phase.queue for phase in graphs_job.phases}
    assert busy.isdisjoint(phase.queue for phase in embedding.phases)


def test_graphs_go_with_their_vectors(
    spec: EmbeddingSpec, sources: list[Source]
) -> None:
    tend_graphs(spec)
    EmbeddingSpec.objects.filter(pk=spec.pk).update(is_active=False)
    spec.refresh_from_db()
    drop_spec(spec)
    assert not VectorGraph.objects.exists()
