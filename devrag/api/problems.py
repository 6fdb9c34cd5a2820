"""Errors of the REST interface alone, each with its code."""

from __future__ import annotations

from devrag.core.errors import Conflict, DevragError, InvalidInput


class SecretInAddress(InvalidInput):
    """A token stood in the query string."""

    code = "token_in_address"


class UnknownParameter(DevragError):
    """A name in the address that the operation does not know."""

    code = "invalid_request"
    http_status = 422


class InvalidCursor(InvalidInput):
    """A cursor of another list, or none at all."""

    code = "invalid_cursor"


class UnsupportedMedia(DevragError):
    """A body that is no JSON."""

    code = "unsupported_media_type"
    http_status = 415


class RequestRunning(Conflict):
    """The first request with this Idempotency-Key is not answered yet."""

    code = "request_in_progress"
    retry_after_seconds = 1.0


class SecretGone(Conflict):
    """The first answer held a secret, which is nowhere kept."""

    code = "secret_not_repeated"


class AnswerGone(Conflict):
    """The first answer was too long to be kept."""

    code = "answer_not_repeated"


class KeyReused(DevragError):
    """An Idempotency-Key came with another request before."""

    code = "idempotency_key_reused"
    http_status = 422
