"""Asks the model for a page; tells no answer from a bad one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from devrag.core.errors import ProviderError
from devrag.llm.chat import ChatModel, Completion, Message, Schema
from devrag.llm.errors import (
    ChatError,
    ChatInternal,
    ChatInvalidArgument,
    ChatRefused,
)


class Asking:
    """The calls of one page. before: called ahead of each."""

    def __init__(self, chat: ChatModel, before: Callable[[], None]) -> None:
        self._chat = chat
        self._before = before
        self._answered = 0
        self._failure: ProviderError | None = None

    def ask(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None = None,
        most_tokens: int = 2048,
    ) -> Completion:
        """Return the answer, an empty one where this prompt brings none.

        most_tokens: of the answer. Raises what stands in the way of every prompt.
        """
        self._before()
        try:
            completion = self._chat.complete(
                messages, max_output_tokens=most_tokens, temperature=0.2, schema=schema
            )
        except (ChatRefused, ChatInternal, ChatInvalidArgument) as error:
            return self._without_answer(error)
        self._answered += 1
        return completion

    def _without_answer(self, error: ChatError) -> Completion:
        reasons = {ChatRefused: "refusal", ChatInvalidArgument: "overflow"}
        reason = reasons.get(type(error), "failure")
        if error.permanent and reason == "failure":
            raise error
        self._failure = error
        return Completion("", 0, 0, reason)

    def check(self) -> None:
        """Raise the failure when no call of the page brought an answer."""
        if self._failure is not None and not self._answered:
            raise self._failure
