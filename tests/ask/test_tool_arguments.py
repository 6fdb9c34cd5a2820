"""Arguments as models write them: usable, odd and broken."""

from __future__ import annotations

import pytest

from devrag.ask.agent.tool_arguments import (
    FactsArguments,
    LinesArguments,
    SearchArguments,
    SymbolArguments,
    read_arguments,
    schema_of,
)
from devrag.core.errors import InvalidInput


def test_a_schema_says_what_is_needed() -> None:
    assert schema_of(LinesArguments)["required"] == ["path", "start_line", "end_line"]
    kind = schema_of(FactsArguments)["properties"]["kind"]
    assert "setting" in kind["enum"]


def test_what_is_left_out_null_or_too_much_is_borne() -> None:
    given = '{"name": " Cart.add ", "path": null, "reason": "to see it"}'
    assert read_arguments(given, SymbolArguments) == SymbolArguments(name="Cart.add")


def test_numbers_may_be_written_as_text() -> None:
    given = '{"path": "a.py", "start_line": "3", "end_line": 9}'
    read = read_arguments(given, LinesArguments)
    assert isinstance(read, LinesArguments)
    assert (read.start_line, read.end_line) == (3, 9)


def test_what_a_database_cannot_hold_is_replaced() -> None:
    read = read_arguments('{"query": "a\\u0000b"}', SearchArguments)
    assert isinstance(read, SearchArguments)
    assert read.query == "a\ufffdb"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('{"query": "te', "no JSON"),
        ('["tea"]', "no JSON object"),
        ("[" * 100_000, "no JSON"),
        ("{}", "query"),
        ("", "query"),
        ('{"query": ""}', "query"),
        ('{"query": {"text": "tea"}}', "query"),
        ('{"query": "\\ud800"}', "query"),
        ('{"query": "' + "x" * 501 + '"}', "query"),
    ],
)
def test_what_is_wrong_is_told(given: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        read_arguments(given, SearchArguments)


@pytest.mark.parametrize(
    "given",
    [
        '{"path": "a.py", "start_line": 0, "end_line": 1}',
        '{"path": "a.py", "start_line": 1, "end_line": 1e30}',
    ],
)
def test_lines_out_of_all_bounds_are_refused(given: str) -> None:
    with pytest.raises(InvalidInput, match="_line"):
        read_arguments(given, LinesArguments)
