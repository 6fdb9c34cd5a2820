"""Survey and plan of a product at given versions, shared by all that ask for them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from devrag.products.models import Product
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.selectors import (
    DatabaseTexts,
    SourceVersion,
    outline_of_version,
    survey_product,
)
from devrag.wiki.analysis.topics.outline import Outline, untold_sections
from devrag.wiki.models import Version
from devrag.wiki.planning.plan import Plan, make_plan
from devrag.wiki.writing.outline.types import WikiDesign
from devrag.wiki.writing.page_kinds import PAGE_KINDS
from devrag.wiki.writing.structural.pages import join_short_pages


def survey_and_plan(
    product_id: int,
    versions: tuple[SourceVersion, ...],
    outline: Outline | None,
    language: str,
) -> tuple[Analysis, Plan, DatabaseTexts]:
    """Return analysis, plan and texts; the batches that a process does share them.

    outline: the topics to keep. language: of the plan's titles.
    """
    product = Product.objects.get(pk=product_id)
    # Not by the product alone: its title stands on pages and may be set anew.
    analysis, texts = _analysed(product, product.title, versions, outline)
    return analysis, plan_in(analysis, language), texts


@cached_by_analysis
def plan_in(analysis: Analysis, language: str) -> Plan:
    """Return the plan; only words differ between languages."""
    return join_short_pages(analysis, make_plan(analysis, PAGE_KINDS, language))


@lru_cache(maxsize=1)
def _analysed(
    product: Product,
    _title: str,
    versions: tuple[SourceVersion, ...],
    outline: Outline | None,
) -> tuple[Analysis, DatabaseTexts]:
    survey = survey_product(product, versions)
    texts = DatabaseTexts(survey.files)
    return Analysis(survey, texts, outline), texts


def found_topics(analysis: Analysis, plan: Plan) -> dict[str, Any]:
    """Return what a version keeps of its topics beside its pages.

    titles: page → the title as found, which the page has in the wiki's language.
    untold: the sections of documents that are on no page.
    """
    topics = analysis.topics
    return {
        "titles": {
            p.path: topics[p.topic].title for p in plan.pages if p.topic is not None
        },
        "untold": list(untold_sections(topics, analysis.documents, analysis.files)),
    }


def outline_before(version: Version | None) -> Outline | None:
    """Return the topics of a version, None before the first. Queries: 2."""
    return outline_of_version(version.pk) if version is not None else None


def design_before(version: Version | None) -> WikiDesign | None:
    """Return the designs that a version was written by, None without any."""
    kept = version.report.get("design") if version is not None else None
    return WikiDesign.from_json(kept) if kept else None
