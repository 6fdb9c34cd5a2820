"""Office documents that are hostile, broken, encrypted or empty, and their names."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devrag.parsing.api import Decoded, Unreadable, extract

from .office_files import (
    W,
    odf,
    read,
    reason_of,
    sheet,
    slides,
    text_of,
    with_part,
    word,
    word_body,
    zipped,
)

_OLE2 = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600)
_PARAGRAPH = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
GUIDE = word(lambda document: document.add_paragraph("Boil water."))


@pytest.mark.parametrize(
    "path", ["a.docx", "b/A.DOCX", "macros.docm", "model.dotx", "odd.xlsx"]
)
def test_a_document_is_what_its_parts_say(path: str) -> None:
    assert "Boil water." in text_of(GUIDE, path)


def test_a_zip_archive_of_another_name_is_binary() -> None:
    assert reason_of(GUIDE, "guide.zip") == "binary"


def test_a_text_with_the_name_of_a_document_is_a_text() -> None:
    assert read(b"no document at all\n", "a.docx").encoding == "utf-8"


@pytest.mark.parametrize("path", ["a.docx", "a.xlsx", "a.pptx"])
def test_a_document_with_a_password_says_so(path: str) -> None:
    assert reason_of(_OLE2, path) == "encrypted Office document"


def test_an_encrypted_part_says_so() -> None:
    data = bytearray(GUIDE)
    with zipfile.ZipFile(BytesIO(GUIDE)) as archive:
        entry = archive.getinfo("word/document.xml")
    central = data.rindex(b"PK\x01\x02", 0, data.rindex(b"word/document.xml"))
    assert entry.flag_bits == 0
    data[central + 8] |= 1
    assert reason_of(bytes(data), "a.docx") == "encrypted Office document"


@pytest.mark.parametrize(
    ("path", "ending"), [("a.doc", "docx"), ("A.XLS", "xlsx"), ("a.ppt", "pptx")]
)
def test_an_old_document_says_what_it_can_be_saved_as(path: str, ending: str) -> None:
    assert reason_of(_OLE2, path) == f"old Office document (save it as .{ending})"


@pytest.mark.parametrize(
    "data",
    [
        GUIDE[: len(GUIDE) // 2],
        b"PK\x03\x04 nothing",
        zipped({"a.txt": "a"}),
        with_part(GUIDE, "word/document.xml", "<w:document"),
        with_part(GUIDE, "word/document.xml", b"\xff\xfe\x00<"),
        with_part(GUIDE, "_rels/.rels", "<Relationships/>"),
    ],
)
def test_a_broken_document_says_so(data: bytes) -> None:
    assert reason_of(data, "a.docx").startswith("broken Office document (")


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (word(lambda _: None), "a.docx"),
        (sheet(lambda _: None), "a.xlsx"),
        (slides(lambda _: None), "a.pptx"),
        (odf(lambda _: None), "a.odt"),
    ],
)
def test_an_empty_document_says_so(data: bytes, path: str) -> None:
    assert reason_of(data, path) == "Office document without text"


def _document_type(declared: str, words: str) -> str:
    return (
        f'<?xml version="1.0"?><!DOCTYPE d [{declared}]>'
        f'<w:document xmlns:w="{W}"><w:body>{_PARAGRAPH.format(words)}</w:body>'
        "</w:document>"
    )


def test_entities_are_neither_expanded_nor_fetched(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hunter2")
    laughs = '<!ENTITY a "ha"><!ENTITY b "&a;&a;">'
    for declared, words in (
        (laughs, "&b;"),
        (f'<!ENTITY f SYSTEM "{secret.as_uri()}">', "&f;"),
    ):
        part = _document_type(declared, words)
        for encoding in ("utf-8", "utf-16"):
            data = with_part(GUIDE, "word/document.xml", part.encode(encoding))
            why = reason_of(data, "a.docx")
            assert why == "broken Office document (XML with a document type)"


def test_a_document_type_in_a_sheet_is_refused() -> None:
    part = '<!DOCTYPE x [<!ENTITY a "b">]><worksheet><sheetData/></worksheet>'
    data = sheet(lambda workbook: workbook.active.append(["a"]))
    reason = reason_of(with_part(data, "xl/worksheets/sheet1.xml", part), "a.xlsx")
    assert reason == "broken Office document (XML with a document type)"


def test_a_part_that_unpacks_to_much_is_refused() -> None:
    bomb = _PARAGRAPH.format("a" * 1000) * 60_000
    reason = reason_of(word_body(bomb), "a.docx")
    assert reason == "broken Office document (too large when unpacked)"


def test_a_dense_part_that_is_too_large_for_a_tree_is_refused() -> None:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("content.xml", b"<a>" + b"x" * 60_000_001)
    reason = reason_of(out.getvalue(), "a.odt")
    assert reason == "broken Office document (too large when unpacked)"


def test_an_archive_of_too_many_parts_is_refused() -> None:
    data = zipped({f"part{number}": "" for number in range(10_001)})
    assert (
        reason_of(data, "a.docx") == "broken Office document (more than 10,000 parts)"
    )


def test_a_document_that_is_nested_too_deeply_is_refused() -> None:
    depth = 20_000
    body = "<w:sdt><w:sdtContent>" * depth + "</w:sdtContent></w:sdt>" * depth
    reason = reason_of(word_body(body), "a.docx")
    assert reason == "broken Office document (nested too deeply)"


def test_a_table_whose_cells_span_billions_stays_small() -> None:
    properties = '<w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr>'
    cell = f"<w:tc>{properties}{_PARAGRAPH.format('wide')}</w:tc>"
    rows = f"<w:tr>{cell}</w:tr>" * 50
    assert len(text_of(word_body(f"<w:tbl>{rows}</w:tbl>"), "a.docx")) < 50_000


def test_a_long_first_row_is_not_repeated_without_end() -> None:
    def build(workbook: Any) -> None:
        workbook.active.append(["words " * 5000] * 3)
        for number in range(3000):
            workbook.active.append([number, "tea", "x"])

    assert len(text_of(sheet(build), "a.xlsx")) < 400_000


def test_addresses_in_a_document_are_not_opened() -> None:
    relations = (
        '<Relationships><Relationship Id="r1" Type="x/attachedTemplate" '
        'TargetMode="External" Target="http://127.0.0.1:9/template.dotm"/>'
        '<Relationship Id="r2" Type="x/footnotes" Target="../../../etc/passwd"/>'
        "</Relationships>"
    )
    parts = {"word/_rels/document.xml.rels": relations}
    assert text_of(word_body(_PARAGRAPH.format("tea"), **parts), "a.docx") == "tea\n"


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.integers(0, len(GUIDE) - 1), st.binary(min_size=1, max_size=40))
def test_damaged_bytes_never_raise(place: int, damage: bytes) -> None:
    data = GUIDE[:place] + damage + GUIDE[place + len(damage) :]
    found = extract("guide.docx", data)
    assert isinstance(found, Decoded | Unreadable)
