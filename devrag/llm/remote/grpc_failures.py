"""What an embedding server answers when it fails, as errors with the way out."""

from __future__ import annotations

import grpc

from devrag.core.errors import ProviderError
from devrag.llm.remote.failures import Asked, of_timeout, redact

_Code = grpc.StatusCode


def of_call(asked: Asked, error: grpc.RpcError, seconds: float) -> ProviderError:
    """Return what to say of a call that failed. seconds: its deadline."""
    # Every RpcError that a call raises is that call, too.
    code, details = error.code(), error.details() or ""
    if code is _Code.DEADLINE_EXCEEDED:
        return of_timeout(asked, seconds)
    said = f"{code.name}: {redact(details, asked.endpoint.key).rstrip('.')}"
    return _refusal(asked, code, said) or _failure(asked, code, said)


def _refusal(asked: Asked, code: grpc.StatusCode, said: str) -> ProviderError | None:
    """Return what to say where the same call would be refused again."""
    terms = asked.terms
    if code is _Code.NOT_FOUND:
        return terms.not_found(
            f"{asked.who} has no model “{asked.model}” ({said}). Add it to the server's"
            f" configuration, or {terms.other_model}."
        )
    if code is _Code.INVALID_ARGUMENT:
        return terms.invalid(
            f"{asked.who} rejected {terms.sent} for “{asked.model}” ({said}). "
            f"{terms.too_long}"
        )
    if code is _Code.UNIMPLEMENTED:
        return terms.unavailable(
            f"{asked.who} is not an embedding server ({said}). Check "
            f"{asked.endpoint.url_setting}.",
            permanent=True,
        )
    return None


def _failure(asked: Asked, code: grpc.StatusCode, said: str) -> ProviderError:
    """Return what to say where asking again later may help."""
    terms = asked.terms
    if code in (_Code.UNAVAILABLE, _Code.CANCELLED):
        return terms.unavailable(
            f"Cannot use {asked.who_inside} ({said}). Check that it is running (devrag "
            f"embedding_server), the network, and {asked.endpoint.url_setting}."
        )
    if code is _Code.RESOURCE_EXHAUSTED:
        return terms.exhausted(
            f"{asked.who} has no room for this call ({said}). It is asked again; a "
            "smaller EMBEDDING_BATCH_SIZE asks for less at a time."
        )
    return terms.internal(f"{asked.who} failed ({said}). Try again later.")
