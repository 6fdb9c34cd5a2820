"""What entry points do with a question: check it before they begin an answer, wait."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

from django.db import connection
from django.utils.translation import gettext

from devrag.ask.service import check_question
from devrag.ask.types import Answer, AskEvent, AskRequest, Finished, Scope
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.sources.models import Source


def check_request(request: AskRequest) -> None:
    """Raise what `answer_question` would, before a stream is opened. Queries: ≤ 2.

    InvalidInput for a question that cannot be asked, NotFound for a product or source
    that the asker cannot see.
    """
    check_question(request.question)
    _check_lines(request.scope)
    _check_names(request.scope, request.principal)


def release_connection() -> None:
    """Give this thread's connection back: an answer may take minutes without it."""
    if not connection.in_atomic_block:
        connection.close()


async def finish_answer(events: AsyncIterator[AskEvent]) -> Answer:
    """Return the answer that events lead to; a task that is cancelled ends the work."""
    async with aclosing(events) as opened:  # type: ignore[type-var]
        async for event in opened:
            if isinstance(event, Finished):
                return event.answer
    raise RuntimeError("the events of a question ended without an answer")


def _check_lines(scope: Scope) -> None:
    if scope.lines is None:
        return
    first, last = scope.lines
    if not scope.path:
        raise InvalidInput(gettext("Lines belong to a file. Name its path as well."))
    if not 0 < first <= last:
        raise InvalidInput(
            gettext(
                "Lines %(first)s to %(last)s cannot be read. Lines count from 1, and "
                "the first is not after the last."
            )
            % {"first": first, "last": last}
        )


def _check_names(scope: Scope, principal: Principal) -> None:
    if scope.products:
        visible = Product.objects.visible_to(principal)
        known = set(visible.filter(name__in=scope.products).values_list("name"))
        for name in scope.products:
            if (name,) not in known:
                raise NotFound(
                    gettext("There is no product '%(name)s'.") % {"name": name[:80]}
                )
    if scope.source:
        sources = Source.objects.visible_to(principal).filter(name=scope.source)
        if scope.products:
            sources = sources.filter(product__name__in=scope.products)
        if not sources.exists():
            raise NotFound(
                gettext("There is no source '%(name)s' here.")
                % {"name": scope.source[:80]}
            )
