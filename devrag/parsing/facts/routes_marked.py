"""HTTP routes that are marks on methods: Spring, JAX-RS, NestJS, ASP.NET, actix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from devrag.parsing.code.definitions import CALLABLE, TYPES, Definition
from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.facts.marks import Mark, marks_of
from devrag.parsing.facts.routing import join_paths, route
from devrag.parsing.types import FactFacts

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
_TITLE = {method.capitalize(): method for method in _METHODS}


@dataclass(frozen=True, slots=True)
class Marking:
    """How routes are marked with one framework.

    packages: what a file imports that uses it. verbs: a method's mark, and its HTTP
    method ('' where an argument says it). roots: the class's mark with the first part
    of the paths; a class needs one where `is_rooted`. keys: the arguments that a path
    stands in. paths: marks that give a method its path apart from its verb.
    """

    framework: str
    packages: tuple[str, ...]
    verbs: Mapping[str, str]
    roots: frozenset[str]
    keys: tuple[str, ...] = ("",)
    is_rooted: bool = False
    paths: frozenset[str] = frozenset()


_SPRING_KEYS = ("", "value", "path")
_SPRING = Marking(
    "spring",
    ("org.springframework.web.bind.annotation",),
    {f"{verb}Mapping": method for verb, method in _TITLE.items()}
    | {"RequestMapping": ""},
    frozenset({"RequestMapping"}),
    _SPRING_KEYS,
)
_JAX = Marking(
    "jax-rs",
    ("jakarta.ws.rs", "javax.ws.rs"),
    {method: method for method in _METHODS},
    frozenset({"Path"}),
    ("", "value"),
    paths=frozenset({"Path"}),
)
_NEST = Marking(
    "nestjs",
    ("@nestjs.common",),
    _TITLE | {"All": ""},
    frozenset({"Controller"}),
    is_rooted=True,
)
_ASPNET = Marking(
    "aspnet",
    ("Microsoft.AspNetCore.Mvc",),
    {f"Http{verb}": method for verb, method in _TITLE.items()},
    frozenset({"Route"}),
    paths=frozenset({"Route"}),
)
_ACTIX = tuple(
    Marking(
        name,
        (package,),
        {method.lower(): method for method in _METHODS},
        frozenset(),
    )
    for name, package in (("actix", "actix_web"), ("rocket", "rocket"))
)
_SYMFONY = Marking(
    "symfony",
    (
        "Symfony.Component.Routing.Attribute",
        "Symfony.Component.Routing.Annotation",
    ),
    {"Route": ""},
    frozenset({"Route"}),
    ("", "path"),
)
_MARKINGS = {
    "java": (_SPRING, _JAX),
    "kotlin": (_SPRING, _JAX),
    "typescript": (_NEST,),
    "csharp": (_ASPNET,),
    "rust": _ACTIX,
    "php": (_SYMFONY,),
}


def marked_routes(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a route per marked method; the class's mark begins the path."""
    paths = [f"{item.path}." for item in analysis.uses.imports]
    for marking in _MARKINGS[analysis.language]:
        packages = tuple(f"{package}." for package in marking.packages)
        if any(path.startswith(packages) for path in paths):
            roots: dict[int, list[str]] = {}
            for definition in analysis.definitions:
                if definition.kind in TYPES:
                    roots[definition.ordinal] = list(_roots(marking, definition))
                elif definition.kind in CALLABLE:
                    holder = definition.parent
                    known = roots.get(holder.ordinal, []) if holder else []
                    yield from _routes(marking, definition, known)


def _routes(
    marking: Marking, definition: Definition, roots: list[str]
) -> Iterator[FactFacts]:
    if marking.is_rooted and not roots:
        return
    marks = list(marks_of(definition))
    own = next((m for m in marks if m.name in marking.paths), None)
    for mark in marks:
        verb = marking.verbs.get(mark.name)
        if verb is None:
            continue
        method = verb or _stated(mark)
        stated = own if own is not None and not mark.arguments else mark
        lines = definition.start_line, definition.end_line
        for root in roots or [""]:
            for path in list(stated.texts(*marking.keys)) or [""]:
                whole = _filled(definition, join_paths(root, path))
                handler = definition.qualified_name
                yield route(marking.framework, method, whole, handler, lines)


def _roots(marking: Marking, holder: Definition) -> Iterator[str]:
    for mark in marks_of(holder):
        if mark.name in marking.roots:
            yield from list(mark.texts(*marking.keys)) or [""]


def _stated(mark: Mark) -> str:
    """Return the methods of `method = {RequestMethod.GET, …}` or `methods: ["GET"]`."""
    written = mark.written("method", "methods")
    return ", ".join(method for method in _METHODS if method in written)


def _filled(definition: Definition, path: str) -> str:
    """Return the path with what ASP.NET puts for the controller and the action."""
    if "[" not in path or definition.parent is None:
        return path
    controller = definition.parent.about.name.removesuffix("Controller")
    path = path.replace("[controller]", controller)
    return path.replace("[action]", definition.about.name)
