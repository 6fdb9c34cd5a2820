"""Ask about what is indexed on this machine."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

from devrag.ask.api import answer_question
from devrag.ask.documents import event_document, without_links
from devrag.ask.types import AskRequest, Scope
from devrag.cli.interfaces import Document, Question, ShowEvent
from devrag.core.principal import SYSTEM
from devrag.search.api import warm_up


def ask(question: Question, show: ShowEvent | None) -> Document:
    """Return the answer to a question; show: told what happens until then."""
    # The embedding model takes longer to load than a question waits for it.
    warm_up()
    request = AskRequest(
        question=question.text,
        principal=SYSTEM,
        scope=Scope(question.products, question.source, question.path),
        mode=question.mode,
    )
    return asyncio.run(_follow(request, show))


async def _follow(request: AskRequest, show: ShowEvent | None) -> Document:
    async with aclosing(answer_question(request)) as events:  # type: ignore[type-var]
        async for event in events:
            name, document = event_document(event, without_links)
            if name == "done":
                return document
            if show is not None:
                show(name, document)
    raise RuntimeError("answer_question() ended without an answer")
