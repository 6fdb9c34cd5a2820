"""Where quoted code stands."""

from __future__ import annotations

import pytest

from devrag.ask.writing.copied_code import lines_of_code

TEXT = "@dataclass\nclass Empty:\n    pass\n\n@dataclass\nclass One:\n    foo: str"


@pytest.mark.parametrize(
    ("code", "place"),
    [
        ("@dataclass\nclass Empty:", (0, 1)),
        ("@dataclass\nclass One:\n    foo: str", (4, 6)),
        ("class Empty:\n...\n    foo: str", (1, 6)),
        ("class One:\nclass Empty:", None),
        ("...", None),
    ],
)
def test_the_nearest_lines_in_this_order_are_its_place(
    code: str, place: tuple[int, int] | None
) -> None:
    assert lines_of_code(code, TEXT) == place
