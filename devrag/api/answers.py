"""What every answer goes through: ETag and 304, gzip, what may be kept by whom."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.middleware.http import ConditionalGetMiddleware
from django.urls import URLPattern, URLResolver
from django.utils.cache import patch_vary_headers

from devrag.api.idempotency import keep_answer

View = Callable[..., HttpResponse]


def finish_answers(patterns: list[URLPattern | URLResolver]) -> None:
    """Let the views of these addresses answer as the interface promises."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            pattern.callback = _finishing(pattern.callback)


def _finishing(view: View) -> View:
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = None
        try:
            response = view(request, *args, **kwargs)
        finally:
            keep_answer(request, response)
        return _finish(request, response)

    return answer


def _finish(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Answers belong to who asked; each may keep them, but has to ask again."""
    response.setdefault("Cache-Control", "private, no-cache")
    patch_vary_headers(response, ["Authorization"])
    shown = ConditionalGetMiddleware(lambda _: response)
    zipped = GZipMiddleware(lambda _: response)
    known = cast("HttpResponse", shown.process_response(request, response))
    return cast("HttpResponse", zipped.process_response(request, known))
