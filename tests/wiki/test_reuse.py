"""A published page is kept, or not, for reasons that a reader would accept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.evidence.citations import after_punctuation
from devrag.wiki.generation.page import compose_page
from devrag.wiki.planning.plan import PlannedPage
from devrag.wiki.reuse.pages import keep_published, reuse_page
from tests.wiki.plans import plan_wiki
from tests.wiki.shop import SHOP, survey_of

SERVICE = "shop/orders/service.py"
PATH = "features/orders.md"


def composed(tree: Mapping[str, str]) -> tuple[Analysis, PlannedPage, DraftedPage]:
    analysis = Analysis(*survey_of(tree))
    plan = plan_wiki(analysis)
    page = plan.page(PATH)
    assert page is not None
    return analysis, page, compose_page(analysis, plan, page, lambda _text: None)


@pytest.fixture
def published() -> DraftedPage:
    draft = composed(SHOP)[2]
    return replace(draft, markdown=after_punctuation(draft.markdown))


def with_deciles(draft: DraftedPage, decile: int) -> DraftedPage:
    return replace(draft, inputs={p: (h, decile) for p, (h, _) in draft.inputs.items()})


def test_a_page_of_the_same_words_is_kept_wherever_ranks_went(
    published: DraftedPage,
) -> None:
    analysis, page, draft = composed(SHOP)
    kept = keep_published(with_deciles(published, 0), draft, page, analysis)
    assert kept.is_reused
    assert kept.inputs == draft.inputs


@pytest.mark.parametrize(("decile", "is_kept"), [(5, True), (9, False)])
def test_another_order_counts_once_ranks_moved_clearly(
    published: DraftedPage, decile: int, is_kept: bool
) -> None:
    analysis, page, draft = composed(SHOP)
    before = with_deciles(published, 4)
    before = replace(before, markdown=before.markdown + "\n")  # as if in another order
    kept = keep_published(before, with_deciles(draft, decile), page, analysis)
    assert kept.is_reused is is_kept


def test_ranks_of_a_kept_page_stay_so_that_small_moves_add_up(
    published: DraftedPage,
) -> None:
    analysis, page, draft = composed(SHOP)
    given = with_deciles(draft, 5)
    kept = reuse_page(
        with_deciles(published, 4),
        page,
        analysis,
        fingerprint=draft.fingerprint,
        inputs=given.inputs,
    )
    assert kept is not None
    assert {decile for _, decile in kept.inputs.values()} == {4}


def test_a_page_that_lost_its_evidence_is_written(published: DraftedPage) -> None:
    rest = {**SHOP, SERVICE: SHOP[SERVICE].replace("Reserve the books", "Guess")}
    analysis, page, draft = composed(rest)
    fingerprint, inputs = published.fingerprint, draft.inputs
    assert not reuse_page(
        published, page, analysis, fingerprint=fingerprint, inputs=inputs
    )


def test_a_page_that_names_what_is_gone_is_written(published: DraftedPage) -> None:
    analysis, page, draft = composed(SHOP)
    said = replace(published, markdown=published.markdown + "\nSee `gone_now()`.\n")
    fingerprint, inputs = published.fingerprint, draft.inputs
    assert not reuse_page(said, page, analysis, fingerprint=fingerprint, inputs=inputs)


def test_before_the_first_version_everything_is_written() -> None:
    analysis, page, draft = composed(SHOP)
    assert keep_published(None, draft, page, analysis) is draft
