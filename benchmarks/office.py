"""Speed of reading Office documents, from their bytes to chunks.

    python benchmarks/office.py [--size N] [--runs N] [FILE ...]

Prints one JSON object for each document: bytes, characters of text, chunks, processor
time (the best of the runs, the start of the reader's process included, so that
neighbours disturb less), what that is in megabytes of the file and of XML per second,
and `peak_mb`, the most memory that any reader had so far. Without files it makes one of
each kind: `--size` chapters, slides or hundreds of rows. `pages` are slides, else 3,000
characters of text.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from devrag.parsing.api import Decoded, extract, parse_file

# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--size 1 --runs 1"
_SENTENCE = "Kettles boil at one hundred degrees, and tea takes three minutes. "
_PAGE_CHARACTERS = 3000


def main() -> None:
    """Measure each document and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--size", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    for name, data in _documents(options.files, options.size):
        print(json.dumps(measure(name, data, options.runs)), flush=True)


def measure(name: str, data: bytes, runs: int) -> dict[str, Any]:
    """Read a document several times and return its figures."""
    seconds = []
    for _ in range(runs):
        start = _cpu_seconds()
        found = extract(name, data)
        facts = parse_file(name, found.text) if isinstance(found, Decoded) else None
        seconds.append(_cpu_seconds() - start)
    if facts is None or not isinstance(found, Decoded):
        return {"file": name, "reason": getattr(found, "reason", "")}
    with zipfile.ZipFile(BytesIO(data)) as archive:
        xml = sum(each.file_size for each in archive.infolist())
    best = max(min(seconds), 1e-6)
    slides = found.text.count("\n## Slide ") + found.text.startswith("## Slide ")
    pages = slides or max(1, round(len(found.text) / _PAGE_CHARACTERS))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return {
        "file": name,
        "bytes": len(data),
        "characters": len(found.text),
        "chunks": len(facts.chunks),
        "pages": pages,
        "cpu_seconds": round(best, 3),
        "pages_per_second": round(pages / best),
        "mb_per_second": round(len(data) / 1e6 / best, 2),
        "xml_mb_per_second": round(xml / 1e6 / best, 1),
        "peak_mb": round(peak / 1000),
    }


def _cpu_seconds() -> float:
    """Return the processor time of this process and of those that it started."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _documents(files: list[Path], size: int) -> Iterator[tuple[str, bytes]]:
    for path in files:
        yield path.name, path.read_bytes()
    if not files:
        for name, make in _MAKERS.items():
            yield name, make(size)


def _saved(save: Callable[[Any], object]) -> bytes:
    out = BytesIO()
    save(out)
    return out.getvalue()


def make_text(size: int) -> bytes:
    """Return a Word document of so many chapters, each with a list and a table."""
    from docx import Document

    document = Document()
    for chapter in range(size):
        document.add_heading(f"Chapter {chapter}", 1)
        for section in range(3):
            document.add_heading(f"Section {chapter}.{section}", 2)
            for _ in range(6):
                document.add_paragraph(_SENTENCE * 4)
            document.add_paragraph("an item", style="List Bullet")
        table = document.add_table(4, 4)
        for cell in table._cells:
            cell.text = "a cell"
    return _saved(document.save)


def make_slides(size: int) -> bytes:
    """Return a presentation of so many slides with notes."""
    from pptx import Presentation

    presentation = Presentation()
    for number in range(size):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = f"Slide of tea {number}"
        slide.placeholders[1].text = "\n".join([_SENTENCE] * 5)
        slide.notes_slide.notes_text_frame.text = _SENTENCE * 3
    return _saved(presentation.save)


def make_sheet(size: int) -> bytes:
    """Return a workbook of so many hundreds of rows with ten columns."""
    from openpyxl import Workbook

    workbook = Workbook(write_only=True)
    page = workbook.create_sheet("Prices")
    page.append([f"Column {number}" for number in range(10)])
    for row in range(size * 100):
        page.append([row, row * 1.5, f"tea {row % 50}", True, None, *["words"] * 5])
    return _saved(workbook.save)


def make_odt(size: int) -> bytes:
    """Return an OpenDocument text of so many chapters."""
    from odf.opendocument import OpenDocumentText
    from odf.text import H, P

    document = OpenDocumentText()
    for chapter in range(size):
        document.text.addElement(H(outlinelevel=1, text=f"Chapter {chapter}"))
        for _ in range(20):
            document.text.addElement(P(text=_SENTENCE * 4))
    return _saved(document.write)


_MAKERS: dict[str, Callable[[int], bytes]] = {
    "guide.docx": make_text,
    "deck.pptx": make_slides,
    "prices.xlsx": make_sheet,
    "guide.odt": make_odt,
}


if __name__ == "__main__":
    main()
