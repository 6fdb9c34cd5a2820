"""The fact of an HTTP route, and the joining of its path."""

from __future__ import annotations

from functools import reduce

from devrag.parsing.types import FactFacts


def route(
    framework: str, method: str, path: str, handler: str, lines: tuple[int, int]
) -> FactFacts:
    """Return the fact of a route; its name is the path, after the method if known."""
    data = {
        "path": path,
        "method": method,
        "handler": handler,
        "framework": framework,
    }
    return FactFacts("route", f"{method} {path}".strip(), *lines, data)


def join_paths(*parts: str) -> str:
    """Return the parts as one path, with one slash between them."""
    return reduce(_joined, parts, "")


def _joined(prefix: str, path: str) -> str:
    if not prefix and path.startswith("*"):
        return path
    before, after = prefix.rstrip("/"), path.lstrip("/")
    return before if before and not after else f"{before}/{after}"
