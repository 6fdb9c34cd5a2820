"""HTTP routes: Django's URL tables, and decorators of Flask, FastAPI, ninja and kin."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.parsing.code.engine import Analysis
from devrag.parsing.code.uses import Use
from devrag.parsing.facts.calls import read_call
from devrag.parsing.types import FactFacts

_DJANGO = {
    "django.urls.path": "path",
    "django.urls.re_path": "regex",
    "django.urls.conf.path": "path",
    "django.conf.urls.url": "regex",
}
_FRAMEWORKS = ("flask", "fastapi", "ninja", "starlette", "quart", "sanic", "litestar")
_METHODS = ("get", "post", "put", "patch", "delete", "head", "options", "websocket")


def routes(analysis: Analysis) -> Iterator[FactFacts]:
    """Yield a route per URL pattern; name is the path, with the method if known."""
    for last in ("path", "re_path", "url"):
        for use in analysis.uses.ending("call", last):
            yield from _django_route(analysis, use)
    framework = next((f for f in _FRAMEWORKS if analysis.uses.imports_from(f)), "")
    if framework:
        for last in (*_METHODS, "route", "api_route"):
            for use in analysis.uses.ending("decorator", last):
                yield from _decorated_route(analysis, use, last, framework)


def _django_route(analysis: Analysis, use: Use) -> Iterator[FactFacts]:
    kind = _DJANGO.get(analysis.uses.resolve(use.name))
    call = read_call(analysis.source, use)
    path = call.text(0, "route")
    if kind is None or path is None:
        return
    handler = call.shown(1, "view")
    data = {"path": path, "handler": handler, "framework": "django", "syntax": kind}
    if name := call.text(3, "name"):
        data["name"] = name
    yield FactFacts("route", path or "/", call.start_line, call.end_line, data)


def _decorated_route(
    analysis: Analysis, use: Use, last: str, framework: str
) -> Iterator[FactFacts]:
    call = read_call(analysis.source, use)
    path = call.text(0, "path")
    owner = use.owner
    if (
        path is None
        or owner is None
        or "." not in use.name
        or path[:1] not in {"", "/"}
    ):
        return
    methods = call.shown(9, "methods") if last not in _METHODS else last.upper()
    data = {"path": path, "method": methods, "handler": owner.qualified_name}
    name = f"{methods} {path}" if last in _METHODS else path
    yield FactFacts(
        "route",
        name,
        owner.start_line,
        owner.end_line,
        {**data, "framework": framework},
    )
