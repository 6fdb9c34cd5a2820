"""Frameworks in which a route is a call with a path, and how such a call looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_METHODS = ("get", "post", "put", "patch", "delete", "head", "options")
_LOWER = {word: word.upper() for word in _METHODS}
_TITLE = {word.capitalize(): word.upper() for word in _METHODS}
_UPPER = {word.upper(): word.upper() for word in _METHODS}
# `mux.HandleFunc("POST example.org/orders/{id}", h)`
_PATTERN = r"(?:(?P<method>[A-Z]+)\s+)?[\w.{}$:-]*(?P<path>/.*)"
_NEVER = r"(?!)"


@dataclass(frozen=True, slots=True)
class Router:
    """How routes look with one framework.

    packages: what a file imports that uses it, as dotted beginnings; is_file: paths of
    files that use it without an import; made: a call that shows the same.
    verbs: the called name, and its method ('' for any). stated: calls whose first
    argument is the method. groups: calls that begin their routes with a path: by the
    variable that takes their result, or in the function that they are given.
    receiver: what routes are added to. path: what a path looks like.
    """

    framework: str
    packages: tuple[str, ...]
    verbs: Mapping[str, str]
    stated: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    receiver: str = r".+"
    path: str = r"(?P<path>[/*].*|)"
    is_file: str = _NEVER
    made: str = ""


_GIN = _UPPER | {"Any": ""}
_GROUP = frozenset({"Group"})
_GO = (
    Router(
        "gin",
        ("github.com.gin-gonic.gin",),
        _GIN,
        stated=frozenset({"Handle"}),
        groups=_GROUP,
    ),
    Router(
        "echo",
        ("github.com.labstack.echo",),
        _GIN,
        stated=frozenset({"Add"}),
        groups=_GROUP,
    ),
    Router(
        "fiber",
        ("github.com.gofiber.fiber",),
        _TITLE | {"All": ""},
        stated=frozenset({"Add"}),
        groups=_GROUP,
    ),
    Router(
        "chi",
        ("github.com.go-chi.chi",),
        _TITLE | {"Handle": "", "HandleFunc": ""},
        stated=frozenset({"Method", "MethodFunc"}),
        groups=frozenset({"Route"}),
        path=_PATTERN,
    ),
    *(
        Router(name, (package,), {"HandleFunc": "", "Handle": ""}, path=_PATTERN)
        for name, package in (
            ("gorilla", "github.com.gorilla.mux"),
            ("net/http", "net.http"),
        )
    ),
)
_JS = tuple(
    Router(
        name,
        packages,
        _LOWER | {"all": "", "del": "DELETE"},
        receiver=r"(.*[._])?(app|api|server|fastify|routes?|\w*[rR]outer|\w+App)",
        path=r"(?P<path>[/*].*)",
    )
    for name, packages in (
        ("express", ("express", "express-promise-router")),
        ("koa", ("koa-router", "@koa.router")),
        ("fastify", ("fastify",)),
        ("hono", ("hono",)),
    )
)
_PHP = (
    Router(
        "laravel",
        ("Illuminate.Support.Facades.Route",),
        _LOWER | dict.fromkeys(("any", "redirect", "resource", "apiResource"), ""),
        stated=frozenset({"match"}),
        groups=frozenset({"group"}),
        receiver=r"Route(\..*)?",
        path=r"(?P<path>.*)",
        is_file=r"(?:^|/)routes/\w+\.php$",
    ),
    Router(
        "slim",
        ("Slim",),
        _LOWER | {"any": ""},
        groups=frozenset({"group"}),
        receiver=r"\$(app|group)",
    ),
)
_CSHARP = (
    Router(
        "aspnet",
        ("Microsoft.AspNetCore.Builder", "Microsoft.AspNetCore.Routing"),
        {f"Map{verb}": method for verb, method in _TITLE.items()},
        groups=frozenset({"MapGroup"}),
        path=r"(?P<path>.*)",
        made="WebApplication.CreateBuilder",
    ),
)
# language: its frameworks; the first that is imported is meant.
ROUTERS: dict[str, tuple[Router, ...]] = {
    "go": _GO,
    "javascript": _JS,
    "typescript": _JS,
    "tsx": _JS,
    "php": _PHP,
    "csharp": _CSHARP,
}
