"""An index run over files that parsers cannot bear: what is kept, said and stopped."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from devrag.cli.sentences import index_sentence
from devrag.core.principal import SYSTEM
from devrag.indexing import parse
from devrag.indexing.parser import parser
from devrag.jobs import engine
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Batch, Job, JobState
from devrag.jobs.reports import report_lines
from devrag.jobs.services import cancel_job
from devrag.parsing.isolated import process
from devrag.parsing.isolated.process import ParserLimits, ParserProcess
from devrag.sources.models import Chunk, File, Symbol
from devrag.use_cases.add_repository import add_repository
from tests.conftest import SHOP, Repository, run_job
from tests.parsing import hostile
from tests.parsing.processes import watch_children
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db
HOSTILE = "shop/hostile.py"
SHOP_AND_HOSTILE = sorted([*SHOP, HOSTILE])


@pytest.fixture
def small_parser(monkeypatch: pytest.MonkeyPatch) -> Iterator[ParserProcess]:
    """Limits that a small hostile file reaches in a second."""
    made = ParserProcess(ParserLimits(memory_bytes=150_000_000))
    monkeypatch.setattr(parse, "parser", lambda: made)
    yield made
    made.close()


def request(repository: Repository, text: str = "") -> Job:
    repository.commit({**SHOP, HOSTILE: text} if text else SHOP)
    return add_repository(
        principal=SYSTEM,
        location=str(repository.path),
        product_name="tea",
        is_wiki_wanted=False,
        is_local_user=True,
    )


def test_a_hostile_file_becomes_windows_and_its_neighbours_keep_their_facts(
    repository: Repository, small_parser: ParserProcess
) -> None:
    job = run_job(request(repository, hostile.SLOW[1]()))
    assert job.state == JobState.COMPLETED, job.error
    assert job.batches.filter(losses__gt=0).count() == 0
    file = File.objects.get(path=HOSTILE)
    why = f"{HOSTILE} is indexed as plain text: parsing it exceeded the memory limit"
    assert file.warnings == [why]
    assert set(Chunk.objects.filter(file=file).values_list("kind", flat=True)) == {
        "window"
    }
    assert not Symbol.objects.filter(file=file).exists()
    assert Symbol.objects.filter(file__path="shop/cart.py", name="checkout").exists()
    assert File.objects.filter(state=File.State.PARSED).count() == len(SHOP) + 1
    assert job.events.filter(message=why, level="warning").exists()


@pytest.mark.slow
def test_its_reason_is_shown_in_plain_words(
    repository: Repository, small_parser: ParserProcess
) -> None:
    job = run_job(request(repository, hostile.SLOW[1]()))
    assert job.report["asWindows"] == {"parser_memory": 1}
    assert job.report["asWindowsPaths"] == {"parser_memory": [HOSTILE]}
    lines = dict(report_lines(job.report))
    label = "Indexed as plain text: parsing exceeded the memory limit"
    assert lines[label] == f"1 ({HOSTILE})"
    sentence = index_sentence("tea", job.report)
    assert "1 indexed as plain text: parsing exceeded the memory limit." in sentence


@pytest.mark.slow
def test_a_batch_of_slow_files_commits_what_it_has_and_another_goes_on(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse, "_BATCH_SECONDS", 0.0)
    job = run_job(request(repository))
    assert job.state == JobState.COMPLETED, job.error
    batches = job.batches.filter(phase=1).order_by("ordinal")
    assert [batch.units for batch in batches] == [1] * len(SHOP)
    assert [batch.done_units for batch in batches] == [1] * len(SHOP)
    assert File.objects.filter(state=File.State.PARSED).count() == len(SHOP)
    assert Symbol.objects.filter(file__path="shop/cart.py", name="checkout").exists()


@pytest.mark.slow
def test_progress_does_not_fall_back_while_a_file_takes_long(
    repository: Repository, small_parser: ParserProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_WAIT_SECONDS", 0.0)
    job = request(repository, hostile.SLOW[1]())
    run_job(job, queues=(f"plan.{settings.HOST_NAME}",))
    told: list[tuple[int, str]] = []
    monkeypatch.setattr(
        BatchRun, "progress", lambda _, done, note="": told.append((done, note))
    )
    run = engine.claim_batch(job.pk, "parse")
    assert run is not None
    engine.run_batch(run)
    place = SHOP_AND_HOSTILE.index(HOSTILE)
    assert (place, HOSTILE) in told
    assert [done for done, _ in told] == sorted(done for done, _ in told)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_cancel_ends_the_parsing_of_a_hostile_file(repository: Repository) -> None:
    job = request(repository, hostile.MEMORY[1]())
    run_job(job, queues=(f"plan.{settings.HOST_NAME}",))
    run = engine.claim_batch(job.pk, "parse")
    assert run is not None
    parser().close()
    parser_processes = watch_children()

    def work() -> None:
        try:
            engine.run_batch(run)
        finally:
            connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        wait_until(parser_processes, 30, "a parser process")
        cancel_job(job=Job.objects.get(pk=job.pk))
    finally:
        worker.join(60)
    assert not worker.is_alive()
    assert parser_processes() == []
    assert Batch.objects.get(pk=run.batch.pk).state != "done"
    assert not Chunk.objects.exists()


def test_the_facts_command_survives_a_hostile_file(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f():\n    pass\n")
    path, make = hostile.SIBLINGS
    (tmp_path / path).write_text(make())
    out = StringIO()
    call_command("facts", str(tmp_path), stdout=out)
    style, code = json.loads(out.getvalue())
    assert [symbol["name"] for symbol in code["symbols"]] == ["a", "f"]
    assert style["fallback"] == "parser_timeout"
    assert style["chunks"]
