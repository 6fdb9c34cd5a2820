"""Where names stand in highlighted lines."""

from __future__ import annotations

import pytest

from devrag.core.highlight import highlight_lines
from devrag.web.pages.name_places import code_of_line, find_names, utf16_column


def test_comments_and_strings_are_blank() -> None:
    (line,) = highlight_lines('get("get", x)  # get', "python")
    code = code_of_line(line)
    assert code == "get(     , x)       "
    assert find_names(code, ["get", "get"]) == [(0, 3), None]


@pytest.mark.parametrize(
    ("code", "names", "places"),
    [
        ("get(); client.get()", ["client.get"], [(14, 17)]),
        ("a.get(b.get())", ["a.get", "b.get"], [(2, 5), (8, 11)]),
        ("target.getter.get", ["get"], [(14, 17)]),
        ("this->run(); Shop::run()", ["Shop.run", "this.run"], [(19, 22), (6, 9)]),
        ("x = Client().send()", ["Client().send"], [(13, 17)]),
        ("nothing", ["thing", ""], [None, None]),
        ("日本.売る()", ["日本.売る"], [(3, 5)]),
    ],
)
def test_a_name_is_found_by_its_whole_then_by_its_last_part(
    code: str, names: list[str], places: list[object]
) -> None:
    assert find_names(code, names) == places


def test_columns_count_as_scripts_do() -> None:
    assert utf16_column("🐙🐙 x", 3) == 5
    assert utf16_column("日 x", 2) == 2
