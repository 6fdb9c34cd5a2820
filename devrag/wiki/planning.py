"""Survey and plan of a product at given versions, shared by all that ask for them."""

from __future__ import annotations

from functools import lru_cache

from devrag.products.models import Product
from devrag.wiki.analysis import Analysis
from devrag.wiki.plan import Plan, make_plan
from devrag.wiki.selectors import (
    DatabaseTexts,
    SourceVersion,
    membership_of,
    survey_product,
)


@lru_cache(maxsize=1)
def survey_and_plan(
    product_id: int, versions: tuple[SourceVersion, ...], previous: int | None
) -> tuple[Analysis, Plan, DatabaseTexts]:
    """Return analysis, plan and texts; the batches that a process does share them.

    previous: the version whose pages the plan starts from.
    """
    product = Product.objects.get(pk=product_id)
    texts = DatabaseTexts()
    before = membership_of(previous) if previous else None
    analysis = Analysis(survey_product(product, versions), texts, before)
    return analysis, make_plan(analysis), texts
