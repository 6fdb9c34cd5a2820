"""Word documents: what is read of them, and how it is written as Markdown."""

from __future__ import annotations

from typing import Any

from docx.enum.style import WD_STYLE_TYPE
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from .office_files import text_of, word, word_body


def _text(data: bytes) -> str:
    return text_of(data, "a.docx")


def test_headings_paragraphs_and_lists_keep_their_levels() -> None:
    def build(document: Any) -> None:
        document.add_heading("Tea guide", 0)
        document.add_heading("Kettles", 1)
        document.add_paragraph("Boil water.")
        document.add_heading("Green", 2)
        document.add_paragraph("Sencha", style="List Bullet")
        document.add_paragraph("from Uji", style="List Bullet 2")
        document.add_paragraph("Pour", style="List Number")
        document.add_paragraph("Wait", style="List Number")

    assert _text(word(build)) == (
        "# Tea guide\n\n# Kettles\n\nBoil water.\n\n## Green\n\n"
        "- Sencha\n- from Uji\n1. Pour\n2. Wait\n"
    )


def test_levels_of_a_list_are_indented() -> None:
    item = (
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="{}"/><w:numId w:val="7"/></w:numPr>'
        "</w:pPr><w:r><w:t>{}</w:t></w:r></w:p>"
    )
    body = item.format(0, "a") + item.format(2, "b") + item.format(1, "c")
    assert _text(word_body(body)) == "- a\n    - b\n    - c\n"


def test_words_that_markdown_would_take_for_something_else_stay_words() -> None:
    def build(document: Any) -> None:
        for text in ("# no heading", "- no item", "1. no item", "---", "<b>tag"):
            document.add_paragraph(text)

    assert _text(word(build)).split("\n\n") == [
        *("\\# no heading", "\\- no item", "1\\. no item", "\\---"),
        "\\<b>tag\n",
    ]


def test_merged_cells_say_the_same_in_each_row() -> None:
    def build(document: Any) -> None:
        table = document.add_table(3, 3)
        for row in range(3):
            for column in range(3):
                table.cell(row, column).text = f"{row}|{column}"
        table.cell(1, 0).merge(table.cell(2, 0)).text = "both"
        table.cell(0, 1).merge(table.cell(0, 2)).text = "wide"

    assert _text(word(build)) == (
        "| 0\\|0 | wide |  |\n| --- | --- | --- |\n"
        "| both | 1\\|1 | 1\\|2 |\n| both | 2\\|1 | 2\\|2 |\n"
    )


def test_a_table_in_a_cell_is_words() -> None:
    def build(document: Any) -> None:
        outer = document.add_table(2, 2)
        outer.cell(0, 0).text = "head"
        inner = outer.cell(1, 1).add_table(1, 2)
        inner.cell(0, 0).text, inner.cell(0, 1).text = "a", "b"

    assert "|  | a, b |" in _text(word(build))


def test_a_long_table_goes_on_below_its_first_row() -> None:
    def build(document: Any) -> None:
        table = document.add_table(0, 2)
        for number in range(120):
            cells = table.add_row().cells
            cells[0].text, cells[1].text = f"Name {number}", "words of tea " * 2

    text = _text(word(build))
    assert text.count("| Name 0 |") == text.count("| --- | --- |") > 2
    assert text.count("| Name 119 |") == 1


def test_links_are_written_and_never_those_that_run_something() -> None:
    def link(document: Any, address: str, words: str) -> None:
        paragraph = document.add_paragraph("See ")
        made = paragraph.part.relate_to(
            address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True
        )
        element = OxmlElement("w:hyperlink")
        element.set(qn("r:id"), made)
        run = OxmlElement("w:r")
        run.append(OxmlElement("w:t"))
        run[0].text = words
        element.append(run)
        paragraph._p.append(element)

    def build(document: Any) -> None:
        link(document, "https://tea.example/a(b)", "the shop")
        link(document, "javascript:alert(1)", "a trap")
        link(document, "file:///etc/passwd", "a file")

    assert _text(word(build)) == (
        "See [the shop](https://tea.example/a%28b%29)\n\nSee a trap\n\nSee a file\n"
    )


def test_a_field_is_a_link_or_what_it_shows() -> None:
    run = "<w:r>{}</w:r>"
    mark = '<w:fldChar w:fldCharType="{}"/>'
    code = '<w:instrText>HYPERLINK "https://tea.example/x"</w:instrText>'
    pieces = [mark.format("begin"), code, mark.format("separate")]
    pieces += ["<w:t>shop</w:t>", mark.format("end")]
    body = f"<w:p>{''.join(run.format(piece) for piece in pieces)}</w:p>"
    assert _text(word_body(body)) == "[shop](https://tea.example/x)\n"


def test_tracked_changes_are_read_as_if_accepted() -> None:
    body = (
        "<w:p><w:r><w:t>Boil </w:t></w:r>"
        "<w:del><w:r><w:delText>milk</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>water</w:t></w:r></w:ins>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p>"
    )
    assert _text(word_body(body)) == "Boil water\n"


def test_controls_text_boxes_and_alternatives_are_read_once() -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent>"
    body = (
        "<w:sdt><w:sdtContent><w:p><w:r><w:t>controlled</w:t></w:r></w:p>"
        "</w:sdtContent></w:sdt><w:p><w:r><w:t>text</w:t></w:r><w:r>"
        f"<mc:AlternateContent><mc:Choice>{box}</mc:Choice>"
        f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert _text(word_body(body)) == "controlled\n\ntext\n\nin a box\n"


_RELATIONS = (
    '<Relationships><Relationship Id="r1" Type="x/footnotes" Target="footnotes.xml"/>'
    "</Relationships>"
)


def test_a_footnote_stands_below_its_paragraph() -> None:
    body = (
        '<w:p><w:r><w:t>Boil</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'
        "<w:p><w:r><w:t>Next</w:t></w:r></w:p>"
    )
    notes = (
        '<footnotes><footnote id="2"><p><r><t>At sea level.</t></r></p></footnote>'
        "</footnotes>"
    )
    parts = {"word/_rels/document.xml.rels": _RELATIONS, "word/footnotes.xml": notes}
    assert _text(word_body(body, **parts)) == (
        "Boil[^2]\n\n[^2]: At sea level.\n\nNext\n"
    )


def test_a_link_in_a_footnote_is_one_of_the_notes_own_part() -> None:
    body = '<w:p><w:r><w:t>Boil</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'
    notes = (
        '<footnotes xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/'
        'relationships"><footnote id="2"><p><hyperlink r:id="r1"><r><t>shop</t></r>'
        "</hyperlink></p></footnote></footnotes>"
    )
    links = (
        '<Relationships><Relationship Id="r1" Type="x/hyperlink" '
        'TargetMode="External" Target="https://tea.example/"/></Relationships>'
    )
    parts = {
        "word/_rels/document.xml.rels": _RELATIONS,
        "word/footnotes.xml": notes,
        "word/_rels/footnotes.xml.rels": links,
    }
    assert "[^2]: [shop](https://tea.example/)" in _text(word_body(body, **parts))


def test_a_comment_stands_below_what_it_is_about() -> None:
    def build(document: Any) -> None:
        paragraph = document.add_paragraph("Boil water.")
        document.add_comment(paragraph.runs, text="How hot?", author="Aiko")

    found = _text(word(build)).split("\n\n")
    assert found[0] == "Boil water."
    assert found[1].startswith("> Comment by Aiko, 20")
    assert found[1].endswith(": How hot?\n")


def test_a_table_of_contents_is_left_out() -> None:
    def build(document: Any) -> None:
        document.styles.add_style("toc 1", WD_STYLE_TYPE.PARAGRAPH)
        document.add_paragraph("Kettles\t3", style="toc 1")
        document.add_heading("Kettles", 1)

    assert _text(word(build)) == "# Kettles\n"


def test_code_is_a_block() -> None:
    def build(document: Any) -> None:
        document.styles.add_style("Source Code", WD_STYLE_TYPE.PARAGRAPH)
        document.add_paragraph("def boil(<cup>):", style="Source Code")
        document.add_paragraph("    # hot", style="Source Code")
        document.add_paragraph("Text.")

    assert _text(word(build)) == "```\ndef boil(<cup>):\n    # hot\n```\n\nText.\n"


def test_a_numbered_heading_has_its_number() -> None:
    level = (
        '<lvl ilvl="{}"><start val="1"/><numFmt val="decimal"/>'
        '<lvlText val="{}"/></lvl>'
    )
    numbering = (
        '<numbering><abstractNum abstractNumId="0">'
        f"{level.format(0, '%1')}{level.format(1, '%1.%2')}</abstractNum>"
        '<num numId="1"><abstractNumId val="0"/></num></numbering>'
    )
    relations = _RELATIONS.replace("footnotes", "numbering")
    heading = (
        '<w:p><w:pPr><w:outlineLvl w:val="{0}"/><w:numPr><w:ilvl w:val="{0}"/>'
        '<w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>{1}</w:t></w:r></w:p>'
    )
    body = "".join(
        heading.format(*each) for each in ((0, "Tea"), (1, "Green"), (1, "Black"))
    )
    parts = {"word/_rels/document.xml.rels": relations}
    found = _text(word_body(body, **parts, **{"word/numbering.xml": numbering}))
    assert found == "# 1 Tea\n\n## 1.1 Green\n\n## 1.2 Black\n"


def test_japanese_and_right_to_left_texts_are_as_they_were() -> None:
    texts = ("お湯を沸かす。", "שלום עולם", "مرحبا", "🍵")

    def build(document: Any) -> None:
        for text in texts:
            document.add_paragraph(text)

    assert _text(word(build)) == "\n\n".join(texts) + "\n"
