"""The index job from a real repository to rows: increments, refs, bad input."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction

from devrag.core.principal import SYSTEM
from devrag.jobs import engine
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Job, JobState
from devrag.jobs.services import cancel_job
from devrag.search.semantic.specs import ensure_active_spec
from devrag.sources.dirty import mark_dirty
from devrag.sources.models import (
    Chunk,
    File,
    GitRef,
    RefFile,
    Snapshot,
    Source,
    StagedChange,
)
from devrag.use_cases.add_repository import add_repository
from devrag.use_cases.index import request_index
from tests.conftest import SHOP, Repository, run_job
from tests.waiting import wait_for_lock_waiters

pytestmark = pytest.mark.django_db


def index(repository: Repository | Path, **options: Any) -> Job:
    path = repository.path if isinstance(repository, Repository) else repository
    job = add_repository(
        principal=SYSTEM,
        location=str(path),
        **{"product_name": "tea", "is_wiki_wanted": False, "is_local_user": True}
        | options,
    )
    return run_job(job)


def add(repository: Repository) -> Job:
    return add_repository(
        principal=SYSTEM,
        location=str(repository.path),
        product_name="tea",
        is_wiki_wanted=False,
        is_local_user=True,
    )


def run_until_parse(job: Job, plan: tuple[str, ...]) -> None:
    engine.start_job(job.pk)
    run = engine.claim_batch(job.pk, plan[0])
    assert run is not None
    engine.run_batch(run)
    engine.advance_job(job.pk)


def claim_activation(job: Job) -> BatchRun:
    run_until_parse(job, (f"plan.{settings.HOST_NAME}",))
    while (run := engine.claim_batch(job.pk, "parse")) is not None:
        if run.batch.phase == 2:
            return run
        engine.run_batch(run)
        engine.advance_job(job.pk)
    raise AssertionError("the job has no activation")


def counts(job: Job) -> tuple[int, int, int, int]:
    report = job.report
    keys = ("added", "modified", "removed", "unchanged")
    added, modified, removed, unchanged = (report[key] for key in keys)
    return added, modified, removed, unchanged


def manifest() -> set[str]:
    return set(RefFile.objects.filter(until=None).values_list("file__path", flat=True))


def test_the_first_run_is_a_full_index(shop: Repository) -> None:
    job = index(shop)
    assert job.state == JobState.COMPLETED, job.error
    assert counts(job) == (len(SHOP), 0, 0, 0)
    assert manifest() == set(SHOP)
    snapshot = Snapshot.objects.get()
    assert snapshot.version_identifier == shop.git("rev-parse", "HEAD")
    assert snapshot.is_indexed
    assert snapshot.file_count == len(SHOP)
    assert Chunk.objects.count() == snapshot.chunk_count
    assert not StagedChange.objects.exists()


def test_an_unchanged_repository_is_skipped_with_a_reason(shop: Repository) -> None:
    index(shop)
    rows = set(File.objects.values_list("pk", flat=True))
    again = index(shop)
    assert again.report["skipped"].startswith("unchanged since")
    assert counts(again) == (0, 0, 0, len(SHOP))
    assert set(File.objects.values_list("pk", flat=True)) == rows
    assert Snapshot.objects.count() == 1


def test_one_changed_file_touches_one_file(shop: Repository) -> None:
    index(shop)
    before = File.objects.count()
    shop.commit({"shop/till.py": '"""Another till."""\n'})
    job = index(shop)
    assert counts(job) == (0, 1, 0, len(SHOP) - 1)
    assert File.objects.count() == before + 1
    assert RefFile.objects.filter(until=2).count() == 1
    assert manifest() == set(SHOP)


def test_additions_removals_and_renames(shop: Repository) -> None:
    index(shop)
    shop.commit(
        {
            "shop/till.py": None,
            "shop/money.py": SHOP["shop/till.py"],
            "new.py": "x = 1\n",
        }
    )
    job = index(shop)
    assert counts(job) == (2, 0, 1, len(SHOP) - 1)
    assert manifest() == set(SHOP) - {"shop/till.py"} | {"shop/money.py", "new.py"}


def test_a_revert_reads_no_file_again(shop: Repository) -> None:
    index(shop)
    shop.commit({"shop/till.py": "changed = True\n"})
    index(shop)
    before = File.objects.count()
    shop.commit({"shop/till.py": SHOP["shop/till.py"]})
    job = index(shop)
    assert counts(job)[1] == 1
    assert File.objects.count() == before


def test_keys_of_chunks_stay_while_the_text_does(shop: Repository) -> None:
    def keys() -> dict[str, str]:
        rows = Chunk.objects.filter(file__manifests__until=None)
        return {row.chunk_key: row.text for row in rows.select_related("file")}

    index(shop)
    before = keys()
    assert "shop/cart.py::chunk_0" in before
    shop.commit({"shop/till.py": "changed = True\n"})
    index(shop)
    shop.commit({"shop/till.py": SHOP["shop/till.py"], "new.py": "new = 1\n"})
    index(shop, is_full=True)
    assert keys().items() > before.items()


def test_another_ref_changes_nothing_that_search_sees(shop: Repository) -> None:
    index(shop)
    shop.git("checkout", "-q", "-b", "wild")
    shop.commit({"wild.py": "wild = 1\n"})
    shop.git("checkout", "-q", "main")
    index(shop, ref="wild")
    current = GitRef.objects.get(is_current=True)
    assert current.name == "main"
    paths = RefFile.objects.filter(ref=current, until=None)
    assert not paths.filter(file__path="wild.py").exists()


@pytest.mark.slow
def test_the_default_ref_becomes_current_though_it_is_indexed_already(
    shop: Repository,
) -> None:
    shop.git("branch", "wild")
    index(shop, ref="wild")
    index(shop, ref="main")
    index(shop)
    assert GitRef.objects.get(is_current=True).name == "main"


@pytest.mark.slow
def test_the_default_ref_and_its_name_share_a_lane(shop: Repository) -> None:
    index(shop)
    source = Source.objects.get()
    first = request_index(principal=SYSTEM, source=source)
    assert engine.start_job(first.pk)
    assert not engine.start_job(
        request_index(principal=SYSTEM, source=source, ref="main").pk
    )


@pytest.mark.slow
def test_differences_from_an_older_manifest_are_taken_again(shop: Repository) -> None:
    """Before the first run nobody knows that `main` is the default: two lanes."""
    source = add(shop).source_name
    first = Job.objects.get()
    second = request_index(
        principal=SYSTEM, source=Source.objects.get(name=source), ref="main"
    )
    plan = (f"plan.{settings.HOST_NAME}",)
    run_until_parse(first, plan)
    shop.commit({"shop/till.py": None, "new.py": "new = 1\n"})
    run_until_parse(second, plan)
    assert run_job(first).state == JobState.COMPLETED
    assert run_job(second).state == JobState.SKIPPED
    assert manifest() == set(SHOP)
    assert second.superseded_by is not None
    assert run_job(second.superseded_by).state == JobState.COMPLETED
    assert manifest() == set(SHOP) - {"shop/till.py"} | {"new.py"}


@pytest.mark.slow
def test_a_run_taken_again_leaves_a_newer_wish_in_place(shop: Repository) -> None:
    source = add(shop).source_name
    first = Job.objects.get()
    wanted = Source.objects.get(name=source)
    second = request_index(
        principal=SYSTEM, source=wanted, ref="main", is_wiki_wanted=True
    )
    plan = (f"plan.{settings.HOST_NAME}",)
    run_until_parse(first, plan)
    run_until_parse(second, plan)
    assert run_job(first).state == JobState.COMPLETED
    newer = request_index(principal=SYSTEM, source=wanted, commit="b" * 40)
    assert run_job(second).superseded_by == newer
    newer.refresh_from_db()
    assert newer.state == JobState.PENDING
    assert newer.params["commit"] == "b" * 40
    assert newer.params["generateWiki"] is True


@pytest.mark.slow
def test_a_version_that_comes_back_is_not_dirty(shop: Repository) -> None:
    index(shop)
    mark_dirty(source=Source.objects.get(), paths=["shop/till.py"])
    shop.commit({"shop/till.py": "changed = True\n"})
    index(shop)
    shop.commit({"shop/till.py": SHOP["shop/till.py"]})
    index(shop)
    assert not Chunk.objects.filter(is_dirty=True).exists()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)  # for its threads
def test_two_refs_may_become_a_new_sources_first_at_once(shop: Repository) -> None:
    shop.git("branch", "wild")
    add(shop)
    ensure_active_spec()  # as the server does before it takes a job
    first = Job.objects.get()
    second = request_index(principal=SYSTEM, source=Source.objects.get(), ref="wild")
    runs = [claim_activation(job) for job in (first, second)]

    def activate(run: BatchRun) -> None:
        engine.run_batch(run)
        engine.advance_job(run.job.pk)
        connection.close()

    threads = [threading.Thread(target=activate, args=[run]) for run in runs]
    with transaction.atomic():
        # Both wait here for the source, as they would for one another.
        list(Source.objects.select_for_update(no_key=True))
        for thread in threads:
            thread.start()
        wait_for_lock_waiters(2)
    for thread in threads:
        thread.join()
    assert run_job(first).state == run_job(second).state == JobState.COMPLETED
    assert GitRef.objects.get(is_current=True).name == "main"


@pytest.mark.slow
def test_tag_and_branch_on_one_commit_share_a_snapshot(shop: Repository) -> None:
    shop.git("tag", "v1.0.0")
    index(shop)
    index(shop, ref="v1.0.0")
    assert Snapshot.objects.count() == 1
    assert GitRef.objects.count() == 2


def test_full_reads_everything_again_and_ends_the_same(shop: Repository) -> None:
    index(shop)
    before = set(Chunk.objects.values_list("file__path", "ordinal", "content_hash"))
    job = index(shop, is_full=True)
    assert job.state == JobState.COMPLETED, job.error
    after = set(Chunk.objects.values_list("file__path", "ordinal", "content_hash"))
    assert after == before
    assert manifest() == set(SHOP)


@pytest.mark.slow
def test_a_full_run_keeps_the_chunks_that_search_sees(shop: Repository) -> None:
    """Chunks, and the vectors that hang on them, are in use until the activation."""
    index(shop)
    before = set(Chunk.objects.values_list("pk", flat=True))
    index(shop, is_full=True)
    assert set(Chunk.objects.values_list("pk", flat=True)) == before


def test_a_full_run_repairs_chunks(shop: Repository) -> None:
    index(shop)
    before = set(Chunk.objects.values_list("file__path", "ordinal", "text"))
    Chunk.objects.filter(file__path="README.md").update(text="lost")
    index(shop, is_full=True)
    assert set(Chunk.objects.values_list("file__path", "ordinal", "text")) == before


@pytest.mark.slow
def test_an_unchanged_run_asks_again_for_missing_vectors(shop: Repository) -> None:
    first = index(shop)
    assert "embedJobID" not in index(shop).report  # it still waits
    cancel_job(job=Job.objects.get(pk=first.report["embedJobID"]))
    again = index(shop)
    assert "skipped" in again.report
    assert Job.objects.get(pk=again.report["embedJobID"]).is_open


def test_a_killed_plan_is_resumed_without_doubles(
    shop: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that dies after storing files starts again and ends the same."""
    from devrag.indexing import plan
    from devrag.jobs.models import Batch

    store: Callable[..., int] = plan.store_portion
    calls: list[int] = []

    def die_once(*args: Any) -> int:
        left_out = store(*args)
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return left_out

    monkeypatch.setattr(plan, "store_portion", die_once)
    job = add_repository(
        principal=SYSTEM,
        location=str(shop.path),
        product_name="tea",
        is_wiki_wanted=False,
        is_local_user=True,
    )
    with pytest.raises(KeyboardInterrupt):
        run_job(job)
    Batch.objects.filter(job=job).update(state="open", attempts=1)
    engine.advance_job(job.pk)
    done = run_job(job)
    assert done.state == JobState.COMPLETED, done.error
    assert manifest() == set(SHOP)
    assert File.objects.count() == len(SHOP)
