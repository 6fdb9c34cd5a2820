"""The wiki job from rows to published pages and files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from devrag.core.errors import Conflict
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Job
from devrag.jobs.services import enqueue_job
from devrag.operations.consistency_checks.mirrors_and_exports import find_exports
from devrag.products.models import Product
from devrag.wiki.generation.job import WORKFLOW
from devrag.wiki.models import Claim, PageDraft, Version, Wiki
from devrag.wiki.publishing import services
from devrag.wiki.publishing.versions import is_up_to_date, readable_wikis, shown_wiki
from tests.wiki.rows import index_source
from tests.wiki.runs import begin, generate, run_phase
from tests.wiki.shop import SHOP

pytestmark = pytest.mark.django_db


def test_a_run_publishes_pages_claims_and_files(product: Product) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    report = generate(product)
    wiki = Wiki.objects.get(product=product)
    assert wiki.current is not None
    assert wiki.current.sources == {"shop": {"ref": "main", "commit": "a" * 40}}
    assert report["version"] == 1
    assert report["cut"] == []
    assert report["coverage"]["files"] == len(SHOP)
    paths = set(wiki.current.pages.values_list("path", flat=True))
    assert {"index.md", "architecture.md", "features/orders.md"} <= paths
    assert Claim.objects.filter(page__version=wiki.current).count() == report["claims"]
    assert not PageDraft.objects.exists()


@pytest.mark.slow
def test_a_run_that_ends_unpublished_leaves_no_drafts(product: Product) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    job = begin(product)
    for number in (0, 1):
        run_phase(job, number)
    assert PageDraft.objects.filter(run=job.pk).exists()
    WORKFLOW.delete_leftovers(job.pk)
    assert not PageDraft.objects.exists()


def test_the_engine_takes_the_job_to_its_end(
    product: Product, run_job: Callable[[Job], Job]
) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    job = enqueue_job(
        kind="wiki",
        lane=f"wiki:{uuid4()}",  # several stand beside each other here
        product=product,
        params={"productID": product.pk},
    )
    done = run_job(job)
    assert (done.state, done.error) == ("completed", "")
    assert done.report["version"] == 1
    assert done.report["coverage"]["covered"] == done.report["coverage"]["files"] - 1


@pytest.mark.slow
def test_exported_files_hold_the_pages(product: Product, tmp_path: Path) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    generate(product)
    root = tmp_path / "wikis" / "shop"
    assert "```mermaid" in (root / "architecture.md").read_text()
    (root / "index.md").write_text("edited by hand")
    generate(product)
    assert "Shop sells books" in (root / "index.md").read_text()


def test_a_one_file_change_rewrites_only_what_tells_of_it(product: Product) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    generate(product)
    changed = SHOP["docs/guide.md"].replace("first order", "second order")
    index_source(product, "shop", {**SHOP, "docs/guide.md": changed}, "b" * 40)
    report = generate(product)
    assert report["rewritten"] == ["documentation.md"]
    assert report["added"] == report["removed"] == []


@pytest.mark.slow
def test_pages_of_parts_that_are_gone_are_removed(
    product: Product, tmp_path: Path
) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    generate(product)
    rest = {path: text for path, text in SHOP.items() if "/stock/" not in path}
    index_source(product, "shop", rest, "b" * 40)
    assert "features/stock.md" in generate(product)["removed"]
    assert not (tmp_path / "wikis" / "shop" / "features" / "stock.md").exists()


def test_a_page_written_twice_is_one_draft(product: Product) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    job = begin(product)
    run_phase(job, 0)
    batch = run_phase(job, 1)[0]
    WORKFLOW.phases[1].run(BatchRun(job, batch))
    path = batch.payload["path"]
    assert PageDraft.objects.filter(run=job.pk, path=path).count() == 1


@pytest.mark.slow
def test_publishing_twice_makes_one_version(product: Product) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    job = begin(product)
    run_phase(job, 0)
    run_phase(job, 1)
    (batch,) = run_phase(job, -1)
    again = WORKFLOW.phases[-1].run(BatchRun(job, batch))
    assert again == batch.result
    assert Version.objects.count() == 1


def test_a_version_that_lost_pages_is_refused(product: Product) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    generate(product)
    job = begin(product)
    run_phase(job, 0)
    run_phase(job, 1)
    PageDraft.objects.filter(path="features/orders.md").delete()
    with pytest.raises(Conflict, match=r"features/orders\.md"):
        run_phase(job, -1)
    wiki = Wiki.objects.get(product=product)
    assert wiki.current is not None
    assert wiki.current.number == 1


def test_a_product_without_index_says_what_to_do(product: Product) -> None:
    with pytest.raises(Conflict, match="Index a source first"):
        run_phase(begin(product), 0)


@pytest.mark.slow
def test_twenty_versions_and_pinned_ones_are_kept(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "KEPT_VERSIONS", 2)
    index_source(product, "shop", {"README.md": SHOP["README.md"]}, "a" * 40)
    generate(product)
    Version.objects.update(is_pinned=True)
    for _ in range(3):
        generate(product, isForced=True)
    numbers = set(Version.objects.values_list("number", flat=True))
    assert numbers == {1, 3, 4}


@pytest.mark.slow
def test_a_product_in_two_languages_has_a_wiki_in_each(
    product: Product, tmp_path: Path
) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    product.wiki_settings = {"language": "ja,en"}
    product.save()
    report = generate(product)
    assert report["version"] == 1
    japanese, english = readable_wikis(product)
    assert [japanese.language, english.language] == ["ja", "en"]
    root = tmp_path / "wikis" / "shop"
    assert "# アーキテクチャ" in (root / "architecture.md").read_text()
    assert "# Architecture" in (root / "en" / "architecture.md").read_text()
    assert not find_exports()
    assert is_up_to_date(product)


@pytest.mark.slow
def test_both_languages_cite_the_same_files(product: Product) -> None:
    index_source(product, "shop", SHOP, "a" * 40)
    product.wiki_settings = {"language": "en,ja"}
    product.save()
    generate(product)
    english, japanese = (
        set(
            Claim.objects.filter(page__version=wiki.current).values_list(
                "page__path", "path", "start_line", "end_line", "excerpt"
            )
        )
        for wiki in readable_wikis(product)
    )
    assert {path for _, path, *_ in english} == {path for _, path, *_ in japanese}
    # Where topics are introduced, facts take the place of words in English.
    introducing = ("index.md", "architecture.md", "features/")
    others = [
        {each for each in cited if not each[0].startswith(introducing)}
        for cited in (english, japanese)
    ]
    assert others[0] == others[1] != set()


@pytest.mark.slow
def test_a_language_that_changes_keeps_the_pages_of_the_parts(
    product: Product,
) -> None:
    index_source(product, "shop", {**SHOP, "run.py": "x = 1\n" * 90}, "a" * 40)
    generate(product)
    before = published(product)
    product.wiki_settings = {"language": "ja"}
    product.save()
    generate(product)
    generate(product)  # from the Japanese membership
    assert published(product) == before


def published(product: Product) -> dict[str, list[str]]:
    wiki = shown_wiki(product)
    assert wiki is not None
    assert wiki.current is not None
    return dict(wiki.current.pages.values_list("path", "files"))
