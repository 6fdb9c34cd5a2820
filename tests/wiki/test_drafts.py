"""Pages of a run before they are published: those that it has finished."""

from __future__ import annotations

import pytest

from devrag.core.errors import NotFound
from devrag.products.models import Product
from devrag.wiki.generation.job import WORKFLOW
from devrag.wiki.models import Page
from devrag.wiki.publishing.drafts import get_draft_page, get_draft_version
from tests.wiki.runs import begin, generate, run_phase


def test_finished_pages_are_listed_in_reading_order(shelf: Product) -> None:
    job = begin(shelf)
    run_phase(job, 0)
    before = get_draft_version(shelf, job.pk, "en")
    assert (before.number, before.pages) == (1, ())
    run_phase(job, 1)
    after = get_draft_version(shelf, job.pk, "en")
    assert after.pages[0].path == "index.md"
    ordinals = [page.ordinal for page in after.pages]
    assert len(ordinals) > 1
    assert ordinals == sorted(ordinals)


def test_a_draft_is_the_page_that_is_published(shelf: Product) -> None:
    job = begin(shelf)
    for number in range(2):
        run_phase(job, number)
    draft = get_draft_page(job.pk, "en", "index.md")
    for number in range(2, len(WORKFLOW.phases)):
        run_phase(job, number)
    page = Page.objects.get(path="index.md")
    assert (draft.title, draft.markdown) == (page.title, page.markdown)
    assert len(draft.claims) == page.claims.count() > 0


@pytest.mark.slow
def test_pages_that_are_taken_over_are_no_drafts(shelf: Product) -> None:
    generate(shelf)
    job = begin(shelf)
    for number in range(2):
        run_phase(job, number)
    version = get_draft_version(shelf, job.pk, "en")
    assert (version.number, version.pages) == (2, ())


def test_a_page_that_is_not_finished_is_not_found(shelf: Product) -> None:
    with pytest.raises(NotFound, match="not been written yet"):
        get_draft_page(begin(shelf).pk, "en", "index.md")
