"""Survey and plan of a product at given versions, shared by all that ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from devrag.products.models import Product
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.selectors import (
    DatabaseTexts,
    SourceVersion,
    outline_of_version,
    survey_product,
)
from devrag.wiki.evidence.blocks import plain
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.generation.material import ModelWriter
from devrag.wiki.models import Version
from devrag.wiki.planning.plan import Plan, make_plan
from devrag.wiki.writing.model.tree import PlannedTree, known_tree, tree_key
from devrag.wiki.writing.page_kinds import PAGE_KINDS
from devrag.wiki.writing.structural.pages import summarise_page


def survey_and_plan(
    product_id: int,
    versions: tuple[SourceVersion, ...],
    previous: int | None,
    language: str,
) -> tuple[Analysis, Plan, DatabaseTexts]:
    """Return analysis, plan and texts; the batches that a process does share them.

    previous: the version whose pages the plan starts from. language: of its titles.
    """
    product = Product.objects.get(pk=product_id)
    # Not by the product alone: its title stands on pages and may be set anew.
    analysis, texts = _analysed(product, product.title, versions, previous)
    return analysis, plan_in(analysis, language), texts


@lru_cache(maxsize=2)
def plan_in(analysis: Analysis, language: str) -> Plan:
    """Return the plan; only titles differ between languages."""
    return make_plan(analysis, PAGE_KINDS, language)


@lru_cache(maxsize=1)
def _analysed(
    product: Product,
    _title: str,
    versions: tuple[SourceVersion, ...],
    previous: int | None,
) -> tuple[Analysis, DatabaseTexts]:
    texts = DatabaseTexts()
    outline = outline_of_version(previous) if previous else None
    analysis = Analysis(survey_product(product, versions), texts, outline)
    return analysis, texts


def summaries_of(analysis: Analysis, plan: Plan) -> dict[str, str]:
    """Return what the index says of each page, in a sentence."""
    return {
        page.path: MARKER.sub("", plain(summarise_page(analysis, plan, page)))
        for page in plan.pages
    }


def tree_before(version: Version | None) -> PlannedTree | None:
    """Return the tree that a version was written by, None when no model gave one."""
    kept: Mapping[str, Any] = version.report.get("tree") or {} if version else {}
    return PlannedTree.from_json(kept) if kept else None


def settled_tree(
    plan: Plan, writer: ModelWriter, before: PlannedTree | None, *, is_asked: bool
) -> tuple[str, PlannedTree | None]:
    """Return the tree's key, and the tree unless the model must be asked."""
    key = tree_key(plan, writer.brief, writer.name)
    return key, known_tree(plan, key, before, is_asked=is_asked)
