"""HTTP routes: Django's URL tables, and decorators of Flask, FastAPI, ninja and kin."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.parsing.code.engine import Analysis
from devrag.parsing.code.text import node_text
from devrag.parsing.code.uses import Use
from devrag.parsing.facts.calls import literal_text, read_call
from devrag.parsing.facts.django_mounts import Mounts
from devrag.parsing.types import FactFacts

_DJANGO = {
    "django.urls.path": "path",
    "django.urls.re_path": "regex",
    "django.urls.conf.path": "path",
    "django.conf.urls.url": "regex",
}
_FRAMEWORKS = ("flask", "fastapi", "ninja", "starlette", "quart", "sanic", "litestar")
_METHODS = ("get", "post", "put", "patch", "delete", "head", "options", "websocket")
# What makes a router, and the argument that its paths begin with.
_PREFIXES = {"APIRouter": "prefix", "Blueprint": "url_prefix"}


def routes(analysis: Analysis) -> Iterator[FactFacts]:
    """Yield a route per URL pattern; name is the path, with the method if known."""
    mounts = Mounts(analysis)
    for last in ("path", "re_path", "url"):
        for use in analysis.uses.ending("call", last):
            yield from _django_route(analysis, use, mounts)
    framework = next((f for f in _FRAMEWORKS if analysis.uses.imports_from(f)), "")
    if framework:
        prefixes = _prefixes(analysis)
        for last in (*_METHODS, "route", "api_route"):
            for use in analysis.uses.ending("decorator", last):
                prefix = prefixes.get(use.name.rpartition(".")[0], "")
                yield from _decorated_route(analysis, use, last, framework, prefix)


def _django_route(analysis: Analysis, use: Use, mounts: Mounts) -> Iterator[FactFacts]:
    kind = _DJANGO.get(analysis.uses.resolve(use.name))
    call = read_call(analysis.source, use)
    path = call.text(0, "route")
    if kind is None or path is None:
        return
    handler = call.shown(1, "view")
    data = {"handler": handler, "framework": "django", "syntax": kind}
    if name := call.text(3, "name"):
        data["name"] = name
    # A regular expression begins anew: what it is mounted at is not joined to it.
    for prefix in mounts.prefixes(call.node) if kind == "path" else [""]:
        whole = prefix + path
        fact = {"path": whole, **data}
        yield FactFacts("route", whole or "/", call.start_line, call.end_line, fact)


def _prefixes(analysis: Analysis) -> dict[str, str]:
    """Return what the paths of each router begin with, by its variable."""
    found: dict[str, str] = {}
    for last, keyword in _PREFIXES.items():
        for use in analysis.uses.ending("call", last):
            call = read_call(analysis.source, use)
            prefix = literal_text(analysis.source, call.keywords.get(keyword))
            made = call.node.parent
            name = made.child_by_field_name("left") if made else None
            if prefix and name is not None:
                found[node_text(analysis.source, name)] = prefix.rstrip("/")
    return found


def _decorated_route(
    analysis: Analysis, use: Use, last: str, framework: str, prefix: str
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
    path = prefix + path
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
