"""Save an answer as a page of the wiki, rename that page, delete it."""

from __future__ import annotations

from django.conf import settings

from devrag.ask.api import answer_page, readable_turn, refuse_page, title_for
from devrag.ask.models import Turn
from devrag.core.errors import Conflict
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.wiki.api import (
    SavedPage,
    delete_saved_answer,
    export_version,
    rename_saved_answer,
    save_answer_page,
)
from devrag.wiki.models import Page, Version


def save_answer(
    *, principal: Principal, turn: Turn, title: str | None = None
) -> SavedPage:
    """Make a page of the kind note of an answer that the caller may read.

    title: None for the question. An answer that was saved before keeps its page. Raises
    Conflict with the reason why it cannot be saved, PermissionDenied, InvalidInput.
    """
    readable = readable_turn(turn, principal)
    if reason := refuse_page(readable):
        raise Conflict(reason)
    product = turn.conversation.product
    assert product is not None  # noqa: S101 - else it was refused
    saved = save_answer_page(
        principal=principal,
        product=product,
        answer=answer_page(readable, title_for(turn) if title is None else title),
    )
    if saved.is_new:
        _export(saved.page.version)
    return saved


def rename_answer(
    *, principal: Principal, product: Product, page_id: int, title: str
) -> Page:
    """Give the page of a saved answer another title. Raises NotFound, InvalidInput."""
    page = rename_saved_answer(
        principal=principal, product=product, page_id=page_id, title=title
    )
    _export(page.version)
    return page


def delete_answer(*, principal: Principal, product: Product, page_id: int) -> None:
    """Delete the page of a saved answer. Raises NotFound."""
    version = delete_saved_answer(principal=principal, product=product, page_id=page_id)
    _export(version)


def _export(version: Version) -> None:
    export_version(version=version, root=settings.WIKI_OUTPUT_DIR)
