"""Office documents made for tests, by libraries that people use, and by hand."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any

from docx import Document
from odf.opendocument import (
    OpenDocumentPresentation,
    OpenDocumentSpreadsheet,
    OpenDocumentText,
)
from openpyxl import Workbook
from pptx import Presentation

from devrag.parsing.api import Decoded, Unreadable, extract

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def saved(save: Callable[[Any], object]) -> bytes:
    """Return what a library writes into a file."""
    out = BytesIO()
    save(out)
    return out.getvalue()


def word(build: Callable[[Any], object]) -> bytes:
    """Return a Word document that a function has filled."""
    document = Document()
    build(document)
    return saved(document.save)


def sheet(build: Callable[[Any], object]) -> bytes:
    """Return a workbook that a function has filled."""
    workbook = Workbook()
    build(workbook)
    return saved(workbook.save)


def slides(build: Callable[[Any], object]) -> bytes:
    """Return a presentation that a function has filled."""
    presentation = Presentation()
    build(presentation)
    return saved(presentation.save)


def odf(build: Callable[[Any], object], kind: str = "odt") -> bytes:
    """Return an OpenDocument file that a function has filled."""
    made = {
        "odt": OpenDocumentText,
        "ods": OpenDocumentSpreadsheet,
        "odp": OpenDocumentPresentation,
    }[kind]()
    build(made)
    return saved(made.write)


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a zip archive of parts."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def with_part(data: bytes, name: str, part: str | bytes) -> bytes:
    """Return a document with another text for one of its parts."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        parts = {each: archive.read(each) for each in archive.namelist()}
    return zipped({**parts, name: part})


def word_body(xml: str, **parts: str) -> bytes:
    """Return a Word document of this body, with nothing else in it."""
    document = (
        f'<w:document xmlns:w="{W}" xmlns:mc="{_MC}" xmlns:r="http://schemas.openxml'
        'formats.org/officeDocument/2006/relationships">'
        f"<w:body>{xml}</w:body></w:document>"
    )
    return zipped({**_WORD_PACKAGE, "word/document.xml": document, **parts})


_WORD_PACKAGE = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
        'relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org'
        '/officeDocument/2006/relationships/officeDocument" '
        'Target="word/document.xml"/></Relationships>'
    ),
}


def text_of(data: bytes, path: str) -> str:
    """Return the text of a document, which must have one."""
    return read(data, path).text


def read(data: bytes, path: str) -> Decoded:
    """Return the text of a document and the warnings on it."""
    found = extract(path, data)
    assert isinstance(found, Decoded), found
    return found


def reason_of(data: bytes, path: str) -> str:
    """Return why a document has no text."""
    found = extract(path, data)
    assert isinstance(found, Unreadable), found
    return found.reason
