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
from devrag.spending.model_settings import NO_MODEL, ModelSettings, current_settings

if TYPE_CHECKING:
    from devrag.llm.remote.chat import RemoteChat

_MOST_OUTPUT_TOKENS = 2048  # where a call sets no limit


def is_model_set() -> bool:
    """Return whether a language model writes at all."""
    return model_provider() != NO_MODEL


def model_provider() -> str:
    """Return who is asked, NO_MODEL where nobody is."""
    return current_settings().provider


def model_name() -> str:
    """Return the name of the model that settings choose, empty without one."""
    return current_settings().model


def is_check_model_set() -> bool:
    """Return whether a model of its own checks what is written."""
    return bool(current_settings().text("check_model"))


def check_model_name() -> str:
    """Return the name of the model that checks what is written."""
    return current_settings().text("check_model") or model_name()


def ask_model_name() -> str:
    """Return the name of the model that answers questions."""
    return current_settings().text("ask_model") or model_name()


def model_window() -> int:
    """Return how many tokens of prompt and answer the model takes."""
    return current_settings().window


def model_price(name: str = "") -> Price | None:
    """Return the price of a model, None where none is known; without a name of ours."""
    return _price_in(current_settings(), name)


def _price_in(chosen: ModelSettings, name: str) -> Price | None:
    return price_of(name or chosen.model, chosen.prices)


def model_endpoint() -> Endpoint:
    """Return where the model is; a key goes only to the address it is for."""
    return current_settings().endpoint


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
    chosen = current_settings()
    patience = min(settings.LLM_TIMEOUT, only_seconds or settings.LLM_TIMEOUT)
    name = model or chosen.model
    inner = _built(chosen.provider, name, chosen.endpoint, patience)
    account = ModelAccount(product_id, run, purpose)
    wait = pause if only_seconds is None else None
    return CountedChat(inner, account, price=_price_in(chosen, name), pause=wait)


def open_stream(
    *, product_id: int, run: UUID, purpose: str, model: str = ""
) -> StreamingChat:
    """Return the configured model as one that answers piece by piece, as open_model().

    Each call is tried once: somebody waits, and text that was shown is not taken back.
    run: of one answer. Works on no database before the first piece is awaited, and then
    in threads. Raises ConfigurationError where no model is set.
    """
    _check_is_set()
    chosen = current_settings()
    name = model or chosen.model
    build = partial(
        _built, chosen.provider, name, chosen.endpoint, settings.LLM_TIMEOUT
    )
    return CountedStreamingChat(
        chosen.provider,
        name,
        build,
        ModelAccount(product_id, run, purpose),
        price=_price_in(chosen, name),
    )


def _check_is_set() -> None:
    if not is_model_set():
        raise ConfigurationError(
            gettext(
                "No language model is set. Choose one under Settings → Models, or set "
                "LLM_PROVIDER to openai or anthropic in the environment."
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
        has_failed = True
        try:
            completion = self._inner.complete(sent, **options)
            usage, has_failed = completion.usage, False
        except ChatError as error:
            usage = error.usage
            raise
        finally:
            settle_call(
                call=call, usage=usage, price=self._price, has_failed=has_failed
            )
        return completion
