"""OpenDocument texts, spreadsheets and presentations as Markdown."""

from __future__ import annotations

import zipfile
from io import BytesIO
from typing import Any

import pytest
from odf import draw, office, presentation, style, table, text
from odf.dc import Creator, Date
from odf.namespaces import OFFICENS

from .office_files import odf, read, reason_of, text_of, with_part, zipped


def _paragraph(words: str, **options: Any) -> Any:
    return text.P(text=words, **options)


def _item(*children: Any) -> Any:
    item = text.ListItem()
    for child in children:
        item.addElement(child)
    return item


def _list(*items: Any, **options: Any) -> Any:
    made = text.List(**options)
    for item in items:
        made.addElement(item)
    return made


def _table(rows: list[list[str]], name: str = "T") -> Any:
    made = table.Table(name=name)
    for row in rows:
        line = table.TableRow()
        for words in row:
            cell = table.TableCell()
            if words:
                cell.addElement(_paragraph(words))
            line.addElement(cell)
        made.addElement(line)
    return made


def test_headings_lists_and_tables_of_a_text() -> None:
    def build(document: Any) -> None:
        add = document.text.addElement
        add(text.H(outlinelevel=1, text="Kettles"))
        add(_paragraph("Boil  water."))
        add(text.H(outlinelevel=2, text="Green"))
        inner = _list(_item(_paragraph("from Uji")))
        add(_list(_item(_paragraph("Sencha"), inner), _item(_paragraph("Bancha"))))
        add(_table([["Tea", "Price"], ["煎茶", "a|b"]]))

    assert text_of(odf(build), "a.odt") == (
        "# Kettles\n\nBoil water.\n\n## Green\n\n"
        "- Sencha\n    - from Uji\n- Bancha\n\n"
        "| Tea | Price |\n| --- | --- |\n| 煎茶 | a\\|b |\n"
    )


def test_numbered_lists_have_numbers() -> None:
    def build(document: Any) -> None:
        numbered = text.ListStyle(name="L")
        numbered.addElement(text.ListLevelStyleNumber(level=1, numformat="1"))
        document.automaticstyles.addElement(numbered)
        items = [_item(_paragraph(words)) for words in ("Pour", "Wait")]
        document.text.addElement(_list(*items, stylename=numbered))

    assert text_of(odf(build), "a.odt") == "1. Pour\n2. Wait\n"


def test_titles_and_code_are_known_by_their_styles() -> None:
    def build(document: Any) -> None:
        for name in ("Title", "Preformatted_20_Text"):
            parent = style.Style(name=name, family="paragraph")
            document.styles.addElement(parent)
        own = style.Style(name="P1", family="paragraph", parentstylename="Title")
        document.automaticstyles.addElement(own)
        add = document.text.addElement
        add(_paragraph("Tea guide", stylename=own))
        add(_paragraph("boil()", stylename="Preformatted_20_Text"))
        add(_paragraph("pour()", stylename="Preformatted_20_Text"))

    assert text_of(odf(build), "a.odt") == ("# Tea guide\n\n```\nboil()\npour()\n```\n")


def test_notes_comments_links_and_boxes() -> None:
    def build(document: Any) -> None:
        paragraph = _paragraph("Boil")
        note = text.Note(noteclass="footnote")
        note.addElement(text.NoteCitation(text="1"))
        body = text.NoteBody()
        body.addElement(_paragraph("At sea level."))
        note.addElement(body)
        paragraph.addElement(note)
        paragraph.addText(" in ")
        paragraph.addElement(text.A(href="https://tea.example/", text="water"))
        remark = office.Annotation()
        remark.addElement(Creator(text="Aiko"))
        remark.addElement(Date(text="2024-03-31T10:00:00"))
        remark.addElement(_paragraph("How hot?"))
        paragraph.addElement(remark)
        frame = draw.Frame()
        box = draw.TextBox()
        box.addElement(_paragraph("in a box"))
        frame.addElement(box)
        paragraph.addElement(frame)
        document.text.addElement(paragraph)

    assert text_of(odf(build), "a.odt") == (
        "Boil[^1] in [water](https://tea.example/)\n\nin a box\n\n"
        "[^1]: At sea level.\n\n> Comment by Aiko, 2024-03-31: How hot?\n"
    )


def test_deleted_words_are_left_out() -> None:
    deleted = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>milk"
        "</text:p></text:deletion></text:changed-region></text:tracked-changes>"
    )
    data = odf(lambda document: document.text.addElement(_paragraph("water")))
    with zipfile.ZipFile(BytesIO(data)) as archive:
        content = archive.read("content.xml").decode()
    changed = content.replace("<office:text>", f"<office:text>{deleted}")
    assert changed != content
    assert text_of(with_part(data, "content.xml", changed), "a.odt") == "water\n"


def test_a_spreadsheet_shows_the_texts_of_its_cells() -> None:
    def build(document: Any) -> None:
        prices = _table([["Tea", "Price"], ["Sencha", "¥1,200"]], "Prices")
        empty = table.TableRow(numberrowsrepeated=1_048_000)
        empty.addElement(table.TableCell(numbercolumnsrepeated=16_384))
        prices.addElement(empty)
        document.spreadsheet.addElement(prices)

    assert text_of(odf(build, "ods"), "a.ods") == (
        "## Sheet: Prices\n\n| Tea | Price |\n| --- | --- |\n| Sencha | ¥1,200 |\n"
    )


def test_comments_on_cells_stand_below_the_sheet() -> None:
    def build(document: Any) -> None:
        page = _table([["Tea"]], "Log")
        remark = office.Annotation()
        remark.addElement(Creator(text="Aiko"))
        remark.addElement(_paragraph("Which?"))
        page.childNodes[0].childNodes[0].addElement(remark)
        document.spreadsheet.addElement(page)

    assert text_of(odf(build, "ods"), "a.ods") == (
        "## Sheet: Log\n\nTea\n\n> Comment by Aiko: Which?\n"
    )


@pytest.mark.slow
def test_a_row_that_repeats_for_ever_is_cut_and_says_so() -> None:
    def build(document: Any) -> None:
        page = _table([["Tea", "Price"]], "Log")
        row = table.TableRow(numberrowsrepeated=1_048_000)
        cell = table.TableCell(numbercolumnsrepeated=16_384)
        cell.addElement(_paragraph("x"))
        row.addElement(cell)
        page.addElement(row)
        document.spreadsheet.addElement(page)

    found = read(odf(build, "ods"), "a.ods")
    (warning,) = found.warnings
    assert warning.startswith('sheet "Log": what follows row ')


def test_a_presentation_has_a_section_for_each_slide() -> None:
    def build(document: Any) -> None:
        layout = style.PageLayout(name="PL")
        document.automaticstyles.addElement(layout)
        master = style.MasterPage(name="M", pagelayoutname=layout)
        document.masterstyles.addElement(master)
        page = draw.Page(name="page1", masterpagename=master)
        for kind, words in (("title", "Kettles"), ("outline", "Boil")):
            page.addElement(_frame(kind, words))
        notes = presentation.Notes()
        notes.addElement(_frame("notes", "Say it slowly."))
        page.addElement(notes)
        document.presentation.addElement(page)

    assert text_of(odf(build, "odp"), "a.odp") == (
        "## Slide 1: Kettles\n\nBoil\n\nNotes: Say it slowly.\n"
    )


def _frame(kind: str, words: str) -> Any:
    frame = draw.Frame()
    frame.setAttrNS(
        "urn:oasis:names:tc:opendocument:xmlns:presentation:1.0", "class", kind
    )
    box = draw.TextBox()
    box.addElement(_paragraph(words))
    frame.addElement(box)
    return frame


@pytest.mark.parametrize("path", ["a.odt", "a.ods", "a.odp"])
def test_an_encrypted_document_says_so(path: str) -> None:
    manifest = (
        '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        "<m:file-entry><m:encryption-data/></m:file-entry></m:manifest>"
    )
    data = with_part(odf(lambda _: None), "META-INF/manifest.xml", manifest)
    assert reason_of(data, path) == "encrypted Office document"


def test_a_document_of_another_kind_says_so() -> None:
    content = f'<o:document-content xmlns:o="{OFFICENS}"/>'
    reason = reason_of(zipped({"content.xml": content}), "a.odt")
    assert reason == "broken Office document (no document in it)"
