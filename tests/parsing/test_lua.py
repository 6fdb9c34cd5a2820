from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file


def _names(text: str) -> list[str]:
    symbols = parse_file("a.lua", text).symbols
    return [f"{s.kind} {s.qualified_name}" for s in symbols[1:]]


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("return 1", 1),
        ("if a then elseif b then else end", 3),
        ("for i = 1, 2 do end for k in pairs(t) do end", 3),
        ("while a do end repeat until b", 3),
        ("return a and b or c", 3),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    symbols = parse_file("a.lua", f"function f() {body} end").symbols
    assert symbols[1].complexity == complexity


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("function f() end", ["function f"]),
        ("local function f() end", ["function f"]),
        ("local f = function() end", ["function f"]),
        ("function A.b.c() end", ["method A.b.c"]),
        ("function A:b() end", ["method A.b"]),
        ("A.b = function() end", ["method A.b"]),
        ("local A = { b = function() end }", ["variable A", "method A.b"]),
        ("call({ b = function() end })", []),
        ("A[1] = function() end", []),
        ("local a, b = 1, 2", []),
        ("local A <const> = 1\nLIMIT = 2", ["variable A", "constant LIMIT"]),
        ("local a = require 'a'", []),
    ],
)
def test_functions_are_named_by_where_they_are_put(text: str, names: list[str]) -> None:
    assert _names(text + "\n") == names


def test_a_required_module_is_what_its_name_stands_for() -> None:
    text = "local a = require('x.y')\nlocal b = require 'x/z'.b\na.f(b())\n"
    calls = [r for r in parse_file("m.lua", text).references if r.kind == "call"]
    assert [(r.name, r.target) for r in calls] == [("a.f", "x.y.f"), ("b", "x.z.b")]


def test_an_init_file_is_its_folder() -> None:
    assert parse_file("lua/shop/init.lua", "f()\n").module == "lua.shop"
