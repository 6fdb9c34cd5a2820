"""HTTP routes: Django's URL tables, and decorators of Flask, FastAPI, ninja and kin."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.code.uses import NameUse
from devrag.parsing.facts.calls import Call, literal_text, read_call
from devrag.parsing.facts.django_mounts import Mounts, is_mount
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
# What puts one below another path, and the argument that says below which.
_MOUNTS = {"include_router": "prefix", "register_blueprint": "url_prefix"}


def routes(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a route per URL pattern; name is the path, with the method if known."""
    mounts = Mounts(analysis)
    for last in ("path", "re_path", "url"):
        for use in analysis.uses.ending("call", last):
            yield from _django_route(analysis, use, mounts)
    framework = next((f for f in _FRAMEWORKS if analysis.uses.imports_from(f)), "")
    if framework:
        prefixes = _Prefixes(analysis)
        for last in (*_METHODS, "route", "api_route"):
            for use in analysis.uses.ending("decorator", last):
                for prefix in prefixes.of(use.name.rpartition(".")[0]):
                    yield from _decorated_route(analysis, use, last, framework, prefix)


def _django_route(
    analysis: CodeAnalysis, use: NameUse, mounts: Mounts
) -> Iterator[FactFacts]:
    kind = _DJANGO.get(analysis.uses.resolve(use.name))
    call = read_call(analysis.source, use)
    path = call.text(0, "route")
    if kind is None or path is None or is_mount(call):
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


class _Prefixes:
    """What the paths of each router of a file begin with, by its variable.

    A router may be mounted several times, and under what only running it would tell:
    then nothing is said of its routes.
    """

    def __init__(self, analysis: CodeAnalysis) -> None:
        self._analysis = analysis
        self._own: dict[str, str | None] = {}
        self._mounts: dict[str, list[str | None]] = {}
        for made, keyword in _PREFIXES.items():
            for use in analysis.uses.ending("call", made):
                self._add_router(read_call(analysis.source, use), keyword)
        for mount, keyword in _MOUNTS.items():
            for use in analysis.uses.ending("call", mount):
                self._add_mount(read_call(analysis.source, use), keyword)

    def of(self, router: str) -> list[str]:
        """Return every prefix of a router's paths; [''] for one that has none."""
        own = self._own.get(router, "")
        mounts = self._mounts.get(router, [""])
        if own is None:
            return []
        return [mount + own for mount in mounts if mount is not None]

    def _add_router(self, call: Call, keyword: str) -> None:
        made = call.node.parent
        name = made.child_by_field_name("left") if made else None
        if name is not None:
            router = node_text(self._analysis.source, name)
            self._own[router] = self._literal(call, keyword)

    def _add_mount(self, call: Call, keyword: str) -> None:
        router = call.shown(0, "router")
        if router:
            self._mounts.setdefault(router, []).append(self._literal(call, keyword))

    def _literal(self, call: Call, keyword: str) -> str | None:
        """Return the prefix, '' where none is given, None for what is no literal."""
        given = call.keywords.get(keyword)
        if given is None:
            return ""
        text = literal_text(self._analysis.source, given)
        return None if text is None else text.rstrip("/")


def _decorated_route(
    analysis: CodeAnalysis, use: NameUse, last: str, framework: str, prefix: str
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
    data["framework"] = framework
    if said := call.text(99, "summary") or call.text(99, "description"):
        data["help"] = cleandoc(said)
    name = f"{methods} {path}" if last in _METHODS else path
    yield FactFacts("route", name, owner.start_line, owner.end_line, data)
