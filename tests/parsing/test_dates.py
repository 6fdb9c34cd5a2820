"""Dates in headings, front matter and notes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.parsing.documents.dates import read_date, split_date


@pytest.mark.parametrize(
    "written",
    [
        "2024-05-01",
        "2024-5-1",
        "2024/05/01 10:20",
        "2024.05.01",
        "20240501",
        "2024-05-01T10:20:00+09:00",
        "2024年5月1日",
        "２０２４年５月１日",
        "1 May 2024",
        "1st May, 2024",
        "01-May-2024",
        "May 1, 2024",
        "<2024-05-01 Wed>",
    ],
)
def test_ways_to_write_a_date(written: str) -> None:
    assert read_date(written) == "2024-05-01"


@pytest.mark.parametrize(
    "written",
    [
        *("", "2024", "May 2024", "2024-13-45", "2024-02-30", "2024-05-011"),
        *("0000-00-00", "2024.5.1", "May 41, 2024", "v2024-05-01", "2024–05–01"),
        *("true", "null"),
    ],
)
def test_what_is_no_date(written: str) -> None:
    assert read_date(written) == ""


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("2024-05-01", ("2024-05-01", "2024-05-01")),
        ("2024-05-01 - 2024-05-07", ("2024-05-01 - 2024-05-07", "2024-05-01")),
        ("2024-05-01 (Wed) Standup", ("Standup", "2024-05-01")),
        ("<2024-05-01 Wed 10:00> Standup", ("Standup", "2024-05-01")),
        ("2024-05-01, Version 20.13.0", ("Version 20.13.0", "2024-05-01")),
        ("2024年5月1日（水） 定例会議", ("定例会議", "2024-05-01")),
        ("2024年5月1日の議事録", ("2024年5月1日の議事録", "2024-05-01")),
        ("定例会議 2024年5月1日", ("定例会議", "2024-05-01")),
        ("pytest 8.1.0 (2024-05-01)", ("pytest 8.1.0", "2024-05-01")),
        ("Release 9.1 (released May 01, 2024)", ("Release 9.1", "2024-05-01")),
        ("0.34.0 / 2024-05-01", ("0.34.0", "2024-05-01")),
        ("1.2.0 (2024-05-01) - a name", ("1.2.0", "2024-05-01")),
        ("The outage of 2024-05-01 in detail", None),
        ("logs-2024-05-01", None),
        ("2024-05-01T", None),
        ("1.2.0", None),
    ],
)
def test_a_heading_begins_or_ends_with_its_date(
    line: str, found: tuple[str, str] | None
) -> None:
    assert split_date(line) == found


@given(st.text(alphabet="0123456789-/.年月日 ()Mayst", max_size=60))
def test_any_line_can_be_read(line: str) -> None:
    found = split_date(line)
    assert found is None or read_date(found[1]) == found[1]
