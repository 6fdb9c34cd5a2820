"""Every failure of the REST interface as problem details (RFC 9457)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any, ClassVar

import structlog
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from redis import RedisError

from devrag.api.json_schema import JsonSchema
from devrag.core.errors import DevragError, ServiceUnavailable
from devrag.core.unavailable import DATABASE_FAILURES, retry_after, to_unavailable

log = structlog.get_logger("devrag.api")
_ROOT = "/api/v1/"
_PROBLEM = "application/problem+json"
_OUR_SIDE = "Something went wrong on our side. It has been logged."


class Problem(JsonSchema):
    """An error: a stable code for programs, a sentence for people."""

    title: str
    status: int
    code: str
    detail: str

    EXAMPLE: ClassVar = {
        "title": "Not Found",
        "status": 404,
        "code": "not_found",
        "detail": "There is no source 'cellar'.",
    }


def describe_errors(*statuses: int) -> dict[int, type[Problem]]:
    """Return the responses that an operation documents beside its answer."""
    return dict.fromkeys((400, 401, 403, 422, 429, *statuses), Problem)


def answer_problem(status: int, code: str, detail: str) -> HttpResponse:
    """Return problem details."""
    return HttpResponse(
        json.dumps(problem_fields(status, code, detail), ensure_ascii=False),
        status=status,
        content_type=_PROBLEM,
    )


def problem_fields(status: int, code: str, detail: str) -> dict[str, Any]:
    """Return problem details as they are sent."""
    return {
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
    }


def expected_error(error: Exception) -> DevragError:
    """Return the error to report for a failure after an answer has begun.

    What nobody expects is logged here, as the last place that sees it.
    """
    if isinstance(error, DevragError):
        return error
    if known := to_unavailable(error):
        log.error("service_unavailable", error=str(error))
        return known
    log.exception("answer_failed", exc_info=error)
    return DevragError(_OUR_SIDE)


def unknown_endpoint(request: HttpRequest) -> HttpResponse:
    """Answer addresses below /api/v1/ that do not exist."""
    detail = f"{request.path} does not exist. See /api/v1/docs."
    return answer_problem(404, "not_found", detail)


class ProblemMiddleware:
    """Turn what others answered below /api/v1/ into problems: 405, odd hosts, …"""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(_ROOT):
            return self.get_response(request)
        response = self.get_response(request)
        if (
            response.status_code < 400
            or response.headers.get("Content-Type") == _PROBLEM
        ):
            return response
        problem = _describe_failure(request, response)
        if "Allow" in response:
            problem["Allow"] = _allowed(response)
        if "Retry-After" in response:
            problem["Retry-After"] = response["Retry-After"]
        return problem


def _describe_failure(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    status = HTTPStatus(response.status_code)
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        detail = "The database or another service is not responding. Try again later."
        return answer_problem(status, ServiceUnavailable.code, detail)
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        detail = f"{request.method} is not supported here, only {_allowed(response)}."
    elif status >= 500:
        detail = _OUR_SIDE
    else:
        detail = f"{status.description or status.phrase}."
    return answer_problem(status, status.name.lower(), detail)


def _allowed(response: HttpResponse) -> str:
    """Return the methods that are possible: HEAD wherever GET is."""
    names = set(filter(None, response.headers.get("Allow", "").split(", ")))
    return ", ".join(sorted(names | ({"HEAD"} if "GET" in names else set())))


def add_error_handlers(api: NinjaAPI) -> None:
    """Let the interface answer its failures as problems."""
    api.add_exception_handler(DevragError, _expected)
    for kind in (*DATABASE_FAILURES, RedisError):
        api.add_exception_handler(kind, _unavailable)
    api.add_exception_handler(AuthenticationError, _unauthenticated)
    api.add_exception_handler(ValidationError, _invalid)
    api.add_exception_handler(HttpError, _refused)
    api.add_exception_handler(RequestDataTooBig, _too_large)


def _expected(_request: HttpRequest, error: Any) -> HttpResponse:
    response = answer_problem(error.http_status, error.code, error.message)
    if seconds := retry_after(error):
        response["Retry-After"] = seconds
    if scope := getattr(error, "needed_scope", ""):
        _challenge(response, scope, "insufficient_scope")
    return response


def _unavailable(request: HttpRequest, error: Any) -> HttpResponse:
    log.error("service_unavailable", error=str(error))
    return _expected(request, to_unavailable(error))


def _unauthenticated(request: HttpRequest, error: Any) -> HttpResponse:
    scope = getattr(request, "needed_scope", "read")
    response = answer_problem(
        401,
        "unauthenticated",
        f"{error.message} Send a token with the scope '{scope}' in the header "
        "'Authorization: Bearer …'. Create one with `devrag token create --scopes "
        f"{scope}`.",
    )
    is_sent = "Authorization" in request.headers
    _challenge(response, scope, "invalid_token" if is_sent else "")
    return response


def _challenge(response: HttpResponse, scope: str, error: str) -> None:
    """Tell a program what to send instead (RFC 6750)."""
    said = f'error="{error}", ' if error else ""
    response["WWW-Authenticate"] = f'Bearer {said}scope="{scope}"'


def _invalid(_request: HttpRequest, error: Any) -> HttpResponse:
    return answer_problem(422, "invalid_request", describe_invalid(error.errors))


def _refused(request: HttpRequest, error: Any) -> HttpResponse:
    if isinstance(error.__cause__, DevragError):
        return _expected(request, error.__cause__)
    if isinstance(error.__cause__, RequestDataTooBig):
        return _too_large(request, error.__cause__)
    return answer_problem(error.status_code, "bad_request", f"{error.message}.")


def _too_large(_request: HttpRequest, _error: Any) -> HttpResponse:
    return answer_problem(413, "too_large", "The request body is too large.")


def describe_invalid(errors: Iterable[Mapping[str, Any]]) -> str:
    """Return one sentence for each field that cannot be used."""
    return " ".join(f"{error['loc'][-1]}: {error['msg']}." for error in errors)
