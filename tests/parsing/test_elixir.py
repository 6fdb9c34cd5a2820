from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file
from devrag.parsing.types import SymbolFacts


def _in_module(body: str) -> dict[str, SymbolFacts]:
    text = f"defmodule A do\n{body}\nend\n"
    return {s.qualified_name: s for s in parse_file("lib/a.ex", text).symbols}


def _references(body: str, kind: str) -> list[str]:
    text = f"defmodule A do\ndef f do\n{body}\nend\nend\n"
    found = parse_file("lib/a.ex", text).references
    return [r.name for r in found if r.kind == kind]


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("1", 1),
        ("if a do b else c end", 2),
        ("unless a, do: b", 2),
        ("for a <- b, do: a", 2),
        ("case a do\n1 -> 2\nb when b > 1 -> 3\n_ -> 4\nend", 3),
        ("cond do\na -> 1\nb -> 2\ntrue -> 3\nend", 3),
        ("with {:ok, a} <- b do a else :error -> 1 end", 2),
        ("receive do\n{:a} -> 1\nafter 10 -> 2\nend", 2),
        ("try do a rescue B -> 1 catch c -> 2 end", 3),
        ("a && b || c and d or e", 5),
        ("Enum.map(a, fn 1 -> 2; _ -> 3 end)", 1),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    assert _in_module(f"def f(a) do\n{body}\nend")["A.f"].complexity == complexity


def test_clauses_of_one_function_are_one_symbol() -> None:
    symbols = parse_file(
        "a.ex",
        "defmodule A do\n"
        '  @doc "F."\n  def f(0), do: 1\n  # more\n  @impl true\n  def f(n), do: n\n\n'
        "  def f(a, b), do: a\n\n  def g, do: 1\nend\n",
    ).symbols
    assert [(s.name, s.start_line, s.end_line) for s in symbols[1:]] == [
        ("f", 2, 6),
        ("f", 8, 8),
        ("g", 10, 10),
    ]


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("alias B.C", ["B.C"]),
        ("alias B.{C, D.E}", ["B.C", "B.D.E"]),
        ("alias B.C, as: D", ["B.C"]),
        ("import B, only: [c: 1]", ["B"]),
        ("use B, c: 1", ["B"]),
        ("alias __MODULE__.C", []),
    ],
)
def test_modules_are_imported_by_full_name(statement: str, names: list[str]) -> None:
    assert _references(statement, "import") == names


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("g(1)", ["g"]),
        ("B.C.g!(1)", ["B.C.g!"]),
        ("B.now", ["B.now"]),
        ("a |> B.g() |> h(1)", ["B.g", "h"]),
        ("__MODULE__.g()", ["g"]),
        ("a.b", []),
        ("a.b.c(1)", ["a.b.c"]),
        ("a.(1)", []),
        ("if a, do: b", []),
        ("@limit", []),
    ],
)
def test_calls_are_functions_but_no_fields_nor_forms(
    expression: str, names: list[str]
) -> None:
    assert _references(expression, "call") == names


def test_a_spec_gives_the_types_and_no_calls() -> None:
    text = "@spec f(integer, B.t()) :: {:ok, list(c())} when c: any\ndef f(a, b), do: a"
    symbol = _in_module(text)["A.f"]
    assert [p.type for p in symbol.parameters] == ["integer", "B.t()"]
    assert symbol.return_type == "{:ok, list(c())}"
    assert symbol.called_functions == ()
