"""Compare an endpoint that a document names with the routes that code declares."""

from __future__ import annotations

import re
from collections.abc import Sequence

from devrag.wiki.conflicts.types import CodeFact

_FEWEST_ROUTES = 5
_ENDING = re.compile(r"\.(json|xml|csv|atom|html|js)$")
_PARAMETER = re.compile(r"^[:*<{$\[(]|^\d+$|[}>\])]$|^[A-Z_]+$")
_METHOD = re.compile(r"[A-Z]{3,7}")


def segments(path: str) -> tuple[str, ...]:
    """Return a path's parts, parameters as `*`."""
    bare = _ENDING.sub("", path.partition("?")[0].replace("(.:format)", ""))
    parts = (part for part in bare.strip("/").split("/") if part)
    return tuple("*" if _PARAMETER.search(part) else part for part in parts)


def contradicts_routes(
    subject: str, routes: Sequence[CodeFact]
) -> tuple[str, CodeFact] | None:
    """Return what the code has instead of `GET /users`, None if nothing is certain."""
    method, _, path = subject.partition(" ")
    wanted = segments(path)
    if len(routes) < _FEWEST_ROUTES or not wanted or "*" in wanted[:1]:
        return None
    declared = [
        (segments(str(fact.data.get("path") or fact.name)), _methods(fact), fact)
        for fact in routes
    ]
    same = [each for each in declared if _matches(wanted, each[0])]
    if same:
        known = set().union(*(methods for _, methods, _ in same))
        is_wrong = all(methods for _, methods, _ in same) and method not in known
        if not is_wrong or (method == "HEAD" and "GET" in known):
            return None
        return ", ".join(sorted(known)) + f" {path}", same[0][2]
    if any(_may_end(wanted, method, own, of) for own, of, _ in declared):
        return None  # of a router that is mounted where nobody sees it
    return _nearest(wanted, declared)


def _methods(fact: CodeFact) -> set[str]:
    found = set(_METHOD.findall(str(fact.data.get("method") or "")))
    return found | ({"PUT", "PATCH"} if found & {"PUT", "PATCH"} else set())


def _matches(wanted: tuple[str, ...], own: tuple[str, ...]) -> bool:
    """Return whether a path is a route's; either may have a prefix that is mounted."""
    count = min(len(wanted), len(own))
    if count == 0 or (len(wanted) != len(own) and count < 2):
        return False
    pairs = list(zip(wanted[-count:], own[-count:], strict=True))
    words = sum(a == b != "*" for a, b in pairs)
    is_mounted = len(wanted) != len(own)
    return words > is_mounted and all(a == b or "*" in (a, b) for a, b in pairs)


def _may_end(
    wanted: tuple[str, ...], method: str, own: tuple[str, ...], methods: set[str]
) -> bool:
    """Return whether a path ends as a shorter route does, whose parameters are any.

    A route of parameters alone has to declare the method.
    """
    if set(own) == {"*"} and method not in methods:
        return False
    if not 0 < len(own) < len(wanted):
        return False
    pairs = zip(wanted[-len(own) :], own, strict=True)
    return all(b in (a, "*") for a, b in pairs)


def _nearest(
    wanted: tuple[str, ...],
    declared: Sequence[tuple[tuple[str, ...], set[str], CodeFact]],
) -> tuple[str, CodeFact] | None:
    """Return the route that begins as a path does, if there are several such."""
    depth = 2 if wanted[0] in {"api", "v1", "v2", "v3", "rest"} else 1
    kin = [each for each in declared if each[0][:depth] == wanted[:depth]]
    if len(kin) < 2 or any("*" in own[-1:] and len(own) < depth for own, _, _ in kin):
        return None
    best = max(kin, key=lambda each: _common(wanted, each[0]))
    return best[2].name, best[2]


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    same = sum(a == b for a, b in zip(one, other, strict=False))
    return same - abs(len(one) - len(other)) / 10
