"""look_further(): a model looks for what the first search did not find, by tools.

Rounds go on until the model names the passages that matter, brings up nothing new, or
has used its rounds or tokens. Whatever fails ends them: what was found is kept.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from django.conf import settings
from django.utils.translation import gettext

from devrag.ask.agent.found_passages import FoundPassages
from devrag.ask.agent.prompt import (
    MOST_CALLS,
    first_messages,
    named_ids,
    show_result,
    shown_at_first,
    texts_of,
)
from devrag.ask.agent.reach import Reach
from devrag.ask.agent.tool_arguments import (
    Arguments,
    SearchArguments,
    read_arguments,
)
from devrag.ask.agent.tools import TOOLS, ToolResult
from devrag.ask.threads import in_search_thread
from devrag.ask.types import (
    MAX_FILES,
    MAX_LINES,
    AskEvent,
    AskRequest,
    Evidence,
    EvidenceFound,
    Progress,
)
from devrag.core.errors import (
    DevragError,
    InvalidInput,
    PermissionDenied,
    ProviderError,
)
from devrag.llm.chat import (
    Completion,
    Message,
    StreamingChat,
    ToolCall,
    prompt_texts,
)
from devrag.llm.errors import ChatToolsUnsupported
from devrag.llm.fence import Fence
from devrag.parsing.tokens import estimate_tokens
from devrag.spending.budget import CapReached
from devrag.spending.language_model import model_window

# Of all calls together, prompts and answers.
MOST_TOKENS = 60_000
_OUTPUT_TOKENS = 2_048  # some models think first
_IDLE_ROUNDS = 2
_ODD_LETTERS = re.compile(r"[^a-zA-Z0-9_-]")
_SPECS = tuple(tool.spec for tool in TOOLS.values())
_SPEC_TOKENS = sum(estimate_tokens(text) for text in prompt_texts((), _SPECS))


async def look_further(
    request: AskRequest, evidence: Evidence, chat: StreamingChat
) -> AsyncGenerator[AskEvent | Evidence, None]:
    """Yield what is being done, what it found, and at the end the evidence.

    Passages keep their ids; the evidence has those that matter, most useful first,
    within MAX_FILES and MAX_LINES. evidence: may be sent to the model. Failures of the
    model are notes. Closing the iterator ends its call.
    """
    look = _Look.begin(request, evidence)
    try:
        async with aclosing(_rounds(look, chat)) as steps:
            async for step in steps:
                yield Progress(step)
    except ChatToolsUnsupported:
        look.notes.append(
            gettext("The model cannot call tools, so only one search was made.")
        )
    except (ProviderError, CapReached, PermissionDenied) as error:
        look.notes.append(
            gettext("The search was stopped early: %(reason)s")
            % {"reason": error.message}
        )
    found = look.evidence()
    first = {passage.id for passage in evidence.passages}
    if new := tuple(each for each in found.passages if each.id not in first):
        yield EvidenceFound(new)
    yield found


async def _rounds(look: _Look, chat: StreamingChat) -> AsyncGenerator[str, None]:
    """Let the model call tools; yield each step in words."""
    for _ in range(settings.ASK_MAX_ROUNDS):
        if not look.has_room:
            return
        completion = await _ask(look, chat)
        calls = look.take(completion)
        if not calls:
            return
        asked = [look.read(call) for call in calls]
        for each in asked:
            if isinstance(each, _Asked):
                yield TOOLS[each.name].step(each.arguments)
        results = await asyncio.gather(*(_result(look, each) for each in asked))
        for call, result in zip(calls, results, strict=True):
            look.add_result(call, result)
        if look.is_idle:
            return


async def _result(look: _Look, asked: _Asked | str) -> ToolResult | str:
    return asked if isinstance(asked, str) else await in_search_thread(look.run, asked)


async def _ask(look: _Look, chat: StreamingChat) -> Completion:
    completion = None
    stream = chat.stream(
        look.messages, max_output_tokens=_OUTPUT_TOKENS, tools=_SPECS, temperature=0.0
    )
    try:
        async with aclosing(stream):
            async for piece in stream:
                if isinstance(piece, Completion):
                    completion = piece
    finally:
        look.count(stream.usage.input_tokens, stream.usage.output_tokens)
    if completion is None:
        raise RuntimeError("a stream ended without its completion")
    return completion


@dataclass(frozen=True, slots=True)
class _Asked:
    """A call that can be made."""

    name: str
    arguments: Arguments


@dataclass(slots=True)
class _Look:
    """What is known so far. shown: ids of passages whose text the model has read.

    idle: rounds that brought nothing new.
    """

    request: AskRequest
    first: Evidence
    fence: Fence
    messages: list[Message]
    found: FoundPassages
    notes: list[str]
    shown: set[str]
    made: set[tuple[str, str]] = field(default_factory=set)
    searched: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    input_tokens: int = 0
    output_tokens: int = 0
    has_news: bool = True
    idle: int = 0

    @classmethod
    def begin(cls, request: AskRequest, evidence: Evidence) -> _Look:
        passages, rounds = evidence.passages, settings.ASK_MAX_ROUNDS
        fence = Fence(texts_of(request, passages))
        return cls(
            request,
            evidence,
            fence,
            first_messages(request, passages, fence, rounds=rounds),
            FoundPassages(passages),
            list(evidence.notes),
            shown_at_first(passages),
        )

    @property
    def has_room(self) -> bool:
        """Whether another call stays within the window and the tokens of all."""
        sent = sum(estimate_tokens(message.content) for message in self.messages)
        next_call = sent + _SPEC_TOKENS + _OUTPUT_TOKENS
        used = self.input_tokens + self.output_tokens
        return next_call <= model_window() and used + next_call <= MOST_TOKENS

    @property
    def is_idle(self) -> bool:
        """Note the end of a round; return whether another would be in vain."""
        self.idle = 0 if self.has_news else self.idle + 1
        self.has_news = False
        return self.idle >= _IDLE_ROUNDS

    def count(self, input_tokens: int, output_tokens: int) -> None:
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens

    def take(self, completion: Completion) -> list[ToolCall]:
        """Take in the model's turn; return the calls that it makes, none at its end."""
        calls = [
            replace(call, name=_ODD_LETTERS.sub("_", call.name)[:64] or "_")
            for call in completion.tool_calls[:MOST_CALLS]
        ]
        self.named = named_ids(completion.text, self.found.ids) if not calls else []
        turn = Message("assistant", completion.text, tool_calls=tuple(calls))
        self.messages.append(turn)
        return calls

    def read(self, call: ToolCall) -> _Asked | str:
        """Return a call that can be made, else what the model is told instead."""
        tool = TOOLS.get(call.name)
        if tool is None:
            return f"There is no tool of that name. Use {', '.join(TOOLS)}."
        try:
            arguments = read_arguments(call.arguments, tool.arguments)
        except InvalidInput as error:
            return error.message
        key = (call.name, json.dumps(arguments.model_dump(), sort_keys=True))
        if key in self.made:
            return "You called this before; its result is above."
        self.made.add(key)
        if isinstance(arguments, SearchArguments):
            self.searched.append(arguments.query)
        return _Asked(call.name, arguments)

    def run(self, asked: _Asked) -> ToolResult | str:
        """Make a call."""
        try:
            return TOOLS[asked.name].run(Reach.of(self.request), asked.arguments)
        except DevragError as error:
            return error.message

    def add_result(self, call: ToolCall, result: ToolResult | str) -> None:
        """Let the model read what came of a call, and keep the passages."""
        if isinstance(result, str):
            # Its words may name what a repository has: data like all of that.
            text = self.fence.around(call.name, result)
        else:
            passages = [
                self.found.add(each, is_read=result.is_read) for each in result.passages
            ]
            # Several may be lines of one that is known already.
            distinct = {each.id: each for each in passages}.values()
            new = [each for each in distinct if each.id not in self.shown]
            known = [each for each in distinct if each.id in self.shown]
            self.shown.update(each.id for each in new)
            source = self.request.scope.source
            text = show_result(new, known, result.lines, self.fence, source=source)
            self.has_news |= bool(new or result.lines)
        self.messages.append(
            Message("tool", text, is_repeated=True, tool_call_id=call.id)
        )

    def evidence(self) -> Evidence:
        """Return what the answer is written from."""
        passages = self.found.choose(
            self.named, max_files=MAX_FILES, max_lines=MAX_LINES
        )
        return replace(
            self.first,
            passages=passages,
            is_found=self.first.is_found or bool(self.named),
            searched=tuple(dict.fromkeys([*self.first.searched, *self.searched])),
            notes=tuple(self.notes),
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
        )
