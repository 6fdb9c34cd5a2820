"""Facts as a model gets them: prose with evidence to tell, blocks to show by number."""

from __future__ import annotations

from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.evidence.blocks import MarkdownBlock, join_blocks
from devrag.wiki.writing.model.facts import (
    FactSection,
    is_given_whole,
    outline_of_fact,
    split_facts,
    told_facts,
)

PAGE = """# Interfaces

What it offers [[E1]].

## Routes

They are answered here [[E2]]. Nothing proves this one.

Nothing proves this paragraph.

### Of orders

| Route | File |
| --- | --- |
| `GET /orders` [[E3]] | `orders.rb` |

- `GET /cart` [[E4]]
"""


def test_a_page_is_split_at_its_sections() -> None:
    lead, routes = split_facts(PAGE)
    assert (lead.title, routes.title) == ("", "Routes")
    assert [block.kind for block in routes.blocks] == [
        *("paragraph", "paragraph", "heading", "table", "item"),
    ]


def test_what_cites_nothing_and_what_is_shown_is_not_told() -> None:
    _, routes = split_facts(PAGE)
    told = join_blocks(told_facts([routes], 1_000))
    assert "They are answered here" in told
    assert "Nothing proves this paragraph" not in told
    assert "`GET /cart`" in told
    assert "orders.rb" not in told


def test_a_table_is_shown_by_its_section_and_number() -> None:
    _, routes = split_facts(PAGE)
    (key,) = routes.showable
    assert key == "Routes/1"
    assert routes.showable[key].kind == "table"


def test_facts_end_where_their_room_ends() -> None:
    items = [
        MarkdownBlock("item", f"`SETTING_{n:04}` is read at the start [[E{n}]]", "- ")
        for n in range(800)
    ]
    told = told_facts([FactSection("", tuple(items))], 500)
    assert 0 < sum(estimate_tokens(block.text) for block in told) <= 500
    assert told == items[: len(told)]


def test_a_long_table_is_outlined_by_its_first_rows() -> None:
    rows = "\n".join(f"| row {n} |" for n in range(30))
    text = outline_of_fact(MarkdownBlock("table", f"| Name |\n| --- |\n{rows}"))
    assert "row 11" in text
    assert "row 12" not in text
    assert text.endswith("(18 more rows)")


def test_a_diagram_is_told_without_its_links() -> None:
    nodes = "\n".join(f'  n{n}["Part {n}"]' for n in range(30))
    links = "\n".join(f'  click n{n} href "p{n}.md"' for n in range(30))
    diagram = MarkdownBlock("fence", f"flowchart TD\n{nodes}\n{links}", "mermaid")
    assert is_given_whole(diagram)
    assert outline_of_fact(diagram) == f"flowchart TD\n{nodes}"


def test_a_long_table_is_not_given_whole() -> None:
    rows = "\n".join(f"| row {n} |" for n in range(30))
    assert not is_given_whole(MarkdownBlock("table", f"| Name |\n| --- |\n{rows}"))
