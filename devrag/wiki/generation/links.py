"""What a page's writer is told of the pages around it: those that matter to it."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from devrag.wiki.generation.material import Material, ModelWriter
from devrag.wiki.planning.page_kind import ARCHITECTURE, INDEX
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.writing.model.page_request import PageTask

_MOST_LINKS, _MOST_TIED = 12, 6
_MOST_OF_FRONT = 40


def task_of(
    writer: ModelWriter, plan: Plan, page: PlannedPage, material: Material
) -> PageTask:
    """Return what all requests for the page are told."""
    base = posixpath.dirname(page.path) or "."
    shown = shown_files(material)
    links = "\n".join(
        _link(writer, other, base)
        for other in linked_pages(plan, page, material.tied, shown)
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


def shown_files(material: Material) -> Counter[int]:
    """Return the files of the evidence that sections were given, with how often."""
    given = {key for plan in material.plans for key in plan.evidence}
    return Counter(i.file for i in material.context.book.items if i.id in given)


def linked_pages(
    plan: Plan, page: PlannedPage, tied: Sequence[str], shown: Mapping[int, int]
) -> list[PlannedPage]:
    """Return the pages that a page may link to, the nearest first.

    tied: paths of pages whose code uses its code or is used by it, the most first.
    shown: files of its evidence, with how often they are shown.
    """
    is_front = page.path in {INDEX, ARCHITECTURE}
    near = dict.fromkeys(_near(plan, page, tied, shown))
    found = [p for path in near if path != page.path and (p := plan.page(path))]
    return found[: _MOST_OF_FRONT if is_front else _MOST_LINKS]


def _near(
    plan: Plan, page: PlannedPage, tied: Sequence[str], shown: Mapping[int, int]
) -> Iterator[str]:
    """Yield paths: the parent, children, the topics of its evidence, siblings.

    Only pages that are on no topic are given those of other kinds.
    """
    above = plan.page(page.parent)
    if above is not None and _is_topic(above):
        yield above.path
    yield from _paths(p for p in plan.pages if p.parent == page.path and _is_topic(p))
    yield from tied[:_MOST_TIED]
    yield from _of_files(plan, shown)
    if page.path in {INDEX, ARCHITECTURE}:
        yield from _paths(filter(_is_topic, plan.pages))
    if not _is_topic(page):
        yield from _paths(p for p in plan.pages if not _is_topic(p))
    yield from _paths(p for p in plan.pages if p.parent == page.parent and _is_topic(p))


def _of_files(plan: Plan, shown: Mapping[int, int]) -> Iterator[str]:
    """Yield the pages on topics that have these files, the most shown first."""
    counts = {
        p.path: sum(shown.get(file, 0) for file in p.files)
        for p in plan.pages
        if _is_topic(p)
    }
    yield from sorted(filter(counts.get, counts), key=lambda path: -counts[path])


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
