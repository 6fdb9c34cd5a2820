from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file
from devrag.parsing.types import ReferenceFacts, SymbolFacts

PATH = "crates/shop-core/src/db/mod.rs"


def _symbol(text: str, name: str) -> SymbolFacts:
    found = [s for s in parse_file(PATH, text).symbols if s.name == name]
    assert len(found) == 1
    return found[0]


def _references(text: str, kind: str) -> list[ReferenceFacts]:
    found = parse_file(PATH, text).references
    return [reference for reference in found if reference.kind == kind]


def _calls(text: str) -> list[tuple[str, str, str]]:
    return [(r.name, r.target, r.via) for r in _references(text, "call")]


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("", 1),
        ("if a {} else if b {} else {}", 3),
        ("for a in b {} while c {} loop {}", 4),
        ("match a { 1 => {}, 2 | 3 => {}, _ => {} }", 3),
        ("match a { n if n > 1 => {}, _ => {} }", 3),
        ("a && b || c;", 3),
        ("let Some(a) = b else { return };", 2),
        ("if let Some(a) = b && c {}", 3),
        ("a?;", 1),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    assert _symbol(f"fn f() {{ {body} }}\n", "f").complexity == complexity


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("src/main.rs", "crate"),
        ("src/lib.rs", "crate"),
        ("src/db/mod.rs", "crate.db"),
        ("src/db/pool.rs", "crate.db.pool"),
        ("crates/shop-core/src/lib.rs", "shop_core"),
        ("crates/shop-core/src/db.rs", "shop_core.db"),
        ("tests/orders.rs", "tests.orders"),
    ],
)
def test_the_namespace_is_the_module(path: str, module: str) -> None:
    assert parse_file(path, "fn f() {}\n").module == module


@pytest.mark.parametrize(
    ("declaration", "names"),
    [
        ("use std::fmt;", ["std.fmt"]),
        ("use crate::a::B;", ["shop_core.a.B"]),
        ("use super::a::B;", ["shop_core.a.B"]),
        ("use self::a::B as C;", ["shop_core.db.a.B"]),
        ("use a::{self, b::{C, D}, e::*};", ["a", "a.b.C", "a.b.D", "a.e.*"]),
        ("mod pool;", ["shop_core.db.pool"]),
        ("mod t { use super::*; }", ["shop_core.db.*"]),
        ("extern crate a as b;", ["a"]),
    ],
)
def test_imports_are_full_paths(declaration: str, names: list[str]) -> None:
    assert [r.name for r in _references(declaration, "import")] == names


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ("a::b::c(1)", ["a.b.c"]),
        ("a.b(1).c()", ["a.b().c", "a.b"]),
        ("a()?.b()", ["a().b", "a"]),
        ("a::b::<u8>(1)", ["a.b"]),
        ("Vec::<u8>::new()", ["Vec.new"]),
        ("<A as B>::c()", []),
        ("self.0.lock()", ["self.0.lock"]),
        ("Some(1)", []),
        ("log::info!(1)", ["log.info!"]),
        ('p!("{}", a::b(c.d()))', ["p!", "a.b", "c.d"]),
        ("p!(x().y(), q!(z(1)), W(1))", ["p!", "x", "q!", "z"]),
    ],
)
def test_calls_are_named_as_written(call: str, names: list[str]) -> None:
    found = _references(f"fn f() {{ {call}; }}", "call")
    assert sorted(r.name for r in found) == sorted(names)


def test_an_attribute_calls_nothing() -> None:
    assert _calls("#[cfg(any(test, unix))]\nfn f() {}\n") == []


def test_self_is_the_type_of_the_impl() -> None:
    text = "impl<T> A<T> { fn f(&self) { self.g(); Self::h(); } }"
    assert [call[1:] for call in _calls(text)] == [("A.g", "member"), ("A.h", "member")]


def test_a_type_parameter_leads_nowhere() -> None:
    text = "fn f<P: AsRef<Path>>(p: P, q: &mut Q) { p.as_ref(); q.r(); }"
    assert _calls(text) == [("p.as_ref", "", "local"), ("q.r", "Q.r", "type")]


def test_a_pointer_does_not_hide_what_it_holds() -> None:
    text = "use std::sync::Arc;\nfn f(p: Arc<Q>) { p.r(); }"
    assert _calls(text) == [("p.r", "Q.r", "type")]


def test_a_macro_is_never_a_function() -> None:
    text = "fn write() {}\nfn f() { write!(a); write(); }\n"
    assert _calls(text) == [("write!", "", ""), ("write", "write", "file")]


def test_a_trait_implementation_is_public_and_implements() -> None:
    text = "struct A;\nimpl fmt::Debug for A { fn fmt(&self) {} }\n"
    assert _symbol(text, "fmt").modifiers == ("public",)
    assert _symbol(text, "fmt").qualified_name == "A.fmt"
    assert [r.name for r in _references(text, "implement")] == ["fmt.Debug"]


def test_attributes_and_documentation_belong_to_the_chunk() -> None:
    text = "use a;\n\n/// Does it.\n#[inline]\nfn f() {}\n"
    facts = parse_file("src/m.rs", text)
    assert (facts.symbols[0].docstring, facts.symbols[0].attributes) == (
        "Does it.",
        ("#[inline]",),
    )
    assert [(c.start_line, c.end_line) for c in facts.chunks] == [(1, 1), (3, 5)]


def test_a_doc_comment_counts_its_own_lines_only() -> None:
    assert _symbol("/// One.\n/// Two.\nfn f() {}\n", "f").comment_lines == 2
