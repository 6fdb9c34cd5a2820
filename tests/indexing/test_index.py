"""The index job from a real repository to rows: increments, refs, bad input."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction

from devrag.core.errors import InvalidInput, NotFound
from devrag.core.principal import SYSTEM
from devrag.flows.add_repository import add_repository
from devrag.flows.index import request_index
from devrag.jobs import engine
from devrag.jobs.models import Job, JobState
from devrag.jobs.run import BatchRun
from devrag.jobs.services import cancel_job
from devrag.products.models import Product
from devrag.sources.models import (
    Chunk,
    File,
    GitRef,
    RefFile,
    Skip,
    Snapshot,
    Source,
    StagedChange,
)
from tests.conftest import SHOP, Repository, run_job

pytestmark = pytest.mark.django_db(transaction=True)


def index(repository: Repository | Path, **options: Any) -> Job:
    path = repository.path if isinstance(repository, Repository) else repository
    job = add_repository(
        principal=SYSTEM,
        location=str(path),
        product_name="tea",
        is_wiki_wanted=False,
        is_local_user=True,
        **options,
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
    run_job(job, queues=(f"plan.{settings.HOST_NAME}", "parse"))
    run = engine.claim_batch(job.pk, "plan")
    assert run is not None
    return run


def wait_for_lock_waiters(count: int) -> None:
    deadline = time.monotonic() + 10
    asked = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    with connection.cursor() as cursor:
        while True:
            cursor.execute(asked)
            if cursor.fetchone()[0] >= count:
                return
            assert time.monotonic() < deadline, "nobody waits"


def counts(job: Job) -> tuple[int, int, int, int]:
    report = job.report
    keys = ("added", "modified", "removed", "unchanged")
    added, modified, removed, unchanged = (report[key] for key in keys)
    return added, modified, removed, unchanged


def manifest() -> set[str]:
    return set(RefFile.objects.filter(until=None).values_list("file__path", flat=True))


def test_the_first_run_is_a_full_index(shop: Repository) -> None:  # T37, S2-8.6-7
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
    assert Snapshot.objects.count() == 1  # T36


def test_one_changed_file_touches_one_file(shop: Repository) -> None:  # S2-8.6-3
    index(shop)
    before = File.objects.count()
    shop.commit({"shop/till.py": '"""Another till."""\n'})
    job = index(shop)
    assert counts(job) == (0, 1, 0, len(SHOP) - 1)
    assert File.objects.count() == before + 1
    assert RefFile.objects.filter(until=2).count() == 1
    assert manifest() == set(SHOP)


def test_additions_removals_and_renames(shop: Repository) -> None:  # T37, O4
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


def test_the_default_ref_becomes_current_though_it_is_indexed_already(
    shop: Repository,
) -> None:  # T41
    shop.git("branch", "wild")
    index(shop, ref="wild")
    index(shop, ref="main")
    index(shop)
    assert GitRef.objects.get(is_current=True).name == "main"


def test_the_default_ref_and_its_name_share_a_lane(shop: Repository) -> None:
    index(shop)
    source = Source.objects.get()
    first = request_index(principal=SYSTEM, source=source)
    assert engine.start_job(first.pk)
    assert not engine.start_job(
        request_index(principal=SYSTEM, source=source, ref="main").pk
    )


def test_differences_from_an_older_manifest_are_refused(shop: Repository) -> None:
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
    assert run_job(second).state == JobState.FAILED
    assert "at the same time" in Job.objects.get(pk=second.pk).error
    assert manifest() == set(SHOP)


def test_two_refs_may_become_a_new_sources_first_at_once(shop: Repository) -> None:
    shop.git("branch", "wild")
    add(shop)
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


def test_tag_and_branch_on_one_commit_share_a_snapshot(shop: Repository) -> None:  # T36
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


def test_an_unchanged_run_asks_again_for_missing_vectors(shop: Repository) -> None:
    first = index(shop)
    assert "embedJobID" not in index(shop).report  # it still waits
    cancel_job(job=Job.objects.get(pk=first.report["embedJobID"]))
    again = index(shop)
    assert "skipped" in again.report
    assert Job.objects.get(pk=again.report["embedJobID"]).is_open


def test_ignore_files_apply_in_order(repository: Repository) -> None:  # T33
    repository.commit({"secret.log": "x\n", "dist/a.js": "x\n", "keep.py": "k = 1\n"})
    repository.commit({".gitignore": "*.log\n", ".devragignore": "dist/\n"})
    index(repository)
    assert manifest() == {"keep.py", ".gitignore", ".devragignore"}
    reasons = dict(Skip.objects.values_list("path", "reason"))
    assert "gitignore" in reasons["secret.log"]
    assert "devragignore" in reasons["dist/a.js"]


def test_binaries_and_big_files_are_left_out_with_reasons(
    repository: Repository, settings: Any
) -> None:
    settings.MAX_FILE_BYTES = 1000
    repository.commit({"a.bin": b"\x00\x01", "b.txt": "x" * 2000, "c.py": "c = 1\n"})
    job = index(repository)
    assert manifest() == {"c.py"}
    assert job.report["leftOut"] == {"binary": 1, "too large": 1}


def test_unreadable_files_stay_left_out_without_being_read_again(
    repository: Repository,
) -> None:
    repository.commit({"a.bin": b"\x00\x01", "c.py": "c = 1\n"})
    index(repository)
    repository.commit({"c.py": "c = 2\n"})
    job = index(repository)
    assert counts(job) == (0, 1, 0, 1)
    assert job.report["leftOut"] == {"binary": 1}


def test_invalid_utf8_is_indexed_and_not_lost(repository: Repository) -> None:
    repository.commit({"odd.txt": b"caf\xe9 \xff\xfe ok\n", "a.py": "a = 1\n"})
    job = index(repository)
    assert job.state == JobState.COMPLETED
    assert "ok" in File.objects.get(path="odd.txt").text


def test_a_folder_that_is_no_repository_is_a_local_source(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Notes\n\nTea is good.\n", "utf-8")
    job = index(folder)
    assert counts(job) == (1, 0, 0, 0)
    assert Source.objects.get().source_type == "local"
    assert index(folder).report["skipped"]  # T29
    (folder / "a.md").write_text("# Notes\n\nTea is great.\n", "utf-8")
    assert counts(index(folder)) == (0, 1, 0, 0)


def test_without_any_text_the_job_says_so(repository: Repository) -> None:
    repository.commit({"a.bin": b"\x00\x01"})
    job = index(repository)
    assert job.state == JobState.FAILED
    assert "has no text to index" in job.error
    assert not Source.objects.exists()
    assert not Product.objects.exists()


def test_a_failing_first_index_leaves_an_older_product_alone(
    shop: Repository, tmp_path: Path
) -> None:
    index(shop)
    empty = Repository(tmp_path / "pictures")
    empty.commit({"a.bin": b"\x00\x01"})
    job = index(empty)
    assert job.state == JobState.FAILED
    assert [source.name for source in Source.objects.all()] == ["shop"]
    assert job.product == Product.objects.get()


@pytest.mark.parametrize(
    ("location", "options", "error", "words"),
    [
        ("/no/such/folder", {}, NotFound, "There is no /no/such/folder"),
        ("-evil", {}, InvalidInput, "not a git URL"),
        ("ext::sh -c id", {}, InvalidInput, "not a git URL"),
        ("ext::sh", {}, InvalidInput, "never allowed"),
        ("file:///etc", {}, InvalidInput, "plain path"),
        ("", {}, InvalidInput, "Give a git URL"),
    ],
)
def test_a_wrong_location_creates_nothing(
    location: str, options: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        add_repository(
            principal=SYSTEM,
            location=location,
            product_name="tea",
            is_local_user=True,
            **options,
        )
    assert not Product.objects.exists()
    assert not Source.objects.exists()
    assert not Job.objects.exists()


@pytest.mark.parametrize("name", ["a/b", "..", "a..b", "UPPER", "", "x" * 65])
def test_a_wrong_product_name_creates_nothing(name: str, shop: Repository) -> None:
    if not name:
        name = " "
    with pytest.raises(InvalidInput, match="cannot be a product name"):
        add_repository(
            principal=SYSTEM,
            location=str(shop.path),
            product_name=name,
            is_local_user=True,
        )
    assert not Product.objects.exists()


def test_an_unknown_branch_creates_nothing_and_names_near_ones(
    shop: Repository,
) -> None:
    with pytest.raises(NotFound, match="main"):
        index(shop, ref="mian")
    assert not Product.objects.exists()


def test_an_empty_repository_creates_nothing(repository: Repository) -> None:
    with pytest.raises(InvalidInput, match="no commit yet"):
        index(repository)
    assert not Product.objects.exists()


def test_a_killed_plan_is_resumed_without_doubles(
    shop: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that dies after storing files starts again and ends the same."""
    from devrag.indexing import plan
    from devrag.jobs.models import Batch

    stage: Callable[..., None] = plan.store_files
    calls: list[int] = []

    def die_once(*args: Any) -> None:
        stage(*args)
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(plan, "store_files", die_once)
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
