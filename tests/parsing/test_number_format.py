"""Numbers and dates as their formats show them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.parsing.office.number_format import built_in, show_number

_DAY = 45382  # 2024-03-31


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (3, "General", "3"),
        (0.1, "General", "0.1"),
        (1e21, "General", "1e+21"),
        (0.5, "0%", "50%"),
        (1234.567, "#,##0.00", "1,234.57"),
        (-5, "#,##0;(#,##0)", "(5)"),
        (0, '0;-0;"none"', "none"),
        (7, "000", "007"),
        (12.5, "0.##", "12.5"),
        (12, "0.##", "12"),
        (1234567, "#,##0,", "1,235"),
        (12345, "0.00E+00", "1.23E+04"),
        (9.5, '0.00" kg"', "9.50 kg"),
        (1200, "[$¥-411]#,##0", "¥1,200"),
        (5, "[Red]0", "5"),
        (5, "_(0_)", "5"),
        (1.5, '"a;b"0.0', "a;b1.5"),
        (5, ";;;", ""),
        (_DAY, "yyyy-mm-dd", "2024-03-31"),
        (_DAY, "d mmm yyyy", "31 Mar 2024"),
        (_DAY, "dddd, mmmm d", "Sunday, March 31"),
        (_DAY, 'yyyy"年"m"月"d"日"', "2024年3月31日"),
        (_DAY + 0.75, "yyyy/m/d h:mm", "2024/3/31 18:00"),
        (0.75, "h:mm AM/PM", "6:00 PM"),
        (1.5, "[h]:mm", "36:00"),
        (0.0006944444, "mm:ss", "01:00"),
        (1, "yyyy-mm-dd", "1900-01-01"),
        (-1, "yyyy-mm-dd", "-1"),
        (1e12, "yyyy-mm-dd", "1000000000000"),
    ],
)
def test_a_number_is_shown_by_its_format(value: float, code: str, shown: str) -> None:
    assert show_number(value, code) == shown


def test_built_in_dates_cannot_be_misread() -> None:
    assert show_number(_DAY, built_in(14)) == "2024-03-31"
    assert show_number(_DAY, built_in(4)) == "45,382.00"
    assert show_number(_DAY, built_in(9999)) == "45382"


def test_days_may_count_from_1904() -> None:
    assert show_number(0, "yyyy-mm-dd", is_1904=True) == "1904-01-01"


@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(alphabet='#0?.,%E+-ymdhsaAPM/[];"\\_*@$ 年ge', max_size=20),
)
def test_any_format_shows_any_number(value: float, code: str) -> None:
    assert isinstance(show_number(value, code), str)
