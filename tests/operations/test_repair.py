"""Each disagreement is made for real, found, mended, and gone when asked again."""

from __future__ import annotations

import io
import json
import shutil
import uuid
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from django.utils import timezone

from devrag.core.errors import Conflict, ServiceError
from devrag.core.principal import SYSTEM
from devrag.jobs import engine
from devrag.jobs.heartbeat import leave_heartbeat
from devrag.jobs.models import Batch, BatchState, Job, JobState
from devrag.operations.consistency_checks import keyword
from devrag.operations.consistency_checks.jobs import find_leftovers
from devrag.operations.findings import DoctorFinding
from devrag.operations.repair import examine
from devrag.products.models import Product
from devrag.search.consistency import drop_partition, orphan_partitions
from devrag.search.lexical.follower import catch_up
from devrag.search.lexical.integrity import broken_files
from devrag.search.lexical.store import (
    LexicalDocument,
    LexicalWriter,
    read_generation,
    write_generation,
)
from devrag.search.models import Embedding, EmbeddingSpec, VectorCoverage
from devrag.search.semantic.specs import ensure_partition, partition_name
from devrag.search.service import search
from devrag.search.types import SearchQuery
from devrag.sources.mirrors import mirror_of
from devrag.sources.models import Chunk, File, RefFile, Snapshot, Source, StagedChange
from devrag.use_cases.index import request_index
from devrag.use_cases.wiki import request_wiki
from devrag.wiki.models import PageDraft
from tests.conftest import SHOP, Repository, run_job
from tests.indexing.test_index import add, index

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No follower to wait for, and no tables that earlier tests' specs left."""
    for name in orphan_partitions():
        drop_partition(name)
    monkeypatch.setattr(keyword, "_PATIENCE_SECONDS", 0.0)


@pytest.fixture
def tea(shop: Repository, follow: Callable[[], Any]) -> Source:
    index(shop)
    run_job(Job.objects.get(kind="embed"))
    follow()
    assert names() == ["agreement"]
    return Source.objects.get()


def names(findings: list[DoctorFinding] | None = None) -> list[str]:
    return [each.name for each in (findings or list(examine()))]


def mended(name: str) -> DoctorFinding:
    """Repair once; the one finding must be this one, mended, and not come back."""
    (found,) = examine()
    assert (found.name, found.state) == (name, "broken")
    (done,) = examine(is_repairing=True)
    assert (done.name, done.state) == (name, "ok"), done
    assert done.detail.startswith("repaired: ")
    assert names() == ["agreement"]
    return found


def documents() -> int:
    query = SearchQuery(text="charge cart", principal=SYSTEM, mode="keyword")
    return len(search(query).hits)


def old(job: Job) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    Job.objects.filter(pk=job.pk).update(created_at=long_ago, started_at=long_ago)


# -- keyword index ------------------------------------------------------------------


def test_an_index_that_is_behind(tea: Source, shop: Repository) -> None:
    shop.commit({"shop/tea.py": "def brew() -> str:\n    return 'tea'\n"})
    index(shop)
    run_job(Job.objects.get(kind="embed", state=JobState.PENDING))
    assert mended("keyword index behind").detail == "1: shop"


def test_an_index_ahead_of_a_restored_database(tea: Source) -> None:
    generation = read_generation(settings.LEXICAL_DIR)
    assert generation is not None
    ref, sequence = generation.sequences[tea.pk]
    generation.sequences[tea.pk] = (ref, sequence + 7)
    write_generation(settings.LEXICAL_DIR, generation)
    mended("keyword index behind")


def test_an_index_with_a_flipped_byte(tea: Source) -> None:
    segment = next(settings.LEXICAL_DIR.glob("*.term"))
    data = bytearray(segment.read_bytes())
    data[10] ^= 0xFF
    segment.write_bytes(data)
    assert broken_files(settings.LEXICAL_DIR) == [segment.name]
    mended("keyword index unreadable")
    assert documents()


def test_an_index_that_a_follower_writes_is_not_rebuilt_under_it(tea: Source) -> None:
    before = sorted(settings.LEXICAL_DIR.iterdir())
    with closing(LexicalWriter(settings.LEXICAL_DIR)):
        with pytest.raises(Conflict, match="A follower is writing"):
            keyword.rebuild(["meta.json"])
        assert sorted(settings.LEXICAL_DIR.iterdir()) == before
    keyword.rebuild(["meta.json"])
    assert documents()


def test_a_rebuild_leaves_the_writers_lock(tea: Source) -> None:
    lock = settings.LEXICAL_DIR / ".tantivy-writer.lock"
    before = lock.stat().st_ino
    keyword.rebuild(["meta.json"])
    assert lock.stat().st_ino == before


def test_an_index_whose_head_is_cut_off(tea: Source) -> None:
    meta = settings.LEXICAL_DIR / "meta.json"
    meta.write_text(meta.read_text()[:40])
    mended("keyword index unreadable")
    assert documents()


def test_an_index_that_lost_documents(tea: Source) -> None:
    writer = LexicalWriter(settings.LEXICAL_DIR)
    writer.delete_file(File.objects.get(path="shop/till.py").pk)
    writer.commit()
    writer.close()
    mended("keyword index inconsistent")


def test_an_index_with_documents_of_nobody(tea: Source) -> None:
    writer = LexicalWriter(settings.LEXICAL_DIR)
    writer.add(LexicalDocument(10**9, 10**9, tea.pk, "x", "x", "", "", ""))
    writer.commit()
    writer.close()
    mended("keyword index inconsistent")


def test_an_index_that_is_away(tea: Source) -> None:
    shutil.rmtree(settings.LEXICAL_DIR)
    mended("keyword index behind")


# -- vectors --------------------------------------------------------------------------


def miscount(source: Source, count: int) -> None:
    """Take vectors off the count, too, so that it agrees with the rows."""
    VectorCoverage.objects.filter(source=source).update(embedded=F("embedded") - count)


def test_missing_vectors(tea: Source) -> None:
    gone = Embedding.objects.filter(chunk__file__path="shop/till.py")
    miscount(tea, gone.delete()[0])
    mended("missing vectors")
    run_job(Job.objects.get(kind="embed", state=JobState.PENDING))
    assert Embedding.objects.count() == Chunk.objects.count()


def test_vectors_seen_wrongly(tea: Source) -> None:
    unseen = Embedding.objects.filter(chunk__file__path="shop/till.py")
    miscount(tea, unseen.update(is_live=False))
    mended("vectors with a wrong search state")
    assert not Embedding.objects.filter(is_live=False).exists()


def test_vectors_that_a_job_left_out(tea: Source, tmp_path: Path) -> None:
    """What a job missed although it counted as complete, as its twin has it."""
    twin = index_twin(tea, tmp_path)
    gone = Embedding.objects.filter(source=twin, chunk__file__path="shop/till.py")
    miscount(twin, gone.delete()[0])
    mended("missing vectors")
    run_job(Job.objects.get(kind="embed", state=JobState.PENDING))
    shares = VectorCoverage.objects.values_list("chunks", "embedded", "sequence")
    assert len(set(shares)) == 1
    assert names() == ["agreement"]


def index_twin(tea: Source, tmp_path: Path) -> Source:
    twin = Repository(tmp_path / "twin")
    twin.commit(dict(SHOP))
    index(twin, product_name="other")
    run_job(Job.objects.get(kind="embed", state=JobState.PENDING))
    catch_up(settings.LEXICAL_DIR)
    return Source.objects.exclude(pk=tea.pk).get()


@pytest.mark.parametrize("name", ["chunks", "embedded"])
def test_vectors_miscounted(tea: Source, name: str) -> None:
    right = VectorCoverage.objects.values_list("chunks", "embedded").get()
    VectorCoverage.objects.update(**{name: F(name) - 2})
    mended("wrong vector counts")
    assert VectorCoverage.objects.values_list("chunks", "embedded").get() == right


def test_a_vector_table_of_no_spec(tea: Source) -> None:
    spec = EmbeddingSpec.objects.create(provider="x", model="x", dimensions=3)
    ensure_partition(spec)
    table = partition_name(spec)
    EmbeddingSpec.objects.filter(pk=spec.pk).delete()
    assert mended("vector tables without a model").detail == f"1: {table}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [table])
        assert cursor.fetchone()[0] is None


def test_a_vector_table_made_while_the_doctor_looks(db: None) -> None:
    made: list[EmbeddingSpec] = []

    def make_after_the_first_read(execute: Callable[..., Any], *args: Any) -> Any:
        done = execute(*args)
        if not made:
            made.append(EmbeddingSpec(provider="x", model="x", dimensions=3))
            made[0].save()
            ensure_partition(made[0])
        return done

    with connection.execute_wrapper(make_after_the_first_read):
        assert orphan_partitions() == []


# -- jobs -----------------------------------------------------------------------------


def test_a_batch_without_a_worker(tea: Source) -> None:
    job = request_wiki(principal=SYSTEM, product=tea.product)
    engine.start_job(job.pk)
    run = engine.claim_batch(job.pk, "wiki")
    assert run is not None
    hour = timezone.now() - timedelta(hours=1)
    Batch.objects.filter(pk=run.batch.pk).update(lease_until=hour, worker="elsewhere:1")
    mended("batches without a worker")
    assert Batch.objects.get(pk=run.batch.pk).state == BatchState.OPEN


def test_a_job_that_started_and_went_no_further(tea: Source) -> None:
    job = request_wiki(principal=SYSTEM, product=tea.product)
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING)
    old(job)
    mended("stalled jobs")
    assert Batch.objects.filter(job=job).exists()


def test_a_job_that_nobody_started(tea: Source) -> None:
    old(job := request_wiki(principal=SYSTEM, product=tea.product))
    mended("jobs that were never started")
    job.refresh_from_db()
    assert job.state == JobState.RUNNING


def test_a_job_that_waits_for_its_lane_is_left_alone(tea: Source) -> None:
    first = request_wiki(principal=SYSTEM, product=tea.product)
    engine.start_job(first.pk)
    old(request_wiki(principal=SYSTEM, product=tea.product))
    assert names() == ["agreement"]


def test_what_an_interrupted_run_left_is_counted_and_deleted(tea: Source) -> None:
    """No worker tidied up after it, and its job may be gone."""
    job = request_index(principal=SYSTEM, source=tea)
    for run in (job.pk, uuid.uuid4()):
        StagedChange.objects.bulk_create(
            StagedChange(run=run, kind="leave", path=path) for path in "ab"
        )
    PageDraft.objects.create(run=uuid.uuid4(), path="index.md", content={})
    ended = timezone.now() - timedelta(minutes=2)
    open_run = StagedChange.objects.filter(run=job.pk)
    assert [each.split(" of ")[0] for each in leftovers()] == [
        "2 staged changes",
        "1 wiki drafts",
    ]
    Job.objects.filter(pk=job.pk).update(state="failed", finished_at=timezone.now())
    assert len(leftovers()) == 2  # a worker tidies up within seconds
    Job.objects.filter(pk=job.pk).update(finished_at=ended)
    assert open_run.exists()
    mended("leftovers of finished runs")
    assert not StagedChange.objects.exists()
    assert not PageDraft.objects.exists()


def leftovers() -> list[str]:
    return list(map(str, find_leftovers()))


# -- rows -----------------------------------------------------------------------------


def test_lost_rows_are_read_again(tea: Source) -> None:
    right = Snapshot.objects.values("file_count", "chunk_count", "line_count").get()
    RefFile.objects.filter(file__path="shop/till.py").delete()
    assert "missing rows" in names(list(examine(is_repairing=True)))
    job = run_job(Job.objects.get(kind="index", state=JobState.PENDING))
    assert job.state == JobState.COMPLETED
    assert (
        Snapshot.objects.values("file_count", "chunk_count", "line_count").get()
        == right
    )
    assert RefFile.objects.filter(file__path="shop/till.py", until=None).exists()


def test_a_file_never_parsed(tea: Source) -> None:
    File.objects.filter(path="shop/till.py").update(state=File.State.STORED)
    mended("files never parsed")
    job = run_job(Job.objects.get(kind="index", state=JobState.PENDING))
    assert job.state == JobState.COMPLETED
    assert File.objects.get(path="shop/till.py").state == File.State.PARSED


# -- disk -----------------------------------------------------------------------------


def mirror(source: Source) -> Path:
    found = mirror_of(source, settings.GIT_CLONE_DIR)
    assert found is not None
    return found


def test_leftovers_of_a_killed_fetch(tea: Source) -> None:
    pack = mirror(tea) / "objects" / "pack"
    pack.mkdir(exist_ok=True)
    left = [pack / "tmp_pack_x", mirror(tea) / "refs/heads/main.lock"]
    for path in left:
        path.touch()
    mended("mirrors with leftovers")
    assert [path.exists() for path in left] == [False, False]


def test_a_mirror_that_a_killed_fetch_put_aside(tea: Source) -> None:
    aside = mirror(tea).with_suffix(".damaged")
    shutil.copytree(mirror(tea), aside)
    mended("mirrors with leftovers")
    assert not aside.exists()
    assert mirror(tea).is_dir()


def test_a_mirror_that_lost_objects(tea: Source, shop: Repository) -> None:
    for path in (mirror(tea) / "objects").rglob("*"):
        if path.is_file():
            path.unlink()
    mended("mirrors broken")
    shop.commit({"new.py": "x = 1\n"})
    assert index(shop).report["added"] == 1


@pytest.mark.parametrize("how", ["edited", "removed", "added", "away"])
def test_wiki_files_that_differ(tea: Source, how: str) -> None:
    run_job(request_wiki(principal=SYSTEM, product=tea.product))
    folder = settings.WIKI_OUTPUT_DIR / "tea"
    text = (folder / "index.md").read_text()
    if how == "edited":
        (folder / "index.md").write_text("Mine.\n")
    elif how == "removed":
        (folder / "index.md").unlink()
    elif how == "added":
        (folder / "other.md").write_text("Mine.\n")
    else:
        shutil.rmtree(folder)
    mended("wiki files that differ")
    assert (folder / "index.md").read_text() == text
    assert not (folder / "other.md").exists()


# -- the command ----------------------------------------------------------------------


def doctor(*argv: str) -> list[dict[str, str]]:
    out = io.StringIO()
    call_command("doctor", "--json", *argv, stdout=out)
    found: list[dict[str, str]] = json.loads(out.getvalue())
    return found


def test_the_command_fails_until_it_has_repaired(tea: Source) -> None:
    leave_heartbeat()
    Snapshot.objects.update(chunk_count=3)
    with pytest.raises(ServiceError, match="missing rows"):
        doctor()
    assert Snapshot.objects.get().chunk_count == 3
    by_name = {each["name"]: each for each in doctor("--repair")}
    assert by_name["missing rows"]["detail"].startswith("repaired: 1")
    assert "agreement" in {each["name"] for each in doctor()}


def test_several_disagreements_are_mended_in_one_go(tea: Source) -> None:
    Snapshot.objects.update(chunk_count=3)
    miscount(tea, Embedding.objects.update(is_live=False))
    shutil.rmtree(settings.LEXICAL_DIR)
    assert len(names()) == 3
    list(examine(is_repairing=True))
    assert names() == ["agreement"]


def test_an_empty_installation_agrees() -> None:
    assert names() == ["agreement"]
    Product.objects.create(name=f"p{uuid.uuid4().hex[:6]}")
    assert names() == ["agreement"]


def test_a_running_index_is_no_disagreement(shop: Repository) -> None:
    job = add(shop)
    engine.start_job(job.pk)
    run = engine.claim_batch(job.pk, f"plan.{settings.HOST_NAME}")
    assert run is not None
    engine.run_batch(run)
    assert names() == ["agreement"]
    catch_up(settings.LEXICAL_DIR)
