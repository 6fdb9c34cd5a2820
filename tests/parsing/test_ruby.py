from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file
from devrag.parsing.types import SymbolFacts


def _symbols(text: str) -> dict[str, SymbolFacts]:
    return {s.qualified_name: s for s in parse_file("lib/shop/a.rb", text).symbols}


def _references(text: str, kind: str) -> list[str]:
    found = parse_file("lib/shop/a.rb", text).references
    return [r.name for r in found if r.kind == kind]


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("1", 1),
        ("if a\nelsif b\nelse\nend", 3),
        ("a unless b\nc while d", 3),
        ("until a\nend\nfor b in c\nend", 3),
        ("case a\nwhen 1, 2 then b\nelse c\nend", 2),
        ("case a\nin [x] then b\nin y then c\nend", 3),
        ("a && b || c and d or e", 5),
        ("a ? b : c", 2),
        ("begin\nrescue A\nrescue B\nensure\nend", 3),
        ("xs.each { |x| x rescue nil }", 2),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    assert _symbols(f"def f\n{body}\nend\n")["f"].complexity == complexity


def test_a_line_of_its_own_sets_the_visibility_of_what_follows() -> None:
    text = (
        "class A\n  def a; end\n  private\n  def b; end\n"
        "  class B\n    def c; end\n  end\n  def self.d; end\n"
        "  public def e; end\n  protected\n  def f; end\nend\n"
        "class C\n  def g; end\nend\n"
    )
    shown = {n: s.modifiers for n, s in _symbols(text).items() if s.kind == "method"}
    assert shown == {
        "A.a": ("public",),
        "A.b": ("private",),
        "A.B.c": ("public",),
        "A.d": ("public", "static"),
        "A.e": ("public",),
        "A.f": ("protected",),
        "C.g": ("public",),
    }


def test_a_line_below_sets_the_visibility_of_methods_it_names() -> None:
    text = (
        "class A\n  def self.a; end\n  def b; end\n  def c; end\n  def self.c; end\n"
        "  private_class_method :a, :c\n  private :b\n"
        "  private_class_method def self.d; end\nend\n"
        "class B\n  def self.a; end\n  def b; end\nend\n"
    )
    symbols = parse_file("a.rb", text).symbols
    shown = [(s.qualified_name, *s.modifiers) for s in symbols if s.kind == "method"]
    assert shown == [
        ("A.a", "private", "static"),
        ("A.b", "private"),
        ("A.c", "public"),
        ("A.c", "private", "static"),
        ("A.d", "private", "static"),
        ("B.a", "public", "static"),
        ("B.b", "public"),
    ]


@pytest.mark.parametrize(
    ("statement", "path"),
    [
        ("require 'json/add/core'", "json/add/core"),
        ("require_relative '../b.rb'", "lib/b"),
        ("require './lib/c'", "lib/shop/lib/c"),
    ],
)
def test_requires_are_paths(statement: str, path: str) -> None:
    assert _references(statement + "\n", "import") == [path]


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("f(1)", ["f"]),
        ("puts 'x'", ["puts"]),
        ("A::B.c(1)", ["A.B.c"]),
        ("A::B.new(1)", ["A.B"]),
        ("a.b(1).c", ["a.b().c", "a.b"]),
        ("a&.b", ["a.b"]),
        ("@a.b?", ["@a.b?"]),
        ("[1].each { f() }", ["f"]),
        ("attr_reader :a", []),
        ("raise A, 'b'", []),
    ],
)
def test_calls_are_named_with_dots(expression: str, names: list[str]) -> None:
    assert _references(expression + "\n", "call") == names


def test_the_first_of_a_body_has_the_comment_above_it() -> None:
    text = "class A\n  # Doc.\n  def a; end\nend\n"
    assert _symbols(text)["A.a"].docstring == "Doc."
