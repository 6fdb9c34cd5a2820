"""Failures in the shape that clients of OpenAI's API read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, JsonResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from redis import RedisError

from devrag.api.errors import describe_invalid, expected_error
from devrag.core.errors import DevragError, NotFound
from devrag.core.unavailable import DATABASE_FAILURES, retry_after

# What differs from our own codes.
_CODES = {
    "unauthenticated": "invalid_api_key",
    "rate_limited": "rate_limit_exceeded",
}
_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
}


class ModelNotFound(NotFound):
    """No product of that name, or the token may not see it."""

    code = "model_not_found"


def error_fields(
    status: int, code: str, message: str, param: str | None = None
) -> dict[str, Any]:
    """Return an error as it is sent."""
    other = "server_error" if status >= 500 else "invalid_request_error"
    return {
        "error": {
            "message": message,
            "type": _TYPES.get(status, other),
            "param": param,
            "code": _CODES.get(code, code),
        }
    }


def failure_fields(error: Exception) -> dict[str, Any]:
    """Return what is told of a failure after a stream has begun."""
    known = expected_error(error)
    return error_fields(known.http_status, known.code, known.message)


def add_error_handlers(api: NinjaAPI) -> None:
    """Let the interface answer its failures in this shape."""
    for kind in (DevragError, *DATABASE_FAILURES, RedisError):
        api.add_exception_handler(kind, _expected)
    api.add_exception_handler(AuthenticationError, _unauthenticated)
    api.add_exception_handler(ValidationError, _invalid)
    api.add_exception_handler(HttpError, _refused)
    api.add_exception_handler(RequestDataTooBig, _too_large)
    api.add_exception_handler(Exception, _expected)


def _expected(_request: HttpRequest, error: Any) -> JsonResponse:
    known = expected_error(error)
    headers = {"Retry-After": after} if (after := retry_after(known)) else {}
    return _answer(known.http_status, known.code, known.message, headers)


def _unauthenticated(_request: HttpRequest, error: Any) -> JsonResponse:
    message = (
        f"{error.message} The API key must be a token with the scope 'read'. Create "
        "one with `devrag token create --scopes read`."
    )
    headers = {"WWW-Authenticate": 'Bearer scope="read"'}
    return _answer(401, "unauthenticated", message, headers)


def _invalid(_request: HttpRequest, error: Any) -> JsonResponse:
    param = str(error.errors[0]["loc"][-1]) if error.errors else None
    message = describe_invalid(error.errors)
    return JsonResponse(
        error_fields(400, "invalid_request", message, param), status=400
    )


def _refused(request: HttpRequest, error: Any) -> JsonResponse:
    if isinstance(error.__cause__, DevragError):
        return _expected(request, error.__cause__)
    if isinstance(error.__cause__, RequestDataTooBig):
        return _too_large(request, error.__cause__)
    return _answer(error.status_code, "bad_request", f"{error.message}.")


def _too_large(_request: HttpRequest, _error: Any) -> JsonResponse:
    return _answer(413, "too_large", "The request body is too large.")


def _answer(
    status: int, code: str, message: str, headers: Mapping[str, str] | None = None
) -> JsonResponse:
    return JsonResponse(
        error_fields(status, code, message), status=status, headers=dict(headers or {})
    )
