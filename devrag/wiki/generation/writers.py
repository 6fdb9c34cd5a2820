"""Open the model that writes pages, with what it may look up."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from uuid import UUID

from devrag.core.principal import PUBLISHER
from devrag.products.models import Product
from devrag.search.api import search
from devrag.search.types import Hit, SearchQuery
from devrag.spending.language_model import check_model_name, model_window, open_model
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.generation.material import ModelWriter, do_nothing
from devrag.wiki.models import Note
from devrag.wiki.publishing.feedback import doubts_for_writer
from devrag.wiki.writing.model.brief import read_brief
from devrag.wiki.writing.model.budget import budget_of_window
from devrag.wiki.writing.model.children import ChildPage
from devrag.wiki.writing.model.queries import PseudoQuery
from devrag.wiki.writing.outline.types import PageDesign

_HITS = 6
# A title's words must not read as a filter or a pattern of the search.
_SYNTAX = re.compile(r"[:\"/\\-]+")


def open_writer(
    product: Product,
    *,
    run: UUID,
    children: Mapping[str, ChildPage],
    language: str,
    known: Mapping[str, str] | None = None,
    before: Callable[[], None] = do_nothing,
    designs: Mapping[str, PageDesign] | None = None,
) -> ModelWriter:
    """Return the model that writes pages of a run.

    children: its finished ones. known: files of the version before, with their content.
    designs: of pages, by path.
    """
    return ModelWriter(
        chat=open_model(product_id=product.pk, run=run, purpose="page"),
        brief=read_brief(
            product.title or product.name, product.wiki_settings, language
        ),
        find=partial(find_evidence, product.name),
        children=children,
        notes=_notes(product),
        known=known or {},
        before=before,
        budget=budget_of_window(model_window()),
        designs=designs or {},
        checker=open_model(
            product_id=product.pk, run=run, purpose="check", model=check_model_name()
        ),
    )


def find_evidence(product: str, query: PseudoQuery) -> Sequence[Hit]:
    """Return what the index finds for a pseudo-query."""
    result = search(
        SearchQuery(
            text=_SYNTAX.sub(" ", query.text),
            principal=PUBLISHER,
            product=product,
            kind=query.kind,
            limit=_HITS,
            # A reranker that fails now and then would change pages for nothing.
            rerank=False,
        ),
        is_patient=True,
    )
    return result.hits


def child_of(draft: DraftedPage) -> ChildPage:
    """Return a finished page as the one above it needs it."""
    return ChildPage(draft.title, draft.summary, draft.markdown, draft.claims)


def _notes(product: Product) -> Mapping[str, list[str]]:
    notes = dict(doubts_for_writer(product))
    for note in Note.objects.filter(wiki__product=product).order_by("pk"):
        notes.setdefault(note.page_path, []).append(note.text)
    return notes
