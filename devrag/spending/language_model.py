"""The language model that settings name, with every call counted and capped."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext

from devrag.core.errors import ConfigurationError
from devrag.core.watchdog import prolong
from devrag.llm.chat import ChatModel, Completion, Message, StreamingChat, Usage
from devrag.llm.errors import ChatError
from devrag.llm.prices import Price, cost_of, most_usage, price_of
from devrag.llm.providers import (
    DEFAULT_MODELS,
    Endpoint,
    Pause,
    ask_patiently,
    build_chat,
)
from devrag.spending.budget import reserve_call, settle_call
from devrag.spending.counted_stream import (
    CountedStreamingChat,
    ModelAccount,
    mask_messages,
)

if TYPE_CHECKING:
    from devrag.llm.remote.chat import RemoteChat

NO_MODEL = "structural"
_MOST_OUTPUT_TOKENS = 2048  # where a call sets no limit


def is_model_set() -> bool:
    """Return whether a language model writes at all."""
    return bool(settings.LLM_PROVIDER != NO_MODEL)


def model_name() -> str:
    """Return the name of the model that settings choose, empty without one."""
    return settings.LLM_MODEL or DEFAULT_MODELS.get(settings.LLM_PROVIDER, "")


def check_model_name() -> str:
    """Return the name of the model that checks what is written."""
    return settings.LLM_CHECK_MODEL or model_name()


def ask_model_name() -> str:
    """Return the name of the model that answers questions."""
    return settings.ASK_MODEL or model_name()


def model_price(name: str = "") -> Price | None:
    """Return the price of a model, None where none is known; without a name of ours."""
    return price_of(name or model_name(), settings.LLM_PRICES)


def model_endpoint() -> Endpoint:
    """Return where the model is; a key goes only to the address it is for."""
    return endpoint_of("LLM" if settings.LLM_BASE_URL else settings.LLM_PROVIDER)


def endpoint_of(name: str) -> Endpoint:
    """Return the endpoint that the settings of a provider, or those of LLM, name."""
    prefix = name.upper()
    return Endpoint(
        base_url=getattr(settings, f"{prefix}_BASE_URL", ""),
        key=getattr(settings, f"{prefix}_API_KEY"),
        key_setting=f"{prefix}_API_KEY",
        url_setting="OPENAI_BASE_URL" if prefix == "OPENAI" else "LLM_BASE_URL",
    )


@lru_cache(maxsize=4)
def _built(
    provider: str, model: str, endpoint: Endpoint, timeout_seconds: float
) -> RemoteChat:
    """Return a model; once a process, as it keeps its connections."""
    return build_chat(
        provider, model, endpoint=endpoint, timeout_seconds=timeout_seconds
    )


def open_model(
    *,
    product_id: int,
    run: UUID,
    purpose: str,
    model: str = "",
    pause: Pause = time.sleep,
    only_seconds: float | None = None,
) -> ChatModel:
    """Return the configured model, on the account of a product's run.

    Its `complete` asks again where that helps, reserves and settles each attempt, and
    lets nothing leave that looks like a secret or belongs to a product that keeps its
    texts. Not within a transaction: reservations commit. model: another one of the
    provider than settings choose. pause: waits some seconds.
    only_seconds: asks once and waits no longer, because somebody waits for the answer.
    """
    _check_is_set()
    endpoint = model_endpoint()
    patience = min(settings.LLM_TIMEOUT, only_seconds or settings.LLM_TIMEOUT)
    name = model or model_name()
    inner = _built(settings.LLM_PROVIDER, name, endpoint, patience)
    account = ModelAccount(product_id, run, purpose)
    wait = pause if only_seconds is None else None
    return CountedChat(inner, account, price=model_price(name), pause=wait)


def open_stream(
    *, product_id: int, run: UUID, purpose: str, model: str = ""
) -> StreamingChat:
    """Return the configured model as one that answers piece by piece, as open_model().

    Each call is tried once: somebody waits, and text that was shown is not taken back.
    run: of one answer. Works on no database before the first piece is awaited, and then
    in threads. Raises ConfigurationError where no model is set.
    """
    _check_is_set()
    name = model or model_name()
    build = partial(
        _built, settings.LLM_PROVIDER, name, model_endpoint(), settings.LLM_TIMEOUT
    )
    return CountedStreamingChat(
        settings.LLM_PROVIDER,
        name,
        build,
        ModelAccount(product_id, run, purpose),
        price=model_price(name),
    )


def _check_is_set() -> None:
    if not is_model_set():
        raise ConfigurationError(
            gettext(
                "No language model is set. Set LLM_PROVIDER to openai or anthropic."
            )
        )


class CountedChat:
    """A ChatModel whose calls are counted and capped.

    pause: waits some seconds; None: a call is tried once.
    """

    def __init__(
        self,
        inner: ChatModel,
        account: ModelAccount,
        *,
        price: Price | None,
        pause: Pause | None,
    ) -> None:
        self.provider, self.model = inner.provider, inner.model
        self._inner, self._account = inner, account
        self._price, self._pause = price, pause

    def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        """Return the model's next message."""
        sent = mask_messages(messages)
        if self._pause is None:
            return self._ask(sent, options)
        return ask_patiently(lambda: self._ask(sent, options), pause=self._pause)

    def _ask(self, sent: Sequence[Message], options: dict[str, Any]) -> Completion:
        prolong()
        most_tokens = options.get("max_output_tokens", _MOST_OUTPUT_TOKENS)
        call = self._account.new_call(self.provider, self.model)
        call.reserved_cost = cost_of(most_usage(sent, most_tokens), self._price)
        reserve_call(call=call)
        usage: Usage | None = None
        try:
            completion = self._inner.complete(sent, **options)
            usage = completion.usage
        except ChatError as error:
            usage = error.usage
            raise
        finally:
            settle_call(call=call, usage=usage, price=self._price)
        return completion
