"""HTTP routes of Rails: config/routes.rb, with the scopes around each line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.facts.calls import Call, listed_texts, read_call, symbol_text
from devrag.parsing.facts.routing import join_paths, route
from devrag.parsing.facts.scopes import SCOPE_LIMIT, Scopes
from devrag.parsing.types import FactFacts

_FILE = re.compile(r"(?:.*/)?config/routes(/.+)?\.rb")
_VERBS = {word: word.upper() for word in ("get", "post", "put", "patch", "delete")}
_ACTIONS = ("index", "new", "create", "show", "edit", "update", "destroy")
_OPTION_WORDS = (
    "to as via on only except constraints defaults format controller action module "
    "path param anchor shallow"
)
_OPTIONS = frozenset(_OPTION_WORDS.split())


@dataclass(frozen=True, slots=True)
class _Scope:
    """A block of routes: what it puts before paths and before controllers' names.

    thing: what stands for one thing of `resources` (`:photo_id`). block: `member` or
    `collection` inside those.
    """

    path: str = ""
    module: str = ""
    controller: str = ""
    thing: str = ""
    block: str = ""


def rails_routes(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a route per line; `resources` is one, with its actions."""
    if not _FILE.fullmatch(analysis.source.path):
        return
    scopes: Scopes[_Scope] = Scopes()
    for use in analysis.uses.uses:
        reader = _READERS.get(use.name)
        if use.kind != "call" or reader is None:
            continue
        call = read_call(analysis.source, use)
        around = scopes.around(call.node)
        found = list(reader(use.name, call, around))
        yield from (item for item in found if isinstance(item, FactFacts))
        for item in found:
            if isinstance(item, _Scope) and len(item.path) < SCOPE_LIMIT:
                scopes.add(call.node, item)


_Found = Iterator[FactFacts | _Scope]


def _path(around: list[_Scope], path: str = "") -> str:
    """Return the path inside scopes; below resources it is one thing's."""
    parts: list[str] = []
    for scope, inner in zip_longest(around, around[1:], fillvalue=_Scope()):
        thing = _THINGS.get(inner.block, scope.thing) if scope.thing else ""
        parts += [part for part in (scope.path, thing) if part.strip("/")]
    return join_paths(*parts, path)


_THINGS = {"member": ":id", "collection": ""}


def _handler(around: list[_Scope], written: str) -> str:
    """Return `Admin.PhotosController.show` of `photos#show` in a namespace admin."""
    controller, _, action = written.partition("#")
    modules = [scope.module for scope in around if scope.module]
    names = "/".join([*modules, controller]).strip("/").split("/")
    camel = [_camel(name) for name in names if name]
    return ".".join([*camel[:-1], f"{camel[-1]}Controller", action]) if camel else ""


def _camel(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def _controller(around: list[_Scope]) -> str:
    return next((s.controller for s in reversed(around) if s.controller), "")


def _scope(name: str, call: Call, _around: list[_Scope]) -> _Found:
    """Read `namespace :admin`, `scope "/x", module: "y"` and `controller :z`."""
    first = symbol_text(call.source, call.argument(0)) or ""
    path = symbol_text(call.source, call.keywords.get("path"))
    module = symbol_text(call.source, call.keywords.get("module")) or ""
    if name == "controller":
        yield _Scope(controller=first)
        return
    if name == "namespace":
        module = module or first
    controller = symbol_text(call.source, call.keywords.get("controller")) or ""
    yield _Scope(first if path is None else path, module, controller)


def _block(name: str, _call: Call, _around: list[_Scope]) -> _Found:
    yield _Scope(block=name)


def _resources(name: str, call: Call, around: list[_Scope]) -> _Found:
    only = list(listed_texts(call.source, call.keywords.get("only")))
    but = list(listed_texts(call.source, call.keywords.get("except")))
    is_many = name == "resources"
    given = symbol_text(call.source, call.keywords.get("path"))
    held = symbol_text(call.source, call.keywords.get("controller"))
    module = symbol_text(call.source, call.keywords.get("module")) or ""
    for node in call.positional:
        text = symbol_text(call.source, node)
        if not text:
            continue
        controller = held or (text if is_many else f"{_singular(text)}s")
        path = given if given is not None else text
        handler = _handler(around, f"{module}/{controller}").rstrip(".")
        fact = _fact(call, "", _path(around, path), handler)
        data = {**fact.data, "actions": _actions(name, only, but)}
        # Its block has routes of its own.
        line = fact.start_line
        yield FactFacts(fact.kind, fact.name, line, line, data)
        thing = f":{_singular(text)}_id" if is_many else ""
        yield _Scope(path, module, controller, thing)


def _actions(name: str, only: list[str], but: list[str]) -> list[str]:
    listed = [a for a in _ACTIONS if a in (only or _ACTIONS) and a not in but]
    return [a for a in listed if name == "resources" or a != "index"]


def _singular(name: str) -> str:
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    return name.removesuffix("s")


def _root(_name: str, call: Call, around: list[_Scope]) -> _Found:
    to = call.text(0, "to") or symbol_text(call.source, call.keywords.get("to"))
    yield _fact(call, "GET", _path(around), _handler(around, to or ""))


def _verb(name: str, call: Call, around: list[_Scope]) -> _Found:
    """Read `get "x", to: "a#b"`, `get "a/b"`, `get :preview, on: :member`."""
    source = call.source
    via = listed_texts(source, call.keywords.get("via"))
    method = _VERBS.get(name) or ", ".join(word.upper() for word in via)
    to = symbol_text(source, call.keywords.get("to"))
    action = symbol_text(source, call.keywords.get("action"))
    controller = symbol_text(source, call.keywords.get("controller"))
    on = symbol_text(source, call.keywords.get("on"))
    around = [*around, _Scope(block=on)] if on in _THINGS else around
    for written, given in _targets(call):
        target = given or to or ""
        if "#" not in target:
            held = controller or _controller(around)
            target = f"{held}#{action or target or written}"
        if target.startswith("#"):
            target = re.sub(r"/(?=[^/]*$)", "#", written.strip("/"))
        is_plain = re.fullmatch(r"[\w/]+#\w+", target)
        handler = _handler(around, target) if is_plain else ""
        yield _fact(call, method, _path(around, written), handler)


def _targets(call: Call) -> Iterator[tuple[str, str]]:
    """Yield (path, target): `"x" => "a#b"` has both, others a path each."""
    for node in call.positional:
        if text := symbol_text(call.source, node):
            yield text, ""
    paths = [key for key in call.keywords if key not in _OPTIONS]
    for key in paths[:1] if not call.positional else ():
        yield key, symbol_text(call.source, call.keywords[key]) or ""


def _fact(call: Call, method: str, path: str, handler: str) -> FactFacts:
    path = re.sub(r"\(\.:format\)$", "", path)
    return route("rails", method, path, handler, (call.start_line, call.end_line))


_READERS = {
    "namespace": _scope,
    "scope": _scope,
    "controller": _scope,
    "member": _block,
    "collection": _block,
    "resources": _resources,
    "resource": _resources,
    "root": _root,
    "match": _verb,
    **dict.fromkeys(_VERBS, _verb),
}
