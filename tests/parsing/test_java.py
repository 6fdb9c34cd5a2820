from __future__ import annotations

from functools import partial

import pytest

from devrag.parsing.api import parse_file

from .cases import bound_references, symbol_named

_symbol = partial(symbol_named, "a/B.java")
_references = partial(bound_references, "a/B.java")


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("return 1;", 1),
        ("if (a) { } else if (b) { } else { }", 3),
        ("for (;;) { } for (A a : b) { }", 3),
        ("while (a) { } do { } while (b);", 3),
        ("switch (a) { case 1: case 2: f(); default: g(); }", 3),
        ("return switch (a) { case 1, 2 -> 3; default -> 4; };", 2),
        ("try { } catch (A | B e) { } finally { }", 2),
        ("return a && b || c ? 1 : 2;", 4),
        ("run(() -> { if (a) { } });", 2),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    text = f"class A {{ int f() {{ {body} }} }}"
    assert _symbol(text, "f").complexity == complexity


def test_methods_of_anonymous_classes_are_no_symbols() -> None:
    text = "class A { void f() { new B() { void g() { h(); } }; } }"
    assert [s.name for s in parse_file("A.java", text).symbols] == ["A", "f"]
    assert _symbol(text, "f").called_functions == ("B", "h")


@pytest.mark.parametrize(
    ("declared", "bound"),
    [
        ("Box[] b", "b.go local"),
        ("Box... b", "b.go local"),
        ("List<Box> b", "b.go type List.go"),
    ],
)
def test_members_of_a_collection_are_not_those_of_what_is_in_it(
    declared: str, bound: str
) -> None:
    text = f"class A {{ void f({declared}) {{ b.go(); }} }} class Box {{}}"
    assert _references(text, "call") == [bound]


def test_a_parameters_members_are_those_of_its_type() -> None:
    text = "import x.Box;\nclass A { void f(Box b) { b.go(); } }"
    assert _references(text, "call") == ["b.go type x.Box.go"]


def test_type_parameters_are_no_types() -> None:
    text = "class A<T> { <R extends Box> R f(T t) { t.go(); return null; } }"
    assert _references(text, "type") == ["Box"]
    assert _references(text, "call") == ["t.go local"]


def test_a_class_is_not_its_constructor() -> None:
    text = "class A { A() {} static A of() { return new A(); } }"
    assert _references(text, "type") == ["A file A"]
    assert _references(text, "call") == ["A file A"]


@pytest.mark.parametrize(
    ("comment", "docstring"),
    [
        ("/** Says it. */\n", "Says it."),
        ("/**\n * Says\n * it.\n */\n@Old\n", "Says\nit."),
        ("/** Far. */\n\n", ""),
        ("/* Plain. */\n", ""),
        ("int x; /** Of x. */\n", ""),
    ],
)
def test_javadoc_documents_what_is_right_below(comment: str, docstring: str) -> None:
    assert (
        _symbol(f"class A {{\n{comment}void f() {{}}\n}}", "f").docstring == docstring
    )


@pytest.mark.parametrize(
    ("statement", "reference"),
    [
        ("import a.b.C;", "a.b.C import a.b.C"),
        ("import a.b.*;", "a.b.* import a.b.*"),
        ("import static a.B.c;", "a.B.c import a.B.c"),
    ],
)
def test_imports(statement: str, reference: str) -> None:
    assert _references(statement, "import") == [reference]


def test_a_broken_method_leaves_the_others() -> None:
    facts = parse_file("A.java", "class A {\n int f() { return (1; }\n int g() {}\n}\n")
    assert [s.name for s in facts.symbols if s.kind == "method"] == ["f", "g"]
    assert len(facts.warnings) == 1
