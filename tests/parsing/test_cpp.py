from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file
from devrag.parsing.types import ReferenceFacts, SymbolFacts


def _symbol(text: str, name: str) -> SymbolFacts:
    found = [s for s in parse_file("a.cpp", text).symbols if s.name == name]
    assert len(found) == 1
    return found[0]


def _references(text: str, kind: str) -> list[ReferenceFacts]:
    return [r for r in parse_file("a.cpp", text).references if r.kind == kind]


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("for (auto& a : b) {}", 2),
        ("try {} catch (A& a) {} catch (...) {}", 3),
        ("return a and b or c;", 3),
        ("return a && b || c;", 3),
        ("auto&& a = b;", 1),
        ("auto f = [] { if (a) {} };", 2),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    assert _symbol(f"void f() {{ {body} }}\n", "f").complexity == complexity


@pytest.mark.parametrize(
    ("head", "name", "qualified"),
    [
        ("void A::f()", "f", "A.f"),
        ("int a::b::C<T>::f(int x)", "f", "a.b.C.f"),
        ("A::A()", "A", "A.A"),
        ("A::~A()", "~A", "A.~A"),
        ("bool A::operator==(const A& b) const", "operator==", "A.operator=="),
    ],
)
def test_a_method_outside_its_class_is_still_its_method(
    head: str, name: str, qualified: str
) -> None:
    symbol = _symbol(head + " {}\n", name)
    assert (symbol.kind, symbol.qualified_name) == ("method", qualified)


def test_access_is_that_of_the_part_of_the_class() -> None:
    text = (
        "class A { void a() {} public: struct I { void i() {} private: int x; };"
        " void b() {} protected: void c() {} };\nstruct S { void s() {} };\n"
    )
    found = {s.name: s.modifiers for s in parse_file("a.cpp", text).symbols}
    assert found["a"] == ("private",)
    assert (found["b"], found["c"]) == (("public",), ("protected",))
    assert (found["i"], found["s"]) == (("public",), ("public",))


def test_modifiers_are_in_source_order() -> None:
    text = "class A { public: virtual int f(int a) const noexcept override { } };\n"
    words = ("public", "virtual", "const", "noexcept", "override")
    assert _symbol(text, "f").modifiers == words


def test_a_pure_virtual_function_is_a_method() -> None:
    text = "class A { public: virtual int f() = 0; int g(); int h = 0; };\n"
    assert [s.name for s in parse_file("a.cpp", text).symbols] == ["A", "f"]


def test_a_deleted_function_is_no_symbol() -> None:
    text = "class A { A(const A&) = delete; A() = default; };\n"
    assert [s.name for s in parse_file("a.cpp", text).symbols] == ["A", "A"]


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ("a::b(1)", ["a.b"]),
        ("::a(1)", ["a"]),
        ("a<int>(1)", ["a"]),
        ("a::B<int>::c(1)", ["a.B.c"]),
        ("a->b().c<int>(1)", ["a.b().c", "a.b"]),
        ("(*this).a()", []),
        ("new a::B<int>(1)", ["a.B"]),
        ("static_cast<int>(a)", []),
    ],
)
def test_calls_are_named_as_written(call: str, names: list[str]) -> None:
    assert [r.name for r in _references(f"void f() {{ {call}; }}", "call")] == names


@pytest.mark.parametrize(
    ("declaration", "name"),
    [
        ("#include <a/b.h>", "a/b.h"),
        ("using a::b;", "a.b"),
        ("using namespace a::b;", "a.b.*"),
        ("namespace c = a::b;", "a.b"),
    ],
)
def test_imports(declaration: str, name: str) -> None:
    assert [r.name for r in _references(declaration + "\n", "import")] == [name]


def test_a_bare_call_may_be_a_member() -> None:
    text = "class A { void f() { g(); this->h(); } void g() {} };\n"
    bound = [(r.target, r.via) for r in _references(text, "call")]
    assert bound == [("A.g", "file"), ("A.h", "member")]


def test_a_bare_call_outside_the_class_may_be_a_member() -> None:
    text = "void A::f() { g(); }\nvoid A::g() {}\n"
    assert [r.target for r in _references(text, "call")] == ["A.g"]


def test_a_class_is_not_its_constructor() -> None:
    text = "class A { A() {} A* f(A& a) {} };\n"
    assert {r.target for r in _references(text, "type")} == {"A"}


def test_types_are_named_once_and_whole() -> None:
    text = "template <class T> std::vector<b::C<T>> f(const D& d) {}\n"
    names = [r.name for r in _references(text, "type")]
    assert names == ["std.vector", "b.C", "D"]


def test_bases_are_inherited() -> None:
    text = "class A : public B<int>, private c::D {};\n"
    assert [r.name for r in _references(text, "inherit")] == ["B", "c.D"]
    assert _references(text, "type") == []


def test_a_test_macro_names_its_test() -> None:
    text = "TEST(Suite, Name) { f(); }\n"
    assert _symbol(text, "Suite.Name").kind == "function"
    assert _references(text, "type") == []


def test_arguments_of_a_local_object_are_no_types() -> None:
    text = "void f() { Slice key(data, sizeof(data)); }\n"
    assert [r.name for r in _references(text, "type")] == ["Slice"]


def test_sections_of_qt_are_read_over() -> None:
    text = "class A {\npublic slots:\n void f() {}\nsignals:\n void g() {}\n};\n"
    facts = parse_file("a.cpp", text)
    assert [s.qualified_name for s in facts.symbols] == ["A", "A.f", "A.g"]
    assert facts.warnings == ()
