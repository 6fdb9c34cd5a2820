"""Slides of an OpenDocument presentation as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

from devrag.parsing.office.odf_styles import OdfStyles
from devrag.parsing.office.odf_text import OdfText
from devrag.parsing.office.slides import slide_heading

_LEFT_OUT = {"page-number", "date-time", "footer", "header", "page"}


def read_slides(
    body: Element, styles: OdfStyles, warn: Callable[[str], None]
) -> Iterator[str]:
    """Yield the blocks of all slides that are not hidden."""
    hidden = []
    for position, page in enumerate(body.findall("page"), start=1):
        if styles.is_hidden(page.get("style-name")):
            hidden.append(str(position))
            continue
        text = OdfText(styles)
        title, blocks = _split(page, text)
        notes = " ".join(_notes(page, text))
        if title or blocks or notes:
            yield slide_heading(position, title)
            yield from blocks
            yield from [f"Notes: {notes}"] if notes else []
    if hidden:
        warn(f"hidden slides left out: {', '.join(hidden[:50])}")


def _split(page: Element, text: OdfText) -> tuple[str, list[str]]:
    """Return the title of a slide and the blocks of everything else."""
    title = ""
    blocks: list[str] = []
    for each in page:
        kind = each.get("class", "")
        if kind == "title" and not title:
            title = " ".join(text.words(box) for box in each)
        elif kind not in _LEFT_OUT and each.tag != "notes":
            blocks += text.blocks(each)
    return title, blocks


def _notes(page: Element, text: OdfText) -> Iterator[str]:
    for notes in page.findall("notes"):
        for frame in notes:
            if frame.get("class") == "notes":
                words = " ".join(text.words(box) for box in frame)
                yield from [words] if words else []
