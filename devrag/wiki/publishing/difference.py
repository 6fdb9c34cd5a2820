"""What differs between two versions of a wiki, page by page: pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import unified_diff

from devrag.wiki.evidence.citations import CITATION


@dataclass(frozen=True, slots=True)
class PageText:
    """What a reader sees of a page."""

    title: str
    markdown: str


@dataclass(frozen=True, slots=True)
class PageDifference:
    """kind: added, removed, changed. diff: unified, without its two file lines."""

    path: str
    title: str
    kind: str
    diff: str
    lines_added: int
    lines_removed: int


def compare_pages(
    before: Mapping[str, PageText], after: Mapping[str, PageText]
) -> list[PageDifference]:
    """Return the pages that differ, in the order of `after`, the removed ones last.

    Numbers of citations are left out: they are counted anew on every rewritten page.
    """
    paths = [*after, *(path for path in before if path not in after)]
    found = (_compare(path, before.get(path), after.get(path)) for path in paths)
    return [difference for difference in found if difference is not None]


def _compare(
    path: str, before: PageText | None, after: PageText | None
) -> PageDifference | None:
    old, new = _lines(before), _lines(after)
    diff = list(unified_diff(old, new, lineterm=""))[2:]
    shown = after or before
    if shown is None or (not diff and before and after):
        return None
    kind = "changed" if before and after else "added" if after else "removed"
    return PageDifference(
        path, shown.title, kind, "\n".join(diff), _count(diff, "+"), _count(diff, "-")
    )


def _lines(page: PageText | None) -> list[str]:
    return CITATION.sub("", page.markdown).splitlines() if page else []


def _count(diff: Iterable[str], mark: str) -> int:
    return sum(line.startswith(mark) for line in diff)
