"""The language models' providers there are, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from devrag.core.texts import gettext
from devrag.llm.errors import ChatModelNotFound
from devrag.llm.remote.endpoint import Endpoint

if TYPE_CHECKING:
    from devrag.llm.remote.chat import RemoteChat
    from devrag.llm.remote.chat_adapter import ChatAdapter

# What is asked where no model is set: takes a temperature and answers without thinking
# long, so that 2048 tokens are a section.
DEFAULT_MODELS = {"openai": "gpt-4.1-mini", "anthropic": "claude-sonnet-4-6"}


# The clients take most of a second and 40 MB each: only who uses one pays.
def _openai() -> ChatAdapter:
    from devrag.llm.remote.openai_chat import OpenAIChatAdapter  # noqa: PLC0415

    return OpenAIChatAdapter()


def _anthropic() -> ChatAdapter:
    from devrag.llm.remote.anthropic_chat import AnthropicChatAdapter  # noqa: PLC0415

    return AnthropicChatAdapter()


CHAT_ADAPTERS: dict[str, Callable[[], ChatAdapter]] = {
    "openai": _openai,
    "anthropic": _anthropic,
}


def build_chat(
    provider: str, model: str, *, endpoint: Endpoint, timeout_seconds: float
) -> RemoteChat:
    """Return a model that asks once. model: empty for the provider's usual one."""
    adapter = CHAT_ADAPTERS.get(provider)
    if adapter is None:
        known = ", ".join(sorted(CHAT_ADAPTERS))
        raise ChatModelNotFound(
            gettext(
                "Unknown language model provider “%(name)s”. Choose one of: %(known)s."
            )
            % {"name": provider, "known": known}
        )
    from devrag.llm.remote.chat import RemoteChat  # noqa: PLC0415 (the same reason)

    return RemoteChat(
        provider,
        model or DEFAULT_MODELS[provider],
        adapter=adapter(),
        endpoint=endpoint,
        timeout_seconds=timeout_seconds,
    )
