"""answer_question(): the one function behind page, REST, MCP, chat API and command."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import replace

from django.utils.translation import gettext

from devrag.ask.comparing.answer import compare_answer
from devrag.ask.evidence.gathering import begin_evidence, complete_evidence
from devrag.ask.evidence.unmet import find_unmet
from devrag.ask.extractive import extractive_answer
from devrag.ask.from_wiki.answer import wiki_answer
from devrag.ask.language import in_answer_language
from devrag.ask.limits import asker_of, running_answer
from devrag.ask.named.uses import uses_answer
from devrag.ask.reasons import read_words
from devrag.ask.restating import restate
from devrag.ask.threads import in_search_thread, in_thread
from devrag.ask.trace.answer import trace_answer
from devrag.ask.types import (
    MAX_QUESTION_CHARS,
    Answer,
    AskEvent,
    AskRequest,
    Evidence,
    EvidenceFound,
    Finished,
)
from devrag.ask.whole_sections import with_whole_sections
from devrag.ask.writing.sending import answer_with_model
from devrag.core.errors import InvalidInput
from devrag.spending.language_model import is_model_set


async def answer_question(request: AskRequest) -> AsyncIterator[AskEvent]:
    """Yield what becomes of a question, at the end the whole answer.

    Closing the iterator ends the work, also a model's. Raises InvalidInput for a
    question that cannot be asked, NotFound for a scope that the asker cannot see,
    TooManyRunning.
    """
    check_question(request.question)
    with running_answer(asker_of(request.principal)):
        async with aclosing(answer_uncounted(request)) as events:
            async for event in events:
                yield event


async def answer_uncounted(request: AskRequest) -> AsyncGenerator[AskEvent, None]:
    """Yield what answer_question() does, of a question that its caller counts.

    What it says is in the language of the answer: notes, steps and failures, too.
    """
    async with aclosing(in_answer_language(request, _answer(request))) as events:
        async for event in events:
            yield event


async def _answer(request: AskRequest) -> AsyncGenerator[AskEvent, None]:
    is_asked = await in_thread(is_model_set)  # reads the database where it must
    notes: tuple[str, ...] = ()
    answer = await in_search_thread(trace_answer, request, is_final=not is_asked)
    if answer is None and not is_asked:
        request, notes = await in_search_thread(restate, request)
        answer = await in_search_thread(_from_code, request)
    if answer:
        yield EvidenceFound(answer.evidence)
        yield Finished(_with_notes(answer, notes))
        return
    start = await in_search_thread(begin_evidence, request)
    if start.passages:
        yield EvidenceFound(start.passages)
    evidence = await in_search_thread(complete_evidence, request, start)
    if more := evidence.passages[len(start.passages) :]:
        yield EvidenceFound(more)
    if is_asked and (evidence.passages or request.mode == "thorough"):
        async with aclosing(answer_with_model(request, evidence)) as events:
            async for event in events:
                yield event
        return
    answer = await in_search_thread(_show, request, evidence)
    yield Finished(_with_notes(answer, notes))


def _with_notes(answer: Answer, notes: tuple[str, ...]) -> Answer:
    return replace(answer, notes=(*notes, *answer.notes)) if notes else answer


def _show(request: AskRequest, evidence: Evidence) -> Answer:
    """Return the answer that needs no model: the passages, if they answer."""
    unmet = find_unmet(request, evidence)
    asked = read_words(" ".join(evidence.searched[:1]))
    whole = with_whole_sections(evidence.passages, asked, request.principal)
    return extractive_answer(replace(evidence, passages=whole), unmet=unmet)


def _from_code(request: AskRequest) -> Answer | None:
    """Return the answer that the sources alone give.

    A list of uses, what differs between two documents, what the wiki cites.
    """
    return uses_answer(request) or compare_answer(request) or wiki_answer(request)


def check_question(text: str) -> None:
    """Raise InvalidInput for an empty or overlong question."""
    if not text.strip():
        raise InvalidInput(
            gettext("The question is empty. Type what you want to know.")
        )
    if len(text) > MAX_QUESTION_CHARS:
        raise InvalidInput(
            gettext(
                "The question has %(count)s characters; the limit is %(most)s. Ask "
                "about one thing, and leave out long code and logs."
            )
            % {"count": f"{len(text):,}", "most": f"{MAX_QUESTION_CHARS:,}"}
        )
