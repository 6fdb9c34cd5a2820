"""A table of literals in code is shown by its first rows; other code stays whole."""

from __future__ import annotations

from devrag.wiki.evidence.repeated_lines import without_repeated


def test_a_table_of_translations_is_shown_by_its_first_rows() -> None:
    rows = [f'    "Key{n}" => "text of {n}, with words",' for n in range(40)]
    lines = ["string Translate(string key) => key switch {", *rows, "};"]
    assert without_repeated(lines) == lines[:5]


def test_code_whose_lines_differ_stays_whole() -> None:
    lines = [f"    call_{n}({', '.join('x' * (n + 1))})" for n in range(40)]
    assert without_repeated(lines) == lines


def test_a_short_list_of_settings_stays_whole() -> None:
    lines = [f'NAME_{n} = "value {n}"' for n in range(12)]
    assert without_repeated(lines) == lines
