from __future__ import annotations

from functools import partial

import pytest

from devrag.parsing.api import parse_file

from .cases import bound_references, symbol_named

_symbol = partial(symbol_named, "a/B.kt")
_references = partial(bound_references, "a/B.kt")


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("return 1", 1),
        ("if (a) { } else if (b) { } else { }", 3),
        ("for (a in b) { }\n while (a) { }\n do { } while (b)", 4),
        ("when (a) { 1, 2 -> f()\n is B -> g()\n else -> h() }", 3),
        ("try { } catch (e: A) { } finally { }", 2),
        ("return a && b || c", 3),
        ("return a ?: b", 1),
        ("run { if (a) { } }", 2),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    assert _symbol(f"fun f(): Int {{\n{body}\n}}\n", "f").complexity == complexity


def test_a_companions_functions_are_called_on_its_class() -> None:
    text = "class A {\n companion object {\n  fun of() = A()\n }\n}\nval b = A.of()\n"
    assert [s.qualified_name for s in parse_file("B.kt", text).symbols] == [
        "A",
        "A.of",
        "b",
    ]
    assert _references(text, "call") == ["A file A", "A.of file A.of"]


def test_methods_of_anonymous_objects_are_no_symbols() -> None:
    text = "fun f() {\n val a = object : B {\n  override fun g() = h()\n }\n}\n"
    assert [s.name for s in parse_file("B.kt", text).symbols] == ["f"]
    assert _symbol(text, "f").called_functions == ("h",)


@pytest.mark.parametrize(
    ("heading", "inherited", "implemented"),
    [
        ("class A : B(), C", ["B"], ["C"]),
        ("class A : C by c", [], ["C"]),
        ("interface A : B, C", ["B", "C"], []),
        ("object A : x.B<C>(1)", ["x.B"], []),
        ("enum class A : B", [], ["B"]),
    ],
)
def test_the_constructed_supertype_is_the_base(
    heading: str, inherited: list[str], implemented: list[str]
) -> None:
    text = f"{heading} {{\n}}\n"
    assert _references(text, "inherit") == inherited
    assert _references(text, "implement") == implemented


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ("a?.b()?.c()", ["a.b().c", "a.b"]),
        ("a!!.b<C>()", ["a.b"]),
        ("a[0].b()", ["a[].b"]),
        ("(a ?: b).c()", []),
        ("this@X.a()", ["X.this.a"]),
        ("a { b() }", ["a", "b"]),
    ],
)
def test_calls_are_named_without_marks(call: str, names: list[str]) -> None:
    assert _references(f"fun f() {{\n {call}\n}}\n", "call") == names


def test_a_generic_parameters_members_are_those_of_the_outer_type() -> None:
    text = "import x.Page\nfun f(a: Page<Box>?, vararg b: Box) {\n a.go()\n b.go()\n}\n"
    assert _references(text, "call") == ["a.go type x.Page.go", "b.go local"]


@pytest.mark.parametrize(
    ("statement", "reference"),
    [
        ("import a.b.C", "a.b.C import a.b.C"),
        ("import a.b.*", "a.b.* import a.b.*"),
        ("import a.b.C as D", "a.b.C import a.b.C"),
    ],
)
def test_imports(statement: str, reference: str) -> None:
    assert _references(statement + "\n", "import") == [reference]


def test_a_use_site_target_is_no_part_of_the_annotations_name() -> None:
    text = "class A(@field:Json(name = B.C) val a: Int)\n"
    assert _references(text, "decorator") == ["Json"]


@pytest.mark.parametrize(
    "before", ["constructor", "private constructor", '@Inject @Named("a") constructor']
)
def test_a_constructor_may_stand_below_its_class(before: str) -> None:
    text = f"class A<T>\n  {before}(\n val b: T,\n) : C() {{\n fun d() = 1\n}}\n"
    facts = parse_file("a/B.kt", text)
    assert "A.d" in [s.qualified_name for s in facts.symbols]
    assert facts.warnings == ()
