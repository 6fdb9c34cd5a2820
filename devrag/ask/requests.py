"""What entry points do with a question: check it before they begin an answer, wait."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

from django.utils.translation import gettext

from devrag.ask.limits import asker_of, check_room
from devrag.ask.scoped_sources import visible_sources
from devrag.ask.service import check_question
from devrag.ask.types import Answer, AskEvent, AskRequest, Finished, Scope
from devrag.core.errors import InvalidInput


def check_request(request: AskRequest) -> None:
    """Raise what `answer_question` would, before a stream is opened. Queries: ≤ 2.

    InvalidInput for a question that cannot be asked, NotFound for a product or source
    that the asker cannot see, TooManyRunning.
    """
    check_question(request.question)
    _check_lines(request.scope)
    visible_sources(request.scope, request.principal)
    check_room(asker_of(request.principal))


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
        raise InvalidInput(gettext("A line range requires a path."))
    if not 0 < first <= last:
        raise InvalidInput(
            gettext(
                "Invalid line range %(first)s to %(last)s. Lines start at 1, and the "
                "first must not be after the last."
            )
            % {"first": first, "last": last}
        )
