"""How index runs end badly: cancelled, failed, on a file that no parser survives."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings

from devrag.core.errors import Conflict
from devrag.core.principal import SYSTEM
from devrag.indexing.parse import halve_parse
from devrag.jobs import engine
from devrag.jobs.models import Batch, Job, JobState
from devrag.jobs.services import cancel_job, retry_job, tidy_job
from devrag.parsing.api import parse_as_windows
from devrag.sources.models import File, StagedChange, Symbol
from devrag.use_cases.add_repository import add_repository
from tests.conftest import SHOP, Repository, run_job

pytestmark = pytest.mark.django_db


@pytest.fixture
def planned(shop: Repository) -> Job:
    """An index job whose plan phase is done."""
    job = add_repository(
        principal=SYSTEM,
        location=str(shop.path),
        product_name="tea",
        is_wiki_wanted=False,
        is_local_user=True,
    )
    return run_job(job, queues=(f"plan.{settings.HOST_NAME}",))


def test_a_cancelled_run_leaves_no_staged_changes(planned: Job) -> None:
    assert StagedChange.objects.filter(run=planned.pk).exists()
    tidy_job(job=cancel_job(job=planned))
    assert not StagedChange.objects.exists()
    assert File.objects.exists()  # read and stored once is enough


def test_a_retry_of_a_cancelled_run_indexes_everything(planned: Job) -> None:
    tidy_job(job=cancel_job(job=planned))
    planned.refresh_from_db()
    again = run_job(retry_job(job=planned))
    assert again.state == JobState.COMPLETED
    assert again.report["added"] == len(SHOP)


def test_an_activated_version_always_gets_its_vectors(planned: Job) -> None:
    """A cancel between activation and the job's end comes too late."""
    job = planned
    while job.phase < 2:
        run = engine.claim_batch(job.pk, "parse")
        assert run is not None
        engine.run_batch(run)
        engine.advance_job(job.pk)
        job.refresh_from_db()
    run = engine.claim_batch(job.pk, "parse")
    assert run is not None
    engine.run_batch(run)
    with pytest.raises(Conflict, match="no longer be cancelled"):
        cancel_job(job=job)
    engine.advance_job(job.pk)
    job.refresh_from_db()
    assert Job.objects.get(pk=job.report["embedJobID"]).state == JobState.PENDING


def test_a_batch_is_halved_down_to_one_file(planned: Job) -> None:
    ids = Batch.objects.get(job=planned, phase=1).payload["fileIDs"]
    halves = list(halve_parse({"fileIDs": ids}))
    assert [i for half in halves for i in half.payload["fileIDs"]] == ids
    assert {half.units for half in halves} == {len(ids) // 2, -(-len(ids) // 2)}
    paths = dict(File.objects.values_list("pk", "path"))
    assert [half.note for half in halves] == [
        paths[half.payload["fileIDs"][0]] for half in halves
    ]


def test_one_file_is_tried_without_its_parser_and_then_no_more(planned: Job) -> None:
    key = File.objects.get(path="shop/cart.py").pk
    (careful,) = halve_parse({"fileIDs": [key]})
    assert careful.payload == {"fileIDs": [key], "crashed": True}
    assert careful.note == "shop/cart.py"
    assert list(halve_parse(careful.payload)) == []


def test_the_report_and_the_log_name_a_crash(planned: Job) -> None:
    file = File.objects.get(path="shop/cart.py")
    careful: dict[str, Any] = {"fileIDs": [file.pk], "crashed": True}
    Batch.objects.filter(job=planned, phase=1).update(ordinal=1)
    Batch.objects.create(
        job=planned, phase=1, queue="parse", ordinal=0, payload=careful
    )
    job = run_job(planned)
    assert job.report["asWindows"] == {"parser_crash": 1}
    told = job.events.get(level="warning").message
    assert told == "shop/cart.py is indexed as plain text: its parser crashed"
    assert not Symbol.objects.filter(file=file).exists()


def test_windows_of_a_file_hold_its_text_and_nothing_else() -> None:
    facts = parse_as_windows("a/b.py", "def f():\n    return 1\n", code="parser_crash")
    assert [chunk.kind for chunk in facts.chunks] == ["window"]
    assert (facts.language, facts.kind, facts.lines) == ("python", "code", 2)
    assert (facts.symbols, facts.references, facts.facts) == ((), (), ())
