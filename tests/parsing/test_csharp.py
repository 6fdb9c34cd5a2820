from __future__ import annotations

from functools import partial

import pytest

from devrag.parsing.api import parse_file

from .cases import bound_references, symbol_named

_symbol = partial(symbol_named, "a/B.cs")
_references = partial(bound_references, "a/B.cs")


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("return 1;", 1),
        ("if (a) { } else if (b) { } else { }", 3),
        ("for (;;) { } foreach (var a in b) { }", 3),
        ("while (a) { } do { } while (b);", 3),
        ("switch (a) { case 1: case 2: F(); break; default: break; }", 3),
        ("switch (a) { case B b when b.C: break; }", 3),
        ("return a switch { 1 => 3, > 2 => 4, _ => 5 };", 3),
        ("try { } catch (A e) when (e.B) { } catch { } finally { }", 4),
        ("return a && b || c ? 1 : 2;", 4),
        ("return a ?? b;", 1),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    assert _symbol(f"class A {{ int F() {{ {body} }} }}", "F").complexity == complexity


@pytest.mark.parametrize(
    ("text", "module", "names"),
    [
        ("namespace A.B; class C {}", "A.B", ["C"]),
        ("namespace A.B { class C {} }", "A.B", ["C"]),
        ("class C {}", "", ["C"]),
        (
            "namespace A { class C {} }\nnamespace B { class C {} }",
            "",
            ["A", "A.C", "B", "B.C"],
        ),
    ],
)
def test_one_namespace_is_the_files_and_several_are_symbols(
    text: str, module: str, names: list[str]
) -> None:
    facts = parse_file("a/B.cs", text + "\n")
    assert facts.module == module
    assert [s.qualified_name for s in facts.symbols] == names


@pytest.mark.parametrize(
    ("text", "name", "access"),
    [
        ("class C {}", "C", "internal"),
        ("class C { class D {} }", "D", "private"),
        ("class C { void F() {} }", "F", "private"),
        ("class C { protected internal void F() {} }", "F", "protected"),
        ("interface C { void F(); }", "F", "public"),
        ("class C {\n#if X\nvoid F() {}\n#endif\n}", "F", "private"),
    ],
)
def test_access_when_none_is_written(text: str, name: str, access: str) -> None:
    assert _symbol(text, name).modifiers[0] == access


@pytest.mark.parametrize(
    ("declaration", "kind"),
    [
        ("int P { get; set; }", "variable"),
        ("int P { get; } = 1;", "variable"),
        ("int P => 1;", "method"),
        ("int P { get { return 1; } }", "method"),
        ("int P { get => 1; }", "method"),
    ],
)
def test_a_property_that_computes_is_a_method(declaration: str, kind: str) -> None:
    assert _symbol(f"class A {{ {declaration} }}", "P").kind == kind


@pytest.mark.parametrize(
    ("using", "reference"),
    [
        ("using A.B;", "A.B.* import A.B.*"),
        ("using static A.B;", "A.B.* import A.B.*"),
        ("using C = A.B<int>;", "A.B import A.B"),
        ("global using A;", "A.* import A.*"),
    ],
)
def test_usings(using: str, reference: str) -> None:
    assert _references(using, "import") == [reference]


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ("a?.B()?.C();", ["a.B().C", "a.B"]),
        ("a.B<int>();", ["a.B"]),
        ("global::A.B.C();", ["A.B.C"]),
        ("a!.B();", ["a.B"]),
        ("(a as B).C();", []),
        ("nameof(a.B);", []),
        ("new A.B<C>(1);", ["A.B"]),
        ("Do(D.E);", ["Do"]),
    ],
)
def test_calls_are_named_without_marks(call: str, names: list[str]) -> None:
    assert _references(f"class X {{ void Y() {{ {call} }} }}", "call") == names


def test_xml_comments_become_text() -> None:
    text = (
        "class A {\n/// <summary>\n/// Takes a <see cref='B'/>.\n/// </summary>\n"
        "/// <param name='b'>The b.</param>\nvoid F(B b) {}\n}\n"
    )
    assert _symbol(text, "F").docstring == "Takes a B.\n\nb: The b."


def test_interfaces_are_known_by_their_i() -> None:
    text = "class A : B, N.IC, Item {}"
    assert _references(text, "inherit") == ["B", "Item"]
    assert _references(text, "implement") == ["N.IC"]
