"""A conversation in OpenAI's form as a question with what was asked before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ninja import Field, Schema

from devrag.api.chat.completions import read_places, without_places
from devrag.ask.documents import unlink_citations
from devrag.ask.types import AskMode, AskRequest, Exchange, Scope
from devrag.core.errors import InvalidInput
from devrag.core.principal import Principal

ALL_PRODUCTS = "all"
_MAX_MESSAGES, _MAX_EXCHANGES = 2_000, 50
_THOROUGH = {"high", "xhigh"}
_LANGUAGES = {
    "ja": re.compile(r"\bin Japanese\b|日本語で", re.IGNORECASE),
    "en": re.compile(r"\bin English\b|英語で", re.IGNORECASE),
}


class Message(Schema):
    """content: a text, or parts of which those without a text are left out."""

    role: str = Field(max_length=40)
    content: str | list[dict[str, Any]] | None = None

    @property
    def text(self) -> str:
        """Return its text, without characters that no database keeps."""
        content = self.content or ""
        if not isinstance(content, str):
            texts = [part.get("text") for part in content]
            content = "\n".join(text for text in texts if isinstance(text, str))
        return content.replace("\x00", "")


class StreamOptions(Schema):
    include_usage: bool | None = False


class ChatRequest(Schema):
    """What is used of a request; all else is ignored, such as tools and temperature.

    reasoning_effort: `high` and `xhigh` let a model look further by itself.
    """

    model: str = Field(max_length=200)
    messages: list[Message] = Field(min_length=1, max_length=_MAX_MESSAGES)
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    reasoning_effort: str | None = None

    @property
    def has_usage(self) -> bool:
        """Return whether a stream ends with how many tokens it took."""
        return bool(self.stream_options and self.stream_options.include_usage)

    @property
    def mode(self) -> AskMode:
        return "thorough" if self.reasoning_effort in _THOROUGH else "quick"


def to_request(body: ChatRequest, principal: Principal, product: str) -> AskRequest:
    """Return the question about a product, '' for all.

    Messages of the system count for the language of the answer only.
    """
    users = [at for at, each in enumerate(body.messages) if each.role == "user"]
    if not users:
        raise InvalidInput(
            "The messages contain no question: at least one must have the role 'user'."
        )
    history = tuple(_exchanges(body.messages[: users[-1]]))
    return AskRequest(
        question=body.messages[users[-1]].text,
        principal=principal,
        scope=Scope(products=(product,) if product else ()),
        mode=body.mode,
        history=history[-_MAX_EXCHANGES:],
        language=_language(body.messages),
    )


def _exchanges(messages: Sequence[Message]) -> Iterator[Exchange]:
    """Yield each question with the answer that follows it, '' for none."""
    question = ""
    for message in messages:
        if message.role == "user":
            if question:
                yield Exchange(question, "")
            question = message.text
        elif message.role == "assistant" and question:
            answer = message.text
            text = unlink_citations(without_places(answer))
            yield Exchange(question, text, read_places(answer))
            question = ""
    if question:
        yield Exchange(question, "")


def _language(messages: Sequence[Message]) -> str:
    """Return the language that a message of the system asks for, '' for none."""
    text = " ".join(
        each.text for each in messages if each.role in {"system", "developer"}
    )
    found = [code for code, words in _LANGUAGES.items() if words.search(text)]
    return found[0] if len(found) == 1 else ""
