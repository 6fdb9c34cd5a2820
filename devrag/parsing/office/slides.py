"""A PowerPoint presentation (pptx, pptm, ppsx) as Markdown, slide by slide."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

from devrag.parsing.office import markdown
from devrag.parsing.office.markup import child_value
from devrag.parsing.office.package import Package
from devrag.parsing.office.slide_shapes import ShapeReader

_MAX_SLIDES = 5_000


def slide_heading(position: int, title: str) -> str:
    """Return the heading of a slide. position: from 1, as the program counts."""
    words = markdown.one_line(title)
    return f"## Slide {position}" + (f": {words}" if words else "")


def read_presentation(package: Package, warn: Callable[[str], None]) -> Iterator[str]:
    """Yield the blocks of all slides that are not hidden. Raises Unusable."""
    part = package.main_part()
    slides = package.tree(part).find("sldIdLst")
    found = [] if slides is None else list(slides)
    authors = _authors(package, part)
    hidden = []
    for position, each in enumerate(found[:_MAX_SLIDES], start=1):
        target = package.target(part, each.get("r:id"))
        if not target:
            continue
        root = package.tree(target)
        if root.get("show") in {"0", "false"}:
            hidden.append(str(position))
        else:
            yield from _slide(package, target, root, position, authors)
    if hidden:
        warn(f"hidden slides left out: {', '.join(hidden[:50])}")
    if len(found) > _MAX_SLIDES:
        warn(f"what follows slide {_MAX_SLIDES:,} is left out")


def _slide(
    package: Package,
    part: str,
    root: Element,
    position: int,
    authors: dict[str, str],
) -> Iterator[str]:
    reader = ShapeReader(package, part)
    blocks = list(reader.blocks(root.find("cSld/spTree")))
    notes = " ".join(_notes(package, part))
    remarks = list(_comments(package, part, authors))
    if reader.title or blocks or notes or remarks:
        yield slide_heading(position, reader.title)
        yield from blocks
        if notes:
            yield f"Notes: {notes}"
        yield from remarks


def _notes(package: Package, part: str) -> Iterator[str]:
    """Yield the paragraphs that the speaker wrote below a slide."""
    name = next(package.related(part, "notesSlide"), "")
    if not name:
        return
    reader = ShapeReader(package, name)
    for shape in package.tree(name).iter("sp"):
        if child_value(shape.find("nvSpPr/nvPr"), "ph", "type") == "body":
            for paragraph in shape.iter("p"):
                words = markdown.one_line(reader.words(paragraph))
                if words:
                    yield words


def _authors(package: Package, part: str) -> dict[str, str]:
    """Return the names of those who remarked on slides, by id."""
    found = {}
    for kind in ("commentAuthors", "authors"):
        root = package.related_tree(part, kind)
        for each in () if root is None else root:
            found[each.get("id", "")] = each.get("name", "")
    return found


def _comments(package: Package, part: str, authors: dict[str, str]) -> Iterator[str]:
    for name in package.related(part, "comments"):
        for each in package.tree(name).iter():
            if each.tag not in {"cm", "reply"}:
                continue
            text = each.findtext("text") or _body_text(each.find("txBody"))
            author = authors.get(each.get("authorId", ""), "")
            date = each.get("dt") or each.get("created") or ""
            if text.strip():
                yield markdown.comment(author, date, markdown.plain(text))


def _body_text(body: Element | None) -> str:
    if body is None:
        return ""
    return " ".join(each.text or "" for each in body.iter("t"))
