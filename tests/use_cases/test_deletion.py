"""Deleting sources and products: at once out of sight, then every row and file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from devrag.ask.models import Citation, Conversation
from devrag.core.errors import Conflict, PermissionDenied
from devrag.core.principal import SYSTEM
from devrag.jobs import engine
from devrag.jobs.models import OPEN_STATES, Job, JobState
from devrag.jobs.services import cancel_job
from devrag.products.models import Product
from devrag.search.lexical.follower import catch_up
from devrag.search.models import Embedding
from devrag.search.service import search
from devrag.search.types import SearchQuery
from devrag.sources.mirrors import mirror_of
from devrag.sources.models import (
    Chunk,
    Fact,
    File,
    GitRef,
    Reference,
    RefFile,
    Skip,
    Snapshot,
    Source,
    StagedChange,
    Symbol,
)
from devrag.use_cases.deletion.request import (
    delete_product,
    delete_source,
    resume_deletions,
)
from devrag.use_cases.deletion.size import measure_product, measure_source
from devrag.use_cases.wiki import request_wiki
from devrag.wiki.models import Claim, Page, Wiki
from tests.conftest import SHOP, Repository, run_job
from tests.indexing.test_index import add, index, run_until_parse
from tests.people import People, principal

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
TABLES = (Chunk, Fact, File, GitRef, Reference, RefFile, Skip, Snapshot, StagedChange)
ROWS = (*TABLES, Symbol, Embedding)
PLAN = f"plan.{settings.HOST_NAME}"


@pytest.fixture
def tea(shop: Repository, follow: Callable[[], Any]) -> Source:
    shop.commit({"logo.bin": b"\0\1\2"})
    index(shop)
    run_job(Job.objects.get(kind="embed"))
    follow()
    return Source.objects.get()


def rows() -> dict[str, int]:
    return {m.__name__: m._default_manager.count() for m in ROWS}


def hits(text: str = "charge the customer", **options: Any) -> int:
    return len(search(SearchQuery(text=text, principal=SYSTEM, **options)).hits)


def bytes_below(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_a_deleted_source_is_out_of_sight_at_once(tea: Source) -> None:
    assert hits()
    delete_source(principal=SYSTEM, source=tea)
    assert not Source.objects.exists()
    assert (hits(mode="keyword"), hits(mode="semantic")) == (0, 0)
    assert File.objects.exists()  # the job has not begun


def test_the_job_removes_every_row(tea: Source) -> None:
    before = rows()
    assert all(before[name] for name in ("Chunk", "Embedding", "Symbol", "Skip"))
    job = run_job(delete_source(principal=SYSTEM, source=tea))
    assert job.state == JobState.COMPLETED, job.error
    assert set(rows().values()) == {0}
    assert not Source.everything.exists()
    wanted = {"files": "File", "chunks": "Chunk", "vectors": "Embedding"}
    assert {key: job.report[key] for key in wanted} == {
        key: before[name] for key, name in wanted.items()
    }


def test_the_keyword_index_lets_go_on_disk_too(
    tea: Source, tmp_path: Path, follow: Callable[[], Any]
) -> None:
    other = Repository(tmp_path / "other")
    other.commit({"a.md": "# Coffee\n\nNo tea here.\n"})
    index(other)
    follow()
    before = bytes_below(settings.LEXICAL_DIR)
    delete_source(principal=SYSTEM, source=tea)
    follow()
    assert hits("coffee", mode="keyword") == 1
    assert bytes_below(settings.LEXICAL_DIR) < before


def test_the_mirror_goes_with_its_last_source(tea: Source) -> None:
    mirror = mirror_of(tea, settings.GIT_CLONE_DIR)
    assert mirror is not None
    assert mirror.is_dir()
    assert measure_source(tea).mirror_bytes > 0
    job = run_job(delete_source(principal=SYSTEM, source=tea))
    assert not mirror.exists()
    assert job.report["mirrorBytes"] > 0


def test_a_shared_mirror_stays_for_the_other_source(tea: Source) -> None:
    market = Product.objects.create(name="market")
    Source.objects.create(
        product=market, name="again", source_type="git", metadata=tea.metadata
    )
    assert measure_source(tea).mirror_bytes == 0
    mirror = mirror_of(tea, settings.GIT_CLONE_DIR)
    run_job(delete_source(principal=SYSTEM, source=tea))
    assert mirror is not None
    assert mirror.is_dir()


def test_its_ended_jobs_go_and_the_report_stays(tea: Source) -> None:
    job = run_job(delete_source(principal=SYSTEM, source=tea))
    ended = Job.objects.exclude(state__in=OPEN_STATES)
    assert list(ended.values_list("pk", flat=True)) == [job.pk]


def test_the_name_and_place_are_free_at_once(tea: Source, shop: Repository) -> None:
    name = tea.name
    deletion = delete_source(principal=SYSTEM, source=tea)
    assert index(shop).state == JobState.COMPLETED
    run_job(deletion)
    again = Source.objects.get()
    assert again.name == name
    assert File.objects.filter(source=again).count() == len(SHOP)
    assert mirror_of(again, settings.GIT_CLONE_DIR).is_dir()  # type: ignore[union-attr]


def test_a_running_index_job_is_cancelled_and_leaves_nothing(shop: Repository) -> None:
    job = add(shop)
    run_until_parse(job, (PLAN,))
    late = engine.claim_batch(job.pk, "parse")
    assert late is not None
    deletion = delete_source(principal=SYSTEM, source=Source.objects.get())
    engine.run_batch(late)
    assert run_job(deletion).state == JobState.COMPLETED
    assert set(rows().values()) == {0}


def test_files_stored_after_the_portions_were_planned_go_too(tea: Source) -> None:
    job = delete_source(principal=SYSTEM, source=tea)
    engine.start_job(job.pk)
    for number in range(3):
        File.objects.create(
            source=tea,
            path=f"late{number}",
            content_hash=str(number),
            facts_version=1,
            size=1,
        )
    assert run_job(job).state == JobState.COMPLETED
    assert not File.objects.exists()


def test_a_deletion_killed_in_the_middle_goes_on(tea: Source) -> None:
    job = delete_source(principal=SYSTEM, source=tea)
    engine.start_job(job.pk)
    run = engine.claim_batch(job.pk, "parse")
    assert run is not None  # and its worker dies here
    run.batch.state = "open"
    run.batch.save()
    assert run_job(job).state == JobState.COMPLETED
    assert set(rows().values()) == {0}


def test_a_cancelled_deletion_is_taken_up_again(tea: Source) -> None:
    name = tea.name
    cancel_job(job=delete_source(principal=SYSTEM, source=tea))
    assert resume_deletions() == 1
    assert resume_deletions() == 0
    job = Job.objects.get(kind="delete", state=JobState.PENDING)
    assert job.source_name == name
    assert run_job(job).state == JobState.COMPLETED
    assert set(rows().values()) == {0}


def test_a_second_deletion_is_refused(tea: Source) -> None:
    delete_source(principal=SYSTEM, source=tea)
    with pytest.raises(Conflict, match="already being deleted"):
        delete_source(principal=SYSTEM, source=tea)


def test_a_portion_is_one_short_transaction(tea: Source) -> None:
    path = "big{}.md"
    File.objects.bulk_create(
        File(
            source=tea,
            path=path.format(n),
            content_hash=str(n),
            facts_version=1,
            size=1,
        )
        for n in range(700)
    )
    job = delete_source(principal=SYSTEM, source=tea)
    engine.start_job(job.pk)
    assert max(job.batches.values_list("units", flat=True)) <= 300
    assert job.batches.count() == 3


# -- products ---------------------------------------------------------------------


@pytest.fixture
def wiki(tea: Source) -> Wiki:
    job = run_job(request_wiki(principal=SYSTEM, product=tea.product))
    assert job.state == JobState.COMPLETED, job.error
    return Wiki.objects.get()


def test_a_product_goes_with_sources_wiki_and_export(wiki: Wiki) -> None:
    export = settings.WIKI_OUTPUT_DIR / "tea"
    assert export.is_dir()
    size = measure_product(wiki.product)
    assert (size.sources, size.wiki_versions) == (1, 1)
    assert size.wiki_pages > 1
    job = delete_product(principal=SYSTEM, product=wiki.product)
    assert not Product.objects.exists()
    assert run_job(job).state == JobState.COMPLETED, job.error
    assert not Product.everything.exists()
    assert set(rows().values()) == {0}
    assert [model.objects.count() for model in (Wiki, Page, Claim)] == [0, 0, 0]
    assert not export.exists()
    ended = Job.objects.exclude(state__in=OPEN_STATES)
    assert list(ended.values_list("pk", flat=True)) == [job.pk]


def test_a_product_goes_with_what_was_asked_about_it(tea: Source) -> None:
    for product in (tea.product, None):
        asked = Conversation.objects.create(owner_key="k", title="t", product=product)
        turn = asked.turns.create(ordinal=1, question="t", mode="quick")
        Citation.objects.create(
            turn=turn,
            ordinal=1,
            number=1,
            product=tea.product,
            source_name=tea.name,
            path="a.py",
            start_line=1,
            end_line=1,
            version_identifier="v",
            content_hash="h",
            kind="definition",
            excerpt="a",
        )
    run_job(delete_product(principal=SYSTEM, product=tea.product))
    assert Conversation.objects.get().product is None
    assert not Citation.objects.exists()


def test_folders_of_other_people_beside_the_wikis_stay(wiki: Wiki) -> None:
    other = settings.WIKI_OUTPUT_DIR / "holiday"
    other.mkdir()
    run_job(delete_product(principal=SYSTEM, product=wiki.product))
    assert other.is_dir()


def test_a_new_product_of_the_name_keeps_what_it_exported(
    wiki: Wiki, tmp_path: Path
) -> None:
    deletion = delete_product(principal=SYSTEM, product=wiki.product)
    other = Repository(tmp_path / "other")
    other.commit({"README.md": "# Coffee\n\nHot.\n", "a.py": "def a(): return 1\n"})
    index(other)
    product = Product.objects.get(name="tea")
    run_job(request_wiki(principal=SYSTEM, product=product))
    run_job(deletion)
    assert (settings.WIKI_OUTPUT_DIR / "tea" / "index.md").is_file()
    assert Source.objects.get().name == "other"


def test_a_product_takes_over_its_sources_deletion(tea: Source) -> None:
    first = delete_source(principal=SYSTEM, source=tea)
    job = run_job(delete_product(principal=SYSTEM, product=tea.product))
    assert job.state == JobState.COMPLETED, job.error
    assert not Job.objects.filter(pk=first.pk).exists()
    assert not Source.everything.exists()


def test_a_wiki_that_was_being_written_is_written_again_without_the_source(
    tea: Source, tmp_path: Path
) -> None:
    other = Repository(tmp_path / "other")
    other.commit({"README.md": "# Coffee\n\nHot.\n"})
    index(other)
    old = request_wiki(principal=SYSTEM, product=tea.product)
    delete_source(principal=SYSTEM, source=tea)
    old.refresh_from_db()
    assert old.state == JobState.CANCELLED
    new = Job.objects.get(kind="wiki", state=JobState.PENDING)
    assert new.params["cause"] == f"deleted {tea.name}"


# -- who may ------------------------------------------------------------------------


def test_a_reader_may_not_delete(people: People) -> None:
    bob = principal(people.bob)
    with pytest.raises(PermissionDenied, match="maintainer"):
        delete_source(principal=bob, source=people.source)
    with pytest.raises(PermissionDenied, match="maintainer"):
        delete_product(principal=bob, product=people.teahouse)
    assert Source.objects.exists()


def test_a_maintainer_may_delete_and_follow_it(people: People) -> None:
    alice = principal(people.alice)
    delete_source(principal=alice, source=people.source)
    job = delete_product(principal=alice, product=people.teahouse)
    assert run_job(job).state == JobState.COMPLETED
    assert not Product.everything.filter(pk=people.teahouse.pk).exists()


def test_a_follower_has_nothing_to_do_after_it_let_go(tea: Source) -> None:
    run_job(delete_source(principal=SYSTEM, source=tea))
    catch_up(settings.LEXICAL_DIR)
    assert catch_up(settings.LEXICAL_DIR).sources == 0
