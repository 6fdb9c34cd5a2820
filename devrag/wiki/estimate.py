"""What a run would write and cost, before it begins.

`measure` is the seam for writers: the structural one needs no tokens, one that asks a
model counts a page's evidence and what it may answer, and 0 for a page it would reuse.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from devrag.core.errors import Conflict
from devrag.products.models import Product
from devrag.wiki.analysis import Analysis
from devrag.wiki.compose import WRITER
from devrag.wiki.plan import Plan, PlannedPage, make_plan
from devrag.wiki.selectors import DatabaseTexts, current_versions, survey_product


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens that a page takes from and gets of a model."""

    input: int = 0
    output: int = 0


Measure = Callable[[Analysis, Plan, PlannedPage], Tokens]
Price = Callable[[int, int], Decimal | None]


@dataclass(frozen=True, slots=True)
class Estimate:
    """price: in US dollars, None where the model's price is not known."""

    writer: str
    pages: int
    input_tokens: int
    output_tokens: int
    price: Decimal | None


def no_tokens(_analysis: Analysis, _plan: Plan, _page: PlannedPage) -> Tokens:
    """Measure a page of the structural writer."""
    return Tokens()


def no_price(_input_tokens: int, _output_tokens: int) -> Decimal | None:
    """Price what no model is asked for."""
    return Decimal(0)


def estimate_wiki(
    product: Product,
    *,
    writer: str = WRITER,
    measure: Measure = no_tokens,
    price: Price = no_price,
) -> Estimate:
    """Plan the product's wiki as a run would now, and count; nothing is written."""
    versions = current_versions(product.pk)
    if not versions:
        raise Conflict(
            f"'{product.name}' has no indexed source yet, so there is nothing to "
            "estimate. Index a source first."
        )
    analysis = Analysis(survey_product(product, versions), DatabaseTexts())
    plan = make_plan(analysis)
    found = [measure(analysis, plan, page) for page in plan.pages]
    given, answered = sum(t.input for t in found), sum(t.output for t in found)
    return Estimate(
        writer=writer,
        pages=len(found),
        input_tokens=given,
        output_tokens=answered,
        price=price(given, answered),
    )
