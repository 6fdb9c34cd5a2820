"""Presentations: a section for each slide, with what the speaker wrote below it."""

from __future__ import annotations

from typing import Any

from pptx.oxml.xmlchemy import OxmlElement
from pptx.util import Inches

from .office_files import read, slides, text_of


def _slide(presentation: Any, title: str = "", body: str = "", layout: int = 1) -> Any:
    slide = presentation.slides.add_slide(presentation.slide_layouts[layout])
    if title:
        slide.shapes.title.text = title
    if body:
        slide.placeholders[1].text = body
    return slide


def _box(slide: Any, text: str) -> Any:
    frame = slide.shapes.add_textbox(0, 0, Inches(3), Inches(1)).text_frame
    frame.text = text
    return frame


def test_a_slide_has_its_number_title_points_and_notes() -> None:
    def build(presentation: Any) -> None:
        slide = _slide(presentation, "Kettles", "Boil\nPour")
        slide.placeholders[1].text_frame.paragraphs[1].level = 1
        slide.notes_slide.notes_text_frame.text = "Say it\nslowly."
        _slide(presentation, "Prices")

    assert text_of(slides(build), "a.pptx") == (
        "## Slide 1: Kettles\n\n- Boil\n    - Pour\n\nNotes: Say it slowly.\n\n"
        "## Slide 2: Prices\n"
    )


def test_numbered_points_are_counted_by_their_level() -> None:
    def build(presentation: Any) -> None:
        body = _slide(presentation, body="a\nb\nc\nd").placeholders[1].text_frame
        for paragraph, level in zip(body.paragraphs, (0, 1, 1, 0), strict=True):
            paragraph.level = level
            properties = paragraph._p.get_or_add_pPr()
            properties.append(OxmlElement("a:buAutoNum"))

    assert text_of(slides(build), "a.pptx") == (
        "## Slide 1\n\n1. a\n    1. b\n    2. c\n2. d\n"
    )


def test_a_slide_without_title_has_its_number() -> None:
    def build(presentation: Any) -> None:
        _box(_slide(presentation, layout=6), "only a box")

    assert text_of(slides(build), "a.pptx") == "## Slide 1\n\nonly a box\n"


def test_tables_groups_and_links_are_read() -> None:
    def build(presentation: Any) -> None:
        slide = _slide(presentation, layout=6)
        size = (0, 0, Inches(3), Inches(1))
        table = slide.shapes.add_table(3, 2, *size).table
        for row in range(3):
            for column in range(2):
                table.cell(row, column).text = f"{row}.{column}"
        table.cell(1, 0).merge(table.cell(2, 0))
        table.cell(1, 0).text = "both"
        group = slide.shapes.add_group_shape()
        inner = group.shapes.add_textbox(*size).text_frame.paragraphs[0].add_run()
        inner.text = "shop"
        inner.hyperlink.address = "https://tea.example/"

    assert text_of(slides(build), "a.pptx") == (
        "## Slide 1\n\n| 0.0 | 0.1 |\n| --- | --- |\n| both | 1.1 |\n| both | 2.1 |\n\n"
        "[shop](https://tea.example/)\n"
    )


def test_hidden_slides_are_left_out_and_counted() -> None:
    def build(presentation: Any) -> None:
        _slide(presentation, "Shown")
        _slide(presentation, "Draft")._element.set("show", "0")
        _slide(presentation, "Last")

    found = read(slides(build), "a.pptx")
    assert found.text == "## Slide 1: Shown\n\n## Slide 3: Last\n"
    assert found.warnings == ("hidden slides left out: 2",)


def test_slides_come_in_the_order_of_the_show() -> None:
    def build(presentation: Any) -> None:
        for title in ("one", "two"):
            _slide(presentation, title)
        order = presentation.slides._sldIdLst
        order.insert(0, order[1])

    assert text_of(slides(build), "a.pptx") == "## Slide 1: two\n\n## Slide 2: one\n"
