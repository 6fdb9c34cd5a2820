"""What a model's text leaves out is shown behind it: nothing is lost."""

from __future__ import annotations

import pytest

from devrag.wiki.evidence.blocks import cells_of
from devrag.wiki.writing.model.sections import left_to_show, split_sections

ROUTES = """| Answered by | Routes |
| --- | --- |
| `app/orders.rb` | `GET /orders`, `POST /orders` |
| `app/carts.rb` | `GET /cart` |"""


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ("Orders are answered in `app/orders.rb`.", ["orders", "carts"]),
        (
            "`app/orders.rb` lists (`GET /orders`) and takes orders (`POST /orders`).",
            ["carts"],
        ),
        ("`app/carts.rb` shows the cart.", ["orders"]),
    ],
    ids=["some of its list", "all of its list", "what has no list"],
)
def test_a_row_stays_while_the_text_leaves_out_what_it_lists(
    told: str, left: list[str]
) -> None:
    (section,) = split_sections(f"# Interfaces\n\n{ROUTES}\n")
    (table,) = left_to_show([section], told, "en", {})
    rows = cells_of(table)[1:]
    assert [row[0] for row in rows] == [f"`app/{name}.rb`" for name in left]
