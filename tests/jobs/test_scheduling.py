"""Fair turns: a new small job never waits behind a big one, whatever the messages."""

from __future__ import annotations

import math
from collections import deque
from typing import Any

import pytest

from devrag.jobs import engine, recovery, services, tasks
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Batch, BatchState, Job, JobState
from devrag.jobs.workflow import BatchPlan, Phase, Workflow
from devrag.products.models import Product

pytestmark = pytest.mark.django_db(transaction=True)

done: list[str] = []
held: dict[str, float] = {}


def _plan(job: Job) -> list[BatchPlan]:
    return [BatchPlan() for _ in range(job.params["batches"])]


def _run(run: BatchRun) -> dict[str, Any]:
    done.append(run.job.source_name)
    return {}


WORKFLOWS = {
    "embed": Workflow(
        phases=(
            Phase(
                *("embed", "embed", _plan, _run),
                wait=lambda job: held.get(job.source_name, 0.0),
            ),
        ),
        finish=lambda _job: {},
    )
}


class Broker:
    """The messages of one queue, in order, and one worker that takes them."""

    def __init__(self) -> None:
        self.messages: deque[tuple[Any, str, int]] = deque()

    def wake(
        self, job_id: Any, queue: str, *, times: int = 1, delay_seconds: int = 0
    ) -> None:
        self.messages.extend([(job_id, queue, delay_seconds)] * times)

    def work(self, slices: int = 1) -> None:
        for _ in range(slices):
            if self.messages:
                job_id, queue, _ = self.messages.popleft()
                tasks.work(str(job_id), queue)


@pytest.fixture
def broker(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Broker:
    settings.JOB_WORKFLOWS = "tests.jobs.test_scheduling.WORKFLOWS"
    settings.INDEX_WORKERS = 4
    monkeypatch.setattr(tasks, "_SLICE_SECONDS", 0.0)  # a batch is as long as a slice
    broker = Broker()
    for module in (engine, recovery, services, tasks):
        monkeypatch.setattr(module, "wake", broker.wake)
    done.clear()
    held.clear()
    return broker


def ask(name: str, batches: int) -> Job:
    product, _ = Product.objects.get_or_create(name="shop")
    job = services.enqueue_job(
        kind="embed",
        lane=f"embed:{name}",
        product=product,
        params={"batches": batches},
        source_name=name,
    )
    engine.start_job(job.pk)
    return job


def batches_done(broker: Broker, count: int) -> list[str]:
    while len(done) < count:
        broker.work()
    return done


def test_a_small_job_is_served_within_two_slices(broker: Broker) -> None:
    big = ask("big", 1000)
    broker.work(20)
    small = ask("small", 2)
    before = len(done)
    broker.work(4)
    assert done[before:].count("small") == 2
    small.refresh_from_db()
    assert small.state == JobState.COMPLETED
    big.refresh_from_db()
    assert big.is_open


@pytest.mark.slow
def test_turns_rotate_over_all_jobs(broker: Broker) -> None:
    for name in ("a", "b", "c"):
        ask(name, 50)
    done = batches_done(broker, 30)
    assert {name: done.count(name) for name in "abc"} == {"a": 10, "b": 10, "c": 10}


def test_turns_are_fair_after_the_broker_forgot_everything(broker: Broker) -> None:
    ask("big", 1000)
    broker.work(20)
    small = ask("small", 2)
    broker.messages.clear()
    # What the tick does once nothing moved for a while.
    Batch.objects.update(started_at=None, finished_at=None)
    recovery.wake_stalled_jobs()
    before = len(done)
    broker.work(4)
    assert done[before:].count("small") == 2
    small.refresh_from_db()
    assert small.state == JobState.COMPLETED


def test_messages_of_a_job_end_with_its_batches(broker: Broker) -> None:
    ask("a", 3)
    ask("b", 3)
    broker.work(50)
    assert sorted(done) == ["a"] * 3 + ["b"] * 3
    assert not any(queue == "embed" for _, queue, _ in broker.messages)


def test_a_job_that_must_wait_lets_others_pass(broker: Broker) -> None:
    held["a"] = 30.0
    waiting = ask("a", 3)
    ask("b", 3)
    broker.messages.clear()
    broker.wake(waiting.pk, "embed")
    broker.work()
    assert done == ["b"]
    assert list(broker.messages) == [(waiting.pk, "embed", 30)]


def test_a_held_job_is_not_asked_for_again(broker: Broker) -> None:
    held["a"] = math.inf
    job = ask("a", 3)
    broker.work(10)
    assert done == []
    assert not broker.messages
    assert Batch.objects.filter(job=job, attempts=0).count() == 3
    held.clear()
    recovery.wake_stalled_jobs()
    broker.work(10)
    assert Batch.objects.filter(job=job, state=BatchState.DONE).count() == 3
