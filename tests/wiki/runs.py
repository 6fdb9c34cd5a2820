"""Runs of the wiki job, phase by phase, in this process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Batch, BatchState, Job
from devrag.products.models import Product
from devrag.wiki.generation.job import WORKFLOW
from tests.wiki.rows import index_source


def begin(product: Product, **params: Any) -> Job:
    """Return a running wiki job, as a worker holds it."""
    return Job.objects.create(
        kind="wiki",
        lane=f"wiki:{uuid4()}",  # several stand beside each other here
        product=product,
        state="running",
        params={"productID": product.pk, "cause": "test", **params},
    )


def run_phase(job: Job, number: int) -> list[Batch]:
    """Plan and run the batches of one phase; -1 is the last."""
    number %= len(WORKFLOW.phases)
    phase = WORKFLOW.phases[number]
    done = []
    for ordinal, plan in enumerate(phase.plan(job)):
        batch = Batch.objects.create(
            job=job,
            phase=number,
            queue=phase.queue,
            ordinal=ordinal,
            payload=dict(plan.payload),
            state=BatchState.RUNNING,
        )
        batch.result = dict(phase.run(BatchRun(job, batch)))
        batch.save()
        done.append(batch)
    return done


def generate(product: Product, **params: Any) -> Mapping[str, Any]:
    """Write the product's wiki and return the report of the run."""
    job = begin(product, **params)
    for number in range(len(WORKFLOW.phases)):
        run_phase(job, number)
    return WORKFLOW.finish(job)


def write_versions(*trees: Mapping[str, str]) -> None:
    """Make a product `shop` whose wiki has a version for each state of its source."""
    product = Product.objects.create(name="shop", title="Shop")
    for tree, digit in zip(trees, "abcdef", strict=False):
        index_source(product, "shop", tree, digit * 40)
        generate(product)
