"""A small workflow for tests of the engine: what it did is in lists."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Job
from devrag.jobs.services import enqueue_job
from devrag.jobs.workflow import BatchPlan, Payload, Phase, Workflow
from devrag.products.models import Product

done: list[list[int]] = []
discarded: list[uuid.UUID] = []


def plan_numbers(_job: Job) -> Iterator[BatchPlan]:
    yield BatchPlan({"numbers": [1, 2, 3]}, units=3, note="one")
    yield BatchPlan({"numbers": [4]}, units=1, note="four")


def do_numbers(run: BatchRun) -> dict[str, Any]:
    done.append(run.payload["numbers"])
    return {}


def halve_numbers(payload: Payload) -> Iterable[BatchPlan]:
    numbers = payload["numbers"]
    middle = len(numbers) // 2
    for part in (numbers[:middle], numbers[middle:]):
        if middle:
            yield BatchPlan({"numbers": part}, units=len(part))


def plan_end(_job: Job) -> Iterator[BatchPlan]:
    yield BatchPlan({"numbers": [0]})


WORKFLOWS = {
    "sample": Workflow(
        phases=(
            Phase(
                *("count", "parse", plan_numbers, do_numbers),
                unit="numbers",
                halve=halve_numbers,
            ),
            Phase("end", "plan", plan_end, do_numbers),
        ),
        finish=lambda job: {"batches": job.batches.count()},
        delete_leftovers=discarded.append,
    )
}


def ask(product: Product, lane: str = "lane", **params: Any) -> Job:
    return enqueue_job(kind="sample", lane=lane, product=product, params=params)
