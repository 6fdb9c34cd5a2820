"""choose_reading(): a model chooses from an outline what the answer is written from.

Evidence and all that is near it → outline → what the model wants to read → its text
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace

from django.utils.translation import gettext

from devrag.ask.agent.choices import read_choices
from devrag.ask.agent.look_prompt import look_messages
from devrag.ask.agent.outline import Outline, make_outline
from devrag.ask.agent.reach import Reach
from devrag.ask.agent.reading import find_chosen
from devrag.ask.threads import in_search_thread
from devrag.ask.types import (
    AskEvent,
    AskRequest,
    Evidence,
    EvidenceFound,
    Passage,
    Progress,
)
from devrag.core.errors import DevragError
from devrag.llm.chat import Completion, Message, StreamingChat

_OUTPUT_TOKENS = 2_048  # some models think first


@dataclass(frozen=True, slots=True)
class _Asked:
    """An outline and how the model is asked about it."""

    outline: Outline
    messages: list[Message]


async def choose_reading(
    request: AskRequest, evidence: Evidence, chat: StreamingChat
) -> AsyncGenerator[AskEvent | Evidence, None]:
    """Yield what is being done, what was chosen, and at the end the evidence.

    evidence: may be sent to the model. Passages keep their ids; the evidence has those
    that the model chose, or is as it was where it chose none or failed.
    """
    asked = await in_search_thread(_outline, request, evidence)
    if not asked.outline.entries:
        yield evidence
        return
    yield Progress(gettext("Choosing what to read"))
    text, notes = "", list(evidence.notes)
    stream = chat.stream(
        asked.messages, max_output_tokens=_OUTPUT_TOKENS, temperature=0.0
    )
    try:
        async with aclosing(stream):
            async for piece in stream:
                if isinstance(piece, Completion):
                    text = piece.text
    except DevragError as error:
        reason = {"reason": error.message}
        notes.append(gettext("The search was stopped early: %(reason)s") % reason)
    evidence = replace(
        evidence,
        notes=tuple(notes),
        input_tokens=stream.usage.input_tokens,
        output_tokens=stream.usage.output_tokens,
    )
    choices = read_choices(text)
    chosen = await in_search_thread(
        find_chosen, request, asked.outline, choices, evidence.passages
    )
    first = {passage.id for passage in evidence.passages}
    if new := tuple(each for each in chosen if each.id not in first):
        yield EvidenceFound(new)
    yield _with(evidence, chosen, [each.query for each in choices if each.query])


def _with(
    evidence: Evidence, chosen: tuple[Passage, ...], searched: list[str]
) -> Evidence:
    if not chosen:
        return evidence
    both = dict.fromkeys([*evidence.searched, *searched])
    return replace(evidence, passages=chosen, searched=tuple(both))


def _outline(request: AskRequest, evidence: Evidence) -> _Asked:
    outline = make_outline(request.question, evidence.nearby, Reach.of(request))
    return _Asked(outline, look_messages(request, outline))
