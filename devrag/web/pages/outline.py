"""The definitions of a file as its outline: nested, with size and complexity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from devrag.sources.models import File, Symbol
from devrag.web.kind_labels import shown_kind

KINDS = (
    *("function", "method", "class", "interface", "enum", "type", "module"),
    *("namespace", "extension"),
    "section",
)
_DEEPEST = 5
# A page sends the first at once and the rest when asked. More is no outline; the page
# of a generated file would be megabytes of it.
FIRST_ITEMS, MOST_ITEMS = 100, 1_000
# McCabe 1976 asks to split above 10; above 20 hardly a test covers all ways.
_LEVELS = ((10, "low"), (20, "moderate"))
_COLUMNS = (
    *("ordinal", "parent_ordinal", "name", "qualified_name", "kind", "uuid"),
    *("start_line", "end_line", "complexity"),
)


@dataclass(frozen=True, slots=True)
class Complexity:
    """Cyclomatic complexity with a word for it: low, moderate or high."""

    number: int
    word: str


@dataclass(frozen=True, slots=True)
class FileOutline:
    """hidden: how many definitions there are beyond the items.

    is_whole: all items that an outline may have are there.
    """

    items: tuple[OutlineItem, ...]
    hidden: int
    is_whole: bool = True

    @property
    def has_complexity(self) -> bool:
        return any(item.complexity for item in self.items)


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """depth: how many items of the outline stand around it; url: '' without a page."""

    name: str
    qualified_name: str
    kind: str
    line: int
    lines: int
    depth: int
    complexity: Complexity | None
    url: str

    @property
    def last(self) -> int:
        return self.line + self.lines - 1


def to_complexity(number: int | None) -> Complexity | None:
    """Return the number with its word, None where complexity has no meaning."""
    if number is None:
        return None
    word = next((word for most, word in _LEVELS if number <= most), "high")
    return Complexity(number, word)


def get_outline(
    file: File, to_url: Callable[[UUID], str] | None, most: int = MOST_ITEMS
) -> FileOutline:
    """Return what a file defines, in the order of lines. Queries: 1, 2 for very many.

    to_url: the address of a symbol's page; None in a version that has none.
    """
    rows = Symbol.objects.filter(file=file, kind__in=KINDS).exclude(scope="local")
    found = list(
        rows.order_by("start_line", "ordinal").values_list(*_COLUMNS)[: most + 1]
    )
    hidden = rows.count() - most if len(found) > most else 0
    depths: dict[int, int] = {}
    items = []
    for row in found[:most]:
        ordinal, parent, name, qualified_name, kind, uuid, start, end, complexity = row
        depths[ordinal] = min(depths.get(parent, -1) + 1, _DEEPEST)
        items.append(
            OutlineItem(
                name=name,
                qualified_name=qualified_name,
                kind=shown_kind(kind, file.language),
                line=start,
                lines=end - start + 1,
                depth=depths[ordinal],
                complexity=to_complexity(complexity),
                url=to_url(uuid) if to_url else "",
            )
        )
    return FileOutline(tuple(items), hidden, is_whole=most >= MOST_ITEMS)
