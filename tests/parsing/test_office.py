"""The text of Office documents in chunks: by headings, slides and rows of sheets."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from devrag.parsing.api import parse_file
from devrag.parsing.types import ChunkFacts

from .office_files import sheet, slides, text_of, word


def _chunks(data: bytes, path: str) -> list[ChunkFacts]:
    return list(parse_file(path, text_of(data, path)).chunks)


def _guide(words: int) -> bytes:
    def build(document: Any) -> None:
        document.add_heading("Kettles", 1)
        document.add_paragraph("About kettles.")
        for name in ("Green", "Black"):
            document.add_heading(name, 2)
            document.add_paragraph(f"{name} tea takes minutes. " * words)

    return word(build)


def test_a_text_document_has_its_sections() -> None:
    facts = parse_file("docs/guide.docx", text_of(_guide(30), "guide.docx"))
    assert (facts.language, facts.kind, facts.title) == ("docx", "doc", "Kettles")
    assert facts.mime.endswith("wordprocessingml.document")
    assert [(c.kind, c.heading, c.depth) for c in facts.chunks] == [
        *(("section", "", 0), ("section", "Kettles", 1)),
        *(("section", "Green", 2), ("section", "Black", 2)),
    ]
    assert facts.chunks[2].header == "docs/guide.docx > Kettles > Green"


def test_a_section_over_the_limit_is_left_to_its_parts() -> None:
    facts = parse_file("guide.docx", text_of(_guide(200), "guide.docx"))
    assert facts.warnings == ()
    found = [(c.kind, c.heading) for c in facts.chunks if c.kind == "section"]
    assert found == [("section", "Green"), ("section", "Black")]
    (own,) = [c for c in facts.chunks if c.heading == "Kettles"]
    assert own.text == "# Kettles\n\nAbout kettles."
    assert (own.start_line, own.end_line) == (1, 3)


def test_a_chunk_of_slides_names_its_slide() -> None:
    def build(presentation: Any) -> None:
        for title in ("Kettles", "Prices"):
            slide = presentation.slides.add_slide(presentation.slide_layouts[1])
            slide.shapes.title.text = title
            slide.placeholders[1].text = f"all about {title}"

    facts = parse_file("deck.pptx", text_of(slides(build), "deck.pptx"))
    assert facts.title == "Kettles"
    assert [c.heading for c in facts.chunks] == ["Slide 1: Kettles", "Slide 2: Prices"]
    assert facts.chunks[1].header == "deck.pptx > Slide 2: Prices"
    assert facts.chunks[1].start_line == 5


def test_a_slide_over_the_limit_has_several_chunks_of_one_name() -> None:
    def build(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.placeholders[1].text = "\n".join(["words about tea and water"] * 300)

    chunks = _chunks(slides(build), "deck.pptx")
    assert len(chunks) > 1
    assert {(c.heading, c.kind) for c in chunks} == {("Slide 1", "window")}


def test_a_chunk_of_a_sheet_has_its_first_row_and_names_its_rows() -> None:
    def build(workbook: Any) -> None:
        workbook.active.title = "Prices"
        workbook.active.append(["Number", "Name"])
        for number in range(2, 302):
            workbook.active.append([number, "words of tea"])

    chunks = _chunks(sheet(build), "prices.xlsx")
    assert len(chunks) > 3
    assert all("| Number | Name |" in chunk.text for chunk in chunks)
    assert all(c.heading.startswith("Sheet: Prices (rows ") for c in chunks)
    assert {c.kind for c in chunks} == {"section"}


def test_words_of_a_slide_are_no_heading_of_another() -> None:
    def build(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.placeholders[1].text = "## Slide 9: forged"

    chunks = _chunks(slides(build), "deck.pptx")
    assert [c.heading for c in chunks] == ["Slide 1"]


@given(st.text(alphabet="#SlideSheet:12 \n|-", max_size=80))
@settings(deadline=None)
def test_any_text_parses_with_every_line_in_a_chunk(text: str) -> None:
    for path in ("a.pptx", "a.ods"):
        facts = parse_file(path, text)
        assert not any("parser failed" in warning for warning in facts.warnings)
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                assert any(c.start_line <= number <= c.end_line for c in facts.chunks)
