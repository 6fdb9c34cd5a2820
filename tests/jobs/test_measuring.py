"""What becomes of jobs is counted once, and one id joins the lines of a request."""

from __future__ import annotations

from typing import Any

import pytest
import structlog
from django.db import transaction
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from devrag.core.errors import ServiceError
from devrag.core.metrics import flush, read_totals
from devrag.core.request_id import bound_request_id
from devrag.jobs import engine, recovery, services
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Batch, Job, JobState
from devrag.jobs.workflow import BatchPlan, Phase, Workflow
from devrag.llm.chat import Usage
from devrag.products.models import Product
from devrag.spending.budget import reserve_call, settle_call
from devrag.spending.models import ModelCall
from tests.conftest import run_job

pytestmark = pytest.mark.django_db(transaction=True)
# Of no other test: all that run at once count together.
_KIND = "measured"


def ask(product: Product, lane: str = "lane") -> Job:
    return services.enqueue_job(kind=_KIND, lane=lane, product=product, params={})


def work(run: BatchRun) -> dict[str, Any]:
    """Ask a model and for another job, as writing a wiki does."""
    structlog.get_logger("devrag.test").info("working")
    product = Product.objects.get()
    call = ModelCall(
        product=product, purpose="page", provider="openai", model="m", run=run.job.pk
    )
    reserve_call(call=call)
    settle_call(call=call, usage=Usage(input_tokens=3), price=None)
    if run.job.lane == "lane":
        ask(product, lane="another")
    return {}


WORKFLOWS = {
    _KIND: Workflow(
        phases=(
            Phase("work", "parse", lambda _: (BatchPlan(),), work, is_atomic=False),
        ),
        finish=lambda _job: {},
    )
}


@pytest.fixture
def product(settings: Any) -> Product:
    settings.JOB_WORKFLOWS = "tests.jobs.test_measuring.WORKFLOWS"
    return Product.objects.create(name="shop")


def ended(state: str) -> float:
    flush()
    return _total("devrag_jobs_ended_total", ("kind", _KIND), ("state", state))


def losses() -> float:
    flush()
    return _total("devrag_lease_losses_total", ("kind", _KIND))


def _total(name: str, *labels: tuple[str, str]) -> float:
    (metric,) = [each for each in read_totals() if each.name == name]
    return sum(each.value for each in metric.samples if each.labels == labels)


def test_each_end_counts_once(product: Product) -> None:
    states = ("completed", "failed", "cancelled", "skipped")
    before = {state: ended(state) for state in states}
    run_job(ask(product, lane="first"))
    failing = ask(product)
    Job.objects.filter(pk=failing.pk).update(state=JobState.RUNNING)
    services.fail_job(job=failing, error=ServiceError("it broke"))
    services.fail_job(job=failing, error=ServiceError("it broke again"))
    ask(product)
    services.cancel_job(job=ask(product))  # which took the other's place
    assert {state: ended(state) - before[state] for state in states} == dict.fromkeys(
        states, 1
    )


def test_what_is_rolled_back_does_not_count(product: Product) -> None:
    before = ended("cancelled")
    job = ask(product)
    with transaction.atomic():
        services.cancel_job(job=job)
        transaction.set_rollback(True)
    assert ended("cancelled") == before


def test_a_lost_worker_counts(product: Product) -> None:
    before = losses()
    engine.start_job(ask(product).pk)
    run = engine.claim_batch(Job.objects.get().pk, "parse")
    assert run is not None
    Batch.objects.filter(pk=run.batch.pk).update(lease_until=None)
    recovery.release_lost_batches()
    recovery.release_lost_batches()
    assert losses() == before + 1


def test_request_job_and_model_call_share_one_id(product: Product) -> None:
    with bound_request_id("of-the-request"):
        job = ask(product)
    with capture_logs(processors=[merge_contextvars]) as lines:
        run_job(job)
    events = ("working", "model called", "job ended")
    seen = {each["event"]: each for each in lines if each["event"] in events}
    assert {
        event: (line["request_id"], line["job"]) for event, line in seen.items()
    } == dict.fromkeys(events, ("of-the-request", str(job.pk)))
    assert Job.objects.get(lane="another").request_id == "of-the-request"


def test_a_job_that_no_request_asked_for_has_its_own_id(product: Product) -> None:
    job = ask(product)
    with capture_logs(processors=[merge_contextvars]) as lines:
        run_job(job)
    (line,) = [each for each in lines if each["event"] == "job ended"]
    assert (line["request_id"], line["state"]) == (str(job.pk), "completed")
