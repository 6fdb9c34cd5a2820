from __future__ import annotations

from functools import partial

import pytest

from devrag.parsing.api import parse_file

from .cases import bound_references, symbol_named

_symbol = partial(symbol_named, "a/B.swift")
_references = partial(bound_references, "a/B.swift")


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("return 1", 1),
        ("if a { } else if let b { } else { }", 3),
        ("for a in b where a.c { }", 3),
        ("while a { }\n repeat { } while b", 3),
        (
            "switch a {\n case 1, 2: f()\n case .b where c: g()\n default: h()\n}",
            4,
        ),
        ("do { try a() } catch B.c { } catch { }", 3),
        ("guard let a = b else { return 1 }", 2),
        ("return a && b || c ? 1 : 2", 4),
        ("return a ?? b", 1),
        ("run { if a { } }", 2),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    assert _symbol(f"func f() -> Int {{\n{body}\n}}\n", "f").complexity == complexity


@pytest.mark.parametrize(
    ("heading", "inherited", "implemented"),
    [
        ("class A: B, C", ["B"], ["C"]),
        ("class A: BDelegate, C", [], ["BDelegate", "C"]),
        ("struct A: B", [], ["B"]),
        ("enum A: String, B", [], ["B"]),
        ("protocol A: B, C", ["B", "C"], []),
        ("extension A: B", [], ["B"]),
        ("actor A: x.B<C>", [], ["x.B"]),
    ],
)
def test_only_a_class_has_a_base(
    heading: str, inherited: list[str], implemented: list[str]
) -> None:
    text = f"{heading} {{\n}}\n"
    assert _references(text, "inherit") == inherited
    assert _references(text, "implement") == implemented


def test_an_extensions_methods_are_its_types() -> None:
    text = "class A { func f() { g() } }\nextension A { func g() { self.f() } }\n"
    names = [(s.kind, s.qualified_name) for s in parse_file("B.swift", text).symbols]
    assert names == [
        ("class", "A"),
        ("method", "A.f"),
        ("extension", "A"),
        ("method", "A.g"),
    ]
    assert _references(text, "call") == ["g file A.g", "self.f member A.f"]


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ("a?.b()?.c()", ["a.b().c", "a.b"]),
        ("a!.b()", ["a.b"]),
        ("a[0].b()", ["a[].b"]),
        ("a[0]", []),
        ("(a ?? b).c()", []),
        ("a { b() }", ["a", "b"]),
        ("A<B>(1)", ["A"]),
        (".init(1)", []),
        ("try await a.b().c()", ["a.b().c", "a.b"]),
    ],
)
def test_calls_are_named_without_marks(call: str, names: list[str]) -> None:
    assert _references(f"func f() {{\n {call}\n}}\n", "call") == names


def test_each_name_of_a_case_is_a_constant() -> None:
    text = "enum A {\n case a(Int, b: C), d\n}\n"
    symbols = parse_file("B.swift", text).symbols[1:]
    assert [(s.name, s.signature) for s in symbols] == [
        ("a", "case a(Int, b: C)"),
        ("d", "case d"),
    ]


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("Sources/Shop/A/B.swift", "Shop"),
        ("pkg/Tests/ShopTests/B.swift", "ShopTests"),
        ("Sources/B.swift", ""),
        ("App/B.swift", ""),
    ],
)
def test_the_module_is_the_packages_target(path: str, module: str) -> None:
    assert parse_file(path, "let a = 1\n").module == module


def test_a_condition_of_the_compiler_may_stand_anywhere() -> None:
    text = "enum A {\n#if os(iOS)\n case b\n#else\n case c\n#endif\n func d() {}\n}\n"
    facts = parse_file("a/B.swift", text)
    assert [s.name for s in facts.symbols] == ["A", "b", "c", "d"]
    assert facts.warnings == ()
