"""What every operation goes through: its address before, its answer afterwards."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import wraps
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.middleware.http import ConditionalGetMiddleware
from django.utils.cache import patch_vary_headers
from ninja.operation import Operation

from devrag.access.services import SECRET_PATTERN
from devrag.api.idempotency import keep_answer
from devrag.api.problems import SecretInAddress, UnknownParameter
from devrag.core.errors import DevragError
from devrag.core.text import shorten

View = Callable[..., HttpResponse]


def answering(run: View) -> View:
    """Wrap an operation; ninja hands its bound method over."""
    operation = cast("Operation", run.__self__)  # type: ignore[attr-defined]
    names = _query_names(operation)

    @wraps(run)
    def answer(request: HttpRequest, **path: Any) -> HttpResponse:
        try:
            _check_address(request, names)
        except DevragError as error:
            return operation.api.on_exception(request, error)
        response = None
        try:
            response = run(request, **path)
        finally:
            keep_answer(request, response)
        return _finish(request, response)

    return answer


def _query_names(operation: Operation) -> Collection[str]:
    models = (m for m in operation.models if m.__ninja_param_source__ == "query")
    return [name for model in models for name in model.__ninja_flatten_map__]


def _check_address(request: HttpRequest, names: Collection[str]) -> None:
    """Refuse secrets, which addresses spread, and names that do nothing."""
    values = (value for _, given in request.GET.lists() for value in given)
    if "access_token" in request.GET or any(map(SECRET_PATTERN.fullmatch, values)):
        raise SecretInAddress(
            "Tokens must not be sent in the URL, because URLs are logged. Use the "
            "header 'Authorization: Bearer …', and revoke any token that was sent in "
            "a URL."
        )
    if unknown := next((name for name in request.GET if name not in names), ""):
        raise UnknownParameter(
            f"Unknown parameter {shorten(unknown, 80)}. Use "
            f"{', '.join(names) or 'none'}."
        )


def _finish(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Answers belong to who asked; each may keep them, but has to ask again."""
    response.setdefault("Cache-Control", "private, no-cache")
    patch_vary_headers(response, ["Authorization"])
    if response.streaming:
        return response  # compressed it would be held back until a block is full
    shown = ConditionalGetMiddleware(lambda _: response)
    zipped = GZipMiddleware(lambda _: response)
    known = cast("HttpResponse", shown.process_response(request, response))
    return cast("HttpResponse", zipped.process_response(request, known))
