"""write_answer(): a model's answer from evidence, checked while it comes.

Evidence → prompt → Draft, Draft, … → Checked, Checked, … → Finished
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from django.conf import settings
from django.utils.translation import gettext

from devrag.ask.extractive import extractive_answer
from devrag.ask.language import language_of
from devrag.ask.threads import in_thread
from devrag.ask.types import (
    Answer,
    AskEvent,
    AskRequest,
    Checked,
    Draft,
    Evidence,
    Finished,
    Progress,
)
from devrag.ask.writing.checked_text import CheckedText, check_text
from devrag.ask.writing.citation_numbers import CitationNumbers
from devrag.ask.writing.draft_text import DraftText
from devrag.ask.writing.prompt import fence_of, messages_of
from devrag.ask.writing.sentence_checks import SentenceChecks
from devrag.ask.writing.support_check import SupportCheck
from devrag.core.errors import DevragError
from devrag.llm.chat import Completion, Message, StreamingChat, Usage
from devrag.wiki.api import is_in_language
from devrag.wiki.checking.mermaid import MermaidUnavailable, shared_parser

MOST_OUTPUT_TOKENS = 2_048
LONGEST = 16_000  # characters of an answer
# What may end a sentence, so that it can be checked.
_END = re.compile(r"[.!?:]\s|[。！？：\n]")


async def write_answer(
    request: AskRequest,
    evidence: Evidence,
    chat: StreamingChat,
    checker: StreamingChat | None = None,
) -> AsyncGenerator[AskEvent, None]:
    """Yield the answer of a model as it comes, is checked and is finished.

    A Draft is plain text that nobody has checked: it is never shown as Markdown. What
    a model fails with ends the answer, and what was checked until then is kept. Closing
    the iterator closes the model's connection. checker: a model that judges what passed
    the other checks, all in one call.
    """
    if not evidence.passages:
        yield Finished(
            replace(
                extractive_answer(evidence),
                input_tokens=evidence.input_tokens,
                output_tokens=evidence.output_tokens,
            )
        )
        return
    writing = await in_thread(_Writing.begin, request, evidence)
    try:
        async with aclosing(_read(writing, chat, checker)) as events:
            async for event in events:
                yield event
        if checker is not None:
            async with aclosing(_check_support(writing, checker)) as events:
                async for event in events:
                    yield event
    except DevragError as error:
        writing.error = error
    yield Finished(await in_thread(writing.answer, chat))


async def _check_support(
    writing: _Writing, checker: StreamingChat
) -> AsyncGenerator[AskEvent, None]:
    """Let a second model refuse sentences; where it fails they stand as they are."""
    found = await in_thread(writing.found)
    if not found.has_claims:
        return
    yield Progress(gettext("Checking the answer against the cited lines"))
    check = SupportCheck(checker)
    try:
        await check.judge(found.sentences, writing.checks.texts)
    except DevragError as error:
        text = gettext("The second check of the answer was stopped early: %(error)s")
        writing.notes.append(text % {"error": error.message})
    finally:
        writing.checks.refuse(check.refused)
        writing.check_usage = check.usage


async def _read(
    writing: _Writing, chat: StreamingChat, checker: StreamingChat | None
) -> AsyncGenerator[AskEvent, None]:
    """Read the model's stream; yield its pieces, and what of them has passed."""
    draft, shown = DraftText(), ""
    asked = chat.stream(writing.messages, max_output_tokens=MOST_OUTPUT_TOKENS)
    try:
        async for piece in asked:
            if isinstance(piece, Completion):
                writing.completion = piece
                continue
            is_end = writing.add(piece)
            checked = await in_thread(writing.checked) if is_end else Checked("", ())
            if checked.markdown not in {"", shown}:
                shown = checked.markdown
                yield replace(checked, is_settled=checker is None)
            # Behind what is checked: it begins the next sentence.
            if text := draft.add(piece):
                yield Draft(text)
            if len(writing.text) > LONGEST:
                return
    finally:
        await asked.aclose()
        writing.usage = asked.usage


@dataclass(slots=True)
class _Writing:
    """An answer while it is written. text: all that the model has written so far.

    notes, check_usage: of the second model that checked it.
    """

    request: AskRequest
    evidence: Evidence
    messages: list[Message]
    checks: SentenceChecks
    numbers: CitationNumbers
    text: str = ""
    usage: Usage = field(default_factory=Usage)
    completion: Completion | None = None
    error: DevragError | None = None
    notes: list[str] = field(default_factory=list)
    check_usage: Usage = field(default_factory=Usage)
    _last: str = field(default="", init=False)

    @classmethod
    def begin(cls, request: AskRequest, evidence: Evidence) -> _Writing:
        fence = fence_of(request, evidence.passages)
        checks = SentenceChecks(
            evidence.passages,
            question=request.question,
            fence=fence.word,
            diagram_error=_diagram_error,
        )
        return cls(
            request,
            evidence,
            messages_of(request, evidence.passages, fence),
            checks,
            CitationNumbers(checks.passages),
        )

    def add(self, piece: str) -> bool:
        """Take in a piece; return whether a sentence may have ended in it."""
        self.text += piece
        tail, self._last = self._last + piece, piece[-1:]
        return _END.search(tail) is not None

    def checked(self) -> Checked:
        """Return what has passed of the sentences that have ended."""
        found = check_text(self.text, self.checks, is_ended=False)
        if found.is_none:
            return Checked("", ())
        return Checked(*self.numbers.number(found.blocks))

    @property
    def is_cut(self) -> bool:
        """Return whether the text ends before its end."""
        if self.error or self.completion is None:
            return True
        return self.completion.finish_reason != "stop"

    def answer(self, chat: StreamingChat) -> Answer:
        """Return the whole answer: what passed, or the passages where nothing did."""
        found = self.found()
        used = self.usage, self.check_usage, self.evidence
        return replace(
            self._written(found),
            removed=found.removed,
            model=chat.model,
            input_tokens=sum(each.input_tokens for each in used),
            output_tokens=sum(each.output_tokens for each in used),
        )

    def found(self) -> CheckedText:
        """Return what has passed of the whole text."""
        return check_text(self.text, self.checks, is_cut=self.is_cut)

    def _written(self, found: CheckedText) -> Answer:
        is_refusal = found.is_none or (found.blocks and not found.has_claims)
        if is_refusal and not self.is_cut:
            nothing = replace(self.evidence, is_found=False)
            return replace(extractive_answer(nothing), is_extractive=False)
        if not found.has_claims:
            answer = extractive_answer(self.evidence)
            return replace(answer, notes=(*answer.notes, self._why_extractive()))
        markdown, citations = self.numbers.number(found.blocks)
        return Answer(
            markdown=markdown,
            citations=citations,
            evidence=self.evidence.passages,
            outcome="answered",
            is_extractive=False,
            is_complete=not self.is_cut,
            notes=(*self.evidence.notes, *self._notes(markdown)),
        )

    def _notes(self, markdown: str) -> list[str]:
        """Return what a reader of an answer should know of how it was written."""
        notes = list(self.notes)
        if self.error:
            text = gettext("The answer was cut off: %(error)s")
            notes.append(text % {"error": self.error.message})
        elif self.is_cut:
            notes.append(
                gettext("The answer reached the maximum length and was cut off.")
            )
        if not is_in_language(markdown, language_of(self.request)):
            notes.append(gettext("The model answered in another language."))
        return notes

    def _why_extractive(self) -> str:
        if self.error:
            text = gettext("This answer was not written by a model: %(error)s")
            return text % {"error": self.error.message}
        return gettext(
            "No sentence of the model's answer passed the checks. These are the "
            "passages that were found."
        )


def _diagram_error(text: str) -> str | None:
    """Return why Mermaid text does not parse, or cannot be checked."""
    try:
        return shared_parser(settings.MERMAID_PATH).error_in(text)
    except MermaidUnavailable as error:
        return error.message
