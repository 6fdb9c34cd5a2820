"""Constants that a file sets once have a value that can be shown."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.settings.constants import constant_in


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("_PORT = 50021", "50021"),
        ('_PORT: Final[str] = "http"  # a name', "http"),
        ("export const _PORT = 'http';", "http"),
        ("_PORT = -1.5", "-1.5"),
        ("_PORT = 8000 + OFFSET", None),
        ("_PORT = read()", None),
        ("_PORT == 8000", None),
        ("    _PORT = 8000", None),
        ("_PORT_2 = 8000", None),
    ],
)
def test_a_plain_value_is_found_with_its_line(line: str, value: str | None) -> None:
    found = constant_in(["import os", "", line], "_PORT")
    assert found == (None if value is None else (value, 3))


def test_what_is_set_twice_has_no_value() -> None:
    assert constant_in(["PORT = 1", "PORT = 2"], "PORT") is None


def test_a_variable_is_no_constant() -> None:
    assert constant_in(["port = 1"], "port") is None
