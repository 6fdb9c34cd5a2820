from __future__ import annotations

from functools import partial

import pytest

from devrag.parsing.api import parse_file

from .cases import bound_references, symbol_named

_symbol = partial(symbol_named, "a/B.scala")
_references = partial(bound_references, "a/B.scala")


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("1", 1),
        ("if (a) 1 else if (b) 2 else 3", 3),
        ("for (a <- b if a.c) yield a", 3),
        ("while (a) { }", 2),
        ("a match { case 1 | 2 => f(); case B(c) if c => g(); case _ => h() }", 4),
        ("try a catch { case e: A => 1; case e: B => 2 } finally c", 3),
        ("a && b || c", 3),
        ("a map { case B(c) => c }", 2),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    assert (
        _symbol(f"object A {{ def f = {{ {body} }} }}\n", "f").complexity == complexity
    )


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("import a.b.C", ["a.b.C"]),
        ("import a.b._", ["a.b.*"]),
        ("import a.b.*", ["a.b.*"]),
        ("import a.{B, C => D, _}", ["a.B", "a.C", "a.*"]),
        ("import a.{B => _, C}", ["a.C"]),
        ("import a.B, c.D", ["a.B", "c.D"]),
        ("import a.b as c", ["a.b"]),
    ],
)
def test_imports(statement: str, names: list[str]) -> None:
    found = _references(statement + "\n", "import")
    assert found == [f"{name} import {name}" for name in names]


def test_a_renamed_import_is_bound_by_its_alias() -> None:
    text = "import a.{B => C}\nobject D { C.go(); B.go() }\n"
    assert _references(text, "call") == ["C.go import a.B.go", "B.go"]


@pytest.mark.parametrize(
    ("text", "module"),
    [
        ("package a.b\nclass C\n", "a.b"),
        ("package a\npackage b\nclass C\n", "a.b"),
        ("package a { class C }\n", "a"),
        ("class C\n", ""),
    ],
)
def test_packages_add_up(text: str, module: str) -> None:
    facts = parse_file("B.scala", text)
    assert facts.module == module
    assert [s.qualified_name for s in facts.symbols] == ["C"]


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ("a.b().c()", ["a.b().c", "a.b"]),
        ("a.b[C](1)", ["a.b"]),
        ("f(1)(2)", ["f"]),
        ("new a.B[C](1)", ["a.B"]),
        ("new B { def g = h() }", ["B", "h"]),
        ("new B(1).go()", ["B().go type B().go", "B"]),
        ("(a + b).c()", []),
        ("a.b", []),
    ],
)
def test_calls(call: str, names: list[str]) -> None:
    assert _references(f"object A {{ def x = {{ {call} }} }}\n", "call") == names


def test_methods_of_anonymous_classes_are_no_symbols() -> None:
    text = "object A { def f = new B { def g = h() } }\n"
    assert [s.name for s in parse_file("B.scala", text).symbols] == ["A", "f"]


def test_supertypes_are_the_first_and_the_mixed_in() -> None:
    text = "class A extends B(1) with C[D] with e.F\ntrait G extends H with I\n"
    assert _references(text, "inherit") == ["B", "H", "I"]
    assert _references(text, "implement") == ["C", "e.F"]


def test_indented_bodies_are_bodies() -> None:
    text = "class A(x: B):\n  def f(y: C): D =\n    g(y)\n\n  def h = x.go()\n"
    names = [s.qualified_name for s in parse_file("B.scala", text).symbols]
    assert names == ["A", "A.f", "A.h"]
    assert _references(text, "call") == ["g", "x.go type B.go"]
