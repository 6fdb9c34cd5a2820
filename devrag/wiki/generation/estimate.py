"""What a run would write and cost, before it begins: nothing is asked of a model.

The pages are gathered as a run gathers them, so that one which would be kept counts
nothing and the prompts that are counted are those that would be sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from uuid import uuid4

from django.utils.translation import gettext

from devrag.core.errors import Conflict
from devrag.llm.chat import Usage
from devrag.llm.prices import cost_of
from devrag.products.models import Product
from devrag.spending.language_model import model_price, model_window
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.selectors import current_versions
from devrag.wiki.generation.designing import kept_design, request_of_design
from devrag.wiki.generation.material import ModelWriter, gather_material
from devrag.wiki.generation.measure import TokenCount, measure_call, measure_page
from devrag.wiki.generation.page import keep_whole
from devrag.wiki.generation.prepare import (
    design_before,
    outline_before,
    survey_and_plan,
)
from devrag.wiki.generation.translation import TOKENS_AT_ONCE
from devrag.wiki.generation.writers import child_of, open_writer
from devrag.wiki.planning.levels import waves_of
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.publishing.versions import current_version, known_files, published_page
from devrag.wiki.reuse.pages import as_kept, reason_to_write, renew_each, reuse_page
from devrag.wiki.writing.author import author_of
from devrag.wiki.writing.model.brief import read_brief
from devrag.wiki.writing.model.children import ChildPage
from devrag.wiki.writing.outline.types import PageDesign
from devrag.wiki.writing.structural.pages import write_page

_AROUND_LINES = 600  # tokens of the request that lines to translate stand in
_OF_A_DESIGN = 120  # tokens that the answer has for a page


@dataclass(frozen=True, slots=True)
class Estimate:
    """pages: of the plan; written: of these, those the model would be asked for.

    price: in US dollars, without corrections and without what the provider's cache
    saves; None where the model's price is not known.
    """

    writer: str
    pages: int
    written: int
    calls: int
    input_tokens: int
    output_tokens: int
    price: Decimal | None


def estimate_wiki(product: Product) -> Estimate:
    """Plan the product's wiki as a run would that is asked for now, and count."""
    versions = tuple(current_versions(product.pk))
    if not versions:
        raise Conflict(
            gettext("'%(product)s' has no indexed source yet. Index a source first.")
            % {"product": product.name}
        )
    author = author_of(product)
    current = current_version(product, author.language)
    outline = outline_before(current)
    analysis, plan, _ = survey_and_plan(product.pk, versions, outline, author.language)
    if not author.is_model:
        pages = len(plan.pages)
        return Estimate(author.name, pages, pages, 0, 0, 0, Decimal(0))
    design = kept_design(analysis, design_before(current), is_asked=True)
    of_design = TokenCount()
    if design is None:
        brief = read_brief(
            product.title or product.name, product.wiki_settings, author.language
        )
        asked = request_of_design(analysis, brief, model_window())
        of_design = measure_call(asked.messages, _OF_A_DESIGN * len(plan.pages))
    designs = design.pages if design else {}
    found = list(_measured(product, author.language, analysis, plan, designs))
    told = [_translated(page) for page in found for _ in author.others]
    total = sum([*found, *told], of_design)
    price = model_price()
    used = Usage(total.input, total.output)
    return Estimate(
        writer=author.name,
        pages=len(plan.pages),
        written=len(found),
        calls=total.calls,
        input_tokens=total.input,
        output_tokens=total.output,
        price=cost_of(used, price) if price else None,
    )


def _measured(
    product: Product,
    language: str,
    analysis: Analysis,
    plan: Plan,
    designs: Mapping[str, PageDesign],
) -> Iterator[TokenCount]:
    """Yield what each page takes that would be written, those below before."""
    children: dict[str, ChildPage] = {}
    known = known_files(current_version(product, language))
    writer = open_writer(
        product,
        run=uuid4(),
        children=children,
        language=language,
        known=known,
        designs=designs,
    )
    for wave in waves_of(plan, is_ordered=True):
        finished: dict[str, ChildPage] = {}
        for page in filter(None, map(plan.page, wave)):
            child, tokens = _of_page(writer, product, language, analysis, plan, page)
            finished[page.path] = child
            if tokens is not None and tokens.calls:
                yield tokens
        children.update(finished)


def _translated(page: TokenCount) -> TokenCount:
    """Return about what another language of a page takes: what is new is sent again."""
    calls = -(-page.output // TOKENS_AT_ONCE)
    return TokenCount(page.output + calls * _AROUND_LINES, page.output, calls)


def _of_page(
    writer: ModelWriter,
    product: Product,
    language: str,
    analysis: Analysis,
    plan: Plan,
    page: PlannedPage,
) -> tuple[ChildPage, TokenCount | None]:
    """Return what pages above would be told of the page, and tokens if it is new."""
    facts = write_page(analysis, plan, page)
    before = published_page(product.pk, page.path, language)
    asked = {"isAsked": True}
    former = as_kept(asked, before)
    material = gather_material(writer, analysis, plan, page, facts, former)
    keep = partial(reuse_page, before, page, analysis)
    if not reason_to_write(asked, before):
        kept = keep_whole(material, page, keep)
        if kept is not None:
            return child_of(kept), None
    tokens = measure_page(writer, plan, page, material)
    if before and material.former and 0 in material.former.kept:
        # What it opens with stays, and that is what pages above are told.
        claims = tuple(renew_each(before.claims, analysis))
        return child_of(replace(before, claims=claims)), tokens
    return ChildPage(page.title, "", "", ()), tokens
