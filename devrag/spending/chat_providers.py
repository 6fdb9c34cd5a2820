"""The language models' providers there are: which writes, what is set, does it answer.

The test asks for one word outside of any product, so it is on no product's account.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from django.conf import settings

from devrag.llm.chat import Message
from devrag.llm.providers import DEFAULT_MODELS, Endpoint, build_chat
from devrag.spending.language_model import endpoint_of, model_endpoint, model_name

_QUESTION = (Message("user", "Answer with the one word: ready"),)
# Enough for a word also where a model thinks before it speaks.
_MOST_TOKENS = 256
_PATIENCE_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class ChatProvider:
    """One provider; the key is never here."""

    name: str
    model: str
    base_url: str
    key_setting: str
    has_key: bool
    is_active: bool


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """A provider that answered: how long it took, and what it said."""

    milliseconds: int
    model: str
    said: str


def list_chat_providers() -> list[ChatProvider]:
    """Return all that could write, the active one with the model in use."""
    return [_describe(name) for name in DEFAULT_MODELS]


def _describe(name: str) -> ChatProvider:
    place = _endpoint(name)
    return ChatProvider(
        name=name,
        model=_model(name),
        base_url=place.base_url,
        key_setting=place.key_setting,
        has_key=bool(place.key),
        is_active=name == settings.LLM_PROVIDER,
    )


def ask_chat_provider(name: str) -> ChatAnswer:
    """Ask for one word; ProviderError says why there is none."""
    chat = build_chat(
        name,
        _model(name),
        endpoint=_endpoint(name),
        timeout_seconds=_PATIENCE_SECONDS,
    )
    began = time.perf_counter()
    answer = chat.complete(_QUESTION, max_output_tokens=_MOST_TOKENS)
    took = round(1000 * (time.perf_counter() - began))
    return ChatAnswer(took, chat.model, answer.text.strip()[:80])


def _model(name: str) -> str:
    return model_name() if name == settings.LLM_PROVIDER else DEFAULT_MODELS[name]


def _endpoint(name: str) -> Endpoint:
    return model_endpoint() if name == settings.LLM_PROVIDER else endpoint_of(name)
