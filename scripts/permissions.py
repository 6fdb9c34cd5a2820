"""Write docs/permissions.md, the table of who may do what: `make permissions`.

It is made from permissions.toml, the descriptions of pages, REST and tools, and nothing
else; the tests try each line in each role. With --check nothing is written; the exit
status tells whether the page is up to date.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")

import django  # noqa: E402  # the settings come first
from django.urls import URLPattern, URLResolver, get_resolver  # noqa: E402

PAGE = ROOT / "docs" / "permissions.md"
DECLARED: Mapping[str, Any] = tomllib.loads(
    (ROOT / "scripts" / "permissions.toml").read_text()
)
PAGE_ROLES = (
    *("anonymous", "open reading", "other user", "viewer"),
    *("maintainer", "administrator"),
)
REST_ROLES = ("other user", "other product", "viewer", "maintainer", "administrator")
# The administration and the interfaces for programs have tables of their own.
_OTHERS = {"api", "chat", "admin"}
# What answers addresses of theirs that there are not.
_UNKNOWN = ("api/v1/", "^api/v1/", "v1/", "^v1/")
_INTRODUCTION = """\
# Who may do what

`make permissions` writes this page; do not edit it. Tests walk all addresses,
operations and tools that there are, in each role, and compare; one that is new has to
be declared in `scripts/permissions.toml` first.

**Roles.** *Anonymous*: not signed in. *Open reading*: not signed in, directly on this
machine, where `OPEN_READING` is on. *Other user*: signed in, but no member of the
product. *Viewer* and *maintainer*: members of the product. *Administrator*: a
superuser. A product whose visibility is *everyone* is read by every user as by a
viewer; the table is about one that only members see. A source that is limited to some
members does not exist for the others ([settings](guide/settings.md)).

**Outcomes.** *yes*: allowed. *no*: refused with the reason (403). *hidden*: as if it
did not exist (404). *sign in*: led to the sign-in page. *refused*: one of these
three. The administration (`/admin/`) is for superusers, and for staff with the rights
that they were given there.
"""


def declared_pages() -> Mapping[str, str]:
    """Return the level of each page by the name of its address."""
    found: Mapping[str, str] = DECLARED["pages"]["addresses"]
    return found


def page_outcomes(level: str) -> dict[str, str]:
    """Return what each role gets from pages of a level."""
    return _outcomes("pages", level, PAGE_ROLES)


def rest_outcomes(level: str) -> dict[str, str]:
    """Return what a token with the scope gets in each role from such an operation."""
    return _outcomes("rest", level, REST_ROLES)


def _outcomes(part: str, level: str, roles: tuple[str, ...]) -> dict[str, str]:
    given = DECLARED[part]["levels"][level]["outcomes"].split(", ")
    return dict(zip(roles, given, strict=True))


def list_addresses() -> dict[str, list[URLPattern]]:
    """Return the addresses of all pages by name; a name may have several."""
    found: dict[str, list[URLPattern]] = {}
    for name, pattern in _walk(get_resolver().url_patterns):
        found.setdefault(name, []).append(pattern)
    return found


def _walk(patterns: list[Any], space: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            if str(pattern.pattern).startswith(_UNKNOWN):
                continue
            name = f"{space}:{pattern.name}" if space else pattern.name
            yield name if pattern.name else str(pattern.pattern), pattern
        elif isinstance(pattern, URLResolver):
            inner = pattern.namespace or space
            if inner not in _OTHERS:
                yield from _walk(pattern.url_patterns, inner)


def write_page() -> str:
    """Return the whole page."""
    return "\n".join([_INTRODUCTION, *_pages(), *_operations(), *_tools(), ""])


def _table(*rows: tuple[str, ...]) -> Iterator[str]:
    head, *others = rows
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in others:
        yield f"| {' | '.join(row)} |"


def _levels(part: str, roles: tuple[str, ...]) -> Iterator[str]:
    levels = DECLARED[part]["levels"]
    yield from _table(
        ("level", "for", *roles),
        *(
            (f"**{name}**", level["for"], *_outcomes(part, name, roles).values())
            for name, level in levels.items()
        ),
    )


def _pages() -> Iterator[str]:
    yield "## Pages\n"
    yield from _levels("pages", PAGE_ROLES)
    yield ""
    paths = _paths()
    rows = [
        (f"`{path}`", level)
        for name, level in declared_pages().items()
        for path in paths.get(name, ())
    ]
    yield from _table(("address", "level"), *rows)


def _paths() -> dict[str, list[str]]:
    """Return the addresses of each name as people read them: `/p/<name>/`."""
    found: dict[str, list[str]] = {}

    def walk(patterns: list[Any], before: str, space: str) -> None:
        for each in patterns:
            path = before + str(each.pattern)
            if isinstance(each, URLResolver):
                inner = each.namespace or space
                if inner not in _OTHERS:
                    walk(each.url_patterns, path, inner)
                continue
            name = f"{space}:{each.name}" if space else each.name
            found.setdefault(name if each.name else str(each.pattern), []).append(
                "/" + path.replace("str:", "").replace("file_path:", "")
            )

    walk(get_resolver().url_patterns, "", "")
    return found


def _operations() -> Iterator[str]:
    from devrag.api import api  # the pages need it not  # noqa: PLC0415

    yield "\n## REST\n"
    yield "Without a token every operation answers 401, without the scope 403.\n"
    yield from _levels("rest", REST_ROLES)
    yield ""
    described = api.get_openapi_schema()["paths"]
    rows = []
    for name, level in DECLARED["rest"]["operations"].items():
        method, path = name.split()
        (scopes,) = described[path][method].get("security", [{"": ["–"]}])[0].values()
        shown = f"`{method.upper()} {path.removeprefix('/api/v1')}`"
        rows.append((shown, scopes[0], level))
    yield from _table(("operation", "scope", "level"), *rows)


def _tools() -> Iterator[str]:
    from devrag.mcp.tools.registry import TOOLS  # noqa: PLC0415

    yield "\n## Tools for agents\n"
    levels = DECLARED["tools"]["levels"]
    rows = [
        (f"`{name}`", TOOLS[name].title, levels[level]["scope"], levels[level]["for"])
        for name, level in DECLARED["tools"]["names"].items()
    ]
    yield from _table(("tool", "does", "scope", "for"), *rows)


def main() -> int:
    django.setup()
    text = write_page()
    if "--check" in sys.argv:
        is_current = PAGE.exists() and PAGE.read_text() == text
        if not is_current:
            sys.stderr.write(f"{PAGE.name} is not up to date: make permissions\n")
        return 0 if is_current else 1
    PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
