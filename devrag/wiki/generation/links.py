"""What a page's writer is told of the pages around it: those that matter to it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from devrag.wiki.generation.material import Material, ModelWriter
from devrag.wiki.planning.page_kind import ARCHITECTURE, INDEX
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.writing.model.page_request import PageTask

_MOST_LINKS, _MOST_TIED = 16, 6
_MOST_OF_FRONT = 40


def task_of(
    writer: ModelWriter, plan: Plan, page: PlannedPage, material: Material
) -> PageTask:
    """Return what all requests for the page are told."""
    base = posixpath.dirname(page.path) or "."
    links = "\n".join(
        _link(writer, other, base) for other in linked_pages(plan, page, material.tied)
    )
    noted = [
        ("a reader's note on the page", n) for n in writer.notes.get(page.path, ())
    ]
    around = (
        ("the page", _told_of(writer, page)),
        ("pages to link to", links),
        *noted,
    )
    return PageTask(page.path, around, material.context, writer.brief)


def _told_of(writer: ModelWriter, page: PlannedPage) -> str:
    design = writer.designs.get(page.path)
    question = f"\n{design.question}" if design and design.question else ""
    return f"{page.title} ({page.kind}){question}"


def _link(writer: ModelWriter, page: PlannedPage, base: str) -> str:
    design = writer.designs.get(page.path)
    child = writer.children.get(page.path)
    about = child.summary if child else design.question if design else ""
    link = f"[{page.title}]({posixpath.relpath(page.path, base)})"
    return f"{link}: {about}" if about else link


def linked_pages(
    plan: Plan, page: PlannedPage, tied: Sequence[str]
) -> list[PlannedPage]:
    """Return the pages that a page may link to, the nearest first.

    tied: paths of pages whose code uses its code or is used by it, the most first.
    """
    is_front = page.path in {INDEX, ARCHITECTURE}
    near = dict.fromkeys(_near(plan, page, tied))
    found = [p for path in near if path != page.path and (p := plan.page(path))]
    return found[: _MOST_OF_FRONT if is_front else _MOST_LINKS]


def _near(plan: Plan, page: PlannedPage, tied: Sequence[str]) -> Iterator[str]:
    """Yield paths: the parent, children, tied topics, siblings, the other kinds."""
    if page.parent:
        yield page.parent
    yield from _paths(p for p in plan.pages if p.parent == page.path and _is_topic(p))
    yield from tied[:_MOST_TIED]
    yield from _paths(p for p in plan.pages if not _is_topic(p))
    yield from _paths(p for p in plan.pages if p.parent == page.parent)


def _is_topic(page: PlannedPage) -> bool:
    return page.topic is not None


def _paths(pages: Iterable[PlannedPage]) -> Iterator[str]:
    yield from (page.path for page in pages)


def linked_summaries(writer: ModelWriter, page: PlannedPage) -> dict[str, str]:
    """Return what finished pages tell, by the link to them from a page."""
    base = posixpath.dirname(page.path) or "."
    return {
        posixpath.relpath(path, base): child.summary
        for path, child in writer.children.items()
        if child.summary
    }
