"""Products that share texts, embedded at once: each gets all of its vectors."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection, transaction

from devrag.jobs import engine
from devrag.jobs import scheduling as turns
from devrag.jobs.models import OPEN_STATES, Job, JobState
from devrag.operations.consistency_checks import vectors
from devrag.search.models import Embedding, VectorCoverage
from devrag.sources.models import Chunk, Source
from tests.conftest import SHOP, Repository, run_job
from tests.indexing.test_index import index
from tests.waiting import wait_for_lock_waiters, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
PRODUCTS = 10
_QUEUES = ("parse", "embed", "embed", "parse")


def lacking(source: Source) -> set[int]:
    """Return the chunks of a source that search by meaning cannot find."""
    chunks = Chunk.objects.filter(file__source=source, file__is_generated=False)
    found = Embedding.objects.filter(source=source, is_live=True)
    return set(chunks.values_list("pk", flat=True)) - set(
        found.values_list("chunk_id", flat=True)
    )


def embed_job(source: Source) -> Job:
    return Job.objects.get(kind="embed", params__sourceID=source.pk)


def in_thread(work: Callable[[], object]) -> threading.Thread:
    """Start work that has a database connection of its own."""

    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def index_copies(shop: Repository, count: int) -> list[Source]:
    for number in range(count):
        index(shop, product_name=f"p{number}", source_name=f"copy{number}")
    return list(Source.objects.order_by("pk"))


@pytest.mark.slow
def test_texts_that_a_twin_embeds_between_two_phases_get_vectors(
    shop: Repository,
) -> None:
    first, second = index_copies(shop, 2)
    engine.start_job(embed_job(second).pk)
    with transaction.atomic():
        # It has looked for known texts, and cannot go on to those left.
        Job.objects.select_for_update(no_key=True).get(pk=embed_job(second).pk)
        late = in_thread(lambda: run_job(embed_job(second)))
        wait_for_lock_waiters()
        in_thread(lambda: run_job(embed_job(first))).join()
        assert not lacking(first)
    late.join()
    job = embed_job(second)
    assert job.state == JobState.COMPLETED, job.error
    assert job.report["embedded"] == 0
    assert not lacking(second)
    assert not vectors.find_lacking()
    shares = set(VectorCoverage.objects.values_list("chunks", "embedded"))
    assert len(shares) == 1


def work_until_embedded(queue: str) -> None:
    """Do what a worker process does, until no embedding job is open."""
    jobs = Job.objects.filter(kind="embed", state__in=OPEN_STATES)

    def work() -> bool:
        run = turns.claim_in_turn(queue)
        if run is not None:
            engine.run_batch(run)
            engine.advance_job(run.job.pk)
        return not jobs.exists()

    wait_until(work, 120, "the end of all embedding jobs")


@pytest.mark.slow
def test_ten_copies_embedded_at_once_have_the_same_vectors(shop: Repository) -> None:
    shop.commit({f"notes/{n}.txt": f"Note {n} about tea.\n" for n in range(150)})
    sources = index_copies(shop, PRODUCTS)
    for source in sources:
        engine.start_job(embed_job(source).pk)
    workers = [in_thread(partial(work_until_embedded, queue)) for queue in _QUEUES]
    for worker in workers:
        worker.join()
    assert [len(lacking(source)) for source in sources] == [0] * PRODUCTS
    shares = set(VectorCoverage.objects.values_list("chunks", "embedded"))
    assert len(shares) == 1
    assert len(SHOP) < min(shares)[0] == min(shares)[1]
