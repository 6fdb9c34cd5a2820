"""A model's outline is read as far as it can be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from devrag.wiki.writing.outline.answer import MOST_SECTIONS, clean_title, read_design

PAGE: dict[str, Any] = {
    "title": "Orders",
    "question": "How?",
    "parent": "",
    "code": ["T2", "14-16", "23"],
    "documents": ["D4", "D7-D8"],
    "sections": [{"title": "Placing", "question": "How is one placed?"}],
}


def said(*pages: object) -> str:
    return json.dumps({"pages": pages})


def test_members_are_numbers_ranges_and_groups() -> None:
    (page,) = read_design(said(PAGE))
    assert page.entries == {14, 15, 16, 23}
    assert page.topics == {2}
    assert page.documents == {4, 7, 8}
    assert page.design.sections[0].question == "How is one placed?"


def test_of_a_cut_answer_the_whole_pages_are_read() -> None:
    text = said(PAGE, PAGE | {"title": "Stock"}, PAGE | {"title": "Cut"})
    pages = read_design(text[: text.index("Cut") + 20])
    assert [page.title for page in pages] == ["Orders", "Stock"]


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[1]", '{"pages": []}', '{"pages": 3}', said(1, {}, [])]
)
def test_without_a_page_it_is_no_outline(text: str) -> None:
    with pytest.raises(ValueError, match="no JSON object"):
        read_design(text)


@pytest.mark.parametrize(
    ("title", "clean"),
    [
        ("<script>alert(1)</script>", "script alert(1) /script"),
        ("# [Orders](a.md)", "Orders (a.md)"),
        ("The C# client", "The C# client"),
        (" `Orders`\n", "Orders"),
    ],
)
def test_a_title_has_no_markup(title: str, clean: str) -> None:
    assert clean_title(title) == clean


def test_what_is_no_section_is_left_out_and_there_are_not_too_many() -> None:
    sections = [3, {"title": ""}, *({"title": f"Part {n}"} for n in range(20))]
    (page,) = read_design(said(PAGE | {"sections": sections}))
    assert len(page.design.sections) == MOST_SECTIONS
    assert page.design.sections[0].title == "Part 0"
