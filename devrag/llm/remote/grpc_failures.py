"""What an embedding server answers when it fails, as errors with the way out."""

from __future__ import annotations

import grpc

from devrag.core.errors import ProviderError
from devrag.core.texts import gettext
from devrag.llm.remote.failures import Asked, of_timeout, redact, rejected

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
            gettext(
                "%(who)s has no model “%(model)s” (%(reason)s). Add it to the server's "
                "configuration, or %(other)s."
            )
            % {**_names(asked, said), "other": gettext(terms.other_model)}
        )
    if code is _Code.INVALID_ARGUMENT:
        return terms.invalid(rejected(asked, said))
    if code is _Code.UNIMPLEMENTED:
        return terms.unavailable(
            gettext(
                "%(who)s is not an embedding server (%(reason)s). Check %(setting)s."
            )
            % _names(asked, said),
            permanent=True,
        )
    return None


def _failure(asked: Asked, code: grpc.StatusCode, said: str) -> ProviderError:
    """Return what to say where asking again later may help."""
    terms = asked.terms
    if code in (_Code.UNAVAILABLE, _Code.CANCELLED):
        return terms.unavailable(
            gettext(
                "Cannot use %(who)s (%(reason)s). Check that it is running (devrag "
                "embedding_server), the network, and %(setting)s."
            )
            % {**_names(asked, said), "who": asked.who_inside}
        )
    if code is _Code.RESOURCE_EXHAUSTED:
        return terms.exhausted(
            gettext(
                "%(who)s is overloaded, or the request is too large for it "
                "(%(reason)s). devrag retries. To send less text per request, lower "
                "EMBEDDING_BATCH_SIZE."
            )
            % _names(asked, said)
        )
    text = gettext("%(who)s failed (%(reason)s). Try again later.")
    return terms.internal(text % _names(asked, said))


def _names(asked: Asked, said: str) -> dict[str, str]:
    return {
        "who": asked.who,
        "model": asked.model,
        "reason": said,
        "setting": asked.endpoint.url_setting,
    }
