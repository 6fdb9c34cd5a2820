"""Hits at a terminal: each with where it leads."""

from __future__ import annotations

from devrag.cli.search_output import print_answer
from devrag.core.terminal import Terminal
from devrag.search.fields import hit_fields
from tests.search.hits import make_hit


def printed(**fields: object) -> str:
    """Return the first line of a hit."""
    lines: list[str] = []
    hit = {**hit_fields(make_hit(**fields)), "text": ""}
    answer = {"hits": [hit], "notes": [], "confidence": "high"}
    terminal = Terminal(lines.append, lines.append)
    print_answer(answer, {"strategy": "snippet", "summarize": False}, terminal)
    return lines[0].strip()


def test_a_hit_in_a_file_has_its_line() -> None:
    assert printed(symbol_name="charge") == "1.00  shop:src/till.py:1  charge"


def test_a_hit_in_a_wiki_has_its_page_and_heading() -> None:
    fields = {"kind": "wiki", "path": "index.md", "anchor": "tax", "heading": "Tax"}
    assert printed(**fields) == "1.00  wiki of tea: index.md#tax  Tax"


def test_what_is_only_nearest_is_said_first() -> None:
    lines: list[str] = []
    answer = {
        "hits": [{**hit_fields(make_hit()), "text": ""}],
        "notes": [],
        "confidence": "low",
    }
    terminal = Terminal(lines.append, lines.append)
    print_answer(answer, {"strategy": "snippet", "summarize": False}, terminal)
    assert lines[0].strip() == "No exact matches. Closest results:"
