"""Workbooks: a table for each sheet, with what cells show."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Any

import pytest
from openpyxl import Workbook
from openpyxl.comments import Comment

from .office_files import read, saved, sheet, text_of, with_part


def _text(data: bytes) -> str:
    return text_of(data, "a.xlsx")


def test_a_sheet_is_a_table_with_what_cells_show() -> None:
    def build(workbook: Any) -> None:
        page = workbook.active
        page.title = "Prices"
        page.append(["Tea", "Price", "Share", "Since", "Sold", "At"])
        page.append(
            ["Sencha", 1234.5, 0.256, date(2024, 3, 31), True, time(9, 5)],
        )
        page["B2"].number_format = '"¥"#,##0.00'
        page["C2"].number_format = "0.0%"

    assert _text(sheet(build)) == (
        "## Sheet: Prices\n\n"
        "| Tea | Price | Share | Since | Sold | At |\n"
        "| --- | --- | --- | --- | --- | --- |\n"
        "| Sencha | ¥1,234.50 | 25.6% | 2024-03-31 | TRUE | 9:05:00 |\n"
    )


def test_sheets_come_in_their_order_and_hidden_ones_are_told() -> None:
    def build(workbook: Any) -> None:
        workbook.active.append(["one"])
        workbook.create_sheet("Draft").append(["secret"])
        workbook["Draft"].sheet_state = "hidden"
        workbook.create_sheet("Empty")
        workbook.create_sheet("価格").append(["煎茶", "百円"])

    found = read(sheet(build), "a.xlsx")
    assert found.text == (
        "## Sheet: Sheet\n\none\n\n## Sheet: 価格\n\n| 煎茶 | 百円 |\n| --- | --- |\n"
    )
    assert found.warnings == ("hidden sheets left out: Draft",)


def test_titles_above_a_table_are_paragraphs() -> None:
    def build(workbook: Any) -> None:
        page = workbook.active
        page["B1"] = "Prices of 2024"
        page["B3"], page["C3"] = "Tea", "Price"
        page["B4"], page["C4"] = "Sencha", 4

    assert _text(sheet(build)).split("\n\n")[1:] == [
        "Prices of 2024",
        "| Tea | Price |\n| --- | --- |\n| Sencha | 4 |\n",
    ]


def test_a_long_sheet_is_split_below_its_first_row() -> None:
    def build(workbook: Any) -> None:
        workbook.active.append(["Number", "Name"])
        for number in range(2, 302):
            workbook.active.append([number, "words of tea"])

    parts = _text(sheet(build)).split("## Sheet: ")[1:]
    assert len(parts) > 3
    assert all("| Number | Name |" in part for part in parts)
    assert parts[0].startswith("Sheet (rows 1–")
    assert "–301)" in parts[-1].partition("\n")[0]
    first = int(parts[1].partition("rows ")[2].partition("–")[0])
    assert f"| {first} | words of tea |" in parts[1]


@pytest.mark.slow
def test_a_sheet_of_a_million_rows_is_cut_and_says_so() -> None:
    workbook = Workbook(write_only=True)
    page = workbook.create_sheet("Log")
    for number in range(25_000):
        page.append([number, "tea"])
    found = read(saved(workbook.save), "a.xlsx")
    assert found.warnings == ('sheet "Log": what follows row 20,000 is left out',)
    assert "| 19999 | tea |" in found.text
    assert "| 20000 | tea |" not in found.text


def test_formulas_show_the_value_that_was_kept() -> None:
    def build(workbook: Any) -> None:
        workbook.active.append(["Sum", "=1+1"])

    data = sheet(build)
    assert "| Sum | =1+1 |" in _text(data)
    kept = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        '<sheetData><row r="1"><c r="A1"><f>1+1</f><v>2</v></c>'
        '<c r="B1" t="str"><f>A1&amp;"x"</f><v>2x</v></c>'
        '<c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c></row></sheetData></worksheet>'
    )
    data = with_part(data, "xl/worksheets/sheet1.xml", kept)
    assert "| 2 | 2x | #DIV/0! |" in _text(data)


def test_merged_cells_links_and_comments_are_read() -> None:
    def build(workbook: Any) -> None:
        page = workbook.active
        for row in (["Kind", "Tea"], ["Green", "Sencha"], [None, "Gyokuro"]):
            page.append(row)
        page.merge_cells("A2:A3")
        page["B2"].hyperlink = "https://tea.example/"
        page["B3"].comment = Comment("Dear!", "Aiko")

    assert _text(sheet(build)) == (
        "## Sheet: Sheet\n\n| Kind | Tea |\n| --- | --- |\n"
        "| Green | [Sencha](https://tea.example/) |\n| Green | Gyokuro |\n\n"
        "> Comment on B3 by Aiko: Dear!\n"
    )


def test_days_are_counted_as_the_workbook_says() -> None:
    def build(workbook: Any) -> None:
        from openpyxl.utils.datetime import CALENDAR_MAC_1904

        workbook.epoch = CALENDAR_MAC_1904
        at = datetime(2024, 3, 31, 9, 30)  # noqa: DTZ001  as sheets have it
        workbook.active.append(["At", at])

    assert "2024-03-31 9:30:00" in _text(sheet(build))


def test_a_wide_sheet_is_joined_in_its_last_column() -> None:
    def build(workbook: Any) -> None:
        workbook.active.append([f"c{number}" for number in range(150)])

    table = _text(sheet(build)).split("\n\n")[1]
    head, line = table.splitlines()[:2]
    assert line.count("---") == 100
    assert "c148 c149 |" in head


def test_texts_of_shapes_over_the_cells_are_read() -> None:
    data = sheet(lambda workbook: workbook.active.append(["a"]))
    drawing = (
        "<wsDr><twoCellAnchor><sp><txBody><p><r><t>注意</t></r></p></txBody></sp>"
        "</twoCellAnchor></wsDr>"
    )
    relations = (
        '<Relationships><Relationship Id="r1" Type="x/drawing" '
        'Target="../drawings/drawing1.xml"/></Relationships>'
    )
    data = with_part(data, "xl/drawings/drawing1.xml", drawing)
    data = with_part(data, "xl/worksheets/_rels/sheet1.xml.rels", relations)
    assert _text(data) == "## Sheet: Sheet\n\na\n\n注意\n"
